"""The runtime folder, in the git directory: what was paid for, what waits and why. Never committed, never synced."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator.errors import Busy
from curator.finding import Finding
from curator.repository.runtime import form
from curator.repository.runtime.json_files import KeyedJsonFiles, name_of
from curator.system import locks

if TYPE_CHECKING:  # what each of these keeps is loaded when it is asked for
    from curator.repository.runtime.arrivals import Arrivals
    from curator.repository.runtime.replies import SavedReplies
    from curator.repository.runtime.rescue_log import RescueLog
    from curator.repository.runtime.spool import Spooled
    from curator.repository.runtime.texts import KeptTexts

COMMIT_TURN = "landing"
"""The lock of those whose turn it is to commit; older versions that are still running know the file by this name."""

_KEYS = {
    "announced": frozenset({"names", "at"}),
    "parked": frozenset[str](),
    "skipped": frozenset({"digest"}),
    "rejected": frozenset({"why"}),
    "orders": frozenset({"what"}),
}
"""What is kept of sources, a folder of files each, and the keys that such a file has."""
_MOST_REASONS = 3
_LONGEST_INGEST = 10_800.0
"""Seconds after which what was announced is taken for what a crash has left."""


@dataclass(frozen=True)
class Parked:
    """A source that could not be ingested, and why; it waits for a person, or for work in progress to end."""

    source: str
    digest: str
    code: str
    reason: str
    next: str
    at: str
    findings: tuple[dict[str, Any], ...] = ()
    stamp: str = ""
    """``file_stamp`` of the file when it was set aside."""
    held: bool = False
    """True when it waits for work in progress to end, as a page being edited: then it is tried again by itself."""


@dataclass(frozen=True)
class Runtime:
    """The folder ``git rev-parse --git-path curator``.

    Of several wikis in one repository each has a folder of its own in there, so that none sees what is another's; what a
    transaction needs is common to them, for they share branch, index and work tree.
    """

    folder: Path
    """The wiki's own."""
    common: Path | None = None
    """The repository's; None where it is the wiki's own."""

    @classmethod
    def of(cls, folder: Path, prefix: str) -> Runtime:
        """Of the wiki at ``prefix`` (from the top, with its slash; empty: the top) in the repository's ``folder``."""
        return cls(folder / "wikis" / name_of(prefix), folder) if prefix else cls(folder)

    @property
    def shared(self) -> Path:
        return self.common or self.folder

    def make(self) -> None:
        """The folder, which nobody but its user may look into: sources and answers lie there.

        Raises ConfigError for state of a later version of curator.
        """
        form.enter(self.shared)
        for folder in (self.shared, self.folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            about = folder.stat()
            if about.st_mode & 0o077 and about.st_uid == os.geteuid():
                folder.chmod(0o700)
        form.mark(self.shared)

    @property
    def spool_folder(self) -> Path:
        """Private copies of the sources that are being taken in."""
        return self.folder / "spool"

    @property
    def journal(self) -> Path:
        """What a transaction is about to do; there only while it does it."""
        return self.shared / "journal.json"

    @property
    def token(self) -> Path:
        """The file that git's index.lock is a hard link to while it is ours."""
        return self.shared / "token"

    @property
    def next_index(self) -> Path:
        """The user's index as it will be after the commit."""
        return self.shared / "index.new"

    @property
    def displaced(self) -> Path:
        """Page files that were just replaced, for as long as an editor may have them open."""
        return self.shared / "displaced"

    @property
    def service(self) -> Path:
        """What a running service tells of itself."""
        return self.folder / "service.json"

    @property
    def model_socket(self) -> Path:
        """Where a running service lends its model worker."""
        return self.folder / "model.sock"

    @property
    def source_locks(self) -> Path:
        """A lock for each source that is being ingested."""
        return self.folder / "turns"

    @property
    def texts(self) -> KeptTexts:
        """The texts that were read out of sources."""
        from curator.repository.runtime.texts import KeptTexts

        return KeptTexts(self.folder / "texts")

    @property
    def arrivals(self) -> Arrivals:
        """Where files that were fetched came from."""
        from curator.repository.runtime.arrivals import Arrivals

        return Arrivals(self.folder / "arrivals")

    @property
    def fetched(self) -> Path:
        """What is remembered of the addresses of reading lists."""
        return self.folder / "fetched"

    @property
    def replies(self) -> SavedReplies:
        """The answers that were paid for."""
        from curator.repository.runtime.replies import SavedReplies

        return SavedReplies(self.folder / "replies")

    @property
    def rescued(self) -> RescueLog:
        """What was somebody's and is kept for him; common to the wikis of a repository."""
        from curator.repository.runtime.rescue_log import RescueLog

        return RescueLog(self.shared)

    @property
    def config(self) -> Path:
        return self.shared / "curator.toml"

    def spool(self, path: Path, algorithm: str, most: int, root: Path | None = None) -> Spooled:
        """Copy a file in while hashing it. Raises SourceError for what is no plain, readable, bounded file.

        ``root``: the wiki, for one of its own files, which no link on the way may lead out of.
        """
        from curator.repository.runtime.spool import spooled

        return spooled(path, self.spool_folder, algorithm, most, root)

    def drop_spool(self, spooled: Spooled) -> None:
        spooled.file.unlink(missing_ok=True)

    # -- what others are at --------------------------------------------------------------------------------------

    def announce(self, source: str, names: Sequence[str], at: float) -> None:
        """Say what pages are being made of ``source``, for those who work on others; ``at``: now, as a timestamp."""
        self._kept("announced").put({"source": source, "names": list(names), "at": at})

    def announced(self, besides: str, now: float) -> dict[str, list[str]]:
        """What is being made of other sources than ``besides``, by source; what a crash has left long ago is forgotten."""
        found = {}
        for value in list(self._kept("announced").all()):
            at, names = value["at"], value["names"]
            if not isinstance(at, int | float) or not isinstance(names, list) or not 0 <= now - at < _LONGEST_INGEST:
                self._kept("announced").drop(value["source"])
            elif value["source"] != besides:
                found[value["source"]] = [name for name in names if isinstance(name, str)]
        return found

    def announce_no_more(self, source: str) -> None:
        self._kept("announced").drop(source)

    # -- sources that wait, or are to be left alone, and what the service is told to do ---------------------------

    def park(self, parked: Parked) -> None:
        self._kept("parked").put(asdict(parked))

    def unpark(self, source: str) -> None:
        self._kept("parked").drop(source)

    def parked(self) -> Iterator[Parked]:
        """All sources that wait, the longest first."""
        found = []
        for value in self._kept("parked").all():
            with suppress(TypeError):  # another version's, or somebody else's
                found.append(Parked(**{**value, "findings": tuple(value.get("findings", ()))}))
        yield from sorted(found, key=lambda parked: (parked.at, parked.source))

    def skip(self, source: str, digest: str) -> None:
        """Leave these bytes alone from now on."""
        self._kept("skipped").put({"source": source, "digest": digest})

    def unskip(self, source: str) -> None:
        self._kept("skipped").drop(source)

    def skipped(self) -> dict[str, str]:
        """Digest by source."""
        return {value["source"]: value["digest"] for value in self._kept("skipped").all()}

    def reject(self, source: str, why: str) -> None:
        """Remember why a person has rejected a proposal for ``source``: the last few reasons, until it is ingested."""
        self._kept("rejected").put({"source": source, "why": [*self.rejections(source), why][-_MOST_REASONS:]})

    def rejections(self, source: str) -> tuple[str, ...]:
        """The reasons, the newest last."""
        found = (value["why"] for value in self._kept("rejected").all() if value["source"] == source)
        return tuple(why for reasons in found if isinstance(reasons, list) for why in reasons if isinstance(why, str))

    def forget_rejections(self, source: str) -> None:
        self._kept("rejected").drop(source)

    def order(self, what: str, source: str) -> None:
        """Tell the service, now or when it starts, to ``retry`` or to ``skip`` a source."""
        self._kept("orders").put({"source": source, "what": what})

    def orders(self) -> list[tuple[str, str]]:
        """What the service is told to do, and to which source; each is told once."""
        return [(value["what"], value["source"]) for value in self._kept("orders").take()]

    def _kept(self, name: str) -> KeyedJsonFiles:
        """The files of one kind, a source each."""
        return KeyedJsonFiles(self.folder / name, _KEYS[name])

    @contextmanager
    def lock(self, seconds: float = 60, name: str = "lock") -> Iterator[int]:
        """One process writes at a time; the lock dies with its process, and with those that were given its descriptor.

        ``COMMIT_TURN``, another one, is for those that have an answer and want to write, and is held before this.
        """
        self.make()
        with (self.shared / name).open("a") as file:
            if not locks.take(file, time.monotonic() + seconds):
                raise Busy("busy", "another curate is writing to this wiki", "try again")
            yield file.fileno()


def findings_as_json(findings: Sequence[Finding]) -> tuple[dict[str, Any], ...]:
    return tuple(finding.as_json() for finding in findings)


def file_stamp(file: Path) -> str:
    """Size and time of the file, which differ when it was changed; empty when there is no file."""
    try:
        seen = file.lstat()
    except OSError:
        return ""
    return f"{seen.st_size}-{seen.st_mtime_ns}"
