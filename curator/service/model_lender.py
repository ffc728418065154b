"""The child of a service, or of ``curate open``, that has litellm loaded and lends model workers, to others as well.

The socket is made here, before the child is there: a worker that starts at the same time waits for it instead of loading
litellm itself. Nothing but the child listens on it, so that everybody notices when it is gone.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from curator.service.worker import CURATE
from curator.system.local_sockets import short_name

_WAITING = 64
_SECONDS = 2.0


class ModelLender:
    """``curate lend`` for one wiki, started when it is needed."""

    def __init__(
        self, root: Path, place: Path, arguments: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        """``environment``: of the child, where that is another than this process has."""
        self._environment = None if environment is None else dict(environment)
        self._command = [*CURATE, "--wiki", str(root), "lend", *arguments]
        self._place = place
        self._process: subprocess.Popen[bytes] | None = None
        self._own: tuple[int, int] | None = None
        """What lies at the place when it is ours: a service that starts takes the place of another's lender."""

    @property
    def is_lent(self) -> bool:
        """True where somebody lends already, be it this one or another process."""
        with suppress(OSError), short_name(self._place) as name, socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(_SECONDS)
            asking.connect(name)
            return True
        return False

    def start(self) -> None:
        """Start it unless it runs; without it every worker loads litellm itself."""
        if sys.platform != "linux" or (self._process is not None and self._process.poll() is None):
            return
        self.stop()
        with suppress(OSError):
            self._place.unlink()
        with suppress(OSError), short_name(self._place) as name, socket.socket(socket.AF_UNIX) as listening:
            listening.bind(name)
            self._place.chmod(0o600)
            self._own = self._at_place()
            listening.listen(_WAITING)
            self._process = subprocess.Popen(
                [*self._command, "--socket", str(listening.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=self._environment,
                pass_fds=(listening.fileno(),),
            )

    def stop(self) -> None:
        """End it; the workers it has lent stay with those who have them."""
        own, self._own = self._own, None
        with suppress(OSError):
            if own is not None and self._at_place() == own:
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

    def _at_place(self) -> tuple[int, int]:
        found = self._place.lstat()
        return found.st_dev, found.st_ino
