"""What may be done from the browser where writing is allowed: the commands' own functions, by name, each looked at first.

An act that a command can look at without writing (``--dry-run``) is shown so first, with a button that does it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from curator.cli.commands import ask as asking
from curator.cli.commands import edit as editing
from curator.cli.commands import ingest as ingesting
from curator.cli.commands import retry_skip, review
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Report, Say
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


def _silent(said: str) -> None:
    """Progress is not shown: the answer comes at the end."""


def _file(fields: Fields) -> list[Path]:
    return [Path(fields["source"])]


def _taken_in(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    return ingesting.run(settings, [settings.root / fields["source"]], dry_run, ask_again=False, say=_silent)


def _saved(settings: Settings, fields: Fields, dry_run: bool) -> Report:
    request = AskRequest(
        save=True,
        title=fields.get("title", ""),
        everywhere=True,
        follows=bool(fields.get("follows")),
        dry_run=dry_run,
    )
    return asking.run(settings, fields["question"], request, _silent)


ACTS = {
    "approve": Act("Approve", ("name",), lambda s, f, dry: review.approve(s, (f["name"],), dry)),
    "reject": Act(
        "Reject", ("name", "why"), lambda s, f, dry: review.reject(s, f["name"], f["why"]), looks_first=False
    ),
    "undo": Act("Take it back", ("id",), lambda s, f, dry: editing.undo_commits(s, [f["id"]], dry)),
    "merge": Act("Merge", ("page", "other"), lambda s, f, dry: editing.merge_pages(s, f["page"], f["other"], dry)),
    "ingest": Act("Take it in", ("source",), _taken_in, looks_first=False),
    "retry": Act("Try again", ("source",), lambda s, f, dry: retry_skip.retry_sources(s, _file(f), False), False),
    "skip": Act("Leave it", ("source",), lambda s, f, dry: retry_skip.skip_sources(s, _file(f)), looks_first=False),
    "save": Act("Save as a page", ("question",), _saved),
}


def carried_out(settings: Settings, name: str, fields: Fields) -> tuple[Act, Report, bool]:
    """Do the act ``name`` with the fields of a form, or look at it first, unless ``sure`` is among them.

    Gives the act, what it said, and True where it was only looked at. Raises ConfigError for what is no act.
    """
    act = ACTS.get(name)
    if act is None or any(not fields.get(field, "").strip() for field in act.needs):
        raise ConfigError("act_unknown", f"{name!r} with {', '.join(sorted(fields)) or 'nothing'} cannot be done here")
    dry_run = act.looks_first and not fields.get("sure")
    return act, act.run(settings, fields, dry_run), dry_run


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
        return ingesting.run(settings, named, dry_run=False, ask_again=False, say=say)
