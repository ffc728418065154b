"""The last answer for a source, saved until the source is ingested: no answer is paid for twice.

A provider saves answers by prompt. When the wiki changes before an answer is committed (a page was being edited, the
process was killed), the same source gives another prompt; this answer is then applied to the new pages all the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from curator.models.port import FREE, Reply, Usage
from curator.models.verification import ReaderVerdict
from curator.repository.runtime.runtime import Runtime
from curator.wiki.sources.source import Source


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
        saved = None if self.ask_again else self.runtime.reply(self._key(source))
        return Answered.from_json(saved) if saved is not None else None

    def keep(self, source: Source, answered: Answered) -> None:
        """Save it, unless it was free."""
        if answered.reply.usage != FREE:
            self.runtime.keep_reply(self._key(source), asdict(answered))

    def forget(self, source: Source) -> None:
        """Delete the saved answer: it turned out to be of no use."""
        self.runtime.drop_reply(self._key(source))

    def drop_all(self, source: Source) -> None:
        """Delete every saved answer about a source that is committed."""
        self.forget(source)
        self.runtime.drop_replies(topic(source.path))

    def _key(self, source: Source) -> str:
        asked = "\0".join((source.path, source.digest, self.model))
        return "source-" + hashlib.sha256(asked.encode("utf-8", "surrogateescape")).hexdigest()[:40]


def topic(path: str) -> str:
    """The prefix of the names of all saved answers about one source."""
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
