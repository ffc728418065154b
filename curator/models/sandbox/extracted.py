"""The reader's answer about a source, checked as untrusted: the source may have written it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from curator.wiki.pages.citation import Unit
from curator.wiki.sources.source import Document, LeftOut, SourceHead

_LONGEST = 500
"""Characters of a field of the head, as ``sandbox/read.py`` cuts them."""
_MOST = 50
"""Authors, and kinds of things that were left out."""
_UNITS: tuple[Unit, ...] = get_args(Unit)
_COUNT = 1 << 40


def parse(answer: Mapping[str, Any]) -> Document | None:
    """The document in the reader's answer; None for an answer that cannot be."""
    lines, ends = answer.get("lines"), answer.get("ends", [])
    unit, head, left_out = answer.get("unit"), answer.get("head"), answer.get("left_out")
    if not (isinstance(lines, list) and _are_lines(lines) and _are_ends(ends, lines) and unit in _UNITS):
        return None
    recognised = answer.get("recognised", [])
    if not (isinstance(head, dict) and isinstance(left_out, list) and len(left_out) <= _MOST):
        return None
    if not (isinstance(recognised, list) and _are_numbers(recognised, {line[0] for line in lines})):
        return None
    if not (all(map(_is_field, head.items())) and all(map(_is_left_out, left_out))):
        return None
    said = SourceHead(**{**head, **{key: tuple(head.get(key, ())) for key in ("authors", "tags")}})
    gone = tuple(LeftOut(*each) for each in left_out)
    return Document(tuple((number, line) for number, line in lines), tuple(ends), unit, said, gone, tuple(recognised))


def as_answer(document: Document) -> dict[str, Any]:
    """The document as the reader says it: ``parse`` gives it back."""
    return {
        "lines": document.lines,
        "ends": document.ends,
        "unit": document.unit,
        "head": document.head.as_json(),
        "left_out": [[each.what, each.count, each.is_hidden] for each in document.left_out],
        "recognised": document.recognised,
    }


def _are_lines(lines: list[Any]) -> bool:
    """True for pairs of a number and the text of one line, in the order of the file."""
    last = 0
    for line in lines:
        match line:
            case [int(number), str(text)] if last <= number < _COUNT and "\n" not in text and "\r" not in text:
                last = number
            case _:
                return False
    return True


def _are_ends(ends: Any, lines: list[Any]) -> bool:
    """True for nothing, or for the number that each of ``lines`` ends on, none before its first."""
    if not isinstance(ends, list) or len(ends) not in (0, len(lines)):
        return False
    return all(isinstance(end, int) and line[0] <= end < _COUNT for end, line in zip(ends, lines, strict=False))


def _are_numbers(found: list[Any], known: set[int]) -> bool:
    """True for numbers that the text's lines have."""
    return all(isinstance(number, int) and number in known for number in found)


def _is_field(field: tuple[str, Any]) -> bool:
    match field:
        case "authors" | "tags", list(names):
            return len(names) <= _MOST and all(map(_is_text, names))
        case "title" | "date" | "language" | "doi" | "url" | "captured_by", value:
            return _is_text(value)
    return False


def _is_left_out(value: Any) -> bool:
    match value:
        case [what, int(count), bool()]:
            return _is_text(what) and 0 <= count < _COUNT
    return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable()
