"""Finds the words a model quoted in the source they are said to come from, and writes down the source's own.

How a quote is compared:

- Both sides are *folded*: NFKC, lower case, and only letters and digits stay. White space, line breaks, hyphens at line
  ends, quotation marks, dashes and inline markup are so ignored; in the source also link targets and footnote marks.
  Numbers stay what they are: their points, commas and minus signs count, and what parts two of them does.
- A folded quote must be found in the folded source and begin and end at the ends of words. Of several places that counts
  around which most words of the claim stand: "It must return the name of the ..." may be said of three things.
- A quote that is not found word for word is *near* when, in the best-fitting run of the source's words, at most one word
  in eight differs, the quote has at least six words, and what differs could carry no other meaning: a small word (a, the,
  that, also, ...) that is dropped, added or changed, or another form of the same word (archive, archives). Never its
  first or last word, a number, or a word that turns or bounds a statement (not, never, must, only; impossible, possible).
- ``...`` in a quote parts it, unless the source has these very words with nothing left out (``f(x, ...)``); every part
  must be found, and is cited on its own.
- A quote shorter than three words and sixteen letters proves nothing; one over 600 characters hides what it proves.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath

from curator.wiki.pages.citation import Citation
from curator.wiki.pages.names import SPACELESS
from curator.wiki.sources import near_words
from curator.wiki.sources.as_read import as_read, on_one_line, with_marks
from curator.wiki.sources.folding import WORD, fold, is_inside, ungrouped, word_spans
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.source import Document

MIN_WORDS, MIN_LETTERS = 3, 16
MAX_CHARACTERS = 600
QUOTE_WORDS = f"{MIN_WORDS} to 20"
"""How many words a model is told to quote; more are taken, up to ``MAX_CHARACTERS``."""
NEAR_WORDS = 6
NEAR_SHARE = 8
_JOINED = 6
"""Parts of a quote that are looked up as one, at most, before each is looked up by itself."""
_MOST_PLACES = 50
"""Of a quote that stands at more, the first ones are looked at."""
_REACHES = (60, 250, 1_000)
"""Characters on both sides of a quote in which words of its claim are looked for: the nearer, the more they count."""
_MOST_KEPT = 8
"""Of the lines that citations name, this many stay folded."""
_SHOWN = 4
"""Words of a quote that a message shows."""

_ELLIPSIS = re.compile(r"(?:\[\s*(?:\.{3}|…)\s*\]|\.{3,}|…)\s*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
HEAD_FIELD = re.compile(r"[^\W\d_][\w -]{1,40}:\s+\S[^\n]{0,80}$")
"""A line of a document's head, as ``Status: Accepted``."""


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
        self._placed: dict[Citation, tuple[int, int] | None] = {}
        self._lately: dict[tuple[int, int], tuple[str, tuple[str, list[int]]]] = {}

    def find(self, quote: str, claim: str = "") -> list[Citation] | Missing:
        """The citations for ``quote``, one for each of its parts, in the source's own words; where ``spans`` finds it."""
        spans = self.spans(quote, claim)
        return spans if isinstance(spans, Missing) else [self.cite(*span) for span in spans]

    def spans(self, quote: str, claim: str = "") -> list[tuple[int, int, str]] | Missing:
        """Where each part of ``quote`` stands in the source's text: start, end, and the part as it was quoted.

        ``claim`` is what it is quoted for: it tells which place is meant of a part that stands at several.
        """
        quote = _unquoted(quote)
        parts = _parts(quote)
        found: list[tuple[int, int, str]] = []
        at = 0
        while at < len(parts):
            for stop in range(min(len(parts), at + _JOINED), at, -1):
                part = quote[parts[at][0] : parts[stop - 1][1]]
                fault = None if self._is_field(part) else _unfit(part)
                span = None if fault else self._exact(part, claim)
                if span is not None:
                    break
            if span is None:
                span = None if fault else self._near(part)
            if span is None:
                return self._explained(part, fault, is_part=len(parts) > 1)
            found.append((*span, part))
            at = stop
        return found or Missing(quote, "quote_too_short", "an empty quote proves nothing: quote a whole sentence")

    def _explained(self, part: str, fault: Missing | None, *, is_part: bool) -> Missing:
        """Why ``part`` of a quote proves nothing, and what would do."""
        piece = "this part of the quote" if is_part else "the quote"
        if fault is not None:
            drop = ", or leave this part out" if is_part and fault.code == "quote_too_short" else ""
            return Missing(part, fault.code, f"{fault.message}{drop}")
        words = list(WORD.finditer(part))
        fits = bisect_left(range(1, len(words)), True, key=lambda n: self._exact(part[: words[n - 1].end()]) is None)
        if fits < MIN_WORDS:
            return Missing(part, "quote_missing", f"{piece} is not in the source: copy a sentence as it stands there")
        start, end = words[max(0, fits - _SHOWN)].start(), words[fits - 1].end()
        known = " ".join(part[start:end].split())
        return Missing(
            part, "quote_missing", f"{piece} is in the source up to {known!r} only: copy what follows, or end it there"
        )

    def holds(self, citation: Citation) -> bool:
        """True when the words of ``citation`` stand word for word in the lines its anchor names."""
        return self.place(citation) is not None

    def place(self, citation: Citation) -> tuple[int, int] | None:
        """Where in the source's text the words of ``citation`` stand, word for word in the lines its anchor names."""
        if citation not in self._placed:
            self._placed[citation] = self._place(citation)
        return self._placed[citation]

    def _place(self, citation: Citation) -> tuple[int, int] | None:
        span = self._span(citation)
        if span is None:
            return None
        begin, end = span
        wanted, _ = fold(citation.quote)
        if not wanted or begin >= end:
            return None
        text, folded = self._folded_lines(begin, end)
        found = next(_places(wanted, text, folded), None)
        offset = self._line_starts[begin]
        return (found[0] + offset, found[1] + offset) if found is not None else None

    def _folded_lines(self, begin: int, end: int) -> tuple[str, tuple[str, list[int]]]:
        """The text of these lines, and folded; lately asked for ones are kept: a whole source may stand on one line."""
        if (begin, end) not in self._lately:
            text = "\n".join(line for _, line in self.document.lines[begin:end])
            while len(self._lately) >= _MOST_KEPT:
                del self._lately[next(iter(self._lately))]
            self._lately[begin, end] = text, fold(text)
        return self._lately[begin, end]

    def _span(self, citation: Citation) -> tuple[int, int] | None:
        """The lines of the text that an anchor names, the last one excluded.

        Wikis of earlier versions cite lines of markup of what is read by paragraphs now: there any place will do.
        """
        place, document = citation.place, self.document
        if place is None or (place.unit != document.unit and place.unit != "line"):
            return None
        if place.unit != document.unit:
            return 0, len(document.lines)
        begin, end = (bisect_left(self._line_numbers, number) for number in (place.first, place.last + 1))
        return begin, end

    def has_line(self, quote: str) -> bool:
        """True for a line of the source, whole but for the marks of a heading."""
        wanted = quote.strip(_HEADING_MARKS)
        return any(wanted == line.strip(_HEADING_MARKS) for line in self.document.text.split("\n")) if wanted else False

    def repeats(self, citation: Citation) -> bool:
        """True when the words of ``citation`` stand letter by letter in the lines its anchor names."""
        begin, end = self._span(citation) or (0, 0)
        text = " ".join(line for _, line in self.document.lines[begin:end])
        flat = " ".join(text.split())
        return self.holds(citation) and (citation.quote in flat or citation.quote in as_read(flat, self._format))

    def locate(self, quote: str, *, near: bool = True) -> Citation | None:
        """Where words that were cited before stand, be they few or many, in the source's own words; ``near``: or nearly."""
        span = self._exact(quote) or (self._near(quote) if near else None)
        return self.cite(*span, quote) if span is not None else None

    def numbers_missing(self, claim: str) -> list[str]:
        """The numbers in ``claim`` that neither the source nor its name states."""
        return sorted(
            {n for n in _NUMBER.findall(unicodedata.normalize("NFKC", claim)) if ungrouped(n) not in self._numbers}
        )

    # -- where words stand ---------------------------------------------------------------------------------------

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        return fold(self.document.text)

    @cached_property
    def _words(self) -> list[tuple[str, int, int]]:
        """Every word of the source, folded, with its span."""
        return [(folded, start, end) for folded, start, end in word_spans(self.document.text) if folded]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for index, (word, _, _) in enumerate(self._words):
            places.setdefault(word, []).append(index)
        return places

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """The numbers of the text and of the file's name, ``0440`` as ``440`` too."""
        text = unicodedata.normalize("NFKC", f"{PurePosixPath(self.path).stem}\n{self.document.text}")
        found = frozenset(map(ungrouped, _NUMBER.findall(text)))
        return found | {number.lstrip("0") for number in found if number.isdecimal()}

    @property
    def _format(self) -> str:
        return FORMATS.get(PurePosixPath(self.path).suffix.lower(), "text")

    @cached_property
    def _line_numbers(self) -> list[int]:
        return [number for number, _ in self.document.lines]

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for _, text in self.document.lines[:-1]:
            starts.append(starts[-1] + len(text) + 1)
        return starts

    def _exact(self, quote: str, claim: str = "") -> tuple[int, int] | None:
        places = list(islice(_places(fold(quote)[0], self.document.text, self._folded), _MOST_PLACES if claim else 1))
        if len(places) < 2:
            return places[0] if places else None
        wanted = _words_of(claim) - _words_of(quote)
        return max(places, key=lambda place: sum(self._shared(wanted, place, reach) for reach in _REACHES))

    def _shared(self, wanted: Set[str], place: tuple[int, int], reach: int) -> int:
        """How many of these words stand around ``place``."""
        return len(wanted & _words_of(self.document.text[max(0, place[0] - reach) : place[1] + reach]))

    def _is_field(self, part: str) -> bool:
        """True for a whole line of a head or a table, ``Status: Accepted``: few words, and all there is to quote."""
        span = self._exact(part) if HEAD_FIELD.match(part.strip()) or is_row(part) else None
        if span is None:
            return False
        text = self.document.text
        before, after = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
        behind = text[span[1] : after if after >= 0 else len(text)].lstrip()
        rest = text[before : span[0]] + ("" if behind.startswith(_COMMENTS) else behind)
        return not any(map(str.isalnum, rest))

    def _near(self, quote: str) -> tuple[int, int] | None:
        wanted = [folded for folded, _, _ in word_spans(quote) if folded]
        allowed = len(wanted) // NEAR_SHARE if len(wanted) >= NEAR_SHARE else 1
        if len(wanted) < NEAR_WORDS:
            return None
        words = [word for word, _, _ in self._words]
        best: tuple[int, int, int] | None = None
        for start in self._likely_starts(wanted, allowed):
            window = words[max(0, start) : start + len(wanted) + 2 * allowed]
            fit = near_words.best_fit(wanted, window, allowed)
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

    def cite(self, start: int, end: int, quote: str) -> Citation:
        """The citation of the span, which was quoted as ``quote``."""
        text = self.document.text
        start, end = with_marks(text, start, end)
        first, last = (bisect_right(self._line_starts, at) - 1 for at in (start, end - 1))
        anchor = self.document.anchor(first, last)
        words = on_one_line(text[start:end], quote, text)
        cited = Citation(self.path, anchor, as_read(words, self._format))
        return cited if self.holds(cited) else replace(cited, quote=words)


