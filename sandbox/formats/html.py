"""HTML: what a browser shows, without what is hidden, each line with the numbers of the lines it stands on."""

from __future__ import annotations

from collections import Counter

import html_text
from extracted import Extracted, LeftOut
from unicode_text import source_text


def read(data: bytes, max_chars: int) -> Extracted:
    """The text of the page in ``data``."""
    hidden = Counter[str]()
    lines = tuple(html_text.visible(source_text(data), hidden))
    left_out = [LeftOut(f"text that is {why}", count, is_hidden=True) for why, count in sorted(hidden.items())]
    return Extracted(lines, left_out=left_out)


def preload() -> None:
    read(b"<p>&amp;", 100)
