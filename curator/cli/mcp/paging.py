"""A long answer in parts: each stands in whole fences of its own, and names the cursor of the next."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from curator.errors import ConfigError
from curator.system.bounded_cache import BoundedCache

PART = 20_000
"""Characters of one part: some five thousand tokens, half of what clients begin to warn at."""
_KEPT = 4_000_000
"""Characters of answers that are kept for the parts that are still to be fetched."""
_OPENS = re.compile(r"<((?:available_)?knowledge_\w+)(?: [^<>]*)?>")
_ATTRIBUTE = re.compile(r' \w+="[^"]*"')
_TAG = 1_000
"""Characters of a tag that is opened again."""
_LISTS = ("available_knowledge_packs", "knowledge_resources")
"""Fences around lists of our own making, in which there are no instructions and no numbered lines."""
_BEGINS = re.compile(r"\[data ([0-9a-f]{16,}) begins\]")


@dataclass(frozen=True)
class AnswerPart:
    """One part of an answer; ``cursor`` names the next, and is empty for the last."""

    text: str
    cursor: str = ""


class PagedAnswers:
    """The long answers of one server, the latest ones; nothing of them is shared with another server."""

    def __init__(self) -> None:
        self._answers: BoundedCache[str, tuple[str, ...]] = BoundedCache(_KEPT, lambda parts: sum(map(len, parts)))

    def first(self, text: str) -> AnswerPart:
        """The first part of ``text``; the others are kept at hand. The same text gives the same cursors."""
        parts = tuple(parts_of(text, PART))
        if len(parts) == 1:
            return AnswerPart(text)
        name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return _part(name, self._answers.get_or_make(name, lambda: parts), 1)

    def more(self, cursor: str) -> AnswerPart:
        """The part that ``cursor`` names. Raises ConfigError where there is none such, or none any more."""
        name, _, number = cursor.partition(".")
        parts = self._answers.get(name) or ()
        if not re.fullmatch(r"[1-9]\d{0,6}", number) or int(number) > len(parts):
            hint = "call the tool that gave it anew; cursors last as long as the server, the latest ones"
            raise ConfigError("cursor_unknown", f"no answer goes on at the cursor {cursor[:80]!r}", hint)
        return _part(name, parts, int(number))


def _part(name: str, parts: tuple[str, ...], number: int) -> AnswerPart:
    cursor = f"{name}.{number + 1}" if number < len(parts) else ""
    told = f"part {number} of {len(parts)}"
    told += f'; for the next call the tool more with cursor "{cursor}"' if cursor else ", the last"
    return AnswerPart(f"{parts[number - 1]}\n\n[{told}]", cursor)


def parts_of(text: str, room: int) -> Iterator[str]:
    """``text``, which stands in fences, cut at lines into parts of some ``room`` characters, each with whole fences.

    A part that ends within a fence closes it, and the next opens the same one: with its first attributes, its instructions
    and its number, which occurs nowhere inside.
    """
    part: list[str] = []
    fence = _OpenFence()
    size = 0
    for line in text.split("\n"):
        whole = len(line) <= room or not fence.is_data
        for piece in [line] if whole else [line[at : at + room] for at in range(0, len(line), room)]:
            if size and size + len(piece) > room and fence.may_break_before(piece):
                yield "\n".join([*part, *fence.closing])
                part, size = [*fence.opening], 0
            part.append(piece)
            size += len(piece) + 1
        fence.read(line)
    yield "\n".join(part)


def _opened_again(tag: str) -> str:
    """The tag with as many of its attributes as have room: each further part says them again."""
    said = ""
    for attribute in _ATTRIBUTE.findall(tag) if len(tag) > _TAG else ():
        if len(said) + len(attribute) <= _TAG:
            said += attribute
    return f"{tag.partition(' ')[0]}{said}>" if len(tag) > _TAG else tag


class _OpenFence:
    """The fence around the line that was read last: the lines that open it again, and those that close it."""

    def __init__(self) -> None:
        self.opening: list[str] = []
        self.closing: list[str] = []
        self._last = ""
        self._is_head = False

    @property
    def is_data(self) -> bool:
        """True between the numbered lines."""
        return bool(self._last)

    def may_break_before(self, line: str) -> bool:
        """False among the instructions of a fence, and within an entry of a list."""
        return not self._is_head and (self.is_data or not line.startswith(("    ", "  </")))

    def read(self, line: str) -> None:
        if self.is_data:
            if line == self._last:
                self._last, self.closing = "", self.closing[1:]
                self.opening = self.opening[: len(self.closing)]
        elif self.closing and line == self.closing[0]:
            self.closing = self.closing[1:]
            self.opening = self.opening[: len(self.closing)]
        elif (tag := _OPENS.fullmatch(line)) is not None:
            self.opening, self.closing = [*self.opening, _opened_again(line)], [f"</{tag[1]}>", *self.closing]
            self._is_head = tag[1] not in _LISTS
        elif self._is_head:
            self.opening.append(line)
            if (begins := _BEGINS.fullmatch(line)) is not None:
                self._is_head, self._last = False, f"[data {begins[1]} ends]"
                self.closing = [self._last, *self.closing]
