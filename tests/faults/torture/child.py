"""Something done in a process of its own, which may be struck, and what became of it."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from curator.cli.console import OF_THE_SYSTEM
from curator.errors import CuratorError
from curator.repository.transaction.transaction import BranchMoved
from faults.torture.shim import Strike


class Already(Exception):
    """What was to be done has been done."""


_PATIENCE = 60.0
_SUBREAPER = 36
"""prctl's PR_SET_CHILD_SUBREAPER: children of a child that was killed become ours, and can be waited for."""


@dataclass(frozen=True)
class Ended:
    """How it ended: ``done``, ``done.already``, ``killed``, ``hung``, ``Conflict.index_locked``, ``OSError.28``, ..."""

    how: str
    value: Any = None
    """What it returned; of an error, its text."""
    seconds: float = 0.0
    group: int = 0

    @property
    def clean(self) -> bool:
        """True unless it fell over something nobody expected, which a user would be shown a crash log of."""
        return not self.how.startswith(("crash", "hung"))


def run(act: Callable[[], Any], strike: Strike | None = None, *, orphans: bool = False) -> Ended:
    """Fork, strike, wait for the whole process group to be gone. ``orphans``: come back when the leader is."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    receiver, sender = os.pipe()
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        _be_the_child(act, strike, sender)
    os.close(sender)
    with suppress(ProcessLookupError, PermissionError):
        os.setpgid(child, child)
    hung = not _gone(child)
    if not orphans or hung:
        end_group(child)
    with open(receiver, "rb") as pipe:  # noqa: PTH123 (a descriptor)
        said = pipe.read()
    ended = Ended(**json.loads(said)) if said else Ended("hung" if hung else "killed")
    return replace(ended, seconds=ended.seconds or time.monotonic() - begun, group=child)


def end_group(leader: int) -> None:
    """Kill what is left of a process group, and wait until nothing is."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    wait_for_group(leader)


def wait_for_group(leader: int) -> None:
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-leader, 0)


def _gone(child: int) -> bool:
    """Wait for one process; False when it takes too long."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG):
            os.waitpid(child, 0)
            return True
        time.sleep(0.002)
    return False


def _be_the_child(act: Callable[[], Any], strike: Strike | None, sender: int) -> None:
    os.setpgid(0, 0)
    if strike is not None:
        strike.arm()
    begun = time.monotonic()
    how, value = _outcome(act)
    said = {"how": how, "value": value, "seconds": time.monotonic() - begun}
    os.write(sender, json.dumps(said).encode())
    sys.stdout.flush()
    os._exit(0)


def _outcome(act: Callable[[], Any]) -> tuple[str, Any]:
    try:
        return "done", act()
    except Already:
        return "done.already", None
    except BranchMoved:  # for the caller, who begins again
        return "BranchMoved", None
    except CuratorError as error:
        return f"{type(error).__name__}.{error.code}", str(error)
    except OSError as error:
        known = error.errno in OF_THE_SYSTEM
        return f"{'' if known else 'crash.'}OSError.{error.errno}", "" if known else _end_of(traceback.format_exc())
    except Exception as error:
        return f"crash.{type(error).__name__}", _end_of(traceback.format_exc())


def _end_of(text: str) -> str:
    """As much as goes through a pipe that nobody reads yet."""
    return text[-4000:]
