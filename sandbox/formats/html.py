"""HTML: what a browser shows, without what is hidden, each line with the numbers of the lines it stands on."""

from __future__ import annotations

import html_text
from extracted import Extracted
from unicode_text import source_text


def read(data: bytes, max_chars: int) -> Extracted:
    """The text of the page in ``data``."""
    return Extracted(tuple(html_text.visible(source_text(data))))


def preload() -> None:
    read(b"<p>&amp;", 100)
