"""Reads the lines of a saved chat: each message is a paragraph of who wrote it, under the day it was sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.models.extractive.parsing.grammars import GRAMMARS
from curator.models.extractive.parsing.line import TextLine
from curator.models.extractive.parsing.markup import MarkupReader
from curator.wiki.sources.chat import SENT, WHO

_LEVEL = 2
_NOTHING_SAID = re.compile(
    r"<[^<>]{1,40}>"
    r"|\W*(?:This message was deleted|You deleted this message|Missed (?:voice|video) call)\W*",
    re.IGNORECASE,
)
"""What the program puts in the place of a message, or has somebody say."""


def read_lines(raw: Sequence[tuple[int, str]]) -> Iterator[TextLine]:
    """Every line of ``raw`` (offset and text), classified."""
    return iter(_ChatReader(raw).read())


class _ChatReader(MarkupReader):
    def __init__(self, raw: Sequence[tuple[int, str]]) -> None:
        super().__init__(raw, GRAMMARS["text"], "text")
        self.day = ""

    def _step(self, at: int) -> int:
        text = self._text(at)
        sent = SENT.match(text)
        if sent is None:
            return super()._step(at)
        offset = self.raw[at][0]
        if sent["day"] != self.day:
            self.day = sent["day"]
            self.found.append(TextLine("heading", offset, text, level=_LEVEL, title=self.day))
        self.found.append(TextLine("blank", offset, ""))
        who = WHO.match(text, sent.end())
        if who is None or _NOTHING_SAID.fullmatch(text, who.end()):
            return self._put(at, "skip")
        return self._put(at, "text", sent.end())
