"""What may be done from the browser where writing is allowed: the commands' own functions, by name, each looked at first.

An act that a command can look at without writing (``--dry-run``) is shown so first, with a button that does it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from curator.cli.commands import ask as asking
from curator.cli.commands import edit as editing
from curator.cli.commands import ingest as ingesting
from curator.cli.commands import retry_skip, review
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Report, Say, silent
from curator.cli.web.shown import Shown
from curator.errors import ConfigError
from curator.repository.settings import Settings

Fields = Mapping[str, str]


@dataclass(frozen=True)
class Act:
    """Something that may be done; ``run`` takes the settings, the fields of the form and whether it only looks."""

    says: str
    """What the button says."""
    needs: tuple[str, ...]
    """Fields that the form has to have."""
    run: Callable[[Settings, Fields, bool], Report]
    looks_first: bool = True
    view: str = "review"
    """Where one goes on from it."""


def _file(fields: Fields) -> list[Path]:
    return [Path(fields["source"])]


def _taken_in(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    return ingesting.run(settings, [settings.root / fields["source"]], dry_run, ask_again=False, say=silent)


def _saved(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    request = AskRequest(
        save=True,
        title=fields.get("title", ""),
        everywhere=True,
        follows=bool(fields.get("follows")),
        dry_run=dry_run,
    )
    return asking.run(settings, fields["question"], request, silent)


def _settled(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    return editing.settle_dispute(settings, fields["page"], fields["statement"], dry_run)


def _merged(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    return editing.merge_pages(settings, fields["page"], fields["other"], dry_run)


def _renamed(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    return editing.rename_page(settings, fields["page"], fields["title"], dry_run)


ACTS = {
    "approve": Act("Approve", ("name",), lambda s, f, dry: review.approve(s, (f["name"],), dry)),
    "reject": Act(
        "Reject", ("name", "why"), lambda s, f, dry: review.reject(s, f["name"], f["why"]), looks_first=False
    ),
    "undo": Act("Take it back", ("id",), lambda s, f, dry: editing.undo_commits(s, [f["id"]], dry), view="activity"),
    "merge": Act("Merge", ("page", "other"), _merged, view="doubts"),
    "rename": Act("Rename", ("page", "title"), _renamed, view="doubts"),
    "settle": Act("This one stands", ("page", "statement"), _settled, view="doubts"),
    "ingest": Act("Take it in", ("source",), _taken_in, looks_first=False),
    "retry": Act("Try again", ("source",), lambda s, f, dry: retry_skip.retry_sources(s, _file(f), False), False),
    "skip": Act("Leave it", ("source",), lambda s, f, dry: retry_skip.skip_sources(s, _file(f)), looks_first=False),
    "save": Act("Save as a page", ("question",), _saved, view="ask"),
}


def carried_out(settings: Settings, fields: Fields) -> Shown:
    """Do what the fields of a form ask for, or look at it first, unless ``sure`` is among them.

    Raises ConfigError for what is no act.
    """
    name = fields.get("act", "")
    act = ACTS.get(name)
    if act is None or any(not fields.get(field, "").strip() for field in act.needs):
        raise ConfigError("act_unknown", f"{name!r} with {', '.join(sorted(fields)) or 'nothing'} cannot be done here")
    dry_run = act.looks_first and not fields.get("sure")
    return shown_of(name, act.run(settings, fields, dry_run), dry_run, fields)


def shown_of(name: str, report: Report, looked: bool, fields: Fields) -> Shown:
    """The page on an act: what it said, what would be, and each commit that it made with the way back."""
    each = [report.data, *report.data.get("results", ())]
    diff = "".join(result.get("diff") or "" for result in each)
    did = list(report.data.get("did", ()))
    listed = {f"  - {bullet}" for bullet in did}
    said = (line.removesuffix(diff).rstrip() for line in report.lines if line not in listed)
    kept = {field: value for field, value in fields.items() if field not in ("act", "sure")}
    about = {
        "act": ACTS[name],
        "name": name,
        "ok": report.ok,
        "looked": looked,
        "lines": list(filter(None, said)),
        "diff": diff,
    }
    stays = [bullet for bullet in did if bullet.startswith("kept ")]
    about |= {"stays": stays, "did": [bullet for bullet in did if bullet not in stays]}
    commits = [result["commit"] for result in each if result.get("commit")]
    created = [slug for result in each for slug in result.get("created") or ()]
    return Shown("acted.html", {**about, "fields": kept, "commits": commits, "created": created})


def taken_in(settings: Settings, dropped: Sequence[tuple[str, bytes]], address: str, say: Say) -> Report:
    """Take in files that were dropped, by their names, and the page at ``address``, unless that is empty.

    Files come into ``sources/`` as any from outside do. Raises ConfigError for what is no address of the web.
    """
    if address and not address.lower().startswith(("https://", "http://")):
        raise ConfigError("address_invalid", f"{address!r} is no address of a page", "it begins with https://")
    with tempfile.TemporaryDirectory() as folder:
        named: list[Path | str] = [address] if address else []
        for number, (name, data) in enumerate(dropped):
            file = Path(folder) / f"{number}" / (PurePosixPath(name.replace("\\", "/")).name or "dropped.txt")
            file.parent.mkdir()
            file.write_bytes(data)
            named.append(file)
        report = ingesting.run(settings, named, dry_run=False, ask_again=False, say=say)
        place = re.compile(re.escape(f"{folder}/") + r"\d+/")  # what was refused is told by the name that it came with
        return replace(report, lines=tuple(place.sub("", line) for line in report.lines))
