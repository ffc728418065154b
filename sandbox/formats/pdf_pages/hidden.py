"""What of a page's text nobody sees, found by painting the page with the text and without it."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from formats.pdf_pages.glyphs import MOST_OBJECTS, Shapes, bounds_of, texts_of

_LEAST_CONTRAST = 20
_LEAST_PAINTED = 0.12
"""Of a line's length that letters leave their marks on, the scarcest ones."""
_A_WORD = 8
_LEAST_GAP = 3.0
"""Of the size of the letters, that nothing is painted on; points that lead the eye take less."""
UNPAINTED = "text in the colour of its background, covered or cut off"
_MOST_PIXELS = 4_000_000
_MOST_FORMS = 4
"""Of a page, that are looked at one by one."""


@dataclass
class TextObject:
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
    shapes: Shapes = field(default_factory=Shapes)
    """Of the letters of its font on the page."""
    letters: int = 0
    stretch: float = 1.0
    """How much wider than high its letters are made."""
    gaps: list[tuple[float, float]] = field(default_factory=list)
    """From where to where nothing of it is seen."""
    box: list[float] = field(default_factory=lambda: [math.inf, math.inf, -math.inf, -math.inf])

    def is_squeezed(self) -> bool:
        """True for a row of so many letters that lie on each other; a few may, as accents do."""
        length = max(self.box[2] - self.box[0], self.box[3] - self.box[1] - 2 * self.size)
        return self.letters > _A_WORD and length < 0.1 * self.size * self.letters


_OF_A_BOX = 5


def is_clipped(pointer: Any) -> bool:
    """True when a clip may cut the object off: its bounds are not within those of each path of it, or one is no box."""
    clip = pdfium.FPDFPageObj_GetClipPath(pointer)
    count = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
    if count <= 0:
        return False
    bounds = bounds_of(pointer)
    if bounds is None:
        return True
    for path in range(min(count, 16)):
        x, y = ctypes.c_float(), ctypes.c_float()
        points = []
        segments = pdfium.FPDFClipPath_CountPathSegments(clip, path)
        if segments > _OF_A_BOX:
            return True
        for index in range(segments):
            segment = pdfium.FPDFClipPath_GetPathSegment(clip, path, index)
            if segment and pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                points.append((x.value, y.value))
        if not points:
            return True
        (left, bottom), (right, top) = map(min, zip(*points, strict=True)), map(max, zip(*points, strict=True))
        if left > bounds[0] + 1 or bottom > bounds[1] + 1 or right < bounds[2] - 1 or top < bounds[3] - 1:
            return True
    return False


def is_in_layer(pointer: Any) -> bool:
    """True for what an optional layer shows or hides."""
    count = min(pdfium.FPDFPageObj_CountMarks(pointer), 8)
    for index in range(count):
        mark, name, length = pdfium.FPDFPageObj_GetMark(pointer, index), (ctypes.c_ushort * 16)(), ctypes.c_ulong()
        if pdfium.FPDFPageObjMark_GetName(mark, name, 32, length) and bytes(name)[:6] == b"O\0C\0\0\0":
            return True
    return False


_THIN = 4
"""Points: rules and the lines of a drawing hide nothing."""
_MOST_NOTES = 500
_DRAWN = (
    pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE,
    pdfium.FPDF_ANNOT_POLYGON,
    pdfium.FPDF_ANNOT_LINE,
    pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_FREETEXT,
    pdfium.FPDF_ANNOT_REDACT,
)


@dataclass(frozen=True)
class Covers:
    """What of a page could lie over or under its text."""

    any: bool
    picture_area: float

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> Covers:
        found, area = False, 0.0
        for index in range(min(pdfium.FPDFPage_CountObjects(page.raw), MOST_OBJECTS)):
            pointer = pdfium.FPDFPage_GetObject(page.raw, index)
            kind = pdfium.FPDFPageObj_GetType(pointer)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT or (found and kind == pdfium.FPDF_PAGEOBJ_PATH):
                continue
            bounds = bounds_of(pointer)
            if bounds is None:
                continue
            width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
            if kind != pdfium.FPDF_PAGEOBJ_PATH or (min(width, height) > _THIN and _is_wide(pointer)):
                found = True
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                area += width * height
        return cls(found or _has_drawn_notes(page), area)


def _is_wide(pointer: Any) -> bool:
    """True for a path that is filled, or painted with a wide pen."""
    pen = ctypes.c_float()
    return _is_filled(pointer) or (bool(pdfium.FPDFPageObj_GetStrokeWidth(pointer, pen)) and pen.value > _THIN)


