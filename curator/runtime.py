"""The runtime folder, in the git directory: what was paid for, what waits and why. Never committed, never synced."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from curator import durable
from curator.errors import SourceError, WikiError
from curator.finding import Finding

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Spooled:
    """A private copy of a source, made while it was hashed; all that follows reads this copy."""

    file: Path
    digest: str
    """``sha256:<hex>``."""
    size: int

    def open(self) -> BinaryIO:
        return self.file.open("rb")


@dataclass(frozen=True)
class Parked:
    """A source that waits for somebody."""

    source: str
    digest: str
    code: str
    reason: str
    next: str
    at: str
    findings: tuple[dict[str, Any], ...] = ()
    stamp: str = ""
    """``stamp`` of the file when it was set aside."""
    held: bool = False
    """True when it waits for work in progress to end, as a page being edited: then it is tried again by itself."""


@dataclass(frozen=True)
class Runtime:
    """The folder ``git rev-parse --git-path curator``."""

    folder: Path

    @property
    def spool_folder(self) -> Path:
        """Private copies of the sources that are being taken in."""
        return self.folder / "spool"

    @property
    def index(self) -> Path:
        """The private index, kept between ingests."""
        return self.folder / "index"

    @property
    def journal(self) -> Path:
        """What a transaction is about to do; there only while it does it."""
        return self.folder / "journal.json"

    @property
    def token(self) -> Path:
        """The file that git's index.lock is a hard link to while it is ours."""
        return self.folder / "token"

    @property
    def next_index(self) -> Path:
        """The user's index as it will be after the commit."""
        return self.folder / "index.new"

    @property
    def displaced(self) -> Path:
        """Page files that were just replaced, for as long as an editor may have them open."""
        return self.folder / "displaced"

    @property
    def service(self) -> Path:
        """What a running service tells of itself."""
        return self.folder / "service.json"

    @property
    def turns(self) -> Path:
        """A lock a source that is being worked on."""
        return self.folder / "turns"

    @property
    def config(self) -> Path:
        return self.folder / "curator.toml"

    def spool(self, path: Path, algorithm: str, most: int) -> Spooled:
        """Copy a file in while hashing it. Raises SourceError for what is no plain, readable, bounded file."""
        hasher = _hasher(algorithm)
        # Named after the process too: another curate may be reading the same bytes, and drops its own copy only.
        file = self._made("spool") / f"{os.getpid()}-{_name(str(path))}"
        descriptor = _open_source(path)
        try:
            size = os.fstat(descriptor).st_size
            if size <= most:
                size = _copy(descriptor, file, hasher, most)
            if size > most:
                raise SourceError(
                    "source_too_large",
                    f"it has {size:,} bytes; at most {most:,} are read",
                    "split it, or raise max_source_bytes in curator.toml",
                )
            if size == 0:
                raise SourceError("source_empty", "it is empty", "write something into it, or delete it")
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        finally:
            os.close(descriptor)
        return Spooled(file, f"{algorithm}:{hasher.hexdigest()}", size)

    def drop_spool(self, spooled: Spooled) -> None:
        spooled.file.unlink(missing_ok=True)

    # -- answers that were paid for ------------------------------------------------------------------------------

    def reply(self, key: str) -> dict[str, Any] | None:
        """The saved answer to the request with this key."""
        try:
            value = json.loads((self.folder / "replies" / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def keep_reply(self, key: str, reply: dict[str, Any]) -> None:
        # As ASCII: a reply may have half a character in it, which can be written as an escape only.
        durable.write(self._made("replies") / f"{key}.json", json.dumps(reply, indent=1).encode())

    def drop_reply(self, key: str) -> None:
        (self.folder / "replies" / f"{key}.json").unlink(missing_ok=True)

    def drop_replies(self, beginning: str) -> None:
        """Drop the answers whose keys begin so."""
        for file in (self.folder / "replies").glob(f"{beginning}-*.json"):
            file.unlink(missing_ok=True)

    # -- sources that wait ---------------------------------------------------------------------------------------

    def park(self, parked: Parked) -> None:
        # As ASCII: a file's name may have bytes that are no UTF-8, and those can be written as escapes only.
        text = json.dumps(asdict(parked), indent=1)
        durable.write(self._made("parked") / f"{_name(parked.source)}.json", text.encode("utf-8", "surrogateescape"))

    def unpark(self, source: str) -> None:
        (self.folder / "parked" / f"{_name(source)}.json").unlink(missing_ok=True)

    def parked(self) -> Iterator[Parked]:
        """All that waits, longest first."""
        found = []
        for file in sorted((self.folder / "parked").glob("*.json")):
            try:
                value = json.loads(file.read_text("utf-8"))
                found.append(Parked(**{**value, "findings": tuple(value.get("findings", ()))}))
            except (OSError, ValueError, TypeError):
                continue
        yield from sorted(found, key=lambda parked: (parked.at, parked.source))

    # -- sources that are to be left alone, and what the service is told to do ------------------------------------

    def skip(self, source: str, digest: str) -> None:
        """Leave these bytes alone from now on."""
        self._note_down("skipped", {"source": source, "digest": digest})

    def unskip(self, source: str) -> None:
        (self.folder / "skipped" / f"{_name(source)}.json").unlink(missing_ok=True)

    def skipped(self) -> dict[str, str]:
        """Digest by source."""
        return {note["source"]: note["digest"] for _, note in self._noted("skipped") if note.keys() >= {"digest"}}

    def order(self, what: str, source: str) -> None:
        """Tell the service, now or when it starts, to ``retry`` or to ``skip`` a source."""
        self._note_down("orders", {"source": source, "what": what})

    def orders(self) -> list[tuple[str, str]]:
        """What the service is told to do, and to which source; each is told once."""
        found = [(note["what"], note["source"], file) for file, note in self._noted("orders") if "what" in note]
        for *_, file in found:
            file.unlink(missing_ok=True)
        return [(what, source) for what, source, _ in found]

    def _note_down(self, folder: str, note: dict[str, str]) -> None:
        durable.write(self._made(folder) / f"{_name(note['source'])}.json", json.dumps(note).encode("ascii"))

    def _noted(self, folder: str) -> Iterator[tuple[Path, dict[str, str]]]:
        for file in sorted((self.folder / folder).glob("*.json")):
            try:
                note = json.loads(file.read_text("ascii"))
            except (OSError, ValueError):
                continue
            if isinstance(note, dict) and "source" in note:
                yield file, note

    # -- what was somebody's and is kept -------------------------------------------------------------------------

    def rescue(self, file: Path, why: str) -> None:
        """Move a file with bytes we do not know out of the way, and remember why."""
        folder, name = self._made("rescue"), file.name.strip(".~")
        target = next(path for n in itertools.count() if not (path := folder / (f"{name}-{n}" if n else name)).exists())
        shutil.move(file, target)  # across file systems too: the git directory may be on another one
        self._note("rescued", str(target), why)

    def note_kept(self, path: str) -> None:
        """Remember that a page kept its user's own text although a commit changed it."""
        self._note("kept", path, "you saved this page while it was being changed: 'git diff' shows your text")

    def rescued(self) -> list[dict[str, str]]:
        """All of that, oldest first: ``what``, ``path``, ``why``."""
        try:
            lines = (self.folder / "rescue.log").read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        return [note for line in lines if (note := _note_of(line)) is not None]

    def untold(self) -> list[dict[str, str]]:
        """Those that no log entry speaks of yet."""
        try:
            told = int((self.folder / "rescue.told").read_text())
        except (FileNotFoundError, ValueError):
            told = 0
        return self.rescued()[told:]

    def note_told(self) -> None:
        (self.folder / "rescue.told").write_text(str(len(self.rescued())))

    def _note(self, what: str, path: str, why: str) -> None:
        with (self.folder / "rescue.log").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, "path": path, "why": why}, ensure_ascii=False) + "\n")

    @contextmanager
    def lock(self, seconds: float = 60, name: str = "lock") -> Iterator[int]:
        """One curator writes at a time; the lock dies with its process, and with those that were given its descriptor.

        ``landing``, another one, is for those that have an answer and want to write, and is held before this.
        """
        import fcntl
        import time

        from curator.errors import Conflict

        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / name).open("a") as file:
            until = time.monotonic() + seconds
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise Conflict("busy", "another curate is writing to this wiki", "try again") from None
                    time.sleep(0.05)
            yield file.fileno()

    def _made(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def running_service(runtime: Runtime) -> str | None:
    """The service that holds the wiki's lock, in words; None when none runs."""
    import fcntl

    with suppress(FileNotFoundError), (runtime.folder / "daemon.lock").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return file.read().strip() or "starting"
    return None


def _note_of(line: str) -> dict[str, str] | None:
    """A note of rescue.log; None for a line that a crash has torn."""
    try:
        note = json.loads(line)
    except ValueError:
        return None
    return note if isinstance(note, dict) and note.keys() >= {"what", "path", "why"} else None


def findings_as_json(findings: Sequence[Finding]) -> tuple[dict[str, Any], ...]:
    return tuple(finding.as_json() for finding in findings)


def stamp(file: Path) -> str:
    """Another one when the file changes; empty when there is none."""
    try:
        seen = file.lstat()
    except OSError:
        return ""
    return f"{seen.st_size}-{seen.st_mtime_ns}"


def _open_source(path: Path) -> int:
    """A descriptor of a plain file: no link is followed, no FIFO waited for, no device woken up."""
    try:
        _check_kind(path.lstat().st_mode)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise SourceError("source_unreadable", "there is no such file", "check the name") from error
    except OSError as error:
        raise SourceError(
            "source_unreadable", f"it cannot be read: {error.strerror}", "check the path and its permissions"
        ) from error
    try:
        _check_kind(os.fstat(descriptor).st_mode)
    except SourceError:
        os.close(descriptor)
        raise
    return descriptor


_KINDS = {
    stat.S_IFLNK: (
        "a symbolic link, which is not followed",
        "put the file itself there, or name the file it points to",
    ),
    stat.S_IFDIR: ("a folder", "name the files in it"),
    stat.S_IFIFO: ("a FIFO", "write what it gives into a file"),
    stat.S_IFSOCK: ("a socket", "name a plain file"),
}


def _check_kind(mode: int) -> None:
    if not stat.S_ISREG(mode):
        what, hint = _KINDS.get(stat.S_IFMT(mode), ("a device", "name a plain file"))
        raise SourceError("source_not_a_file", f"it is {what}", hint)


def _copy(descriptor: int, file: Path, hasher: Any, most: int) -> int:
    """How many bytes were copied; one chunk past ``most`` is enough to know that a growing file is too large."""
    size = 0
    with file.open("wb") as copy:
        while size <= most and (chunk := os.read(descriptor, _CHUNK)):
            hasher.update(chunk)
            copy.write(chunk)
            size += len(chunk)
    return size


def _hasher(algorithm: str) -> Any:
    if algorithm not in ("sha256", "sha512"):
        raise WikiError(
            "hash_unknown",
            f"_manifest.json says hashAlgo {algorithm!r}, which curator does not have",
            "use sha256 or sha512; 'git log -- _manifest.json' shows what it was",
        )
    return hashlib.new(algorithm)


def _name(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogateescape")).hexdigest()[:24]
