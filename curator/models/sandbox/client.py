"""Runs the program ``sandbox/``: one process reads a source, another asks a language model.

Their answers are parsed here, and every way in which they can fail becomes one of curator's errors.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self

from curator.errors import ConfigError, ModelError, SourceError
from curator.models.sandbox import lending, ocr
from curator.models.sandbox.addresses import Address
from curator.models.sandbox.connector import Connector
from curator.models.sandbox.lending import LentProcess
from curator.models.sandbox.locked_fork import ForkDied, ForkLimits, in_jail
from curator.models.sandbox.model_errors import HINTS, error_from
from curator.models.sandbox.process import SandboxProcess, packages_of
from curator.models.sandbox.reader_forks import ReaderForks
from curator.models.sandbox.reading import Reading, json_object
from curator.repository.runtime.spool import spooled
from curator.system.filenames import printable
from curator.wiki.sources.formats import SCAN, SourceLimits, format_of
from curator.wiki.sources.source import Document

READY_SECONDS = 120.0
"""The time limit for the import of litellm, which takes 3 to 7 seconds on an idle machine."""

_REPLY_BYTES = 32_000_000

_OCR_SECONDS = 600.0


def read_source(
    spool: BinaryIO,
    *,
    format: str,
    name: str,
    max_chars: int,
    allow_weak: bool = False,
    seconds: float = 30,
    forks: ReaderForks | None = None,
) -> tuple[Document, str]:
    """Read the source in ``spool``: its text with anchors, and how strong the sandbox was that read it.

    ``spool`` is a real file, read from its start. ``name`` is the path that messages show. ``allow_weak``: what a library
    takes apart is read in a weak sandbox, too. A PDF with pages that are pictures is read once more, for longer than
    ``seconds``, where the words on them can be recognised. ``forks``: who may have a reader at once.
    """
    models = ocr.models() if format == "pdf" else None
    reading = Reading(spool, format, name, max_chars, allow_weak, seconds)
    try:
        document, level = reading.by_fork(forks) or reading.anew()
    except SourceError as error:
        if models is None or error.code != "source_is_scan":
            raise
    else:
        if models is None or not any(each.what == ocr.PICTURES for each in document.left_out):
            return document, level
    return replace(reading, format=SCAN, seconds=_OCR_SECONDS).anew(str(models))


def read_file(path: Path, limits: SourceLimits) -> tuple[Document, str]:
    """Read the file at ``path``, which need not be in a wiki, from a private copy. Raises SourceError."""
    shown = printable(path)
    form = format_of(path, shown)
    with TemporaryDirectory() as folder:
        try:
            copy = spooled(path, Path(folder), "sha256", limits.bytes)
        except SourceError as error:
            raise SourceError(error.code, f"{shown}: {error.message}", error.hint) from error
        with copy.open() as stream:
            most, weak = limits.characters, limits.allow_weak
            return read_source(stream, format=form, name=shown, max_chars=most, allow_weak=weak)


def prove_sandbox(mode: Literal["read", "curate", "complete"], seconds: float = 30) -> dict[str, Any]:
    """Try to escape from the sandbox of ``mode``, for ``curate doctor``, and report each attempt.

    Keys: ``sandbox`` (the level), ``landlock`` (the kernel's version of it, 0 for none) and ``attempts`` (what was
    tried, ``blocked`` or ``open``).
    """
    if mode == "curate":
        try:
            return in_jail(str, ForkLimits(int(seconds), 500))
        except (ForkDied, TimeoutError, MemoryError) as error:
            raise ConfigError("sandbox_unusable", f"the fork {error}", "install curator again") from None
    child = SandboxProcess(["prove", mode, *packages_of("litellm")], stdin=subprocess.DEVNULL)
    try:
        answer = json_object(child.receive(None, seconds, limit=_REPLY_BYTES))
    except TimeoutError:
        answer = None
    finally:
        child.kill()
    if answer is None:
        raise ConfigError("sandbox_unusable", f"the sandbox {child.ending()}", "install curator again")
    return answer


class ModelWorker:
    """A process that has litellm loaded and asks models, one request at a time.

    It starts with the first request, or earlier with ``start``; when it has died, the next request starts a new one. So it
    does after a request that failed or was interrupted: its reply may be under way, and would be taken for the next one's.
    """

    def __init__(self, environment: Mapping[str, str], allowed: Sequence[Address], lender: Path | None = None) -> None:
        """``environment`` reaches the worker through a pipe; ``allowed`` are the addresses it is connected to.

        ``lender`` is where a running service may lend one; else this process starts its own.
        """
        self._lender = lender
        self.level = ""
        """How strong the worker's sandbox is; empty until it has started."""
        self._environment, self._allowed = dict(environment), tuple(allowed)
        self._child: SandboxProcess | None = None
        self._is_ready = False
        self._ids = itertools.count(1)

    def start(self) -> None:
        """Start the process, which then loads litellm; does not wait for it."""
        if self._child is None:
            self._is_ready = False
            connector = Connector(self._allowed)
            rights = {"environment": self._environment, "line": connector.theirs.fileno()}
            own = ["complete", *packages_of("litellm")]
            try:
                self._child = self._lent(connector) or SandboxProcess(own, subprocess.PIPE, connector)
                self._child.send(_line(rights))
            except BaseException:
                self.close()
                raise

    def _lent(self, connector: Connector) -> LentProcess | None:
        """A worker of the running service, where it lends one with exactly these rights."""
        if self._lender is None or not self._lender.exists():
            return None
        rights = lending.digest_of(self._environment, self._allowed)
        return lending.borrowed(self._lender, rights, connector) if rights else None

    def ask(
        self, request: Mapping[str, Any], seconds: float, hear: Callable[[str], None] | None = None
    ) -> dict[str, Any]:
        """The worker's reply to ``request``, within ``seconds``; ``error_from`` takes one that is not ok.

        ``hear`` is called with each piece of the model's text as it comes; the reply has the whole.
        """
        try:
            child = self._ready_child()
            identity = next(self._ids)
            child.send(_line({**request, "id": identity, **({"stream": True} if hear else {})}))
            reply = self._receive(child, seconds) if hear is None else self._streamed(child, seconds, identity, hear)
            if reply.get("id") != identity or not isinstance(reply.get("ok"), bool):
                raise ModelError("model_worker_died", "the model worker gave a reply to no request", retryable=True)
        except BaseException:
            self.close()
            raise
        return reply

    def describe(self, model: str, api_base: str | None = None) -> dict[str, Any]:
        """What litellm knows of ``model``, without asking it: ``json_schema``, ``max_input_tokens``, ``missing_keys``."""
        reply = self.ask({"op": "describe", "model": model, "api_base": api_base}, READY_SECONDS)
        if not reply["ok"]:
            raise error_from(reply)
        return reply

    def close(self) -> None:
        """End the process, if there is one."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _ready_child(self) -> SandboxProcess:
        self.start()
        assert self._child is not None  # noqa: S101 (start has just seen to it)
        if not self._is_ready:
            child = self._child
            try:
                first = self._receive(child, READY_SECONDS)
            except ModelError:
                if not isinstance(child, LentProcess):
                    raise
                self.close()
                self._lender = None  # it has other rights, or is ending
                return self._ready_child()
            if not first.get("ready"):
                raise ModelError(
                    "model_worker_failed",
                    f"litellm cannot be loaded: {first.get('message')}",
                    "install curator again; `curate doctor` shows what is there",
                    retryable=False,
                )
            self.level = first["sandbox"]
            self._is_ready = True
        return self._child

    def _streamed(
        self, child: SandboxProcess, seconds: float, identity: int, hear: Callable[[str], None]
    ) -> dict[str, Any]:
        """The reply behind the pieces; these count for its length and its time."""
        deadline, length = time.monotonic() + seconds, 0
        while True:
            said = self._receive(child, deadline - time.monotonic(), seconds)
            if time.monotonic() > deadline:
                raise _timed_out(seconds)
            match said:
                case {"id": int(number), "piece": str(piece)} if number == identity:
                    length += len(piece) + 1
                case _:
                    return said
            if length > _REPLY_BYTES:
                raise _endless()
            hear(piece)

    def _receive(self, child: SandboxProcess, seconds: float, told: float | None = None) -> dict[str, Any]:
        """The next line, within ``seconds``; ``told`` is the limit that a message names."""
        try:
            reply = json_object(child.receive(b"\n", seconds, limit=_REPLY_BYTES))
        except TimeoutError:
            raise _timed_out(told or seconds) from None
        except OverflowError:
            raise _endless() from None
        if reply is None:
            self.close()  # how it ended is known then
            raise ModelError("model_worker_died", f"the model worker {child.ending()}", retryable=True)
        return reply


def _timed_out(seconds: float) -> ModelError:
    message = f"the model gave no answer within {seconds:g} s"
    return ModelError("model_timeout", message, HINTS["model_timeout"], retryable=True)


def _endless() -> ModelError:
    return ModelError("model_worker_died", "the model's reply has no end", retryable=True)


def _line(value: object) -> bytes:
    return json.dumps(value).encode("ascii") + b"\n"
