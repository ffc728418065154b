"""Loopback, where every server of curator listens: its address, the Host names of clients, and a socket on it."""

from __future__ import annotations

import socket

from curator.errors import ConfigError

HOST = "127.0.0.1"


def names(port: int) -> tuple[str, str]:
    """What a client calls a server on ``port`` of loopback: its Host."""
    return f"{HOST}:{port}", f"localhost:{port}"


def listening(port: int) -> socket.socket:
    """A socket on loopback; ``port`` 0: any that is free. Raises ConfigError."""
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        said = f"{HOST}:{port} cannot be listened on: {error.strerror}"
        raise ConfigError("port_unusable", said, "choose another port, or 0 for any that is free") from error
