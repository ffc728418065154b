"""One request to a host of the web.

The connection is opened here, to a number that was looked at; TLS and HTTP are spoken in a fork that has nothing else.
"""

from __future__ import annotations

import base64
import errno
import http.client
import io
import json
import os
import re
import socket
import ssl
import struct
import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Any, cast
from urllib.parse import SplitResult

from curator.models.sandbox.addresses import is_public
from curator.models.sandbox.locked_fork import ForkDied, ForkLimits, in_jail
from curator.models.sandbox.proxies import DIRECT, Proxies, Proxy

MOST_BYTES = 5_000_000
"""Of a page's body."""
_CONNECTING, _SILENCE, _LIMITS = 10.0, 15, ForkLimits(20, 256, 60.0)
"""Seconds for a connection, for a host that says nothing, and for the whole."""
_AT_ONCE = 65_536
AGENT = "curate"
"""What robots.txt may call us."""
_HEADERS = {
    "User-Agent": f"{AGENT} (reads pages that its user names; one at a time)",
    "Accept": "text/html, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5",
    "Accept-Encoding": "identity",
    "Connection": "close",
}


_NOTHING: Mapping[str, str] = MappingProxyType({})
_FIT = re.compile(r"[\x20-\x7e]{1,1000}")
"""What may stand in a header."""
_LONGEST_HEAD = 16_384
"""Bytes of what a proxy says before it is a line to a host."""


@dataclass(frozen=True)
class WebAnswer:
    """What a host answered."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters; of several of a name the first."""
    body: bytes


class NotReached(Exception):
    """There was no answer; the message says why, in words."""

    def __init__(self, message: str, *, passes: bool = False) -> None:
        super().__init__(message)
        self.passes = passes
        """True when it may be otherwise in a moment."""


class NotPublic(Exception):
    """The host is one of this machine or of a network of its own."""


def get(
    url: SplitResult, own_hosts: Collection[str], proxies: Proxies = DIRECT, more: Mapping[str, str] = _NOTHING
) -> WebAnswer:
    """What the host of ``url`` (http or https) answers. ``own_hosts`` may be of a network of its own; ``more``: headers.

    Raises NotReached, ConfigError for a proxy that cannot be used, and NotPublic before anything is sent.
    """
    host = (url.hostname or "").encode("idna").decode("ascii")
    context = _certificates() if url.scheme == "https" else None
    port = url.port or (443 if context else 80)
    proxy = proxies.between(url.scheme, host, port)
    named = f"[{host}]" if ":" in host else host
    place = f"{named}:{url.port}" if url.port else named
    target = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
    head = {"Host": place, **_HEADERS, **{name: value for name, value in more.items() if _FIT.fullmatch(value)}}
    asked, tunnel = "".join(f"{name}: {value}\r\n" for name, value in head.items()) + "\r\n", ""
    if proxy is not None and context is not None:
        tunnel = f"CONNECT {named}:{port} HTTP/1.1\r\nHost: {named}:{port}\r\n{proxy.header}\r\n"
    elif proxy is not None:
        target, asked = f"http://{place}{target}", proxy.header + asked
    asked = f"GET {target} HTTP/1.1\r\n{asked}"
    exchange = partial(_exchange, asked.encode("ascii"), context, host, tunnel.encode("ascii"))
    with _connected(host, port, own_hosts) if proxy is None else _through(proxy, host, own_hosts) as connection:
        try:
            said = in_jail(exchange, _LIMITS, connection.fileno())
        except TimeoutError:
            raise NotReached(f"it takes longer than {_LIMITS.clock:g} s") from None
        except (ForkDied, MemoryError) as error:
            raise NotReached(f"its answer cannot be read ({error})") from None
    found = json.loads(said["text"])
    if "fault" in found:
        raise NotReached(found["fault"], passes=found["passes"])
    return WebAnswer(found["status"], found["headers"], base64.b64decode(found["body"]))


def _connected(host: str, port: int, own_hosts: Collection[str]) -> socket.socket:
    """A connection to an address that the name resolves to now and that was checked; a later resolution does not count."""
    try:
        found = _numbers(host, port)
    except (OSError, UnicodeError) as error:
        raise NotReached(f"there is no host {host!r} ({getattr(error, 'strerror', None) or error})") from None
    fitting = found if host in own_hosts else [number for number in found if is_public(number)]
    if not fitting:
        raise NotPublic(host)
    return _opened(fitting[0], port, host)


