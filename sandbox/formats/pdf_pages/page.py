"""One page of a PDF as runs of characters with their places, without what nobody sees.

PDFium knows each character with its place and the text object that paints it. A text object is hidden when it says so
(painting nothing, opacity 0, a size under a point and a half, beyond the edge of the page), and, where something on the
page might hide it (a light colour, a clip, a layer, a picture or a filled shape), when the page looks the same without it.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from formats.pdf_pages.glyphs import Shapes, drop_other_words, is_blank, is_few
from formats.pdf_pages.hidden import UNPAINTED, Covers, TextObject, is_clipped, is_in_layer, look, thumbnails
from formats.pdf_pages.rows import Piece

_SMALLEST = 1.5
"""Points; letters of this size are dots to a reader."""
_LIGHT = 160
"""Of 255: from this brightness on, a text may vanish on white paper."""
_PAINTS_NOTHING = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
_PAINTS_EDGES = (pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE, pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE_CLIP)
_CLIPS = range(4, 8)
_GAP = 0.8
"""Of the size of the letters: a wider gap ends a piece; between columns there is at least as much."""
_MOST_ALIKE = 2000
"""Letters of a page that are looked at for whether they differ."""
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_SUBSCRIPTS = str.maketrans("0123456789+-−", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_TEX = dict(
    zip(
        (*range(0x0B, 0x17), *range(0x19, 0x20)),
        "ff fi fl ffi ffl “ ” „ « » – — ı ȷ ff fi fl ffi ffl".split(),
        strict=True,
    )
)
"""TeX's own places for its ligatures, below those of ASCII; PDFium gives the bare code where a font does not tell."""
_PLAIN = {0x02: "-", 0xAD: "-", 0x88: "•", 0xF0B7: "•", 0xF0A7: "▪"} | _LIGATURES | _TEX
"""What PDFium gives for a hyphen at a line's end, the soft hyphen, and other codes, as what a reader sees."""
_SPACES = frozenset((0x20, 0xA0))
_FIXED_PITCH = 1
_BOLD_NAMES = (b"bold", b"black", b"cmbx", b"-medi")
_SIGN_NAMES = (b"cmex", b"cmsy", b"cmmi", b"msam", b"msbm", b"math", b"symbol", b"txex", b"pxex")
_FIXED_NAMES = (b"mono", b"courier", b"cmtt", b"typewriter", b"consol", b"code", b"sltt", b"nimbusmonl")


@dataclass(frozen=True)
class PageText:
    """What a page shows, and what it does not."""

    pieces: list[Piece]
    """In the order in which they are painted."""
    hidden: Counter[str]
    """Characters by why they are not seen."""
    width: float
    height: float
    is_picture: bool
    """True when pictures cover most of the page."""


@dataclass(slots=True)
class _Glyph:
    text: str
    left: float
    right: float
    base: float
    owner: TextObject
    after_space: bool


def read_page(page: pypdfium2.PdfPage, may_render: bool) -> PageText:
    """Read ``page``; without ``may_render``, whether light text can be seen is guessed and not looked at."""
    box = page.get_bbox()
    covers = Covers.of(page)
    drop_other_words(page)
    with closing(page.get_textpage()) as text_page:
        reader = _GlyphReader(text_page, box)
        glyphs = list(reader.read())
    alike = _alike(page, glyphs) if may_render else set()
    for each in reader.objects.values():
        if not each.hidden and (each.shapes.are_of_other_letters() or id(each.shapes) in alike):
            each.hidden = "text in letters that are others to the eye"
    for each in reader.objects.values():
        if not each.hidden and each.is_squeezed():
            each.hidden = "tiny text"
    doubtful = [
        each for each in reader.objects.values() if not each.hidden and (each.in_doubt or covers.any or reader.clips)
    ]
    if doubtful and may_render:
        # Light text may lie over other text: where one is looked at, all are.
        look(page, reader.objects, all_in_doubt=True)
    else:
        for each in doubtful:
            each.hidden = "light text" if each.in_doubt and not (covers.any or reader.clips) else ""
    hidden: Counter[str] = Counter(reader.beyond)
    seen: list[_Glyph] = []
    for glyph in glyphs:
        is_in_gap = any(start + 1 < glyph.left and glyph.right < end - 1 for start, end in glyph.owner.gaps)
        if why := glyph.owner.hidden or (UNPAINTED if is_in_gap else ""):
            hidden[why] += len(glyph.text)
        else:
            seen.append(glyph)
    width, height = box[2] - box[0], box[3] - box[1]
    pieces = [replace(piece, place=place) for place, piece in enumerate(_pieces(seen))]
    return PageText(pieces, hidden, width, height, covers.picture_area > 0.5 * width * height)


