"""A line of a source and what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["blank", "skip", "text", "item", "heading", "label"]

BULLET = re.compile(r"\s*(?:[-*+•‣–]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|#\.)[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")


@dataclass
class TextLine:
    """``start`` is the column its words begin at; ``alone``: it is a block by itself."""

    kind: LineKind
    offset: int
    text: str
    start: int = 0
    level: int = 0
    title: str = ""
    alone: bool = False
    taken: bool = False


def indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def is_rule(text: str) -> bool:
    """True for a line of one punctuation character, three or more."""
    bare = text.strip()
    return len(bare) >= 3 and bare[0] in "=-~^\"'`#*+.:_<>!$%&(),/;?@[\\]{|}" and len(set(bare)) == 1


def is_tabular(text: str) -> bool:
    """True for words in columns."""
    return len(re.findall(r"\S(?: {3,}|\t+)(?=\S)", text.strip())) >= 1
