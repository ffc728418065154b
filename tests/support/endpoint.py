"""A language model's endpoint on the loopback: real HTTP, and answers that the test writes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Request = dict[str, Any]
"""The JSON body of a call to ``/chat/completions``."""


@dataclass(frozen=True)
class Reply:
    """One answer of the endpoint. ``text`` is the model's, or with an error ``status`` the error's message."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0
    """Seconds the endpoint thinks before it answers; it stops thinking when the test is over."""
    finish_reason: str = "stop"
    usage: dict[str, int] | None = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20})
    """None for a provider that does not count."""
    raw_body: bytes | None = None
    """Sent as it is, instead of a well-formed body."""
    rest: str = ""
    """Of a stream: what comes after ``text``, once ``go_on`` is set."""
    go_on: threading.Event = field(default_factory=threading.Event)

    def body(self, model: str) -> bytes:
        """The bytes that go over the wire, in the shape OpenAI's API has."""
        if self.raw_body is not None:
            return self.raw_body
        if self.status != 200:
            return json.dumps({"error": {"message": self.text, "type": "error", "code": None}}).encode()
        return json.dumps(self._completion(model)).encode()

    def events(self, model: str) -> Iterator[bytes]:
        """The same as server-sent events, in pieces of a few letters, or in 500."""
        for text in (self.text, self.rest):
            size = max(7, len(text) // 500)
            for start in range(0, len(text), size):
                yield self._event(model, {"content": text[start : start + size]})
            if text and text is not self.rest and self.rest:
                self.go_on.wait(60)
        yield self._event(model, {}, self.finish_reason)
        if self.usage is not None:
            yield self._event(model, None, usage=self.usage)
        yield b"data: [DONE]\n\n"

    def _event(
        self, model: str, delta: dict[str, str] | None, ending: str | None = None, usage: dict[str, int] | None = None
    ) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": ending}]
        chunk = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": model,
            "choices": choices,
        }
        said = {**chunk, "usage": {**usage, "total_tokens": sum(usage.values())}} if usage else chunk
        return b"data: " + json.dumps(said).encode() + b"\n\n"

    def _completion(self, model: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        completion = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [choice],
        }
        if self.usage is None:
            return completion
        return {**completion, "usage": {**self.usage, "total_tokens": sum(self.usage.values())}}


Answer = Callable[[Request], "str | Reply"]
Listing = Callable[[str, dict[str, str]], "tuple[int, Any] | None"]


class Served:
    """A server on a free port of the loopback, as long as its context lasts; a handler has it as ``self.server.served``."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.served = self  # type: ignore[attr-defined]

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """What ``api_base`` is to be."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()


class Endpoint(Served):
    """An OpenAI-compatible server that gives the answers of a callable, and remembers what it was asked.

    >>> with Endpoint(lambda request: "Tea is a drink.") as endpoint:
    ...     reply = worker.ask({"op": "complete", "model": "openai/x", "api_base": endpoint.url, ...}, seconds=30)
    >>> endpoint.requests[0]["messages"]
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        """The bodies of the calls so far, in the order in which they came."""
        self.headers: list[dict[str, str]] = []
        """The headers of the same calls, names in lower case."""
        self.listing: Listing = lambda path, headers: None
        """What it says to a GET: a status and JSON; None for what is not there."""
        super().__init__(_Handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers ``POST /v1/chat/completions``, and GET by ``listing``; everything else is not found."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        endpoint: Endpoint = self.server.served  # type: ignore[attr-defined]
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint.requests.append(request)
        endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
        reply = self._reply(endpoint, request)
        endpoint.over.wait(reply.delay)
        is_stream = bool(request.get("stream")) and reply.status == 200 and reply.raw_body is None
        (self._send_events if is_stream else self._send)(reply, str(request.get("model", "")))

    def do_GET(self) -> None:
        endpoint: Endpoint = self.server.served  # type: ignore[attr-defined]
        status, said = endpoint.listing(self.path, {k.lower(): v for k, v in self.headers.items()}) or (404, {})
        self._send(Reply(status=status, raw_body=json.dumps(said).encode()), "")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: pytest shows what the endpoint was asked when a test fails."""

    def _reply(self, endpoint: Endpoint, request: Request) -> Reply:
        if not self.path.endswith("/chat/completions"):
            return Reply(f"no such path: {self.path}", status=404)
        answer = endpoint.answer(request)
        return Reply(answer) if isinstance(answer, str) else answer

    def _send_events(self, reply: Reply, model: str) -> None:
        self.close_connection = True
        try:
            self.send_response(200)
            for name, value in {"Content-Type": "text/event-stream", "Connection": "close", **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            for event in reply.events(model):
                self.wfile.write(event)
        except ConnectionError:
            pass  # the caller has seen enough

    def _send(self, reply: Reply, model: str) -> None:
        body = reply.body(model)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **reply.headers}
        try:
            self.send_response(reply.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            # The caller gave up waiting, which may be what the test is about.
            self.close_connection = True