def _alike(page: pypdfium2.PdfPage, glyphs: list[_Glyph]) -> set[int]:
    """The shapes of fonts on the page all of whose letters look the same, as dashes or boxes in their place do."""
    by_font = {id(glyph.owner.shapes): glyph.owner.shapes for glyph in glyphs}
    few = {number for number, shapes in by_font.items() if shapes.have_few_forms()}
    doubtful = [glyph for glyph in glyphs if id(glyph.owner.shapes) in few and glyph.text.isalpha()][:_MOST_ALIKE]
    if not doubtful:
        return set()
    boxes = [(each.left, each.base - each.owner.size / 4, each.right, each.base + each.owner.size) for each in doubtful]
    looks: dict[int, dict[str, bytes]] = {}
    for glyph, mark in zip(doubtful, thumbnails(page, boxes), strict=True):
        looks.setdefault(id(glyph.owner.shapes), {})[glyph.text] = mark
    return {shapes for shapes, marks in looks.items() if is_few(len(set(marks.values())), len(marks))}


class _GlyphReader:
    def __init__(self, text_page: pypdfium2.PdfTextPage, page_box: tuple[float, float, float, float]) -> None:
        self.page: Any = text_page.raw
        self.page_box = page_box
        self.objects: dict[int, TextObject] = {}
        self.beyond: Counter[str] = Counter()
        self.clips = False
        """True where letters cut off what is painted after them."""
        self._fonts: dict[int, tuple[bool, bool, bool]] = {}
        self._shapes: dict[int, Shapes] = {}
        """Of the letters of each font."""
        self._matrix = pdfium.FS_MATRIX()
        self._rgba = tuple(ctypes.c_uint() for _ in range(4))

    def read(self) -> Iterator[_Glyph]:
        page, box = self.page, pdfium.FS_RECTF()
        x, y = ctypes.c_double(), ctypes.c_double()
        edges = [ctypes.c_double() for _ in range(4)]
        left_edge, bottom_edge, right_edge, top_edge = self.page_box
        after_space = True
        for index in range(pdfium.FPDFText_CountChars(page)):
            code = pdfium.FPDFText_GetUnicode(page, index)
            pointer = pdfium.FPDFText_GetTextObject(page, index)
            if code in _SPACES or not pointer:
                after_space = True
                continue
            owner = self._owner(index, pointer)
            pdfium.FPDFText_GetLooseCharBox(page, index, box)
            pdfium.FPDFText_GetCharOrigin(page, index, x, y)
            middle_x, middle_y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
            text = _character(code) if code < 0x20 and owner.signs else _PLAIN.get(code) or _character(code)
            if not (left_edge <= middle_x <= right_edge and bottom_edge <= middle_y <= top_edge):
                self.beyond["text beyond the edge of the page"] += len(text)
                continue
            bounds, owner.letters = owner.box, owner.letters + 1
            bounds[0], bounds[1] = min(bounds[0], box.left), min(bounds[1], box.bottom)
            bounds[2], bounds[3] = max(bounds[2], box.right), max(bounds[3], box.top)
            if 0x41 <= code <= 0x7A and owner.turn == (1.0, 0.0):
                pdfium.FPDFText_GetCharBox(page, index, *edges)
                wide, above = edges[1].value - edges[0].value, edges[3].value - y.value
                owner.shapes.add(chr(code), above, y.value - edges[2].value, wide / owner.stretch, owner.size)
            left, right, base = _turned(box, x.value, y.value, owner.turn)
            yield _Glyph(text, left, right, base, owner, after_space)
            after_space = False

    def _owner(self, index: int, pointer: Any) -> TextObject:
        address = ctypes.addressof(pointer.contents)
        if address not in self.objects:
            self.objects[address] = self._text_object(index, pointer)
        return self.objects[address]

    def _text_object(self, index: int, pointer: Any) -> TextObject:
        matrix = self._matrix
        pdfium.FPDFText_GetMatrix(self.page, index, matrix)
        along = math.hypot(matrix.a, matrix.b) or 1.0
        size = pdfium.FPDFText_GetFontSize(self.page, index) * math.hypot(matrix.c, matrix.d)
        turn = (round(matrix.a / along, 2), round(matrix.b / along, 2))
        stretch = along / (math.hypot(matrix.c, matrix.d) or 1.0)
        found = TextObject(size, turn, *self._kind_of_font(pointer))
        found.stretch = stretch
        found.shapes = self._shapes.setdefault(_address(pdfium.FPDFTextObj_GetFont(pointer)), found.shapes)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(pointer)
        self.clips |= mode in _CLIPS
        brightness, opacity = self._colour(index, stroked=mode in (1, 5))
        if mode in _PAINTS_NOTHING or is_blank(pointer):
            found.hidden = "text that is painted with nothing"
        elif opacity < 20:
            found.hidden = "transparent text"
        elif size < _SMALLEST:
            found.hidden = "tiny text"
        found.in_doubt = brightness >= _LIGHT or opacity < 160 or is_clipped(pointer) or is_in_layer(pointer)
        found.in_doubt |= mode in _PAINTS_EDGES and self._colour(index, stroked=True)[0] >= _LIGHT
        found.in_doubt |= bool(pdfium.FPDFPageObj_HasTransparency(pointer))
        return found

    def _kind_of_font(self, pointer: Any) -> tuple[bool, bool, bool]:
        font = pdfium.FPDFTextObj_GetFont(pointer)
        if not font:
            return False, False, False
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            self._fonts[address] = _kind_of_font(font)
        return self._fonts[address]

    def _colour(self, index: int, stroked: bool) -> tuple[float, int]:
        """Brightness and opacity, of 255."""
        red, green, blue, opacity = self._rgba
        get = pdfium.FPDFText_GetStrokeColor if stroked else pdfium.FPDFText_GetFillColor
        if not get(self.page, index, red, green, blue, opacity):
            return 0, 255
        return 0.3 * red.value + 0.59 * green.value + 0.11 * blue.value, opacity.value


