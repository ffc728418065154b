"""Remarks of reStructuredText, AsciiDoc and Org: lines for who edits the file, which no reader of what is printed sees.

They are blanked out, every other line stays where it is. What stands in code is shown, however much it looks like a remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

_NAME = r"[^\W_]+(?:[-._+:][^\W_]+)*+"
_RST_EXPLICIT = re.compile(rf"\s*(?:\.\. +(?:\[(?:[#*]|#?{_NAME})\](?: |$)|[_|](?! |$))|__ )")
"""Notes, targets and substitutions."""
_RST_DIRECTIVE = re.compile(rf"\s*\.\. +({_NAME}) ?::(?: |$)")
_RST_AS_WRITTEN = frozenset(
    "code code-block sourcecode literalinclude parsed-literal highlight prompt math raw".split()
)
"""Directives whose lines are no reStructuredText."""
_RST_REMARK = re.compile(r"\s*\.\.(?: |$)")
_RST_ITEM = re.compile(r"\s*(?:[-*+•‣⁃]|\(?(?:\d{1,9}|#|[A-Za-z]|[ivxlcIVXLC]{1,9})[.)])\s+(?=\S)")
_RST_RULE = re.compile(r"\s*([!-/:-@\[-`{-~])\1{2,}\s*$")
_RST_TABLE = re.compile(r"\s*={2,}(?: +={2,})+\s*$")
_ASCIIDOC_CODE = re.compile(r"(-{4,}|\.{4,}|\+{4,}|```)")
_ASCIIDOC_VERBATIM = re.compile(r"\[(?:source|listing|literal|verse|pass|stem)\b[^\]]*\]\s*$")
_ASCIIDOC_BLOCK = re.compile(r"(?:/{4,}|--)\s*$")
_ORG_BLOCK = re.compile(r"\s*#\+begin_(comment|src|example|export)\b", re.IGNORECASE)
_ORG_REMARK = re.compile(r"\s*#(?:\s|$)")


def remarks_in(lines: Sequence[str], format: str) -> set[int]:
    """The places of those lines that are remarks, in a text of this format; none in one that knows none."""
    return {at for at in _READERS[format](lines) if lines[at].strip()} if format in _READERS else set()


def _of_rst(lines: Sequence[str]) -> Iterator[int]:
    at, beside = 0, -1
    """``beside``: how far the words of a paragraph stand in that goes on; -1 where a line begins something new."""
    while at < len(lines):
        line = lines[at].rstrip().expandtabs()
        deep = len(line) - len(line.lstrip())
        if not line:
            at, beside = at + 1, -1
        elif beside != deep and _RST_TABLE.match(line):
            at = _behind(lines, at + 1, lambda row: bool(_RST_TABLE.match(lines[row]) and not _text(lines, row + 1)))
        elif beside != deep and (directive := _RST_DIRECTIVE.match(line)):
            at, beside = at + 1, -1
            if directive[1].lower() in _RST_AS_WRITTEN:
                at = _end_of_body(lines, at, deep)
        elif beside != deep and _RST_REMARK.match(line) and not _RST_EXPLICIT.match(line):
            is_empty = line.strip() == ".." and not _text(lines, at + 1)  # it ends what is above, and says nothing
            end = at + 1 if is_empty else _end_of_body(lines, at + 1, deep)
            yield from range(at, end) if not is_empty else ()
            at, beside = end, -1
        else:
            item = _RST_ITEM.match(line)
            is_new = bool(_RST_RULE.match(line) or _RST_EXPLICIT.match(line))
            at, beside = at + 1, -1 if is_new else item.end() if item else deep
            if line.endswith("::") and not _text(lines, at):
                at = _end_of_body(lines, at, max(beside, deep))


def _of_asciidoc(lines: Sequence[str]) -> Iterator[int]:
    at = 0
    while at < len(lines):
        line, start = lines[at].rstrip(), at
        at += 1
        if fence := _ASCIIDOC_CODE.match(line):
            if line == fence[1] or fence[1] == "```":
                at = _behind_line(lines, at, fence[1])
        elif _ASCIIDOC_VERBATIM.match(line):
            if not _ASCIIDOC_CODE.match(_text(lines, at)):
                at = _behind(lines, at, lambda row: not lines[row].strip())
        elif line == "[comment]":
            is_block = _ASCIIDOC_BLOCK.match(_text(lines, at))
            at = _behind_line(lines, at + 1 if is_block else at, _text(lines, at) if is_block else "")
            yield from range(start, at)
        elif re.fullmatch("/{4,}", line):
            at = _behind_line(lines, at, line)
            yield from range(start, at)
        elif line.startswith("//") and not line.startswith("///"):
            yield start


def _of_org(lines: Sequence[str]) -> Iterator[int]:
    at, unclosed = 0, set[str]()
    while at < len(lines):
        if (block := _ORG_BLOCK.match(lines[at])) and (ends := f"#+end_{block[1].lower()}") not in unclosed:
            end = _behind(lines, at + 1, lambda row, ends=ends: lines[row].strip().lower() == ends)  # type: ignore[misc]
            if _text(lines, end - 1).lower() == ends:  # one that nothing closes is none
                yield from range(at, end) if block[1].lower() == "comment" else ()
                at = end
                continue
            unclosed.add(ends)
        if _ORG_REMARK.match(lines[at]):
            yield at
        at += 1


_READERS: dict[str, Callable[[Sequence[str]], Iterator[int]]] = {
    "rst": _of_rst,
    "asciidoc": _of_asciidoc,
    "org": _of_org,
}


def _text(lines: Sequence[str], at: int) -> str:
    return lines[at].strip() if at < len(lines) else ""


def _end_of_body(lines: Sequence[str], at: int, deep: int) -> int:
    """The place behind the lines from ``at`` on that stand further in than ``deep``."""
    end = at
    for place in range(at, len(lines)):
        line = lines[place].expandtabs()
        if line.strip():
            if len(line) - len(line.lstrip()) <= deep:
                break
            end = place + 1
    return end


def _behind(lines: Sequence[str], at: int, is_last: Callable[[int], bool]) -> int:
    """The place behind the first line from ``at`` on that ends its block; behind all of them where none does."""
    return next((place + 1 for place in range(at, len(lines)) if is_last(place)), len(lines))


def _behind_line(lines: Sequence[str], at: int, closing: str) -> int:
    return _behind(lines, at, lambda place: lines[place].rstrip() == closing)
