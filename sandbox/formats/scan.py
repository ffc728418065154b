"""Reads PDF files as ``pdf`` does, and recognises the words on pages that are pictures."""

from __future__ import annotations

from extracted import Extracted

from formats import pdf
from formats.pdf_pages import recognition

_MOST_SECONDS = 300.0
"""Of processor time, for all pages that are recognised; the others stay unread, which is said."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The text of a PDF file, its pages as numbers. Raises ``Unreadable`` as ``pdf.read`` does."""
    return pdf.read(data, max_chars, recognition.page_rows, _MOST_SECONDS)


def preload() -> None:
    pdf.preload()
    recognition.preload()
