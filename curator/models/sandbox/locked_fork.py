"""Work on a stranger's text in a fork of this process that locks itself in before it begins: a text comes out, or nothing.

The fork has what this process has imported and worked out, so it begins at once; what it does not have is a file, a
connection, a variable of the environment, and any way out but one pipe. Unlike ``curator.system.parallel`` it takes
nothing over from its child but JSON, for what has read a source is no more trustworthy than the source.
"""

from __future__ import annotations

import ctypes  # noqa: F401 (what the jail is closed with: loaded once, not in each fork)
import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from curator.models.sandbox.process import SANDBOX

_LONGEST = 600.0
"""Seconds by the clock; the limit of processor time is reached before, unless the machine is very busy."""
_MOST_BYTES = 8_000_000


@dataclass(frozen=True)
class ForkLimits:
    """What the work may take."""

    seconds: int
    """Of processor time."""
    megabytes: int
    """More memory than this process has."""
    clock: float = _LONGEST
    """Seconds by the clock."""


class ForkDied(Exception):
    """The fork ended without a result; the message says how."""


_MEANWHILE: ContextVar[Callable[[], object] | None] = ContextVar("meanwhile", default=None)


@contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    """In this block, ``work`` is called each time a fork is waited for, which may be never."""
    token = _MEANWHILE.set(work)
    try:
        yield
    finally:
        _MEANWHILE.reset(token)


def in_jail(work: Callable[[], str], limits: ForkLimits, given: int | None = None) -> dict[str, Any]:
    """What ``work`` gives as ``text``, and what the sandbox says of the jail: ``sandbox``, ``landlock``, ``attempts``.

    All modules that ``work`` needs are imported already. ``given`` is a descriptor that it has as 0, where it needs one.
    Raises TimeoutError, MemoryError or ForkDied.
    """
    ours, theirs = os.pipe()
    # A signal that comes before the fork is in its own frame would unwind what this process is at, twice.
    signals = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    said, status, process = b"", 0, 0
    try:
        try:
            process = os.fork()
            if process == 0:
                _work_and_end(work, limits, theirs, signals, given)
        finally:
            os.close(theirs)
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)  # a signal that has come meanwhile is raised here
        if (other := _MEANWHILE.get()) is not None:
            other()
        said = _received(ours, limits.clock)
    finally:
        os.close(ours)
        if process:
            status = _end(process)
    return _answer(said, status)


def _answer(said: bytes, status: int) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(said)
    except (ValueError, RecursionError):
        answer = {}
    match answer:
        case {"text": str(), "sandbox": "strong" | "medium" | "weak"}:
            return answer
        case {"fault": "MemoryError"}:
            raise MemoryError
        case {"fault": str(fault)}:
            raise ForkDied(f"ended with {fault[:300]}")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        raise TimeoutError
    raise ForkDied("gave no answer")


def _received(pipe: int, seconds: float) -> bytes:
    """All that comes through ``pipe`` until its end. Raises TimeoutError, or ForkDied for what has no end."""
    until = time.monotonic() + seconds
    data = bytearray()
    while len(data) <= _MOST_BYTES:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            raise TimeoutError
        piece = os.read(pipe, 1 << 20)
        if not piece:
            return bytes(data)
        data += piece
    raise ForkDied("gave an answer without end")


def _end(process: int) -> int:
    """Kill the fork and its whole group, if it is still there; its status."""
    for kill in (os.killpg, os.kill):  # it may not have had the time to make a group of its own
        with suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)
    try:
        return os.waitpid(process, 0)[1]
    except ChildProcessError:  # whoever started us has children reaped by themselves: nobody knows how it ended
        return 0


# -- in the fork ---------------------------------------------------------------------------------------------------


def _work_and_end(
    work: Callable[[], str], limits: ForkLimits, pipe: int, signals: Iterable[int], given: int | None
) -> None:
    """Lock this process, work, write the answer, end: no file, no database and no git of the parent's is touched by it."""
    answer: dict[str, Any] = {}
    try:
        _leave_behind(pipe, signals, given)
        answer = {**_locked(limits), "text": work()}
    except MemoryError:
        answer = {"fault": "MemoryError"}
    except BaseException as error:
        answer = {"fault": _told(error)}
    finally:
        with suppress(BaseException):
            _write(json.dumps(answer).encode("ascii"))
        os._exit(0)


def _leave_behind(pipe: int, signals: Iterable[int], given: int | None) -> None:
    """Give up everything of the parent but its memory: signals, group, files, environment, folder. The answer goes to 1."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPROF):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, signals)
    gc.disable()  # it would go through all that the parent has: each look makes a copy
    os.setsid()
    pipe, given = os.dup(pipe), None if given is None else os.dup(given)  # neither is 0 or 1 from here on
    os.dup2(pipe, 1)
    if given is None:
        os.close(0)
    else:
        os.dup2(given, 0)
    os.closerange(2, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.chdir("/")


def _locked(limits: ForkLimits) -> dict[str, Any]:
    """Lock this process by the sandbox's own program, which is loaded here and never in the parent."""
    sys.path.insert(0, str(SANDBOX))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("jail", "prove")]:
        del sys.modules[name]  # somebody else's of the same name
    jail, prove = import_module("jail"), import_module("prove")
    report: dict[str, Any] = prove.report(lambda: jail.close_curator(limits.seconds, limits.megabytes))
    return report


def _told(error: BaseException) -> str:
    """The error and where it was raised; its words may be the source's, so they are cut."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}" if place is not None else ""
    return f"{type(error).__name__}: {str(error)[:120]!r}{where}"


def _write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]
