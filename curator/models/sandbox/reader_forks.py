"""Readers of sources that are forked from one process of the program ``sandbox/``, which has loaded what they need.

To start a reader takes 0.14 s of a processor, a fork of one that has started a twentieth. The process is in a jail of its
own, sees no source, and each fork locks itself in as a reader does that is started for one source. What has become of it is
told through a pipe. Where there is none to be had, or the process ends under it, a reader is started as without this.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import BinaryIO

from curator.models.sandbox.process import ENVIRONMENT, PROGRAM, SandboxProcess, packages_of
from curator.wiki.sources.formats import MODULES

_SECONDS = 5.0
_LONGEST = 100
_BEGUN = b"begun\n"


class ReaderLost(Exception):
    """The process that forks readers has ended, or does not answer: nothing is known of the reader."""


class ForkedReader(SandboxProcess):
    """A reader that was forked for us."""

    def __init__(self, line: socket.socket, arguments: Mapping[str, object], spool: BinaryIO) -> None:
        """Raises OSError when there is none to be had."""
        (out, stdout), (err, stderr), (told, tell), (held, self._held) = (os.pipe() for _ in range(4))
        try:
            given = [spool.fileno(), stdout, stderr, tell, held]
            socket.send_fds(line, [json.dumps(arguments).encode("ascii")], given)
        except OSError:
            for each in (out, err, told, self._held):
                os.close(each)
            raise
        finally:
            for each in (stdout, stderr, tell, held):
                os.close(each)
        self._told = told
        self._attach(None, os.fdopen(out, "rb", buffering=0), os.fdopen(err, "rb", buffering=0), None)

    def kill(self) -> None:
        """Have it killed, if it still runs, and learn how it ended. Raises ReaderLost when that is not told."""
        held, self._held = self._held, -1
        if held < 0:
            return
        os.close(held)
        try:
            status, kilobytes = self._ending().split()
            self.status, self.megabytes = int(status), int(kilobytes) >> 10
        except ValueError:
            raise ReaderLost from None
        finally:
            os.close(self._told)
            self._close()

    def _ending(self) -> bytes:
        """The report of its end; cut short where the rest does not come in time."""
        said = b""
        while not said.startswith(_BEGUN) or said.count(b"\n") < _BEGUN.count(b"\n") + 1:
            if not select.select([self._told], [], [], _SECONDS)[0]:
                break
            piece = os.read(self._told, _LONGEST)
            if not piece:
                break
            said += piece
        return said.removeprefix(_BEGUN)


class ReaderForks:
    """The process that forks readers, by the line to it."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line

    def start(self, arguments: Mapping[str, object], modules: Sequence[str], spool: BinaryIO) -> ForkedReader | None:
        """A reader of ``spool`` that may load ``modules``; None where there is none to be had."""
        with suppress(OSError):
            return ForkedReader(self._line, {**arguments, "packages": _packages(*modules)}, spool)
        return None


@contextmanager
def reader_forks() -> Iterator[socket.socket]:
    """Start the process; the line to it, which it ends with: once all who have a copy have closed it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    modules = ("charset_normalizer", *(module for each in MODULES.values() for module in each))
    with ours:
        with theirs:
            process = subprocess.Popen(
                [*PROGRAM, "readers", "--line", str(theirs.fileno()), *packages_of(*modules)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
            )
        yield ours
    process.wait()


@cache
def _packages(*modules: str) -> list[str]:
    """Where these are installed."""
    return packages_of(*modules)[1].split(os.pathsep)
