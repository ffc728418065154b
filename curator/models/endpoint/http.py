"""One bounded GET to an endpoint. Redirects are not followed, so that a key goes nowhere else; no proxy is used."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

_MOST_BYTES = 8_000_000
T = TypeVar("T")

Trouble = Literal["", "refused", "unknown_host", "unreachable"]


@dataclass(frozen=True)
class Look:
    """What a GET gave: a status with its JSON, or why there is none."""

    url: str
    status: int = 0
    data: Any = None
    """The JSON; None for what is none."""
    trouble: Trouble = ""

    @property
    def entries(self) -> list[dict[str, Any]] | None:
        """The models that it lists, in the form of OpenAI's API or of Ollama's; None when it is no such list."""
        if self.status != http.client.OK or not isinstance(self.data, dict):
            return None
        found = next((self.data[key] for key in ("data", "models") if isinstance(self.data.get(key), list)), None)
        return None if found is None else [each for each in found if isinstance(each, dict)]


def get(url: str, headers: Mapping[str, str], seconds: float, body: Mapping[str, Any] | None = None) -> Look:
    """GET ``url``, or POST ``body`` to it, within about ``seconds``. Never raises."""
    looked = all_within(seconds + 0.1, [lambda: _look(url, headers, seconds, body)])[0]
    return looked or Look(url, trouble="unreachable")


def all_within(seconds: float, calls: Sequence[Callable[[], T]]) -> list[T | None]:
    """What each of ``calls`` returns, all made at once; None for one that takes longer."""
    found: list[T | None] = [None] * len(calls)

    def run(at: int) -> None:
        found[at] = calls[at]()

    threads = [threading.Thread(target=run, args=(at,), daemon=True) for at in range(len(calls))]
    deadline = time.monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return list(found)


def _look(url: str, headers: Mapping[str, str], seconds: float, body: Mapping[str, Any] | None) -> Look:
    deadline = time.monotonic() + seconds
    try:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=seconds)
        try:
            sent = None if body is None else json.dumps(body).encode()
            path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            more = {"Content-Type": "application/json"} if sent is not None else {}
            connection.request("POST" if sent is not None else "GET", path, sent, {**headers, **more})
            answer = connection.getresponse()
            return Look(url, answer.status, _json(_read(answer, deadline)))
        finally:
            connection.close()
    except ConnectionRefusedError:
        return Look(url, trouble="refused")
    except socket.gaierror:
        return Look(url, trouble="unknown_host")
    except (OSError, ssl.SSLError, http.client.HTTPException, ValueError):
        return Look(url, trouble="unreachable")


def _read(answer: http.client.HTTPResponse, deadline: float) -> bytes:
    found = b""
    while len(found) < _MOST_BYTES and time.monotonic() < deadline and (piece := answer.read1(65_536)):
        found += piece
    return found


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
