"""A source as claims are compared with it: parsed once, and what several claims have in common worked out once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from curator.wiki.english.quantities import MONTHS, Date, dates
from curator.wiki.english.words import Phrase, Vocabulary, is_english, joined, phrase
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.layout import Layout
from curator.wiki.sources.source import day_told

_NUMBER_FIELDS = frozenset("pep rfc number no id issue version report standard part title subject name".split())
"""Head fields that name the source itself."""
_AT_DIGITS = re.compile(r"(?<=[A-Za-z])(?=\d)")
_OPENING, _SHORT = 4, 160
"""Blocks that a source may open with, and the letters of a short one."""
_SHORT_FORM = re.compile(r"(?P<words>(?:[^\W\d_]{1,20}[ \n-]{1,3}){2,6})\(\*{0,2}(?P<short>[A-Z]{2,6})\b")
_SAMPLE = 4_000
"""Letters of a source that tell its language."""
_DATE_LINE, _BESIDE_DATE = 60, 3
"""Letters of a line that dates what follows, and its words beside the date, at most."""

_VERSION = re.compile(r"(?<![\w.])(?:v(\d+)\.\d|(\d+)(?:\.\d+)*\.(?:x\b|\d+\.\d))")


def name_of_file(path: str) -> str:
    """What the file of a source is called: ``pep 0668``."""
    return re.sub(r"[-_]", " ", PurePosixPath(path).stem)


class SourceContext:
    """One source, ready to widen quotes."""

    def __init__(self, evidence: Evidence) -> None:
        self.path = evidence.path
        self.evidence = evidence
        self.layout = Layout(evidence.document)
        self._joined: dict[tuple[tuple[int, int], ...], Phrase] = {}
        self._sections: dict[frozenset[tuple[int, ...]], Phrase] = {}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.layout.text)

    @cached_property
    def is_english(self) -> bool:
        """By the small words of its first pages."""
        return is_english(phrase(self.layout.text[:_SAMPLE]))

    @cached_property
    def flat_stems(self) -> str:
        """The stems of all its words, with a space before, between and behind them."""
        return f" {' '.join(word.stem for word in phrase(self.layout.text).words)} "

    @cached_property
    def sentences(self) -> tuple[Vocabulary, ...]:
        """The words of each of its sentences, to tell where something else is said."""
        spans = (
            span
            for at, block in enumerate(self.layout.blocks)
            for span in self.layout.sentences(at, block.start, block.end)
        )
        return tuple(Vocabulary(self.layout.text[start:end]) for start, end in spans)

    @cached_property
    def short_forms(self) -> Mapping[str, frozenset[str]]:
        """The stems of the words that it says an acronym is short for: ``sleep onset latency (SOL)``."""
        found: dict[str, frozenset[str]] = {}
        for match in _SHORT_FORM.finditer(self.layout.text):
            words = re.findall(r"[^\W\d_]+", match["words"])[-len(match["short"]) :]
            if "".join(word[0] for word in words).lower() == match["short"].lower():
                found[match["short"].lower()] = phrase(" ".join(words)).stems
        return found

    @cached_property
    def headings(self) -> Phrase:
        return self.blocks(self.heading_places)

    @cached_property
    def heading_places(self) -> tuple[int, ...]:
        return tuple(at for at, block in enumerate(self.layout.blocks) if block.kind == "heading")

    @cached_property
    def opening(self) -> Phrase:
        """The lines with which it says what it is: its head, and the short blocks it begins with."""
        begins = [self.layout.of(block) for block in self.layout.blocks[:_OPENING]]
        head = [self.layout.of(block) for block in self.layout.head]
        return joined([phrase(text) for text in (*head, *(each for each in begins if len(each) <= _SHORT))])

    @cached_property
    def own_days(self) -> tuple[Date, ...]:
        """The day that it bears in its name or head: the day of what it says, and of no event that it tells."""
        return dates(phrase(day_told(self.path, self.evidence.document)))

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The source's title, number and file name."""
        named = [self.layout.title, name_of_file(self.path), _AT_DIGITS.sub(" ", name_of_file(self.path))]
        for block in self.layout.head:
            field, _, value = self.layout.of(block).partition(":")
            if field.strip().lower() in _NUMBER_FIELDS:
                named.append(f"{field.strip()} {value.strip()}")
        return tuple(named)

    @cached_property
    def names(self) -> Phrase:
        return joined([phrase(name) for name in self.named])

    def is_version(self, number: str) -> bool:
        """True for ``6.x`` and ``2.6.18``, and for the ``0.10`` of a source that writes v0.12: a name, and no value."""
        return (
            number.endswith(".x") or number.count(".") > 1 or ("." in number and number.split(".")[0] in self._released)
        )

    @cached_property
    def _released(self) -> frozenset[str]:
        """The first numbers of the versions in it that are written as such."""
        return frozenset(one or other for one, other in _VERSION.findall(self.layout.text))

    def day_of(self, at: int) -> tuple[Date, ...]:
        """The day of minutes or of a release that a block belongs to, by the line that dates it."""
        return tuple(day for line in self.dated_by(at) for day in dates(self.block(line)))

    def dated_by(self, at: int) -> tuple[int, ...]:
        """The last block before this one that says a date and little else; none where there is none."""
        return tuple(self._days[: bisect_right(self._days, at)][-1:])

    @cached_property
    def _days(self) -> list[int]:
        """The blocks that are but a date and a word or two, in order."""
        found = []
        for at, block in enumerate(self.layout.blocks):
            if block.kind in ("paragraph", "heading", "item") and block.end - block.start <= _DATE_LINE:
                text = self.block(at)
                told = dates(text) if any(word.is_number for word in text.words) else ()
                others = [word for word in text.content if not word.is_number and word.lower not in MONTHS]
                if len(told) == 1 and told[0].day and len(others) <= _BESIDE_DATE:
                    found.append(at)
        return found

    def block(self, at: int) -> Phrase:
        return phrase(self.layout.of(self.layout.blocks[at]))

    def blocks(self, places: Iterable[int]) -> Phrase:
        """Several blocks as one text."""
        return self.passages(tuple((self.layout.blocks[at].start, self.layout.blocks[at].end) for at in places))

    def passages(self, spans: tuple[tuple[int, int], ...]) -> Phrase:
        """Several passages as one text."""
        if spans not in self._joined:
            self._joined[spans] = joined([phrase(self.layout.text[start:end]) for start, end in spans])
        return self._joined[spans]

    def section(self, headings: frozenset[tuple[int, ...]]) -> Phrase:
        """All that stands right under these headings."""
        if headings not in self._sections:
            self._sections[headings] = self.blocks(at for path in sorted(headings) for at in self._by_headings[path])
        return self._sections[headings]

    @cached_property
    def _by_headings(self) -> dict[tuple[int, ...], list[int]]:
        found: dict[tuple[int, ...], list[int]] = {}
        for at, block in enumerate(self.layout.blocks):
            found.setdefault(block.headings, []).append(at)
        return found
