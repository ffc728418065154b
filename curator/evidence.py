"""Finds the words a model quoted in the source they are said to come from, and writes down the source's own.

How a quote is compared:

- Both sides are *folded*: NFKC, lower case, and only letters and digits stay (with the point or comma inside a number).
  White space, line breaks, end-of-line hyphens, quotation marks, dashes and inline markup are so ignored; in the source
  also link targets and footnote marks.
- A folded quote must be found in the folded source and begin and end at word boundaries. The first place counts.
- A quote that is not found word for word is *near* when, in the best-fitting run of the source's words, at most one word
  in eight differs (dropped, added or replaced), the quote has at least six words, and no number and no word that turns
  or bounds a statement (not, never, must, only, ...) differs.
- ``...`` in a quote parts it; every part must be found, and is cited on its own.
- A quote shorter than three words and sixteen letters proves nothing; one over 600 characters hides what it proves.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from curator.citation import Citation
from curator.source import Document

MIN_WORDS, MIN_LETTERS = 3, 16
MAX_CHARACTERS = 600
NEAR_WORDS = 6
NEAR_SHARE = 8
TURNING = frozenset(
    "no not never none nor neither without cannot can't won't don't doesn't isn't aren't must should shall may might "
    "only except unless all any every always more less before after above below until least most".split()
)

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_IGNORED = re.compile(r"(?<=\])\([^()\s]*\)|\[\^[^\]\s]+\]|\[#?\w{1,12}\]_|(?<=[\w`]) ?<https?://[^>\s]*>(?=`?_)")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\.{3,}|…)\s*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SPACELESS = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True)
class Missing:
    """A quote that proves nothing, and why: ``quote_missing``, ``quote_too_short`` or ``quote_too_long``."""

    quote: str
    code: str
    message: str


class Evidence:
    """One source, ready to be asked for quotes."""

    def __init__(self, path: str, document: Document) -> None:
        self.path = path
        self.document = document

    def find(self, quote: str) -> list[Citation] | Missing:
        """The citations for ``quote``, one for each of its parts, in the source's own words."""
        citations = []
        for part in (part for part in _ELLIPSIS.split(_unquoted(quote)) if part):
            if fault := _unfit(part):
                return fault
            span = self._exact(part) or self._near(part)
            if span is None:
                return Missing(quote, "quote_missing", "these words are not in the source")
            citations.append(self._cite(*span, part))
        return citations or Missing(quote, "quote_too_short", "an empty quote proves nothing")

    def holds(self, citation: Citation) -> bool:
        """True when the words of ``citation`` stand word for word in the lines its anchor names."""
        if citation.lines is None:
            return False
        first, last = citation.lines
        lines = [text for number, text in self.document.lines if first <= number <= last]
        wanted, _ = _fold(citation.quote)
        return bool(wanted) and wanted in _fold("\n".join(lines))[0]

    def numbers_missing(self, claim: str) -> list[str]:
        """The numbers in ``claim`` that the source never states."""
        return sorted({n for n in _NUMBER.findall(unicodedata.normalize("NFKC", claim)) if n not in self._numbers})

    # -- where words stand ---------------------------------------------------------------------------------------

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return _fold(self.document.text)

    @cached_property
    def _words(self) -> list[tuple[str, int, int]]:
        """Every word of the source, folded, with its span."""
        return [(folded, start, end) for folded, start, end in _word_spans(self.document.text) if folded]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for index, (word, _, _) in enumerate(self._words):
            places.setdefault(word, []).append(index)
        return places

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(unicodedata.normalize("NFKC", self.document.text)))

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for _, text in self.document.lines[:-1]:
            starts.append(starts[-1] + len(text) + 1)
        return starts

    def _exact(self, quote: str) -> tuple[int, int] | None:
        wanted, _ = _fold(quote)
        text, offsets = self._folded
        at = text.find(wanted)
        while at >= 0:
            start, end = offsets[at], offsets[at + len(wanted) - 1] + 1
            if _on_boundaries(self.document.text, start, end):
                return start, end
            at = text.find(wanted, at + 1)
        return None

    def _near(self, quote: str) -> tuple[int, int] | None:
        wanted = [folded for folded, _, _ in _word_spans(quote) if folded]
        allowed = len(wanted) // NEAR_SHARE if len(wanted) >= NEAR_SHARE else 1
        if len(wanted) < NEAR_WORDS:
            return None
        words = [word for word, _, _ in self._words]
        best: tuple[int, int, int] | None = None
        for start in self._likely_starts(wanted, allowed):
            window = words[max(0, start) : start + len(wanted) + 2 * allowed]
            fit = _best_fit(wanted, window, allowed)
            if fit is not None and (best is None or fit[0] < best[0]):
                best = (fit[0], max(0, start) + fit[1], max(0, start) + fit[2])
        if best is None:
            return None
        return self._words[best[1]][1], self._words[best[2] - 1][2]

    def _likely_starts(self, wanted: list[str], allowed: int) -> list[int]:
        """Where the quote may begin, judged by its rarest words; enough of them that misquoting one loses nothing."""
        known = [(len(self._places[word]), index, word) for index, word in enumerate(wanted) if word in self._places]
        starts: Counter[int] = Counter()
        for _, index, word in sorted(known)[: allowed + 3]:
            for place in self._places[word][:200]:
                starts[place - index - allowed] += 1
        return [start for start, _ in starts.most_common(20)]

    def _cite(self, start: int, end: int, quote: str) -> Citation:
        text = self.document.text
        while end < len(text) and text[end] in ".!?)]”’\"'%°`":
            end += 1
        first = self.document.lines[bisect_right(self._line_starts, start) - 1][0]
        last = self.document.lines[bisect_right(self._line_starts, end - 1) - 1][0]
        anchor = f"L{first}" if first == last else f"L{first}-L{last}"
        return Citation(self.path, anchor, _on_one_line(text[start:end], quote))


