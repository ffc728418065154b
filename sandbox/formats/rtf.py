r"""Rich text (RTF): a stream of words, control words (``\b``) and groups (``{...}``), read in one pass without recursion.

Left out and said: hidden, tiny and white text, tracked deletions, comments, page headers and footers, images.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from extracted import Extracted
from unicode_text import Unreadable

from formats.office.gathered import Gathered
from formats.rtf_head import CHARACTERS, CODE_PAGES, Head
from formats.seen import is_off_page, why_unseen

_TOKEN = re.compile(rb"\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|(.))|([{}])|([^\\{}\r\n]+)", re.DOTALL)
_MOST_TOKENS = 3_000_000
_DEEPEST = 1_000
_NARROWEST = 5
"""Percent of the width of a letter."""

_PARAGRAPH_ENDS = frozenset(("par", "sect", "page", "\r", "\n"))
_HEADERS = frozenset(f"{where}{side}" for where in ("header", "footer") for side in ("", "l", "r", "f"))
_COLLECTED = {
    **dict.fromkeys(("title", "author", "colortbl", "fonttbl", "stylesheet", "creatim", "revtim"), "head"),
    **dict.fromkeys(_HEADERS, "page headers and footers"),
    "annotation": "comments",
}
"""Destinations whose text is no text of the document's, but for the head or for what is said to be left out."""
_SKIPPED = frozenset(
    "info pict filetbl listtable listoverridetable revtbl rsidtbl ftnsep ftnsepc aftnsep aftnsepc tc xe "
    "nonshppict object objdata falt panose nesttableprops themedata datastore".split()
)
_KEPT = frozenset("shpinst shptxt fldrslt shppict result pn pntext listtext footnote do dptxbxtext".split())
"""Destinations that are text although they may be marked as ones that old programs skip."""


@dataclass(frozen=True)
class _State:
    """What holds in a group until it ends."""

    destination: str = ""
    """Empty for the text itself, ``head`` and others of ``_COLLECTED``, ``skip``."""
    word: str = ""
    """The control word that began it."""
    hidden: bool = False
    is_away: bool = False
    """True in a shape that is hidden or off the page, and for what is raised from the line to there."""
    deleted: bool = False
    colour: int = 0
    behind: int = 0
    """The number of the colour behind the words; 0: that of the paragraph."""
    half_points: int = 24
    is_narrow: bool = False
    font: int = -1
    skip_after_unicode: int = 1


@dataclass
class _Paragraph:
    """What was read of the present one."""

    pieces: list[str] = field(default_factory=list)
    mark: list[str] = field(default_factory=list)
    notes: list[list[str]] = field(default_factory=list)
    level: int = 0
    depth: int = 0
    """Of the list that it is an item of."""
    style: int = 0
    shade: int = 0
    in_table: bool = False
    is_off_page: bool = False


def read(data: bytes, max_chars: int) -> Extracted:
    r"""The text of the RTF document ``data``."""
    if not data.startswith(b"{\\rtf"):
        raise Unreadable("source_damaged", f"rich text begins with '{{\\rtf', this file with {data[:8]!r}")
    return _Reader(data, max_chars).extracted()


def preload() -> None:
    """Find the old encodings, because the closed jail lets no file be opened."""
    for encoding in {"cp1252", *CODE_PAGES.values()}:
        codecs.lookup(encoding)


