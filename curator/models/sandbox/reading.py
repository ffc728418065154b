"""Reads one source in a process of the program ``sandbox/``; whatever goes wrong there is a SourceError."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, BinaryIO

from curator.errors import SourceError
from curator.models.sandbox import extracted
from curator.models.sandbox.process import SandboxProcess, packages_of
from curator.models.sandbox.reader_forks import ReaderForks, ReaderLost
from curator.wiki.sources.formats import MODULES, SCAN, hint_to_install
from curator.wiki.sources.source import Document

_MUCH_MEMORY = 600
"""Megabytes; a reader that ends with so much in use has asked for more than the jail grants."""

_SOURCE_HINTS = {
    "source_is_scan": f"{hint_to_install(SCAN)}, and curator recognises the words",
    "source_not_text": "save it as UTF-8 text, or take it out of sources/",
    "source_locked": "save a copy without a password",
    "source_damaged": "open it in the program that made it, and save it anew",
    "source_empty": "put text into it, or delete it",
    "source_too_large": "split it, or raise max_source_chars in curator.toml",
    "sandbox_weak": "curate doctor says what is open; or set allow_weak_sandbox = true in curator.toml, where you trust it",
    "source_timeout": "split it, or raise the time limit",
    "source_reader_died": "try again; if it goes on, the file itself crashes its reader: please report it",
}
_UNRECOGNISED = "no words were recognised on it: scan it anew, upright and with 300 dots an inch"


@dataclass(frozen=True)
class Reading:
    """One source, and how it is read."""

    spool: BinaryIO
    format: str
    name: str
    max_chars: int
    allow_weak: bool
    seconds: float

    def anew(self, *folders: str) -> tuple[Document, str]:
        """Read by a new process; ``folders`` are those that it may read, beside its packages."""
        self.spool.seek(0)
        arguments = ("read", "--format", self.format, "--name", self.name, "--max-chars", str(self.max_chars))
        weak = ("--allow-weak", "yes") if self.allow_weak else ()
        packages = packages_of(*self._modules, folders=folders)
        return self._read_by(SandboxProcess([*arguments, *weak, *packages], stdin=self.spool))

    def by_fork(self, forks: ReaderForks | None) -> tuple[Document, str] | None:
        """Read by a fork of a process that has everything loaded; None where there is no such process."""
        if forks is None:
            return None
        self.spool.seek(0)
        arguments = {
            "format": self.format,
            "name": self.name,
            "max_chars": self.max_chars,
            "allow_weak": self.allow_weak,
        }
        child = forks.start(arguments, self._modules, self.spool)
        try:
            return self._read_by(child) if child is not None else None
        except ReaderLost:
            return None

    @property
    def _modules(self) -> tuple[str, ...]:
        return ("charset_normalizer", *MODULES.get(self.format, ()))

    def _read_by(self, child: SandboxProcess) -> tuple[Document, str]:
        """The reader's answer. Raises SourceError, and ReaderLost for a fork whose fate is unknown."""
        name, seconds = self.name, self.seconds
        try:
            # In the worst case each character is a line of its own, with number, quotes and brackets.
            answer = json_object(child.receive(None, seconds, limit=24 * self.max_chars + 4_096))
        except TimeoutError:
            raise _source_error("source_timeout", f"{name}: reading it took more than {seconds:g} s") from None
        except OverflowError:
            raise _source_error("source_too_large", f"{name}: its text is out of all proportion") from None
        finally:
            child.kill()
        if child.took_too_long:
            raise _source_error("source_timeout", f"{name}: reading it took too much processor time")
        match answer:
            case {"ok": True, "sandbox": "strong" | "medium" | "weak" as level}:
                document = extracted.parse(answer or {})
                if document is not None:
                    return document, level
            case {"ok": False, "code": str(code), "message": str(message)}:
                raise _source_error(code, message, self.format)
        if child.megabytes >= _MUCH_MEMORY:
            # A library in C does not say that it gets no more; it ends by a signal.
            raise _source_error("source_too_large", f"{name}: reading it takes more memory than the sandbox grants")
        # The reader has read the source, so its answer is no more trustworthy than the source.
        raise _source_error("source_reader_died", f"{name}: the reader {child.ending()}")


def json_object(data: bytes | None) -> dict[str, Any] | None:
    """The JSON object in ``data``; None for anything else, which is treated like a dead process."""
    try:
        value = json.loads(data or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _source_error(code: str, message: str, format: str = "") -> SourceError:
    if code in ("package_missing", "source_format_unknown"):
        return SourceError(code, message, hint_to_install(format))
    is_unrecognised = code == "source_is_scan" and format == SCAN
    return SourceError(code, message, _UNRECOGNISED if is_unrecognised else _SOURCE_HINTS.get(code, ""))
