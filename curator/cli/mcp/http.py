"""The server over streamable HTTP: on loopback only, and for none but those who have the token.

A page in a browser may be made to speak to loopback under a name of its own (DNS rebinding). So the Host that is asked for
has to be loopback's, and an Origin, where there is one, too; both are looked at before the token, and before anything else.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING

from curator.cli import loopback
from curator.cli.mcp.served import ServedWiki
from curator.cli.mcp.server import server_of
from curator.errors import ConfigError

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
TOKEN = "CURATOR_MCP_TOKEN"  # noqa: S105 - the variable's name
_LEAST = 16
"""Characters of a token."""
_AT_THE_END = 3
"""Seconds that requests have to end when the server does."""


def token_of(environment: Mapping[str, str]) -> tuple[str, bool]:
    """The token that clients have to bring, and whether it was made now. Raises ConfigError for one easily guessed."""
    given = environment.get(TOKEN)
    if given is None:
        return secrets.token_urlsafe(32), True
    if len(given) < _LEAST or not given.isascii() or not given.isprintable() or " " in given:
        message = f"{TOKEN} has to be {_LEAST} or more characters of ASCII without spaces"
        raise ConfigError("token_weak", message, "leave it out to have one made")
    return given, False


def http_server(wiki: ServedWiki, listener: socket.socket, token: str) -> uvicorn.Server:
    """The server, not yet at work. Each request is one for itself: no session is kept."""
    server = server_of(wiki)
    import uvicorn

    application = server.streamable_http_app(streamable_http_path=PATH, json_response=True, stateless_http=True)
    gate = TokenGate(application, token, listener.getsockname()[1])
    config = uvicorn.Config(
        gate, access_log=False, log_level="warning", server_header=False, timeout_graceful_shutdown=_AT_THE_END
    )
    return uvicorn.Server(config)


class TokenGate:
    """Lets through to ``application`` what asks for loopback by its name, and brings the token."""

    def __init__(self, application: ASGIApp, token: str, port: int) -> None:
        self._application = application
        self._token = f"Bearer {token}".encode()
        names = loopback.names(port)
        self._hosts = {name.encode() for name in names}
        self._origins = {f"http://{name}".encode() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._application(scope, receive, send)
        refused = self._refusal(scope["headers"]) if scope["type"] == "http" else (403, "protocol_refused", "no HTTP")
        if refused is None:
            return await self._application(scope, receive, send)
        status, code, message = refused
        body = json.dumps({"code": code, "message": message, "hint": "docs/mcp.md"}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return None

    def _refusal(self, headers: list[tuple[bytes, bytes]]) -> tuple[int, str, str] | None:
        """The status, code and message for one who is not let through."""
        given = {name: [value for key, value in headers if key == name] for name, _ in headers}
        if [host.lower() for host in given.get(b"host", [])] not in [[host] for host in self._hosts]:
            return 421, "host_refused", "the Host is not this server's on loopback"
        if any(origin not in self._origins for origin in given.get(b"origin", [])):
            return 403, "origin_refused", "the Origin is not this server"
        brought = given.get(b"authorization", [b""])
        if len(brought) != 1 or not hmac.compare_digest(brought[0], self._token):
            return 401, "token_refused", "the header Authorization has not the token: Bearer TOKEN"
        return None