def _unquoted(quote: str) -> str:
    stripped = quote.strip()
    if len(stripped) > 1 and stripped[0] in '"“„«' and stripped[-1] in '"”“»':
        return stripped[1:-1].strip()
    return stripped


def _parts(quote: str) -> list[tuple[int, int]]:
    """The spans of ``quote`` between its ``...``, as far as they say anything."""
    marks = [match.span() for match in _ELLIPSIS.finditer(quote)]
    starts = [0, *(end for _, end in marks)]
    # The white space before a mark is taken off here: an expression would look for it from each of its characters on.
    ends = [start + len(quote[start:mark].rstrip()) for start, (mark, _) in zip(starts, marks, strict=False)]
    return [(start, end) for start, end in zip(starts, [*ends, len(quote)], strict=True) if start < end]


_HEADING_MARKS = " \t#*=_:"
_COMMENTS = ("# ", "// ")


def is_row(part: str) -> bool:
    """True for two cells of a table's row that say something, ``| B | 30 |``, and for a line such as ``a = 1``."""
    return any(sum(any(map(str.isalnum, cell)) for cell in part.split(mark)) > 1 for mark in ("|", " = "))


def _unfit(part: str) -> Missing | None:
    letters = len(fold(part)[0])
    words = len([word for word in WORD.findall(part) if word.strip("_")]) + len(SPACELESS.findall(part))
    if letters == 0 or (words < MIN_WORDS and letters < MIN_LETTERS):
        return Missing(
            part, "quote_too_short", f"fewer than {MIN_WORDS} words prove nothing: quote more of the sentence"
        )
    if len(part) > MAX_CHARACTERS:
        return Missing(
            part, "quote_too_long", f"a quote has at most {MAX_CHARACTERS} characters: quote less, or in two"
        )
    return None


def _places(wanted: str, text: str, folded: tuple[str, list[int]]) -> Iterator[tuple[int, int]]:
    """The spans of ``text`` that say ``wanted`` and part no word or number."""
    letters, offsets = folded
    at = letters.find(wanted)
    while at >= 0:
        start, end = offsets[at], offsets[at + len(wanted) - 1] + 1
        if not (is_inside(text, start) or is_inside(text, end)):
            yield start, end
        at = letters.find(wanted, at + 1)


def _words_of(text: str) -> set[str]:
    return {folded for folded, _, _ in word_spans(text) if len(folded) > 1}