class _Reader:
    def __init__(self, data: bytes, max_chars: int) -> None:
        self._data = data
        self._gathered = Gathered(max_chars)
        self._head = Head()
        self._state = _State()
        self._stack: list[_State] = []
        self._paragraph = _Paragraph()
        self._cells: list[str] = []
        self._cell_is_shaded = False
        self._bytes = bytearray()
        """Characters of an old encoding, which may take two bytes each."""
        self._to_skip = 0
        """Characters that stand for one that was given as Unicode already."""
        self._notes_named = 0
        self._is_star = False
        self._shape, self._is_shape_away = "", False
        """The property of a shape that was named last, and whether nobody sees the shape."""

    def extracted(self) -> Extracted:
        for number, token in enumerate(self._tokens()):
            if number > _MOST_TOKENS:
                raise Unreadable("source_too_large", f"more than {_MOST_TOKENS} control words and pieces of text")
            word, value, code, symbol, brace, text = token.groups()
            if text is not None:
                self._text(text)
            elif code is not None:
                self._text(bytes([int(code, 16)]))
            elif brace is not None:
                self._brace(brace == b"{")
                if not self._stack:
                    break
            elif word is not None:
                self._word(word.decode("ascii"), None if value is None else int(value))
            else:
                self._symbol(symbol.decode("latin-1"))
        self._end_paragraph()
        self._end_row()
        return self._gathered.extracted("paragraph", self._head.fields())

    def _tokens(self) -> Iterator[re.Match[bytes]]:
        at = 0
        while at < len(self._data):
            for token in _TOKEN.finditer(self._data, at):
                yield token
                if token[1] == b"bin":
                    # That many raw bytes follow, whatever they look like.
                    at = token.end() + max(int(token[2] or 0), 0)
                    break
            else:
                return

    def _brace(self, opens: bool) -> None:
        self._flush()
        self._to_skip = 0
        if opens:
            if len(self._stack) == _DEEPEST:
                raise Unreadable("source_damaged", f"groups nested more than {_DEEPEST} deep")
            self._stack.append(self._state)
            self._state = replace(self._state, word="") if self._state.word else self._state
        else:
            ended, self._state = self._state, self._stack.pop()
            if ended.destination == "head" and ended.word:
                self._head.end(ended.word)
            elif ended.destination == "head":
                self._head.end_entry()
        self._is_star = False

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._is_star = True
        elif symbol in _PARAGRAPH_ENDS:
            self._word("par", None)
        elif symbol in CHARACTERS:
            self._add(CHARACTERS[symbol])

    def _word(self, word: str, value: int | None) -> None:
        if word == "u" and value is not None:
            self._add(chr(value % 0x10000))
            self._to_skip = self._state.skip_after_unicode
            return
        self._flush()
        self._to_skip = 0
        starred, self._is_star = self._is_star, False
        if word == "footnote" and not self._state.destination:
            self._paragraph.notes.append([])
            self._state = replace(self._state, word=word, destination="note")
        elif word in _COLLECTED:
            self._state = replace(self._state, word=word, destination=_COLLECTED[word])
            self._head.begin(word)
        elif word in ("sn", "sv"):
            self._state = replace(self._state, word=word, destination="shape")
        elif word in ("shp", "do"):
            self._shape, self._is_shape_away = "", False
        elif word in ("shpleft", "shptop", "dpx", "dpy"):
            self._is_shape_away |= is_off_page(value or 0)
        elif word in ("pntext", "listtext") and not self._state.destination:
            self._state = replace(self._state, word=word, destination="mark")
        elif word in _SKIPPED or (starred and word not in _KEPT):
            self._gathered.leave_out("images", int(word == "pict" and self._state.destination != "skip"))
            self._state = replace(self._state, word=word, destination="skip")
        elif word == "result" or word == "shptxt":
            destination = "" if self._state.destination == "skip" else self._state.destination
            self._state = replace(self._state, destination=destination, is_away=self._is_shape_away)
        elif self._state.destination == "head":
            self._head.control(word, value)
        elif word in CHARACTERS:
            self._add(CHARACTERS[word])
        elif self._state.destination in ("", "note") and word in ("par", "sect", "page", "cell", "row", "nestcell"):
            self._end(word)
        else:
            self._set(word, value)

    def _end(self, word: str) -> None:
        """End a paragraph, a cell or a row, or part the paragraphs of a note."""
        if self._state.destination == "note":
            self._add(" ")
        elif word == "cell":
            self._cells.append("".join(self._paragraph.pieces))
            self._paragraph = replace(self._paragraph, pieces=[], mark=[])
        elif word == "row":
            self._end_row()
        elif self._paragraph.in_table or word == "nestcell":
            self._add(" ")
        else:
            self._end_paragraph()

    def _set(self, word: str, value: int | None) -> None:
        """Take in a control word that says how text looks."""
        state, number = self._state, value or 0
        match word:
            case "plain":
                state = replace(state, hidden=False, deleted=False, colour=0, behind=0, half_points=24, is_narrow=False)
            case "v":
                state = replace(state, hidden=value != 0)
            case "deleted":
                state = replace(state, deleted=value != 0)
            case "cf":
                state = replace(state, colour=number)
            case "highlight" | "cb" | "chcbpat":
                state = replace(state, behind=number)
            case "fs":
                state = replace(state, half_points=number)
            case "charscalex":
                state = replace(state, is_narrow=0 < number <= _NARROWEST)
            case "expndtw" | "expnd":
                state = replace(state, is_narrow=number < (-100 if word == "expndtw" else -20))
            case "up" | "dn":
                state = replace(state, is_away=number > 200)
            case "li" | "fi" | "posx" | "posy":
                self._paragraph.is_off_page |= is_off_page(number)
            case "f":
                state = replace(state, font=number)
            case "uc":
                state = replace(state, skip_after_unicode=min(max(number, 0), 8))
            case "pard":
                self._paragraph = replace(
                    self._paragraph, level=0, depth=0, style=0, shade=0, in_table=False, is_off_page=False
                )
            case "s":
                self._paragraph.style = number
            case "outlinelevel":
                self._paragraph.level = number + 1 if 0 <= number < 9 else 0
            case "ilvl":
                self._paragraph.depth = min(max(number, 0), 8)
            case "cbpat":
                self._paragraph.shade = number
            case "intbl":
                self._paragraph.in_table = True
            case "trowd":
                self._cell_is_shaded = False
            case "clcbpat" | "clshdng":
                self._cell_is_shaded = True
            case "ansicpg" | "deflang":
                self._head.control(word, value)
        self._state = state

    def _text(self, data: bytes) -> None:
        self._is_star = False
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        if self._state.destination != "skip":
            self._bytes += data

    def _flush(self) -> None:
        if self._bytes:
            data, self._bytes = bytes(self._bytes), bytearray()
            self._add(data.decode(self._head.encoding(self._state.font), "replace"))

    def _add(self, text: str) -> None:
        """Put text where the present group's belongs."""
        if self._bytes:
            self._flush()
        state = self._state
        if state.destination == "head":
            self._head.text(text)
        elif state.destination == "shape":
            self._is_shape_away |= state.word == "sv" and self._shape == "fHidden" and text.strip() == "1"
            self._shape = text.strip() if state.word == "sn" else self._shape
        elif state.destination not in ("", "note", "mark"):
            self._gathered.leave_out(state.destination, len(text) * (state.destination != "skip"))
        elif state.deleted:
            self._gathered.leave_out("tracked deletions", len(text))
        elif why := self._why_unseen(state):
            self._gathered.hide(why, text)
        elif state.destination == "mark":
            self._paragraph.mark.append(text)
        elif state.destination == "note":
            self._paragraph.notes[-1].append(text)
        else:
            self._paragraph.pieces.append(text)

    def _why_unseen(self, state: _State) -> str:
        if state.hidden or state.is_away:
            return "text formatted as hidden"
        if self._paragraph.is_off_page:
            return "text off the page"
        if state.is_narrow:
            return "text too small to read"
        behind = state.behind or self._paragraph.shade
        is_in_shade = self._paragraph.in_table and self._cell_is_shaded
        ground = self._head.colour(behind) if behind else "" if is_in_shade else "FFFFFF"
        return why_unseen(self._head.colour(state.colour), ground, state.half_points / 2)

    def _end_paragraph(self) -> None:
        self._flush()
        paragraph = self._paragraph
        if text := _joined(paragraph.pieces):
            level = min(paragraph.level or self._head.level(paragraph.style), 6)
            mark = "".join(paragraph.mark).strip()
            mark = mark if any(letter.isalnum() for letter in mark) else "-" * bool(mark)
            indent = "  " * (paragraph.depth * (not level and bool(mark)))
            marks = "".join(f"{each} " for each in ("#" * level, mark) if each)
            self._gathered.paragraph(text, indent + marks)
        self._end_notes()
        self._paragraph = replace(paragraph, pieces=[], mark=[])

    def _end_row(self) -> None:
        cells, self._cells = self._cells, []
        self._gathered.row([_joined([cell]) for cell in cells])
        self._end_notes()

    def _end_notes(self) -> None:
        notes, self._paragraph.notes = self._paragraph.notes, []
        for note in notes:
            if text := " ".join(_joined(note).split()):
                self._notes_named += 1
                self._gathered.beside(f"Note {self._notes_named}: {text}")


def _joined(pieces: list[str]) -> str:
    """The pieces as text; characters beyond the first 65,536 were given as two halves."""
    return "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
