"""What a reader hands back: a source's text with anchors, what its head says, and what was left out and why.

Where a format marks what a piece of text is, its line says so as Markdown does: ``## Heading``, ``- item`` (two more spaces
for each level below), ``cell | cell`` for the row of a table. A paragraph is one line; an empty line says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Unit = Literal["line", "page", "paragraph", "second"]
"""What the numbers of a text count: lines of the file (``#L12``), pages, slides, sheets or chapters (``#p3``),
paragraphs of a document that has neither (``#par12``), or seconds of a recording (``#t=62``)."""
Line = tuple[int, str, int]
"""Its number, its words, and the number it ends on: the same, or a higher one. Numbers never fall."""
HEAD = ("title", "authors", "date", "language", "doi", "url", "tags", "captured_by")
"""What a head may say; ``authors`` and ``tags`` are lists, all else a text."""


@dataclass(frozen=True)
class LeftOut:
    """Something of a file that is not in its text."""

    what: str
    """In a few plain words: ``white text``, ``speaker's notes that are hidden``, ``page numbers``."""
    count: int
    """How many characters, or how many of them where they hold no text (images, attachments)."""
    is_hidden: bool = False
    """True for text that somebody who opens the file does not see."""


@dataclass(frozen=True)
class Extracted:
    """The text of one file."""

    lines: Sequence[Line]
    unit: Unit = "line"
    head: dict[str, str | list[str]] = field(default_factory=dict)
    """What the file says: title, authors (a list), date (``YYYY-MM-DD`` or less), language, doi, url."""
    left_out: Sequence[LeftOut] = ()
    recognised: Sequence[int] = ()
    """Numbers of the pages whose words were recognised in a picture: a letter or a figure may be wrong."""
