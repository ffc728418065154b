"""The runtime folder, in the git directory: what was paid for, what waits and why. Never committed, never synced."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from curator.errors import SourceError
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


@dataclass(frozen=True)
class Runtime:
    """The folder ``git rev-parse --git-path curator``."""

    folder: Path

    @property
    def catalogue(self) -> Path:
        return self.folder / "catalogue.db"

    @property
    def index(self) -> Path:
        """The private index, kept between ingests."""
        return self.folder / "index"

    @property
    def config(self) -> Path:
        return self.folder / "curator.toml"

    def spool(self, path: Path, shown: str, algorithm: str, most: int) -> Spooled:
        """Copy a file in while hashing it. Raises SourceError for what is no plain, readable, bounded file."""
        folder = self._made("spool")
        descriptor = _open_source(path, shown)
        try:
            seen = os.fstat(descriptor)
            if not stat.S_ISREG(seen.st_mode):
                raise SourceError("source_not_a_file", f"{shown!r} is {_kind(seen.st_mode)}", "give a plain file")
            if seen.st_size > most:
                raise SourceError(
                    "source_too_large",
                    f"{shown!r} has {seen.st_size:,} bytes; at most {most:,} are read",
                    "split it, or raise max_source_bytes in curator.toml",
                )
            hasher = _hasher(algorithm)
            temporary = folder / f".{os.getpid()}-{seen.st_ino}"
            size = 0
            with temporary.open("wb") as copy:
                while chunk := os.read(descriptor, _CHUNK):
                    hasher.update(chunk)
                    copy.write(chunk)
                    size += len(chunk)
            if size == 0:
                temporary.unlink()
                raise SourceError("source_empty", f"{shown!r} is empty", "write something into it")
            digest = hasher.hexdigest()
            file = folder / digest[:32]
            temporary.replace(file)
        finally:
            os.close(descriptor)
        return Spooled(file, f"{algorithm}:{digest}", size)

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
        write_atomically(self._made("replies") / f"{key}.json", json.dumps(reply, ensure_ascii=False, indent=1))

    # -- sources that wait ---------------------------------------------------------------------------------------

    def park(self, parked: Parked) -> None:
        text = json.dumps(asdict(parked), ensure_ascii=False, indent=1)
        write_atomically(self._made("parked") / f"{_name(parked.source)}.json", text)

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

    @contextmanager
    def lock(self, seconds: float = 60) -> Iterator[None]:
        """One curator writes at a time; the lock dies with its process."""
        import fcntl
        import time

        from curator.errors import Conflict

        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a") as file:
            until = time.monotonic() + seconds
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise Conflict("busy", "another curate is writing to this wiki", "try again") from None
                    time.sleep(0.05)
            yield

    def _made(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


def findings_as_json(findings: Sequence[Finding]) -> tuple[dict[str, Any], ...]:
    return tuple(finding.as_json() for finding in findings)


def write_atomically(path: Path, text: str) -> None:
    """Write beside, then replace: a reader sees the old file or the new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, "utf-8")
    temporary.replace(path)


def _open_source(path: Path, shown: str) -> int:
    """A descriptor that no symlink led to and no FIFO blocks."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except OSError as error:
        if path.is_symlink():
            message, hint = f"{shown!r} is a symbolic link", "give the file it points to"
        elif isinstance(error, FileNotFoundError):
            message, hint = f"there is no file {shown!r}", "check the name"
        else:
            message, hint = f"{shown!r} cannot be read: {error.strerror}", "check its permissions"
        code = "source_not_a_file" if path.is_symlink() else "source_unreadable"
        raise SourceError(code, message, hint) from error


def _kind(mode: int) -> str:
    kinds = {stat.S_ISDIR: "a folder", stat.S_ISFIFO: "a FIFO", stat.S_ISSOCK: "a socket", stat.S_ISCHR: "a device"}
    return next((name for test, name in kinds.items() if test(mode)), "no plain file")


def _hasher(algorithm: str) -> Any:
    if algorithm == "blake3":
        raise SourceError(
            "hash_unknown", "this wiki hashes its sources with blake3, which is not there yet", "use sha256 or sha512"
        )
    return hashlib.new(algorithm)


def _name(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogateescape")).hexdigest()[:24]
