"""What goes on in a wiki, while it goes on: the queue and its stages, what it takes of the budget, commits as they land."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from curator.cli.commands import log as logging
from curator.cli.commands.status import read_status
from curator.cli.web.addresses import Addresses
from curator.cli.web.served import OpenWiki, ShownWiki
from curator.cli.web.shown import Templates
from curator.cli.web.streams import Event
from curator.cli.web.works import Works
from curator.errors import CuratorError
from curator.repository.runtime.runtime import Runtime
from curator.service.status import ServiceStatus, row

_LOOK_AT_ALL = 10.0
"""Seconds after which git is looked at though nothing of it seems new."""
_EVENTS = 50
_LEFT_OUT = "left out: "
_PAGE = re.compile(r"(?P<did>[a-z]+) \[\[(?P<slug>[^\]|]+)\]\].*")
"""A line of the log on one page."""


def activity_of(wiki: OpenWiki, works: Works) -> dict[str, Any]:
    """What the templates of activity are filled with."""
    status, service = read_status(wiki.shown.settings())
    events = logging.run(wiki.shown.settings(), _EVENTS).data["events"]
    values = {"status": status, "events": [_told(event, wiki) for event in events]}
    return {**values, **_queue(service, works.of(wiki.shown.name))}


def _queue(service: ServiceStatus, works: list[str]) -> dict[str, Any]:
    """What needs no look at git."""
    return {
        "works": works,
        "queue": [dict(zip(("source", "state", "age", "why"), row(item), strict=True)) for item in service.waiting],
        "counts": {state: count for state, count in service.counts.items() if count},
        "troubles": service.troubles,
    }


def _told(event: dict[str, Any], wiki: OpenWiki) -> dict[str, Any]:
    """What an ingest left out stands apart from what it did, which leads to the pages that are still there."""
    left_out = [line.removeprefix(_LEFT_OUT) for line in event["did"] if line.startswith(_LEFT_OUT)]
    did = [_linked(line, wiki) for line in event["did"] if not line.startswith(_LEFT_OUT)]
    return {**event, "did": did, "left_out": left_out}


def _linked(line: str, wiki: OpenWiki) -> dict[str, Any]:
    """A line of the log: ``words`` and, where it is about a page that is seen, its ``slug`` and ``title`` behind them."""
    found = _PAGE.fullmatch(line)
    entries = wiki.entries({found["slug"]}) if found is not None else []
    if found is None or not entries:
        return {"words": line, "slug": "", "title": ""}
    return {"words": found["did"], "slug": entries[0].slug, "title": entries[0].title}


class ActivityLook:
    """Tells the parts of the page on activity, as HTML by their names, whenever they are other than at the last call."""

    def __init__(self, shown: ShownWiki, works: Works, templates: Templates) -> None:
        self._shown, self._works, self._templates = shown, works, templates
        self._told: dict[str, str] = {}
        self._values: dict[str, Any] = {}
        self._runtime: Runtime | None = None
        self._stamps: tuple[object, object] = (None, None)
        self._at = 0.0

    def __call__(self) -> Iterator[Event]:
        with suppress(CuratorError):  # what is wrong with the wiki is said by its other pages
            self._look()
        about = {"at": Addresses.served(self._shown.name), "wiki": self._shown.name, "writes": self._shown.writes}
        for name in ("queue", "events") if self._values else ():
            html = self._templates.filled(f"activity_{name}.html", **about, **self._values)
            if self._told.get(name) != html:
                self._told[name] = html
                yield name, html

    def _look(self) -> None:
        """Look at what is new: at git, which takes more, only when something may have landed."""
        works = self._works.of(self._shown.name)
        told, landed = before = self._stamps
        if self._runtime is not None:
            runtime = self._runtime
            told = (works, _stamp(runtime.service), _stamp(runtime.folder / "queue.jsonl"))
            logged = runtime.shared.parent / "logs" / "HEAD"
            landed = tuple(map(_stamp, (logged, runtime.folder / "parked", runtime.folder / "spend")))
        if self._runtime is None or landed != before[1] or time.monotonic() - self._at > _LOOK_AT_ALL:
            self._at = time.monotonic()
            with self._shown.opened() as wiki:
                self._runtime = wiki.snapshot.repository.runtime
                self._values = activity_of(wiki, self._works)
        elif told != before[0]:
            self._values |= _queue(ServiceStatus.of(self._runtime), works)
        self._stamps = (told, landed)


def _stamp(file: Path) -> tuple[float, ...]:
    """Changes when the file does, or a file in the folder."""
    with suppress(OSError):
        files = [file, *(Path(entry) for entry in os.scandir(file))] if file.is_dir() else [file]
        return tuple(part for found in map(Path.stat, files) for part in (found.st_mtime_ns, found.st_size))
    return ()
