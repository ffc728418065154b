"""The child of the service that has litellm loaded and lends model workers: to the service's own, and to other commands.

The socket is made here, before the child is there: a worker that starts at the same time waits for it instead of loading
litellm itself. Nothing but the child listens on it, so that everybody notices when it is gone.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from curator.service.worker import CURATE
from curator.system.local_sockets import short_name

_WAITING = 64
_SECONDS = 2.0


class ModelLender:
    """``curate lend`` for one wiki, started when it is needed."""

    def __init__(self, root: Path, place: Path, arguments: Sequence[str]) -> None:
        self._command = [*CURATE, "--wiki", str(root), "lend", *arguments]
        self._place = place
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it unless it runs; without it every worker loads litellm itself."""
        if sys.platform != "linux" or (self._process is not None and self._process.poll() is None):
            return
        self.stop()
        with suppress(OSError), short_name(self._place) as name, socket.socket(socket.AF_UNIX) as listening:
            listening.bind(name)
            self._place.chmod(0o600)
            listening.listen(_WAITING)
            self._process = subprocess.Popen(
                [*self._command, "--socket", str(listening.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(listening.fileno(),),
            )

    def stop(self) -> None:
        """End it; the workers it has lent stay with those who have them."""
        with suppress(OSError):
            self._place.unlink()
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
