"""Makes scans: PDF files whose pages are pictures of text."""

from __future__ import annotations

import zlib
from contextlib import closing

import pypdfium2

from support.pdf_files import pdf_of, stream

_DPI = 150


def picture_of(page: str, degrees: int = 0) -> bytes:
    """A picture of a page of ``page``, operators as ``pdf_of`` takes them, as an object of a PDF file."""
    with (
        closing(pypdfium2.PdfDocument(pdf_of(page))) as document,
        closing(document[0].render(scale=_DPI / 72, grayscale=True, rotation=degrees)) as picture,
    ):
        rows = [bytes(picture.buffer)[at : at + picture.width] for at in range(0, len(picture.buffer), picture.stride)]
        entries = f"/Type/XObject/Subtype/Image/Width {picture.width}/Height {picture.height}/ColorSpace/DeviceGray"
    return stream(zlib.compress(b"".join(rows)), f"{entries}/BitsPerComponent 8/Filter/FlateDecode")


def scan_of(*pictures: bytes, pages: tuple[str, ...] = ()) -> bytes:
    """A file with a page for each of ``pictures``, and then one for each of ``pages``, which are text."""
    names = "".join(f"/I{number} {number} 0 R" for number in range(10, 10 + len(pictures)))
    shown = [f"q 612 0 0 792 0 0 cm /I{number} Do Q" for number in range(10, 10 + len(pictures))]
    return pdf_of(*shown, *pages, resources=f"/XObject<<{names}>>", more=pictures)
