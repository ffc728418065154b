"""Who is let in: only a browser on this machine that opened the address with the token.

A page of another site may make a browser ask loopback, under loopback's name or under one of its own (DNS rebinding).
So the Host has to be loopback's, what a browser says of where a request comes from has to be this very page, and the
token is in a cookie that no script reads and no other site's request carries.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from curator.cli import loopback

PARAMETER = "token"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # with none at all, a browser does not say where a form comes from
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
_SAFE = ("GET", "HEAD")
_OWN = (b"same-origin", b"none")
"""What a browser says in Sec-Fetch-Site of a request by this page, and of one that a person typed."""


class BrowserGate:
    """Lets through to ``application`` what a browser asks that has the ``token``; each answer gets headers of safety."""

    def __init__(self, application: ASGIApp, token: str, port: int) -> None:
        self._application = application
        self._token = token
        self._cookie = f"curate-{port}"
        self._hosts = tuple(name.encode() for name in loopback.names(port))
        self._origins = tuple(b"http://" + host for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._application(scope, receive, send)
        if scope["type"] != "http":
            return None
        headers = list(scope["headers"])
        if refused := self._refusal(scope, headers):
            return await _answer(send, *refused)
        if self._brings_token(scope):
            cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            location = scope["path"].encode("ascii", "ignore") or b"/"
            moved = [(b"location", b"/" + location.lstrip(b"/")), (b"set-cookie", cookie.encode())]
            return await _answer(send, 303, "opened", moved)
        if not self._has_cookie(headers):
            hint = "This page is opened by `curate open`, with the address that it prints."
            return await _answer(send, 401, hint)
        return await self._application(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: list[tuple[bytes, bytes]]) -> tuple[int, str] | None:
        """The status and words for a request that is not from here."""
        given = {name: [value for key, value in headers if key == name] for name, _ in headers}
        hosts = [host.lower() for host in given.get(b"host", [])]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "The Host is not this server's on loopback."
        if any(origin not in self._origins for origin in given.get(b"origin", [])):
            return 403, "The Origin is another site."
        asks = scope["method"] in _SAFE
        is_own = all(site in _OWN for site in given.get(b"sec-fetch-site", []))
        is_visit = asks and given.get(b"sec-fetch-mode") == [b"navigate"]
        if not is_own and not is_visit:
            return 403, "Another site's page asks for this."
        if not asks and b"origin" not in given:
            return 403, "A request that writes has to say where it comes from."
        return None

    def _brings_token(self, scope: Scope) -> bool:
        brought = parse_qs(scope["query_string"].decode("ascii", "replace")).get(PARAMETER, [])
        return len(brought) == 1 and _same(brought[0], self._token)

    def _has_cookie(self, headers: list[tuple[bytes, bytes]]) -> bool:
        for name, value in headers:
            if name == b"cookie":
                try:
                    found = SimpleCookie(value.decode("ascii", "replace")).get(self._cookie)
                except CookieError:
                    continue
                if found is not None and _same(found.value, self._token):
                    return True
        return False


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_HEADERS]
        await send(message)

    return sending


async def _answer(send: Send, status: int, words: str, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    body = f"{words}\n".encode()
    plain = (b"content-type", b"text/plain; charset=utf-8")
    start = {"type": "http.response.start", "status": status, "headers": [plain, *(headers or []), *_HEADERS]}
    await send(start)
    await send({"type": "http.response.body", "body": body})
