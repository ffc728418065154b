"""Reads PDF files: the text that people see, in the order in which they read it, by pages."""

from __future__ import annotations

import ctypes
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress

import pypdfium2
import pypdfium2.raw as pdfium
from extracted import Extracted, LeftOut
from unicode_text import Unreadable

from formats.pdf_pages.flow import PageRows, flow
from formats.pdf_pages.layout import in_reading_order
from formats.pdf_pages.page import PageText, read_page
from formats.pdf_pages.rows import Row

PICTURES = "pages that are pictures, without text"
"""As curator has it, which has them read in another process where that can be done."""
MOST_PAGES = 3_000
MOST_SECONDS = 15.0
"""Of processor time; the jail ends the process a little later."""
_RENDERING_SECONDS = 6.0
_LEAST_ON_PAGE = 20
"""Characters; fewer, and a picture over most of the page, are a scan."""

_SMALL = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 49>>stream
0 0 9 9 re f 1 g BT /F 9 Tf 9 9 Td(A b.)Tj ET    \nendstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>endobj
trailer<</Root 1 0 R>>
"""
"""A page with light text, so that the look at it is tried as well."""
_DOI = re.compile(r"\b10\.\d{4,9}/[-._;()/:A-Za-z0-9]*[A-Za-z0-9]")
_DAY = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_NO_TITLE = re.compile(
    r"(?:untitled|microsoft word|title|document\d*|slide \d+)\b.*|.*\.(?:docx?|tex|dvi|pdf|odt|indd|ps|qxd|html?)", re.I
)


Recogniser = Callable[[pypdfium2.PdfPage, int, float], PageRows | None]
"""Reads a page with this number that is a picture, within so many seconds; None where it recognises nothing."""


def read(data: bytes, max_chars: int, recognise: Recogniser | None = None, seconds: float = 0.0) -> Extracted:
    """The text of a PDF file, its pages as numbers. Raises ``Unreadable`` for locked, broken and scanned files.

    ``recognise`` may take ``seconds`` of processor time for all pages together.
    """
    with closing(_opened(data)) as document:
        if len(document) > MOST_PAGES:
            raise Unreadable("source_too_large", f"{len(document)} pages, at most {MOST_PAGES} are read")
        pages, hidden, scanned = _pages(document, max_chars)
        recognised = _recognised(document, scanned, recognise, seconds) if recognise else {}
        pages = [recognised.get(page.number, page) for page in pages]
        pictures = len(scanned) - len(recognised)
        head = _head(document, pages)
    lines, left_out = flow(pages)
    if not any(text.strip() for _, text, _ in lines):
        _refuse_empty(len(pages), hidden, pictures)
    if pictures:
        left_out.append(LeftOut(PICTURES, pictures))
    left_out += [LeftOut(what, count, is_hidden=True) for what, count in hidden.items()]
    return Extracted(lines, "page", head, left_out, list(recognised))


def preload() -> None:
    """Load PDFium and have it read and paint a page, since it opens its own files late."""
    with suppress(Unreadable):
        read(_SMALL, 10_000)


def _opened(data: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD or "assword" in str(error):
            raise Unreadable("source_locked", "it is encrypted and opens with a password only") from error
        raise Unreadable("source_damaged", f"it is no PDF that can be opened ({error})") from error


def _pages(document: pypdfium2.PdfDocument, max_chars: int) -> tuple[list[PageRows], Counter[str], list[int]]:
    """The pages with their rows, the characters that nobody sees, and the numbers of pages that are pictures only."""
    pages: list[PageRows] = []
    hidden: Counter[str] = Counter()
    pictures: list[int] = []
    characters = 0
    start = time.process_time()
    for index in range(len(document)):
        spent = time.process_time() - start
        if spent > MOST_SECONDS:
            seen = f"{index} of {len(document)} pages took {spent:.0f} s of processor time"
            raise Unreadable("source_too_large", seen)
        text = _page_text(document, index, may_render=spent < _RENDERING_SECONDS)
        if text is None:
            continue
        hidden.update(text.hidden)
        seen_here = sum(len(piece.text) for piece in text.pieces)
        if text.is_picture and seen_here < _LEAST_ON_PAGE:
            pictures.append(index + 1)
        characters += seen_here
        if characters > max_chars:
            raise Unreadable("source_too_large", f"more than {max_chars} characters of text")
        pages.append(PageRows(index + 1, in_reading_order(text.pieces), text.height))
    return pages, hidden, pictures


def _recognised(
    document: pypdfium2.PdfDocument, numbers: Sequence[int], recognise: Recogniser, seconds: float
) -> dict[int, PageRows]:
    found: dict[int, PageRows] = {}
    end = time.process_time() + seconds
    for number in numbers:
        if (left := end - time.process_time()) <= 0:
            break
        rows = None
        with suppress(pypdfium2.PdfiumError, ValueError), closing(document[number - 1]) as page:
            rows = recognise(page, number, left)
        if rows is not None:
            found[number] = rows
    return found


def _page_text(document: pypdfium2.PdfDocument, index: int, may_render: bool) -> PageText | None:
    try:
        with closing(document[index]) as page:
            return read_page(page, may_render)
    except (pypdfium2.PdfiumError, ValueError):
        # A page of a damaged file, or one too small to be painted; the others are read.
        return None


def _refuse_empty(pages: int, hidden: Counter[str], pictures: int) -> None:
    if pictures:
        behind = f", with {hidden.total()} characters of text behind them that nobody sees" if hidden else ""
        seen = f"{pictures} of {pages} pages are pictures without text{behind}: a scan"
        raise Unreadable("source_is_scan", seen)
    if hidden:
        what = ", ".join(f"{count} characters of {what}" for what, count in hidden.items())
        raise Unreadable("source_empty", f"no text that can be seen on {pages} pages; {what}")
    raise Unreadable("source_empty", f"no text on {pages} pages")


def _head(document: pypdfium2.PdfDocument, pages: list[PageRows]) -> dict[str, str | list[str]]:
    told = document.get_metadata_dict(skip_empty=True)
    head: dict[str, str | list[str]] = {}
    first = pages[0].rows if pages else []
    title = " ".join(told.get("Title", "").split())
    if not title or _NO_TITLE.fullmatch(title):
        title = _title_on(first)
    if title:
        head["title"] = title
    if authors := [name.strip() for name in re.split(r"[;,]|\band\b", told.get("Author", "")) if name.strip()]:
        head["authors"] = authors
    if day := _DAY.match(told.get("CreationDate", "")):
        head["date"] = "-".join(part for part in day.groups() if part)
    if language := _language(document):
        head["language"] = language
    text = " ".join([*told.values(), *(row.text for row in first)])
    if doi := _DOI.search(text):
        head["doi"] = doi[0]
    return head


def _title_on(rows: Sequence[Row]) -> str:
    """The words in the largest letters of the first page, if they are larger than the rest."""
    sizes = sorted(row.size for row in rows)
    if not sizes or sizes[-1] < 1.15 * sizes[len(sizes) // 2]:
        return ""
    title = " ".join(row.text for row in rows if row.size > 0.95 * sizes[-1])
    return title if len(title) <= 200 else ""


def _language(document: pypdfium2.PdfDocument) -> str:
    buffer = (ctypes.c_ushort * 32)()
    length = pdfium.FPDFCatalog_GetLanguage(document.raw, buffer, ctypes.sizeof(buffer))
    return bytes(buffer)[: max(length - 2, 0)].decode("utf-16-le", "ignore") if length <= ctypes.sizeof(buffer) else ""