def _unquoted(quote: str) -> str:
    stripped = quote.strip()
    if len(stripped) > 1 and stripped[0] in '"“„«' and stripped[-1] in '"”“»':
        return stripped[1:-1].strip()
    return stripped


def _unfit(part: str) -> Missing | None:
    letters = len(_fold(part)[0])
    words = len(_WORD.findall(part)) + len(_SPACELESS.findall(part))
    if letters == 0 or (words < MIN_WORDS and letters < MIN_LETTERS):
        return Missing(part, "quote_too_short", f"fewer than {MIN_WORDS} words prove nothing")
    if len(part) > MAX_CHARACTERS:
        return Missing(part, "quote_too_long", f"a quote has at most {MAX_CHARACTERS} characters")
    return None


def _fold(text: str) -> tuple[str, list[int]]:
    """The letters and digits of ``text``, and for each the offset it came from."""
    folded: list[str] = []
    offsets: list[int] = []
    for start, end in _kept(text):
        for offset in range(start, end):
            character = text[offset]
            if character.isalnum():
                for piece in _character(character):
                    folded.append(piece)
                    offsets.append(offset)
            elif character in ".," and text[offset - 1 : offset].isdigit() and text[offset + 1 : offset + 2].isdigit():
                folded.append(character)
                offsets.append(offset)
    return "".join(folded), offsets


def _character(character: str) -> str:
    if character.isascii():
        return character.lower()
    return "".join(c for c in unicodedata.normalize("NFKC", character).casefold() if c.isalnum())


def _kept(text: str) -> list[tuple[int, int]]:
    """The spans of ``text`` that are words a person reads, without link targets and footnote marks."""
    spans, last = [], 0
    for match in _IGNORED.finditer(text):
        spans.append((last, match.start()))
        last = match.end()
    return [*spans, (last, len(text))]


def _word_spans(text: str) -> list[tuple[str, int, int]]:
    return [
        ("".join(map(_character, match[0])), match.start() + start, match.end() + start)
        for start, end in _kept(text)
        for match in _WORD.finditer(text[start:end])
    ]


def _on_boundaries(text: str, start: int, end: int) -> bool:
    return not (_joined(text[start - 1 : start], text[start]) or _joined(text[end - 1], text[end : end + 1]))


def _joined(left: str, right: str) -> bool:
    return bool(left and right) and left.isalnum() and right.isalnum() and not _SPACELESS.match(left + right)


def _best_fit(wanted: list[str], window: list[str], allowed: int) -> tuple[int, int, int] | None:
    """The run of ``window`` nearest to ``wanted``: (words that differ, start, end), or None when none is near enough.

    Word-level edit distance with a free beginning and end in ``window``; each cell carries where its run began.
    """
    row = [(0, start) for start in range(len(window) + 1)]
    for i, word in enumerate(wanted, start=1):
        last, row = row, [(i, 0)]
        for j, other in enumerate(window, start=1):
            kept = last[j - 1]
            row.append(
                min(
                    (kept[0] + (word != other), kept[1]),
                    (last[j][0] + 1, last[j][1]),
                    (row[-1][0] + 1, row[-1][1]),
                )
            )
    runs = sorted((distance, start, end) for end, (distance, start) in enumerate(row) if distance <= allowed)
    return next((run for run in runs if _harmless(wanted, window[run[1] : run[2]])), None)


def _harmless(wanted: list[str], found: list[str]) -> bool:
    """True when the words that differ carry no number and turn no statement."""
    differing = (Counter(wanted) - Counter(found)) + (Counter(found) - Counter(wanted))
    return not any(word in TURNING or any(c.isdigit() for c in word) for word in differing)


def _on_one_line(span: str, quote: str) -> str:
    """``span`` with white space folded; a hyphen at a line's end goes when the quote writes the word without it."""

    def rejoin(match: re.Match[str]) -> str:
        joined = match[1] + match[2]
        return joined if joined.casefold() in quote.casefold() else f"{match[1]}-{match[2]}"

    return " ".join(re.sub(r"(\w+)[-‐]\n\s*(\w+)", rejoin, span).split())
