"""The last answer for a source, kept until the source is in: an answer that was paid for is never paid for twice.

A provider keeps answers by question until the source is in. When the wiki changes before an answer has landed (a page was
being edited, the process was killed), the same source gives another question; its old answer is worked into the new
pages all the same.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass

from curator.models.port import FREE, Reply, Usage
from curator.repository.runtime.runtime import Runtime
from curator.wiki.sources.source import Source


@dataclass(frozen=True)
class Answered:
    """An answer; ``settled`` when it has had its repair round."""

    reply: Reply
    settled: bool


@dataclass(frozen=True)
class Answers:
    """The answers of one model, by source."""

    runtime: Runtime
    model: str
    ask_again: bool = False
    """True: what was answered before does not count."""

    def recall(self, source: Source) -> Answered | None:
        saved = None if self.ask_again else self.runtime.reply(self._key(source))
        try:
            if saved is None:
                return None
            reply = saved["reply"]
            return Answered(Reply(**{**reply, "usage": Usage(**reply["usage"])}), bool(saved["settled"]))
        except (KeyError, TypeError):
            return None

    def keep(self, source: Source, answered: Answered) -> None:
        """Remember it, unless it cost nothing."""
        if answered.reply.usage != FREE:
            self.runtime.keep_reply(self._key(source), asdict(answered))

    def forget(self, source: Source) -> None:
        """Its answer has turned out to be no use."""
        self.runtime.drop_reply(self._key(source))

    def landed(self, source: Source) -> None:
        """It is in: what was asked about it on the way is no longer needed."""
        self.forget(source)
        self.runtime.drop_replies(topic(source.path))

    def _key(self, source: Source) -> str:
        asked = "\0".join((source.path, source.digest, self.model))
        return "source-" + hashlib.sha256(asked.encode("utf-8", "surrogateescape")).hexdigest()[:40]


def topic(path: str) -> str:
    """What the names of all answers about one source begin with."""
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
