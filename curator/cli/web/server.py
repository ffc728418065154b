"""The server of ``curate open``: on loopback only, until it is interrupted."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence

import uvicorn

from curator.cli.web.app import WebApplication
from curator.cli.web.gate import HOST, PARAMETER, BrowserGate
from curator.cli.web.served import ShownWiki

_AT_THE_END = 1
"""Seconds that requests have to end when the server does."""


def serve(wikis: Sequence[ShownWiki], listener: socket.socket, opened: Callable[[str], None]) -> None:
    """Serve until it is interrupted; ``opened`` is called with the address to open, which has the token in it."""
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(32)
    gate = BrowserGate(WebApplication(wikis).asgi, token, port)
    config = uvicorn.Config(
        gate, access_log=False, log_level="warning", server_header=False, timeout_graceful_shutdown=_AT_THE_END
    )
    opened(f"http://{HOST}:{port}/?{PARAMETER}={token}")
    uvicorn.Server(config).run(sockets=[listener])
