"""A model of embeddings on the loopback: real HTTP, in the shape of OpenAI's API, and vectors that a test can foresee.

A text's vector has a number for each word, the same for words that mean the same: what the test says means the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

from support.endpoint import Served

SIZE = 64
Answer = Callable[[list[str]], "tuple[int, Any]"]


class EmbeddingServer(Served):
    """Answers ``POST /v1/embeddings``, and remembers what it was asked. ``same``: groups of words that mean the same."""

    def __init__(self, *same: Sequence[str], answer: Answer | None = None) -> None:
        self._meaning = {word: group[0] for group in same for word in group}
        self.answer = answer or self._embedded
        self.asked: list[list[str]] = []
        self.models: list[str] = []
        super().__init__(_Handler)

    def vector(self, text: str) -> list[float]:
        found = [0.0] * SIZE
        for word in re.findall(r"\w+", text.lower()):
            meant = self._meaning.get(word, word)
            found[int.from_bytes(hashlib.sha256(meant.encode()).digest()[:2]) % SIZE] += 1.0
        return found

    def _embedded(self, texts: list[str]) -> tuple[int, Any]:
        data = [
            {"object": "embedding", "index": number, "embedding": self.vector(text)}
            for number, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 7 * len(texts), "total_tokens": 7 * len(texts)}
        return 200, {"object": "list", "data": data, "usage": usage}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server: EmbeddingServer = self.server.served  # type: ignore[attr-defined]
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/embeddings"):
            return self._send(404, {"error": {"message": f"no such path: {self.path}"}})
        server.asked.append(request["input"])
        server.models.append(request["model"])
        status, said = server.answer(request["input"])
        return self._send(status, {"model": request["model"], **said})

    def do_GET(self) -> None:
        self._send(404, {})

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _send(self, status: int, said: Any) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