def _through(proxy: Proxy, host: str, own_hosts: Collection[str]) -> socket.socket:
    """A connection to ``proxy``, which connects to ``host``: what the name is here may not be of a network of its own.

    A name that is known to the proxy alone, as behind many of them, is for the proxy to judge.
    """
    found = []
    with suppress(OSError, UnicodeError):
        found = _numbers(host, 0)
    if found and host not in own_hosts and not any(map(is_public, found)):
        raise NotPublic(host)
    return _opened(proxy.host, proxy.port, f"the proxy {proxy.host}")


def _numbers(host: str, port: int) -> list[str]:
    return [str(known[4][0]) for known in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _opened(number: str, port: int, shown: str) -> socket.socket:
    try:
        connection = socket.create_connection((number, port), _CONNECTING)
    except OSError as error:
        said = error.strerror or str(error) or os.strerror(errno.ETIMEDOUT)
        raise NotReached(f"{shown}:{port} does not answer ({said.lower()})", passes=True) from None
    connection.settimeout(None)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", _SILENCE, 0))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SILENCE, 0))
    return connection


@cache
def _certificates() -> ssl.SSLContext:
    """Read once, and before the fork, which opens no file."""
    return ssl.create_default_context()


# -- in the fork ----------------------------------------------------------------------------------------------------------


def _exchange(asked: bytes, context: ssl.SSLContext | None, host: str, tunnel: bytes = b"") -> str:
    try:
        if tunnel and (said := _tunnelled(tunnel)):
            return _fault(f"the proxy does not connect to it ({said})")
        line: _Line = _Line() if context is None else _TlsLine(context, host)
        line.send(asked)
        answer = http.client.HTTPResponse(cast(Any, line))
        answer.begin()
        body = _unpacked(answer.read(MOST_BYTES + 1), answer.getheader("Content-Encoding", ""))
    except (BlockingIOError, TimeoutError):
        return _fault(f"it says nothing for {_SILENCE} s", passes=True)
    except ssl.SSLError as error:
        why = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else error.reason
        return _fault(f"its certificate or TLS is not in order ({why})")
    except (http.client.HTTPException, OSError, ValueError, zlib.error, EOFError) as error:
        return _fault(f"what it answers is no HTTP ({type(error).__name__})", passes=True)
    if len(body) > MOST_BYTES:
        return _fault(f"it is larger than {MOST_BYTES:,} bytes")
    headers: dict[str, str] = {}
    for name, value in answer.getheaders():
        headers.setdefault(name.lower(), value[:2000])
    return json.dumps({"status": answer.status, "headers": headers, "body": base64.b64encode(body).decode("ascii")})


def _tunnelled(request: bytes) -> str:
    """Have the proxy connect to the host; what it says where it does not."""
    _Line().send(request)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = os.read(0, 1)  # what comes behind is the host's
        if not piece or len(head) > _LONGEST_HEAD:
            return "it answers with no HTTP"
        head += piece
    status = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    return "" if status and status[1] == b"200" else f"it says {status[1].decode() if status else 'nothing'}"


def _fault(message: str, *, passes: bool = False) -> str:
    return json.dumps({"fault": message, "passes": passes})


def _unpacked(body: bytes, encoding: str) -> bytes:
    """Of a host that packs though it was not asked to; no more than may be kept."""
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    return zlib.decompressobj(47 if "gzip" in encoding.lower() else 15).decompress(body, MOST_BYTES + 1)


class _Line(io.RawIOBase):
    """The connection, which is descriptor 0, as http.client reads it."""

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._received(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(0, data) :]

    def _received(self, most: int) -> bytes:
        return os.read(0, most)


class _TlsLine(_Line):
    """The same through TLS, in memory."""

    def __init__(self, context: ssl.SSLContext, host: str) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname=host)
        self._through(self._tls.do_handshake)

    def send(self, data: bytes) -> None:
        self._through(lambda: self._tls.write(data))

    def _received(self, most: int) -> bytes:
        try:
            return bytes(self._through(lambda: self._tls.read(most)))
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""

    def _through(self, step: Callable[[], Any]) -> Any:
        """What ``step`` gives once the other side has said enough for it."""
        while True:
            done, waits = None, False
            try:
                done = step()
            except ssl.SSLWantReadError:
                waits = True
            super().send(self._out.read())
            if not waits:
                return done
            if data := os.read(0, _AT_ONCE):
                self._in.write(data)
            else:
                self._in.write_eof()
