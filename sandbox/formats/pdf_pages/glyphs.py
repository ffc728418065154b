"""Whether the letters of a PDF are drawn as what they are said to be."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

MOST_OBJECTS = 200_000
_DEEPEST = 8
_MOST_MARKS = 8
_LONGEST = 3
"""Characters of other words for a sign, a hyphen or a ligature; longer ones are for whoever cannot see the page."""
_FEWEST, _MOST_WRONG = 20, 0.3
_STEPS = 40
_LEAST_LETTERS = 8
_FEWEST_OTHER, _MOST_OTHER = 8, 0.4
_Form = tuple[int, int, int]
_TALL = frozenset("bdfhklABCDEFGHIKLMNOPRSTUVWXYZ")
_LOW = frozenset("acemnorsuvwxz")
_DEEP = frozenset("gpqy")


@dataclass
class Shapes:
    """How the letters of a font are drawn: most are as high and as deep as those of their name."""

    letters: int = 0
    wrong: int = 0
    highest: float = 0.0
    lowest: float = 9e9
    """Of the letters, how far they reach above the line, in sizes of the font."""
    forms: dict[str, Counter[_Form]] = field(default_factory=dict)
    """How often each letter is drawn as high, deep and wide as that."""

    def add(self, letter: str, above: float, below: float, wide: float, size: float) -> None:
        above, below = above / (size or 1), below / (size or 1)
        self.forms.setdefault(letter, Counter())[
            round(above * _STEPS), round(below * _STEPS), round(wide / (size or 1) * _STEPS)
        ] += 1
        if not (letter in _TALL or letter in _LOW or letter in _DEEP) or above + below < 0.05:
            return
        self.letters += 1
        self.highest, self.lowest = max(self.highest, above), min(self.lowest, above)
        is_deep, is_tall = below > 0.1, above > 0.6
        self.wrong += is_deep is not (letter in _DEEP) or (is_tall is not (letter in _TALL) and not 0.5 < above < 0.66)

    def are_of_other_letters(self) -> bool:
        """True where many have another height or depth; not where all are as high as each other, as small capitals.

        And where many letters are now drawn this way and now that: two texts that mean something differ so.
        """
        differ = self.lowest < 0.8 * self.highest
        if self.letters >= _FEWEST and differ and self.wrong > _MOST_WRONG * self.letters:
            return True
        repeated = [forms for forms in self.forms.values() if forms.total() > 1]
        other = sum(forms.total() - _most_alike(forms) for forms in repeated)
        return other > _FEWEST_OTHER and other > _MOST_OTHER * sum(forms.total() for forms in repeated)

    def have_few_forms(self) -> bool:
        """True where most letters are as high, deep and wide as each other."""
        return is_few(len({forms.most_common(1)[0][0] for forms in self.forms.values()}), len(self.forms))


def is_few(kinds: int, letters: int) -> bool:
    return letters >= _LEAST_LETTERS and kinds <= letters // 4


def _most_alike(forms: Counter[_Form]) -> int:
    """How often the form that is drawn most is drawn, and what differs from it by a step."""
    first = forms.most_common(1)[0][0]
    return sum(count for form, count in forms.items() if all(abs(a - b) < 2 for a, b in zip(form, first, strict=True)))


def is_blank(pointer: Any) -> bool:
    """True for a text object of which nothing is drawn."""
    bounds = bounds_of(pointer)
    return bounds is not None and (bounds[2] - bounds[0] <= 0 or bounds[3] - bounds[1] <= 0)


def bounds_of(pointer: Any) -> tuple[float, float, float, float] | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(pointer, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def drop_other_words(page: pypdfium2.PdfPage) -> None:
    """Take away the words that a file has for a program in the place of those that are drawn."""
    for pointer, _ in texts_of(page):
        for index in range(min(pdfium.FPDFPageObj_CountMarks(pointer), _MOST_MARKS) - 1, -1, -1):
            mark, length = pdfium.FPDFPageObj_GetMark(pointer, index), ctypes.c_ulong()
            pdfium.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", None, 0, length)
            if length.value > 2 * (_LONGEST + 1):
                pdfium.FPDFPageObj_RemoveMark(pointer, mark)


def texts_of(page: pypdfium2.PdfPage) -> Iterator[tuple[Any, int]]:
    """All text objects, each with the number of the form of the page that it is in; 0 for none."""
    return _texts(page.raw, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, 0)


def _texts(parent: Any, count: Any, get: Any, depth: int) -> Iterator[tuple[Any, int]]:
    forms = 0
    for index in range(min(count(parent), MOST_OBJECTS)):
        pointer = get(parent, index)
        kind = pdfium.FPDFPageObj_GetType(pointer)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            yield pointer, 0
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            forms += 1
            inner = _texts(pointer, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, depth + 1)
            yield from ((text, forms) for text, _ in inner)
