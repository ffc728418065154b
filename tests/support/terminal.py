"""A terminal of a test: a program in a pseudo-terminal of any size, read as fast as a modem of any age would.

>>> seen = typed(["curate", "status"], folder, {"TERM": "dumb"}, columns=40, baud=1200)
>>> seen.moves, seen.widest, len(seen.written)
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_CONTROL = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|[\x00-\x08\x0b-\x1f\x7f]")
_MOVES = re.compile(rb"\x1b\[[0-9;?]*[A-HJKSTfhlsu]|\x08|\r(?!\r*\n)")
_COLOUR = re.compile(rb"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Seen:
    """What a program wrote to its terminal, and how it ended."""

    written: bytes
    status: int
    """The exit status; negative: the signal that ended it."""
    seconds: float

    @property
    def moves(self) -> int:
        """How often it went back over what it had written: what nobody hears or feels."""
        return len(_MOVES.findall(self.written))

    @property
    def colours(self) -> int:
        return len(_COLOUR.findall(self.written))

    @property
    def lines(self) -> list[str]:
        """What stands there in the end, as a screen reader would read it aloud."""
        return [_CONTROL.sub("", line) for line in self.written.decode("utf-8", "replace").splitlines()]


def typed(
    command: Sequence[str],
    folder: Path,
    environment: dict[str, str],
    *,
    columns: int = 80,
    baud: int = 0,
    is_told: bool = True,
    keys: Sequence[tuple[str, bytes]] = (),
    interrupt_at: str = "",
    seconds: float = 120,
) -> Seen:
    """Run ``command`` and read what it writes, at ``baud`` (0: at once), of which the line tells where ``is_told``.

    ``keys``: what is typed once a text is there, in this order. ``interrupt_at``: Ctrl-C once this text is there.
    """
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover - the child
        os.chdir(folder)
        os.execve(command[0], list(command), environment)  # noqa: S606 (what is typed is a list of words)
    if baud and is_told:
        _set_speed(terminal, baud)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    began, written, waiting = time.monotonic(), b"", [*keys, *([(interrupt_at, b"\x03")] if interrupt_at else [])]
    looked = 0
    try:
        while time.monotonic() - began < seconds:
            piece = _read(terminal, baud)
            if piece is None:
                break
            written += piece
            if waiting and waiting[0][0].encode() in written[looked:]:
                looked = len(written)
                os.write(terminal, waiting.pop(0)[1])
        else:
            os.kill(process, signal.SIGKILL)
    finally:
        os.close(terminal)
        _, status = os.waitpid(process, 0)
    return Seen(written, os.waitstatus_to_exitcode(status), time.monotonic() - began)


def _set_speed(terminal: int, baud: int) -> None:
    line = termios.tcgetattr(terminal)
    line[4] = line[5] = getattr(termios, f"B{baud}")
    termios.tcsetattr(terminal, termios.TCSANOW, line)


def _read(terminal: int, baud: int) -> bytes | None:
    """What has come; None when nobody writes there any more. A byte takes ten bits of the line."""
    if not select.select([terminal], [], [], 0.2)[0]:
        return b""
    try:
        piece = os.read(terminal, max(1, baud // 100) if baud else 65536)
    except OSError:
        return None
    if baud:
        time.sleep(len(piece) * 10 / baud)
    return piece or None
