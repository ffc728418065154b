"""Connects a model worker, which can connect to nothing itself, to the addresses that it may have.

The worker asks for a host and a port in a line of JSON; it gets an open connection, or why not. Names are resolved here.
"""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Sequence

from curator.models.sandbox.addresses import ANY, Address, is_public

_SECONDS = 10.0
_LONGEST = 4_096


class Connector:
    """The end of the line that curator keeps; ``theirs`` is the worker's."""

    def __init__(self, allowed: Sequence[Address]) -> None:
        self._allowed = tuple(allowed)
        self._asked = b""
        self.ours, self.theirs = socket.socketpair()

    def serve(self) -> bool:
        """Answer what was asked; False when the worker's end is closed, or it asks nonsense."""
        data = self.ours.recv(_LONGEST)
        self._asked += data
        line, end, rest = self._asked.partition(b"\n")
        if not data or rest or len(self._asked) > _LONGEST:
            return False
        if not end:
            return True
        self._asked = b""
        try:
            host, port = json.loads(line)
            connection = self._connected(str(host), int(port))
        except OSError as error:
            told = {"errno": error.errno or errno.EHOSTUNREACH, "message": error.strerror or str(error)}
            self.ours.sendall(json.dumps(told).encode("ascii") + b"\n")
        except (ValueError, TypeError, OverflowError, RecursionError):
            return False
        else:
            with connection:
                socket.send_fds(self.ours, [b"{}\n"], [connection.fileno()])
        return True

    def close(self) -> None:
        self.ours.close()
        self.theirs.close()

    def _connected(self, host: str, port: int) -> socket.socket:
        """Raises OSError; PermissionError for an address that is not among those allowed."""
        fitting = [address for address in self._allowed if address.covers(host, port)]
        if not fitting:
            raise PermissionError(errno.EACCES, f"{os.strerror(errno.EACCES)}: {host}:{port} is not the provider's")
        if any(address.host != ANY for address in fitting):
            return socket.create_connection((host, port), _SECONDS)
        found = [known[4] for known in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        public = [address for address in found if is_public(str(address[0]))]
        if not public:
            raise PermissionError(errno.EACCES, f"{os.strerror(errno.EACCES)}: {host} is no host of the internet")
        return socket.create_connection((str(public[0][0]), port), _SECONDS)
