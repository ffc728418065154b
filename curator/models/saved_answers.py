"""The last answer for a source, saved until the source is ingested: no answer is paid for twice.

A provider saves answers by prompt. When the wiki changes before an answer is committed (a page was being edited, the
process was killed), the same source gives another prompt; this answer is then applied to the new pages all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from typing import Any

from curator.errors import ModelError
from curator.models.port import FREE, Reply, Usage
from curator.models.verification import ReaderVerdict
from curator.repository.runtime.runtime import Runtime
from curator.wiki.sources.source import Source

ANSWER_WANTED = "answer_wanted"
"""The code of the error that says that a model would have to be asked."""
_may_ask = ContextVar("may_ask", default=True)


@contextmanager
def saved_only(only: bool = True) -> Iterator[None]:
    """While this is open (and ``only``), no model is asked: who holds what others wait for goes by what is saved."""
    token = _may_ask.set(not only)
    try:
        yield
    finally:
        _may_ask.reset(token)


def check_may_ask() -> None:
    """Raise ModelError where only saved answers may be used."""
    if not _may_ask.get():
        hint = "the model is asked first; then it is tried again"
        raise ModelError(ANSWER_WANTED, "the saved answer fits the wiki no more", hint, retryable=False)


@dataclass(frozen=True)
class Answered:
    """A saved answer; ``settled`` when it has had its repair round."""

    reply: Reply
    settled: bool

    @classmethod
    def from_json(cls, saved: Any) -> Answered | None:
        """What ``asdict`` made of one; None for what is none."""
        try:
            reply = saved["reply"]
            verdicts = {key: ReaderVerdict(**said) for key, said in reply.get("verdicts", {}).items()}
            reply = Reply(**{**reply, "usage": Usage(**reply["usage"]), "verdicts": verdicts})
            return cls(reply, bool(saved["settled"]))
        except (KeyError, TypeError, AttributeError):
            return None


@dataclass(frozen=True)
class Answers:
    """The answers of one model, by source."""

    runtime: Runtime
    model: str
    ask_again: bool = False
    """True: saved answers of earlier runs are not used."""

    def recall(self, source: Source) -> Answered | None:
        if self.ask_again:
            return None
        saved = self.runtime.replies.get(self._key(source)) or self.runtime.replies.get(self._older_key(source))
        return Answered.from_json(saved) if saved is not None else None

    def keep(self, source: Source, answered: Answered) -> None:
        """Save it, unless it was free."""
        if answered.reply.usage != FREE:
            self.runtime.replies.keep(self._key(source), asdict(answered))

    def forget(self, source: Source) -> None:
        """Delete the saved answer: it turned out to be of no use."""
        for key in (self._key(source), self._older_key(source)):
            self.runtime.replies.drop(key)

    def drop_all(self, source: Source) -> None:
        """Delete every saved answer about a source that is committed."""
        self.forget(source)
        self.runtime.replies.drop_all(topic(source.path))

    def _key(self, source: Source) -> str:
        asked = "\0".join((source.digest, self.model))
        return f"{topic(source.path)}-last-{hashlib.sha256(asked.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}"

    def _older_key(self, source: Source) -> str:
        """As versions before named it."""
        asked = "\0".join((source.path, source.digest, self.model))
        return "source-" + hashlib.sha256(asked.encode("utf-8", "surrogateescape")).hexdigest()[:40]


def topic(path: str) -> str:
    """The beginning, before a hyphen, of the keys of all saved answers about one source."""
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
