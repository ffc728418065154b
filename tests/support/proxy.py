"""A proxy on the loopback: it fetches pages of http for others, and makes tunnels; it notes what it was asked for."""

from __future__ import annotations

import http.client
import select
import socket
from urllib.parse import urlsplit

from support.loopback import LoopbackServer, QuietHandler

_NAMES = ("invalid", "example")
"""Hosts of these top domains are the loopback for it; nobody else knows them."""


class ProxyServer(LoopbackServer):
    """``credentials`` is what it wants to see; empty: nothing."""

    def __init__(self, credentials: str = "") -> None:
        self.asked: list[str] = []
        proxy = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                if not self._may():
                    return
                url = urlsplit(self.path)
                host = _number(url.hostname or "")
                line = http.client.HTTPConnection(host, url.port or 80, timeout=10)
                line.request("GET", url.path or "/", headers={"Host": url.netloc})
                answer = line.getresponse()
                body = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("server", "date", "content-length", "connection"):
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_CONNECT(self) -> None:
                if not self._may():
                    return
                host, _, port = self.path.rpartition(":")
                with socket.create_connection((_number(host), int(port)), 10) as there:
                    self.send_response(200)
                    self.end_headers()
                    _join(self.connection, there)

            def _may(self) -> bool:
                proxy.asked.append(f"{self.command} {self.path}")
                if self.headers.get("Proxy-Authorization", "").removeprefix("Basic ") == credentials:
                    return True
                self.send_response(407)
                self.end_headers()
                return False

        super().__init__(Handler)


def _number(host: str) -> str:
    return "127.0.0.1" if host.rpartition(".")[2] in _NAMES else host


def _join(one: socket.socket, other: socket.socket) -> None:
    """Hand on what comes, until one of them ends."""
    while True:
        for ready in select.select([one, other], [], [], 10)[0] or [one]:
            data = ready.recv(65_536)
            if not data:
                return
            (other if ready is one else one).sendall(data)
