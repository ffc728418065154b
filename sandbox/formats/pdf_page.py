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
from dataclasses import dataclass, field, replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from formats.page_layout import Piece

_SMALLEST = 1.5
"""Points; letters of this size are dots to a reader."""
_LIGHT = 160
"""Of 255: from this brightness on, a text may vanish on white paper."""
_LEAST_CONTRAST = 20
_MOST_PIXELS = 4_000_000
_MOST_OBJECTS = 50_000
_MOST_FORMS = 4
"""Of a page, that are looked at one by one."""
_PAINTS_NOTHING = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
_GAP = 0.8
"""Of the size of the letters: a wider gap ends a piece; between columns there is at least as much."""
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


@dataclass
class _TextObject:
    """What the characters of one text object have in common."""

    size: float
    turn: tuple[float, float]
    """Cosine and sine of the direction in which it is written."""
    bold: bool
    fixed: bool
    """True for the letters of a typewriter, all as wide as each other."""
    signs: bool
    """True for the signs of mathematics, which have no letters where fonts have their ligatures."""
    hidden: str = ""
    in_doubt: bool = False
    box: list[float] = field(default_factory=lambda: [math.inf, math.inf, -math.inf, -math.inf])


@dataclass(slots=True)
class _Glyph:
    text: str
    left: float
    right: float
    base: float
    owner: _TextObject
    after_space: bool


def read_page(page: pypdfium2.PdfPage, may_render: bool) -> PageText:
    """Read ``page``; without ``may_render``, whether light text can be seen is guessed and not looked at."""
    box = page.get_bbox()
    covers = _Covers.of(page)
    with closing(page.get_textpage()) as text_page:
        reader = _GlyphReader(text_page, box)
        glyphs = list(reader.read())
    doubtful = [each for each in reader.objects.values() if not each.hidden and (each.in_doubt or covers.any)]
    if doubtful and may_render:
        _look(page, reader.objects, covers.any)
    else:
        for each in doubtful:
            each.hidden = "light text" if each.in_doubt and not covers.any else ""
    hidden: Counter[str] = Counter(reader.beyond)
    seen: list[_Glyph] = []
    for glyph in glyphs:
        if glyph.owner.hidden:
            hidden[glyph.owner.hidden] += len(glyph.text)
        else:
            seen.append(glyph)
    width, height = box[2] - box[0], box[3] - box[1]
    pieces = [replace(piece, place=place) for place, piece in enumerate(_pieces(seen))]
    return PageText(pieces, hidden, width, height, covers.picture_area > 0.5 * width * height)


class _GlyphReader:
    def __init__(self, text_page: pypdfium2.PdfTextPage, page_box: tuple[float, float, float, float]) -> None:
        self.page: Any = text_page.raw
        self.page_box = page_box
        self.objects: dict[int, _TextObject] = {}
        self.beyond: Counter[str] = Counter()
        self._fonts: dict[int, tuple[bool, bool, bool]] = {}
        self._matrix = pdfium.FS_MATRIX()
        self._rgba = tuple(ctypes.c_uint() for _ in range(4))

    def read(self) -> Iterator[_Glyph]:
        page, box = self.page, pdfium.FS_RECTF()
        x, y = ctypes.c_double(), ctypes.c_double()
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
            bounds = owner.box
            bounds[0], bounds[1] = min(bounds[0], box.left), min(bounds[1], box.bottom)
            bounds[2], bounds[3] = max(bounds[2], box.right), max(bounds[3], box.top)
            left, right, base = _turned(box, x.value, y.value, owner.turn)
            yield _Glyph(text, left, right, base, owner, after_space)
            after_space = False

    def _owner(self, index: int, pointer: Any) -> _TextObject:
        address = ctypes.addressof(pointer.contents)
        if address not in self.objects:
            self.objects[address] = self._text_object(index, pointer)
        return self.objects[address]

    def _text_object(self, index: int, pointer: Any) -> _TextObject:
        matrix = self._matrix
        pdfium.FPDFText_GetMatrix(self.page, index, matrix)
        along = math.hypot(matrix.a, matrix.b) or 1.0
        size = pdfium.FPDFText_GetFontSize(self.page, index) * math.hypot(matrix.c, matrix.d)
        turn = (round(matrix.a / along, 2), round(matrix.b / along, 2))
        found = _TextObject(size, turn, *self._kind_of_font(pointer))
        mode = pdfium.FPDFTextObj_GetTextRenderMode(pointer)
        brightness, opacity = self._colour(index, stroked=mode in (1, 5))
        if mode in _PAINTS_NOTHING:
            found.hidden = "text that is painted with nothing"
        elif opacity < 20:
            found.hidden = "transparent text"
        elif size < _SMALLEST:
            found.hidden = "tiny text"
        found.in_doubt = brightness >= _LIGHT or opacity < 160 or _is_clipped(pointer) or _is_in_layer(pointer)
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


