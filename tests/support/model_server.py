"""A language model on the loopback that reads what it is asked: real HTTP, sound answers, and every bad mood there is.

What it answers comes from the request alone: words of the source that the prompt shows, under the titles they suggest, so
that the ingest lands. It can be slow, wrong, rate-limiting, hanging, failing or down. Each call is written down with what
became of it, so that one can count what was paid for twice.
"""

from __future__ import annotations

import hashlib
import json
import re
import select
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from support.endpoint import Endpoint, Reply, Request, _Handler

_DATA = re.compile(
    r'<data id="(?P<id>\w+)" name="(?:source|notes)"(?P<about>[^>]*)>\n(?P<text>.*?)\n</data id="(?P=id)">', re.S
)
_ABOUT = re.compile(r'(\w+)="([^"]*)"')
_PLAIN = re.compile(r"(?:[-*] |  quote: \")?([A-Z][\w ,.'-]{15,300}?[.])(?=[\s\"]|$)")
_SUBJECT = re.compile(r"\bA ([a-z]+ [a-z]+) is ")
_WRONG = "I am glad to help! A wiki about this could begin with an overview."
_MOST_CLAIMS = 6


@dataclass(frozen=True)
class Mood:
    """How the model answers for now."""

    delay: float = 0.0
    """Seconds it thinks."""
    status: int = 200
    retry_after: float | None = None
    is_wrong: bool = False
    """It answers with something that is no proposal; that is paid for too."""
    hangs: bool = False
    """It never answers; those who wait may go on waiting when the mood has changed."""


@dataclass
class Call:
    """One request and what became of it."""

    at: float
    """When it came; seconds since 1970, as are all times here."""
    source: str
    """Path of the source it was about."""
    question: str
    """The same for each time that the model is asked the same of the same text: which part, and which turn."""
    prompt: str
    """The same for the very same prompt, whatever its nonce."""
    status: int = 0
    retry_after: float = 0.0
    ended: float = 0.0
    outcome: str = "open"
    """answered: all of it was sent, to somebody who was there; hung up: the caller left before; refused: no 200."""


class ModelServer(Endpoint):
    """An OpenAI-compatible model; ``mood`` is how it answers, ``down`` and ``up`` are what they say."""

    def __init__(self, mood: Mood = Mood()) -> None:
        super().__init__(lambda request: answer(Prompt.of(request)))
        self.mood = mood
        self.calls: list[Call] = []
        self._limited = 0
        self._limit = Mood()
        self._mutex = threading.Lock()
        self._open: set[socket.socket] = set()
        self._server.RequestHandlerClass = _Recording
        self._is_up = False

    # -- moods ---------------------------------------------------------------------------------------------------

    def limit(self, calls: int, seconds: float) -> None:
        """429 for the next so many calls, each with this Retry-After."""
        with self._mutex:
            self._limited, self._limit = calls, Mood(status=429, retry_after=seconds)

    def down(self) -> None:
        """Nobody listens any more, those who wait are cut off; the port stays ours."""
        self._server.shutdown()
        port = self.port
        self._server.server_close()
        # Bound but not listening: the connection is refused, and nobody else gets the port.
        self._server = _bound(port, self)
        self._is_up = False
        with self._mutex:
            cut_off = list(self._open)
        for connection in cut_off:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def up(self) -> None:
        """It listens again, at the same address."""
        if not self._is_up:
            self._server.server_activate()
            threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
            self._is_up = True

    def __enter__(self) -> Self:
        super().__enter__()
        self._is_up = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.over.set()
        if self._is_up:
            self._server.shutdown()
        self._server.server_close()

    # -- the books -----------------------------------------------------------------------------------------------

    def note(self, request: Request) -> tuple[Call, Mood]:
        """A call has come; the mood it meets."""
        prompt = Prompt.of(request)
        with self._mutex:
            mood = self._limit if self._limited > 0 else self.mood
            self._limited = max(self._limited - 1, 0)
            call = Call(time.time(), prompt.path, prompt.question, prompt.key)
            self.calls.append(call)
        return call, mood

    def asked(self, source: str) -> list[Call]:
        """The calls about one source."""
        return [call for call in self.calls if call.source == source]

    def answered(self) -> dict[str, list[Call]]:
        """What was paid for, by question."""
        found: dict[str, list[Call]] = defaultdict(list)
        for call in list(self.calls):
            if call.outcome == "answered":
                found[call.question].append(call)
        return found

    def paid_twice(self, kills: Sequence[float] = (), keeping: float = 1.0) -> list[str]:
        """The questions that were answered more than once, though the first answer could have been kept.

        An answer goes from the worker to curator and from there to the disk. Who is killed less than ``keeping`` seconds
        after the answer was sent may lose it; ``kills`` are the times at which those were killed who ask.
        """
        return [
            f"{calls[0].source}: {len(calls)} answers to one question, "
            + ", ".join(f"{call.ended - calls[0].at:.1f}" for call in calls)
            + f" s after {calls[0].at:.1f}"
            for calls in self.answered().values()
            for kept in [[call for call in calls if not _is_lost(call, kills, keeping)]]
            if len(calls) > 1 and (len(kept) > 1 or (kept and kept[0] is not calls[-1]))
        ]

    def lost(self, kills: Sequence[float], keeping: float = 1.0) -> int:
        """How many answers were paid for again because a kill met the first one on its way to the disk."""
        return sum(
            _is_lost(call, kills, keeping)
            for calls in self.answered().values()
            if len(calls) > 1
            for call in calls[:-1]
        )

    def as_json(self) -> list[dict[str, Any]]:
        return [asdict(call) for call in self.calls]

    def enter(self, connection: socket.socket) -> None:
        with self._mutex:
            self._open.add(connection)

    def leave(self, connection: socket.socket) -> None:
        with self._mutex:
            self._open.discard(connection)