def _has_drawn_notes(page: pypdfium2.PdfPage) -> bool:
    """True for a page with boxes, stamps or drawings upon it."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page.raw), _MOST_NOTES)):
        note = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if note:
            kind = pdfium.FPDFAnnot_GetSubtype(note)
            pdfium.FPDFPage_CloseAnnot(note)
            if kind in _DRAWN:
                return True
    return False


def _is_filled(pointer: Any) -> bool:
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(pointer, mode, stroked)) and mode.value != 0


def look(page: pypdfium2.PdfPage, objects: dict[int, TextObject], all_in_doubt: bool) -> None:
    """Mark those of ``objects`` as hidden without which the page looks the same.

    They are taken away in groups, the doubtful ones apart from the others and those of each form by themselves, so that
    what lies behind text that is seen is not taken for it.
    """
    width, height = page.get_size()
    scale = min(1.0, math.sqrt(_MOST_PIXELS / max(width * height, 1)))
    groups: dict[int, list[tuple[Any, TextObject]]] = {}
    for pointer, form in texts_of(page):
        found = objects.get(ctypes.addressof(pointer.contents))
        if found is not None:
            group = min(form, _MOST_FORMS) if form else -1 if found.in_doubt else 0
            groups.setdefault(group, []).append((pointer, found))
    reached = {id(found) for texts in groups.values() for _, found in texts}
    for each in objects.values():
        if id(each) not in reached and not each.hidden and (all_in_doubt or each.in_doubt):
            each.hidden = "text behind too many other things to be looked at"
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
            if each.box[0] >= each.box[2]:
                continue
            painted = _painted(page, with_text, without, each.box)
            if sum(painted) <= (_LEAST_PAINTED * len(painted) if each.letters >= _A_WORD else 0):
                each.hidden = UNPAINTED
            elif each.letters >= _A_WORD and each.turn == (1.0, 0.0) and not page.get_rotation():
                each.gaps = _gaps(painted, each)


_Picture = tuple[bytes, int, int, int]
"""Grey values, and width, height and bytes a row."""


def _picture(page: pypdfium2.PdfPage, scale: float) -> _Picture:
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False, draw_annots=True)
    with closing(bitmap):
        return bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride


def thumbnails(page: pypdfium2.PdfPage, boxes: Sequence[tuple[float, float, float, float]]) -> list[bytes]:
    """What is painted in each of ``boxes``, in twelve coarse greys."""
    width, height = page.get_size()
    picture = _picture(page, min(2.0, math.sqrt(_MOST_PIXELS / max(width * height, 1))))
    found = []
    for box in boxes:
        left, top, right, bottom = _on_picture(page, picture, box)
        rows = [range(top + (bottom - top) * n // 4, top + (bottom - top) * (n + 1) // 4) for n in range(4)]
        columns = [(left + (right - left) * n // 3, left + (right - left) * (n + 1) // 3) for n in range(3)]
        cells = [
            b"".join(picture[0][row * picture[3] + a : row * picture[3] + b] for row in part)
            for part in rows
            for a, b in columns
        ]
        found.append(bytes(sum(cell) // (len(cell) or 1) // 48 for cell in cells))
    return found


def _on_picture(page: pypdfium2.PdfPage, picture: _Picture, box: Sequence[float]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom."""
    _, width, height, _ = picture
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for at_x, at_y in ((box[0], box[1]), (box[2], box[3])):
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, at_x, at_y, x, y)
        corners.append((x.value, y.value))
    left, right = sorted(min(max(corner[0], 0), width) for corner in corners)
    top, bottom = sorted(min(max(corner[1], 0), height) for corner in corners)
    return left, top, right, bottom


def _painted(page: pypdfium2.PdfPage, one: _Picture, other: _Picture, box: list[float]) -> bytearray:
    """Of each row of points along the longer side of ``box``, whether the two pictures differ in it."""
    _, _, height, stride = one
    left, top, right, bottom = _on_picture(page, one, box)
    rows = range(max(top - 1, 0), min(bottom + 1, height))
    across, along = bytearray(right + 1 - left), bytearray(len(rows))
    for number, row in enumerate(rows):
        start, end = row * stride + left, row * stride + right + 1
        with_text, without = one[0][start:end], other[0][start:end]
        if with_text != without:
            for column, (a, b) in enumerate(zip(with_text, without, strict=True)):
                if abs(a - b) >= _LEAST_CONTRAST:
                    across[column] = along[number] = 1
    return across if len(across) >= len(along) else along


def _gaps(painted: bytearray, each: TextObject) -> list[tuple[float, float]]:
    """The stretches of a line, from left to right, in which nothing of it is painted though it has letters there."""
    point = (each.box[2] - each.box[0]) / len(painted)
    least = max(2, math.ceil(_LEAST_GAP * each.size / point)) if point > 0 else len(painted) + 1
    return [
        (
            each.box[0] + match.start() * point if match.start() else -math.inf,
            each.box[0] + match.end() * point if match.end() < len(painted) else math.inf,
        )
        for match in re.finditer(rb"\0{%d,}" % least, bytes(painted))
    ]