def _is_clipped(pointer: Any) -> bool:
    """True when a clip may cut the object off: its bounds are not within those of each path of the clip."""
    clip = pdfium.FPDFPageObj_GetClipPath(pointer)
    count = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
    if count <= 0:
        return False
    bounds = _bounds(pointer)
    if bounds is None:
        return True
    for path in range(min(count, 16)):
        x, y = ctypes.c_float(), ctypes.c_float()
        points = []
        for index in range(min(pdfium.FPDFClipPath_CountPathSegments(clip, path), 64)):
            segment = pdfium.FPDFClipPath_GetPathSegment(clip, path, index)
            if segment and pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                points.append((x.value, y.value))
        if not points:
            return True
        (left, bottom), (right, top) = map(min, zip(*points, strict=True)), map(max, zip(*points, strict=True))
        if left > bounds[0] + 1 or bottom > bounds[1] + 1 or right < bounds[2] - 1 or top < bounds[3] - 1:
            return True
    return False


def _is_in_layer(pointer: Any) -> bool:
    """True for what an optional layer shows or hides."""
    count = min(pdfium.FPDFPageObj_CountMarks(pointer), 8)
    for index in range(count):
        mark, name, length = pdfium.FPDFPageObj_GetMark(pointer, index), (ctypes.c_ushort * 16)(), ctypes.c_ulong()
        if pdfium.FPDFPageObjMark_GetName(mark, name, 32, length) and bytes(name)[:6] == b"O\0C\0\0\0":
            return True
    return False


def _bounds(pointer: Any) -> tuple[float, float, float, float] | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(pointer, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


@dataclass(frozen=True)
class _Covers:
    """What of a page could lie over or under its text."""

    any: bool
    picture_area: float

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> _Covers:
        found, area = False, 0.0
        for index in range(min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)):
            pointer = pdfium.FPDFPage_GetObject(page.raw, index)
            kind = pdfium.FPDFPageObj_GetType(pointer)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT or (found and kind == pdfium.FPDF_PAGEOBJ_PATH):
                continue
            bounds = _bounds(pointer)
            if bounds is None:
                continue
            width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
            # Rules and the lines of a drawing hide nothing.
            if kind != pdfium.FPDF_PAGEOBJ_PATH or (min(width, height) > 4 and _is_filled(pointer)):
                found = True
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                area += width * height
        return cls(found, area)


def _is_filled(pointer: Any) -> bool:
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(pointer, mode, stroked)) and mode.value != 0


def _look(page: pypdfium2.PdfPage, objects: dict[int, _TextObject], all_in_doubt: bool) -> None:
    """Mark those of ``objects`` as hidden without which the page looks the same.

    They are taken away in groups, the doubtful ones apart from the others and those of each form by themselves, so that
    what lies behind text that is seen is not taken for it.
    """
    width, height = page.get_size()
    scale = min(1.0, math.sqrt(_MOST_PIXELS / max(width * height, 1)))
    groups: dict[int, list[tuple[Any, _TextObject]]] = {}
    for pointer, form in _texts(page.raw, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, 0):
        found = objects.get(ctypes.addressof(pointer.contents))
        if found is not None:
            group = min(form, _MOST_FORMS) if form else -1 if found.in_doubt else 0
            groups.setdefault(group, []).append((pointer, found))
    with_text = _picture(page, scale)
    for texts in groups.values():
        doubtful = [each for _, each in texts if not each.hidden and (all_in_doubt or each.in_doubt)]
        if not doubtful:
            continue
        for pointer, _ in texts:
            pdfium.FPDFPageObj_SetIsActive(pointer, False)
        without = _picture(page, scale)
        for pointer, _ in texts:
            pdfium.FPDFPageObj_SetIsActive(pointer, True)
        for each in doubtful:
            if each.box[0] < each.box[2] and not _differ(page, with_text, without, each.box):
                each.hidden = "text in the colour of its background, covered or cut off"


_Picture = tuple[bytes, int, int, int]
"""Grey values, and width, height and bytes a row."""


def _picture(page: pypdfium2.PdfPage, scale: float) -> _Picture:
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False, draw_annots=False)
    with closing(bitmap):
        return bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride


def _texts(parent: Any, count: Any, get: Any, depth: int) -> Iterator[tuple[Any, int]]:
    """All text objects, each with the number of the form of the page that it is in; 0 for none."""
    forms = 0
    for index in range(min(count(parent), _MOST_OBJECTS)):
        pointer = get(parent, index)
        kind = pdfium.FPDFPageObj_GetType(pointer)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            yield pointer, 0
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < 8:
            forms += 1
            inner = _texts(pointer, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, depth + 1)
            yield from ((text, forms) for text, _ in inner)


def _differ(page: pypdfium2.PdfPage, one: _Picture, other: _Picture, box: list[float]) -> bool:
    _, width, height, stride = one
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for at_x, at_y in ((box[0], box[1]), (box[2], box[3])):
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, at_x, at_y, x, y)
        corners.append((x.value, y.value))
    left, right = sorted(min(max(corner[0], 0), width) for corner in corners)
    top, bottom = sorted(min(max(corner[1], 0), height) for corner in corners)
    for row in range(max(top - 1, 0), min(bottom + 1, height)):
        start, end = row * stride + left, row * stride + right + 1
        with_text, without = one[0][start:end], other[0][start:end]
        if with_text != without and any(abs(a - b) >= _LEAST_CONTRAST for a, b in zip(with_text, without, strict=True)):
            return True
    return False


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
