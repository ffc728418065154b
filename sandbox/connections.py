"""Curator opens the connections of this process, which cannot connect to anything itself.

Python's sockets are taken over before a library is imported that uses them: a name stays a name until ``connect``, which
asks curator for an open connection to it, and puts that in the place of the socket.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import threading
from typing import Any

_SECONDS = 60.0
_SERVICES = {"http": 80, "https": 443}

_Socket = socket.socket


class _Line:
    """The line to curator, of which there is none before ``go_through``."""

    turn = threading.Lock()
    open: socket.socket | None = None


class _Connected(_Socket):
    """A socket whose connection somebody else opens."""

    def connect(self, address: Any, /) -> None:
        with _Line.turn:
            if _Line.open is None:
                raise OSError(errno.ENETUNREACH, "nobody is there who connects")
            connection = _ask(_Line.open, str(address[0]), int(address[1]))
        try:
            os.dup2(connection, self.fileno(), inheritable=False)
        finally:
            os.close(connection)
        self.settimeout(self.gettimeout())

    def connect_ex(self, address: Any, /) -> int:
        try:
            self.connect(address)
        except OSError as error:
            return error.errno or 1
        return 0


def take_over() -> None:
    """From now on every connection goes through the line, once there is one."""
    socket.socket = _Connected  # type: ignore[misc]
    socket.getaddrinfo = _as_it_is


def go_through(descriptor: int) -> None:
    """The line is the one at ``descriptor``."""
    line = _Socket(fileno=descriptor)
    line.settimeout(_SECONDS)
    _Line.open = line


def _ask(line: socket.socket, host: str, port: int) -> int:
    line.sendall(json.dumps([host, port]).encode("ascii") + b"\n")
    answer, connections, _, _ = socket.recv_fds(line, 4_096, 1)
    told = json.loads(answer or b'{"errno": 104, "message": "curator has ended"}')
    if connections:
        return connections[0]
    raise OSError(told["errno"], told["message"])


def _as_it_is(host: Any, port: Any, *_: object, **__: object) -> list[tuple[Any, ...]]:
    """What ``socket.getaddrinfo`` gives, with the name in the place of the number."""
    name = host.decode("ascii") if isinstance(host, bytes) else host or "localhost"
    number = _SERVICES.get(port, port) if isinstance(port, str) else port
    return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (name, int(number or 0)))]
