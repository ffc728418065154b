"""A host of the web on the loopback, which answers what a test puts at its paths."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping

from support.loopback import LoopbackServer, QuietHandler

Answer = tuple[int, Mapping[str, str], bytes]
PAGE = b"""<html lang=en><head><title>On oolong</title></head><body><article><h1>On oolong</h1>
<p>Oolong is a tea that is partly oxidised before it is fired.</p>
<p>A pot of oolong is brewed with water of 90 degrees.</p></article></body></html>"""
HTML = {"Content-Type": "text/html; charset=utf-8"}


class Site(LoopbackServer):
    """A host of the web: what it answers by path, and what it was asked for."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.pages: dict[str, Answer | Callable[[], Answer]] = {}
        self.asked: list[str] = []
        self.with_headers: list[Mapping[str, str]] = []
        """What each of them was asked with."""
        site = self

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                site.with_headers.append(dict(self.headers))
                found = site.pages.get(self.path, (404, {}, b"none"))
                status, headers, body = found() if callable(found) else found
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        super().__init__(Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
            self.address = self.address.replace("http:", "https:")