def _address(font: Any) -> int:
    return ctypes.addressof(font.contents) if font else 0


def _character(code: int) -> str:
    return chr(code) if 0x20 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _turned(box: Any, x: float, y: float, turn: tuple[float, float]) -> tuple[float, float, float]:
    """Left, right and base line in a frame in which the writing goes from left to right."""
    cosine, sine = turn
    if sine == 0 and cosine > 0:
        return box.left, box.right, y
    corners = [cosine * cx + sine * cy for cx in (box.left, box.right) for cy in (box.bottom, box.top)]
    return min(corners), max(corners), cosine * y - sine * x


def _kind_of_font(font: Any) -> tuple[bool, bool, bool]:
    """Whether a font is bold, a typewriter's, and one of mathematical signs."""
    buffer = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 128)
    name = buffer.value.lower()
    fixed = bool(pdfium.FPDFFont_GetFlags(font) & _FIXED_PITCH)
    bold, typewriter, signs = (
        any(part in name for part in parts) for parts in (_BOLD_NAMES, _FIXED_NAMES, _SIGN_NAMES)
    )
    return bold, fixed or typewriter, signs


def _pieces(glyphs: list[_Glyph]) -> Iterator[Piece]:
    """Runs of glyphs that follow each other on one line."""
    run: list[_Glyph] = []
    base = size = 0.0
    for glyph in glyphs:
        bigger = max(size, glyph.owner.size)
        shift = abs(glyph.base - base)
        goes_on = (
            bool(run)
            and glyph.owner.turn == run[-1].owner.turn
            and -0.5 * bigger <= _gap(run[-1], glyph) <= _GAP * bigger
            and (shift <= 0.3 * bigger or (shift <= 0.6 * bigger and _is_script(glyph.owner.size, size)))
        )
        if not goes_on and run:
            yield _piece(run, base, size)
            run = []
        if not run or glyph.owner.size > 1.15 * size:
            base, size = glyph.base, glyph.owner.size
        run.append(glyph)
    if run:
        yield _piece(run, base, size)


def _gap(before: _Glyph, glyph: _Glyph) -> float:
    """What is between two glyphs; the letters of a ligature have one place."""
    return 0 if glyph.left == before.left and glyph.right == before.right else glyph.left - before.right


def _is_script(size: float, other: float) -> bool:
    return min(size, other) < 0.87 * max(size, other)


def _piece(run: list[_Glyph], base: float, size: float) -> Piece:
    text = []
    for before, glyph in zip([None, *run], run, strict=False):
        if before is not None and (glyph.after_space or _gap(before, glyph) > 0.3 * size):
            text.append(" ")
        shift = glyph.base - base
        if glyph.owner.size < 0.87 * size and abs(shift) > 0.1 * size:
            text.append(glyph.text.translate(_SUPERSCRIPTS if shift > 0 else _SUBSCRIPTS))
        else:
            text.append(glyph.text)
    most = len(run) / 2
    bold, fixed = sum(glyph.owner.bold for glyph in run) > most, sum(glyph.owner.fixed for glyph in run) > most
    right = max(glyph.right for glyph in run)
    return Piece("".join(text), run[0].left, right, base, size, bold, fixed, run[0].owner.turn)
