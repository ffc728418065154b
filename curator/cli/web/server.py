"""The server of ``curate open``: on loopback only, until it is interrupted."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Sequence

import uvicorn

from curator.cli import loopback
from curator.cli.web.app import WebApplication
from curator.cli.web.gate import PARAMETER, BrowserGate
from curator.cli.web.served import ShownWiki

_AT_THE_END = 1
"""Seconds that requests have to end when the server does."""


class WebServer(uvicorn.Server):
    """Serves ``wikis`` to whoever brings ``token`` to ``port``; what it tells while it happens ends when it does."""

    def __init__(self, wikis: Sequence[ShownWiki], token: str, port: int) -> None:
        application = WebApplication(wikis)
        gate = BrowserGate(application.asgi, token, port)
        super().__init__(
            uvicorn.Config(
                gate, access_log=False, log_level="warning", server_header=False, timeout_graceful_shutdown=_AT_THE_END
            )
        )
        self._streams, self._lenders = application.streams, application.lenders

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.end()
        await super().shutdown(sockets)
        await asyncio.to_thread(self._lenders.end)


def serve(wikis: Sequence[ShownWiki], listener: socket.socket, opened: Callable[[str], None]) -> None:
    """Serve until it is interrupted; ``opened`` is called with the address to open, which has the token in it."""
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(32)
    server = WebServer(wikis, token, port)
    opened(f"http://{loopback.HOST}:{port}/?{PARAMETER}={token}")
    server.run(sockets=[listener])
