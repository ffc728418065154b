"""Recognises the words on a page that is a picture, by Tesseract, in the order in which a person reads them.

Tesseract parts the page into blocks and lines; each of its lines becomes a row, which then goes the way of all rows of a
PDF: running heads go, paragraphs and broken words are joined.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

# Read while the library is loaded, and the jail lets no thread begin.
os.environ["OMP_THREAD_LIMIT"] = "1"

import pypdfium2
import tesserocr

from formats.pdf_pages.flow import PageRows
from formats.pdf_pages.rows import Piece, Row

_MODEL = ".traineddata"
_DIRECTIONS = "osd"
"""The model that knows which side of a page is up; all others are languages."""
_DPI = 300
_MOST_PIXELS = 16_000_000
"""A page of A3 in 300 dots an inch; what is larger is made smaller."""
_LEAST_CERTAIN = 60
"""Of 100, of the words of a page: less, and it is a drawing or handwriting, and the words are guesses."""
_LEAST_SURE_OF_TURN = 5.0
_GAP = 2.5
"""Of the height of a line; words that stand so far apart are cells of a table."""
_SAME_SIZE = 0.15
"""Heights of lines are measured, and so differ by this much where they are the same."""

_READ_FOR_A_BULLET = "¢"

_Word = tuple[str, tuple[int, int, int, int]]


def page_rows(page: pypdfium2.PdfPage, number: int, seconds: float) -> PageRows | None:
    """The rows of ``page``; None where no words are recognised for certain, or not within ``seconds``."""
    width, height = page.get_size()
    scale = min(_DPI / 72, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
    turn = _show(_engine(is_for_directions=True), page, scale, 0).DetectOrientationScript()
    is_turned = turn is not None and turn["orient_conf"] > _LEAST_SURE_OF_TURN
    degrees = (360 - turn["orient_deg"]) % 360 if is_turned else 0
    engine = _show(_engine(), page, scale, degrees)
    try:
        if not engine.Recognize(round(1000 * seconds)) or engine.MeanTextConf() < _LEAST_CERTAIN:
            return None
        height = width if degrees in (90, 270) else height
        rows = list(_rows(engine.GetIterator(), scale, height))
        return PageRows(number, rows, height) if rows else None
    finally:
        engine.Clear()


def preload() -> None:
    """Load the models."""
    _engine()
    _engine(is_for_directions=True)


@cache
def _engine(is_for_directions: bool = False) -> Any:
    """Tesseract with the models of all languages that are installed, or with the one of directions."""
    folder = next(folder for folder in map(Path, sys.path) if (folder / f"{_DIRECTIONS}{_MODEL}").is_file())
    names = sorted(file.name.removesuffix(_MODEL) for file in folder.iterdir() if file.name.endswith(_MODEL))
    languages = [_DIRECTIONS] if is_for_directions else [name for name in names if name != _DIRECTIONS]
    mode = tesserocr.PSM.OSD_ONLY if is_for_directions else tesserocr.PSM.AUTO
    engine = tesserocr.PyTessBaseAPI(path=str(folder), lang="+".join(languages), psm=mode)
    # What it has to say goes to the standard error: /dev/null cannot be opened in the jail.
    engine.SetVariable("debug_file", "")
    return engine


def _show(engine: Any, page: pypdfium2.PdfPage, scale: float, degrees: int) -> Any:
    """``engine``, with ``page`` before its eyes."""
    with closing(page.render(scale=scale, grayscale=True, rotation=degrees)) as picture:
        engine.SetImageBytes(bytes(picture.buffer), picture.width, picture.height, 1, picture.stride)
    engine.SetSourceResolution(round(72 * scale))
    return engine


def _rows(found: Any, scale: float, height: float) -> Iterator[Row]:
    """The lines, each with its block as its column, in points from the lower left."""
    levels = tesserocr.RIL
    words: list[_Word] = []
    size = 0.0
    while found is not None:
        if not found.Empty(levels.WORD):
            words.append((found.GetUTF8Text(levels.WORD).strip(), found.BoundingBox(levels.WORD)))
        if words and found.IsAtFinalElement(levels.TEXTLINE, levels.WORD):
            block, (start, end) = found.BoundingBox(levels.BLOCK), found.Baseline(levels.TEXTLINE)
            measured = found.RowAttributes()["row_height"] / scale
            size = size if abs(measured - size) < _SAME_SIZE * size else measured
            column = block[0] / scale, block[2] / scale
            yield _row(words, column, height - (start[1] + end[1]) / 2 / scale, size, scale)
            words = []
        if not found.Next(levels.WORD):
            return


def _row(words: list[_Word], column: tuple[float, float], base: float, size: float, scale: float) -> Row:
    cells = ["•" if words[0][0] == _READ_FOR_A_BULLET else words[0][0]]
    for (_, before), (text, box) in pairwise(words):
        if box[0] - before[2] > _GAP * size * scale:
            cells.append(text)
        else:
            cells[-1] += f" {text}"
    left, right = words[0][1][0] / scale, words[-1][1][2] / scale
    piece = Piece(" ".join(cells), left, right, base, size)
    return Row((piece,), column, tuple(cells) if len(cells) > 1 else ())
