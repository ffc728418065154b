"""Loads what reads sources once, in a jail, and forks a reader for each source that is asked for through a line.

What comes is a line of JSON (what ``read`` has as arguments) with five descriptors: the source, output and errors of the
reader, a pipe through which is told that it has begun and how it ended, and one that is never written to: when its other
end is closed, the reader is killed. Each fork locks itself as any reader does, on top of the jail that it was born in. This
process sees no source; no fork sees another's source or descriptors: each is a fork of what was before any came.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import jail
import read

_LONGEST = 65_536
_MANY = 5


class _Fork(NamedTuple):
    pid: int
    tell: int
    held: int
    """The pipe that it lives by."""


def main(packages: list[str], line: int) -> int:
    """Fork readers until the line ends."""
    asked = socket.socket(fileno=line)
    jail.close_reader_lender(packages, read.preload)
    read.preload()
    woken, wakes = os.pipe()
    for each in (woken, wakes):
        os.set_blocking(each, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    gc.collect()
    gc.freeze()  # else each reader would copy what it never changes
    forks: list[_Fork] = []
    while True:
        looking = select.poll()
        for each in (asked.fileno(), woken):
            looking.register(each, select.POLLIN)
        for fork in forks:
            looking.register(fork.held, 0)  # that nobody holds the other end is always told
        ready = {descriptor for descriptor, _ in looking.poll()}
        if woken in ready:
            os.read(woken, _LONGEST)
        for fork in forks:
            if fork.held in ready:
                _kill(fork.pid)
        forks = [fork for fork in forks if not _has_ended(fork)]
        if asked.fileno() in ready and not _heard(asked, forks):
            return 0


def _heard(asked: socket.socket, forks: list[_Fork]) -> bool:
    """Fork the reader that is asked for; False when nobody asks any more."""
    said, descriptors, _, _ = socket.recv_fds(asked, _LONGEST, _MANY)
    if not said:
        return False
    *given, tell, held = descriptors
    pid = os.fork()
    if pid == 0:
        _work(json.loads(said), given)
    with suppress(OSError):
        os.write(tell, b"begun\n")
    forks.append(_Fork(pid, tell, held))
    for each in given:
        os.close(each)
    return True


def _kill(pid: int) -> None:
    """It has not been waited for yet, so its process id cannot have been reused."""
    os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):  # it had no time to have a group
        os.killpg(pid, signal.SIGKILL)


def _has_ended(fork: _Fork) -> bool:
    """Whether it has; then that is told, with the kilobytes that it took at most."""
    ended, status, usage = os.wait4(fork.pid, os.WNOHANG)
    if not ended:
        return False
    with suppress(OSError):
        os.write(fork.tell, b"%d %d\n" % (os.waitstatus_to_exitcode(status), usage.ru_maxrss))
    for each in (fork.tell, fork.held):
        os.close(each)
    return True


def _work(arguments: dict[str, object], given: Sequence[int]) -> None:
    """Become a reader; never returns."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number, each in enumerate(given):
            os.dup2(each, number)
        os.closerange(len(given), os.sysconf("SC_OPEN_MAX"))
        status = read.main(**arguments)  # type: ignore[arg-type]  # our own program has written them
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(status)
