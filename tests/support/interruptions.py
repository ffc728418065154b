"""Interrupts a piece of work at each of its lines in turn, as a Ctrl-C or the alarm of a time limit may."""

from __future__ import annotations

import linecache
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

_MOST = 5_000


class Interrupted(BaseException):
    """No Exception, as a Ctrl-C is none."""


def at_each_line(
    modules: tuple[ModuleType, ...], work: Callable[[], object], then: Callable[[], object], every: int = 1
) -> int:
    """Do ``work`` again and again, each time interrupted before the next line of ``modules``, until it gets through.

    ``then`` is done after each interruption: it looks whether what the work left behind can be used. How many lines it
    was interrupted at. ``every``: only each so manieth line, where the work takes long.
    """
    files = {module.__file__ or "" for module in modules}
    for count in range(0, _MOST, every):
        with suppress(Interrupted), _interrupted_at(files, count) as is_over:
            work()
            assert not is_over(), "an interruption was swallowed"
            return count // every
        then()
    raise AssertionError(f"it has more than {_MOST} lines")


@contextmanager
def _interrupted_at(files: set[str], count: int) -> Iterator[Callable[[], bool]]:
    """In here, the line that is run after ``count`` others of ``files`` is not reached."""
    left = count

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if frame.f_code.co_filename not in files:
            return None
        if event == "line" and not _is_safe(frame):
            left -= 1
            if left == -1:
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lambda: left < 0
    finally:
        sys.settrace(before)


def _is_safe(frame: FrameType) -> bool:
    """At a line where no signal is ever handled: ``try``, which runs nothing, ``with``, when its block is left, or where
    signals are blocked."""
    if signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
        return True
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
    return line == "try:" or line.startswith("with ")


@contextmanager
def after_fork() -> Iterator[None]:
    """In here a process that has just forked is interrupted as soon as it lets signals in again."""
    fork = os.fork

    def end(*_: object) -> None:
        raise Interrupted

    def interrupted() -> int:
        # To this thread, which blocks it until the fork is done: any other one would have it handled amid the fork.
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        return fork()

    before = signal.signal(signal.SIGUSR1, end)
    os.fork = interrupted
    try:
        yield
    finally:
        os.fork = fork
        signal.signal(signal.SIGUSR1, before)


def held() -> tuple[set[str], set[str]]:
    """The descriptors and the children of this process."""
    process = Path("/proc/self")
    descriptors = {file.name for file in (process / "fd").iterdir()}
    return descriptors, set((process / f"task/{os.getpid()}/children").read_text().split())
