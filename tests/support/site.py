"""A host of the web on the loopback, which answers what a test puts at its paths."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, Mapping[str, str], bytes]
PAGE = b"""<html lang=en><head><title>On oolong</title></head><body><article><h1>On oolong</h1>
<p>Oolong is a tea that is partly oxidised before it is fired.</p>
<p>A pot of oolong is brewed with water of 90 degrees.</p></article></body></html>"""
HTML = {"Content-Type": "text/html; charset=utf-8"}


class Site:
    """A host of the web: what it answers by path, and what it was asked for."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer | Callable[[], Answer]] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                found = site.pages.get(self.path, (404, {}, b"none"))
                status, headers, body = found() if callable(found) else found
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    @contextmanager
    def open(self) -> Iterator[Site]:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
