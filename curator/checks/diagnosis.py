"""A diagnosis: one thing that was found, and what fixes it: a repair is a value too, and ``repairs`` alone does it."""

from __future__ import annotations

import errno
import shlex
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from curator.errors import CuratorError
from curator.finding import Finding, Severity
from curator.repository.change_set import ChangeSet
from curator.system.filenames import printable
from curator.wiki import log
from curator.wiki.log import LogEvent
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import Wiki


@dataclass(frozen=True)
class Write:
    """A generated file as it should be: it goes into the repair's one commit."""

    path: str
    make: Callable[[], str]
    why: str

    @cached_property
    def text(self) -> str:
        """Made when it is wanted: most only ask what is wrong."""
        return self.make()


@dataclass(frozen=True)
class Append:
    """An event that belongs into the log; what is there stays as it is."""

    event: LogEvent


@dataclass(frozen=True)
class Rescue:
    """A file with bytes nobody knows: it moves to ``rescue/``."""

    file: Path
    why: str


@dataclass(frozen=True)
class Remove:
    """Files of ours with nothing in them that is not somewhere else, or can be made again."""

    files: tuple[Path, ...]
    why: str


Repair = Write | Append | Rescue | Remove


def change_set(
    wiki: Wiki, fixes: Sequence[Repair], subject: str, title: str = "", bullets: Sequence[str] = ()
) -> ChangeSet:
    """What ``fixes`` do to the generated files, in one change with the pages that ``wiki`` has changed.

    ``bullets`` say what was done to those. Without a ``title`` the commit is called after its files.
    """
    writes = [fix for fix in fixes if isinstance(fix, Write)]
    events = tuple(sorted((fix.event for fix in fixes if isinstance(fix, Append)), key=lambda event: event.at))
    did = (
        *bullets,
        *(f"{write.path}: {write.why}" for write in writes),
        *(f"{log.PATH}: added {event.type} of {event.at}: {event.subject}" for event in events),
    )
    files = {write.path: write.text for write in writes}
    title = title or f"repair: {', '.join(sorted({*files, log.PATH}))}"
    trailers = (f"Curator-Mended: {len(did)}",)
    return ChangeSet(
        wiki, SourceManifest(), subject, did, trailers, files, title=title, earlier_events=events, is_partial=True
    )


@dataclass(frozen=True)
class Diagnosis:
    """``repair`` is what to do, down to the command; ``fix`` is what ``--repair`` does, if it does anything."""

    finding: Finding
    repair: str
    fix: Repair | None = None

    @property
    def counts(self) -> bool:
        """True for what makes a wiki unhealthy; information does not."""
        return self.finding.severity != "info"

    def as_json(self) -> dict[str, object]:
        return {**self.finding.as_json(), "repair": self.repair, "mends": self.fix is not None}


def found(severity: Severity, code: str, path: str, message: str, repair: str, *, line: int | None = None) -> Diagnosis:
    """A diagnosis that somebody has to act upon."""
    return Diagnosis(Finding(code, path, message, line, severity), repair)


def fixable(severity: Severity, code: str, path: str, message: str, fix: Repair, does: str) -> Diagnosis:
    """A diagnosis that ``--repair`` can do something about."""
    return Diagnosis(Finding(code, path, message, None, severity), f"curate doctor --repair {does}", fix)


def of_error(error: CuratorError, path: str = ".") -> Diagnosis:
    """What a command would have died of, as a finding."""
    return found("error", error.code, path, error.message, error.hint or "see 'git status' in the wiki")


def guarded(what: str, examined: Iterator[Diagnosis]) -> Iterator[Diagnosis]:
    """What ``examined`` finds; an examination that cannot go on is a finding itself, and the others go on."""
    try:
        yield from examined
    except CuratorError as error:
        yield of_error(error)
    except (OSError, ValueError, sqlite3.Error) as error:
        number = f" ({errno.errorcode.get(error.errno or 0, '?')})" if isinstance(error, OSError) else ""
        message = f"{what} could not be looked at: {error}{number}"
        yield found("error", "not_examined", ".", message, "see to that, then run 'curate doctor' again")


def place(file: Path, root: Path) -> str:
    """A file's path for people: from the wiki root where it is inside, else in full."""
    try:
        return printable(file.relative_to(root).as_posix())
    except ValueError:
        return printable(file)


def quoted(path: str | Path) -> str:
    """A path as the shell takes it."""
    return shlex.quote(printable(path))