def _is_lost(call: Call, kills: Sequence[float], keeping: float) -> bool:
    return any(call.ended <= kill + 0.1 and kill - call.ended < keeping for kill in kills)


def _bound(port: int, endpoint: Endpoint) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", port), _Recording, bind_and_activate=False)
    server.daemon_threads = True
    server.server_bind()
    server.served = endpoint  # type: ignore[attr-defined]
    return server


class _Recording(_Handler):
    """Answers as the mood is, and writes down whether the answer got away."""

    def setup(self) -> None:
        super().setup()
        self._model.enter(self.connection)

    def finish(self) -> None:
        self._model.leave(self.connection)
        with suppress(OSError):
            super().finish()

    @property
    def _model(self) -> ModelServer:
        model: ModelServer = self.server.served  # type: ignore[attr-defined]
        return model

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call, mood = self._model.note(request)
        reply = self._answer(request, mood)
        call.status, call.retry_after = reply.status, mood.retry_after or 0.0
        if self._is_left_alone(mood):
            call.outcome, call.ended = "hung up", time.time()
            self.close_connection = True
            return
        before = self.close_connection
        self.close_connection = False
        self._send(reply, str(request.get("model", "")))
        was_cut = self.close_connection
        self.close_connection = before or was_cut
        call.ended = time.time()
        call.outcome = "hung up" if was_cut else "answered" if reply.status == 200 else "refused"

    def _answer(self, request: Request, mood: Mood) -> Reply:
        if mood.status != 200:
            headers = {"Retry-After": f"{mood.retry_after:g}"} if mood.retry_after is not None else {}
            return Reply(f"the model says {mood.status}", status=mood.status, headers=headers)
        return Reply(_WRONG) if mood.is_wrong else self._reply(self._model, request)

    def _is_left_alone(self, mood: Mood) -> bool:
        """Think; True when the caller did not wait for it."""
        until = time.monotonic() + (1e9 if mood.hangs else mood.delay)
        while True:
            if _has_left(self.connection) or self._model.over.is_set():
                return True
            left = until - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, 0.05))


def _has_left(connection: socket.socket) -> bool:
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


# -- reading the prompt and answering it -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Prompt:
    """What a request shows of the source, and in which form it wants the answer."""

    path: str
    text: str
    key: str
    question: str
    form: str
    """notes, blocks or json."""

    @classmethod
    def of(cls, request: Request) -> Prompt:
        said = [str(message["content"]) for message in request["messages"]]
        shown = _DATA.search(said[1]) if len(said) > 1 else None
        about = dict(_ABOUT.findall(shown["about"])) if shown else {}
        text = shown["text"] if shown else ""
        whole = "\0".join(said).replace(shown["id"] if shown else "\0", "nonce")
        asked = "\0".join((about.get("path", ""), about.get("part", ""), text, str(len(said))))
        form = "notes" if "part" in about else "json" if '{"operations"' in said[0] else "blocks"
        return cls(about.get("path", ""), text, _digest(whole), _digest(asked), form)


def answer(prompt: Prompt) -> str:
    """A proposal, or notes, that the source proves: a summary of its first statements and a page for its subject."""
    facts = _facts(prompt.text)
    if prompt.form == "notes":
        return "\n".join(line for fact in facts for line in (f"- {fact}", f'^ "{fact}"'))
    pages = [("summary", _title(prompt), facts)]
    subjects = {found[1]: fact for fact in reversed(facts) if (found := _SUBJECT.search(fact))}
    pages += [("concept", subject.capitalize(), [fact]) for subject, fact in reversed(subjects.items())]
    return _as_json(pages) if prompt.form == "json" else _as_blocks(pages)


def _facts(text: str) -> list[str]:
    """The first statements and the last ones: a source that was added to has something new to say."""
    found = list(dict.fromkeys(fact for line in text.split("\n") for fact in _PLAIN.findall(line)))
    few = found if len(found) <= _MOST_CLAIMS else found[: _MOST_CLAIMS // 2] + found[-_MOST_CLAIMS // 2 :]
    return [" ".join(fact.split()[:40]) for fact in few]


def _title(prompt: Prompt) -> str:
    first = next((line for line in prompt.text.split("\n") if line.strip(" #-")), "")
    return " ".join(re.findall(r"[\w']+", first))[:80] or "A source"


def _as_blocks(pages: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    blocks = []
    for kind, title, facts in pages:
        body = "\n\n".join(f'{fact}\n^ "{fact}"' for fact in facts)
        blocks.append(f"<<<<<<< CREATE {kind} | {title}\n{body}\n>>>>>>> END")
    return "\n\n".join(blocks)


def _as_json(pages: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    operations = [
        {
            "op": "create",
            "kind": kind,
            "title": title,
            "aliases": [],
            "body": [{"text": fact, "quotes": [fact]} for fact in facts],
        }
        for kind, title, facts in pages
    ]
    return json.dumps({"operations": operations})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
