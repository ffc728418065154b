"""What a claim is compared with: each quote widened by code to what it says where it stands.

Four tiers, kept apart, for a rule that compares with the wrong one is worse than none:

- *stated*: the whole sentences, code lines, table rows and head fields that the quotes touch. Negation, hedges, opposites
  and what a number belongs to are compared with these.
- *around*: their paragraphs, the whole list with its lead-in, the neighbouring blocks, a table's head, the headings above.
  Numbers, list items and the share of a claim that is covered may use these; a name may come from the whole section.
- *known*: the source's title and number and the page's names: context, never an invention.
- *everything*: the whole source, only to tell "elsewhere" from "nowhere".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from curator.wiki.english.quantities import Date
from curator.wiki.english.words import Phrase, joined, phrase
from curator.wiki.sources.evidence import Missing
from curator.wiki.sources.layout import Layout
from curator.wiki.support.source_context import SourceContext

_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>]+")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}")
_CELL = re.compile(r"(?<!\\)\|")
_LABEL = re.compile(r"\s*+(?:[-*+]\s++|\|\s*+)?[*_`]{0,3}([^:|*_`]{2,60}?)[*_`]{0,3}(?::[*_`]{0,3}\s++\S|\s*+\|)")


@dataclass(frozen=True)
class Cut:
    """A quote in its sentence: what stands before it there, and what behind it."""

    before: Phrase
    quote: Phrase
    behind: Phrase


@dataclass(frozen=True)
class Labels:
    """The names that list items and rows begin with: ``Anna: ...``, or a row's first cell."""

    own: tuple[Phrase, ...] = ()
    """Of those that the quotes stand in."""
    others: tuple[Phrase, ...] = ()
    """Of the others of the same list."""


@dataclass(frozen=True, eq=False)
class Context:
    """What the source says where the quotes of one claim stand."""

    source: SourceContext
    spans: tuple[tuple[int, int], ...]
    names: tuple[str, ...] = ()
    """What the page is called."""
    lent: tuple[str, ...] = ()
    """What is taken as stated besides."""
    under: tuple[str, ...] = ()
    """What the claim stands under on its page: the heading, the items that it is nested in, the line that leads to them."""

    @classmethod
    def of_quote(cls, source: SourceContext, quote: str) -> Context | Missing:
        """The context of one quote; or why it proves nothing."""
        found = source.evidence.spans(quote)
        return found if isinstance(found, Missing) else cls(source, tuple((start, end) for start, end, _ in found))

    @cached_property
    def stated(self) -> Phrase:
        return self._with_lent(self.source.passages(self._sentences))

    @cached_property
    def around(self) -> Phrase:
        """The wider surroundings, with all that is ``stated``."""
        return self._with_lent(self.source.blocks(self._near))

    @cached_property
    def headings(self) -> Phrase:
        return self.source.blocks(at for at in self._near if self._layout.blocks[at].kind == "heading")

    @cached_property
    def section(self) -> Phrase:
        """All under the innermost headings; only a name may come from so far."""
        return self.source.section(frozenset(self._layout.blocks[at].headings for at in self._touched))

    @cached_property
    def led(self) -> Phrase:
        """The sentences that lead to the lists, tables and code that the quotes stand in, and those tables' heads."""
        return self.source.passages(tuple(span for at in self._touched for span in self._leads(at)))

    @cached_property
    def known(self) -> Phrase:
        return joined([self.source.names, *map(phrase, self.names)])

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        return tuple(map(self._cut, self.spans))

    @cached_property
    def passages(self) -> tuple[str, ...]:
        """The widened quotes, as the source writes them, on one line each."""
        return tuple(" ".join(self._layout.text[start:end].split()) for start, end in self._sentences)

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where the widened quotes stand in the source."""
        return self._sentences

    @property
    def touched(self) -> tuple[int, ...]:
        """The places of the blocks that the quotes stand in."""
        return self._touched

    @cached_property
    def counts(self) -> frozenset[int]:
        """How many things the lists hold that the quotes stand in or enumerate."""
        return frozenset(self._counts())

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the blocks that the quotes stand in."""
        return frozenset(self._layout.blocks[at].kind for at in self._touched)

    @cached_property
    def labels(self) -> Labels:
        return self._labels()

    @cached_property
    def cells(self) -> tuple[tuple[Phrase, Phrase, Phrase], ...]:
        """The cells of the rows quoted, each with the head of its column and the first cell of its row."""
        rows = map(self.columns, self._touched)
        return tuple((cell, head, columns[0][1]) for columns in rows for head, cell in columns[1:])

    @cached_property
    def days(self) -> tuple[Date, ...]:
        """The days of the minutes or releases that the quotes stand in."""
        return tuple(day for at in self._touched for day in self.source.day_of(at))

    @cached_property
    def spelled_out(self) -> frozenset[str]:
        """The stems of what the source says that the acronyms there are short for."""
        forms = (
            self.source.short_forms.get(word.lower, frozenset()) for word in self.stated.words if word.text.isupper()
        )
        return frozenset[str]().union(*forms)

    @cached_property
    def addresses(self) -> frozenset[str]:
        """The words of the URLs there: they may bear a name out, and nothing else."""
        return self._in_addresses(self._near, r"[^\W\d_]+")

    @cached_property
    def mail_addresses(self) -> frozenset[str]:
        """The addresses of mail there, in small letters: as code they say what they are, and name nobody."""
        texts = (self._layout.of(self._layout.blocks[at]) for at in self._near)
        return frozenset(match[0].lower() for text in texts for match in _MAIL.finditer(text))

    @cached_property
    def numbers_of_addresses(self) -> frozenset[str]:
        """The numbers in the URLs of the blocks that are quoted: the issue that a link leads to."""
        return self._in_addresses(self._touched, r"\d+(?:\.\d+)*")

    def _in_addresses(self, places: Iterable[int], form: str) -> frozenset[str]:
        texts = (self._layout.of(self._layout.blocks[at]) for at in places)
        found = (match[0] for text in texts for match in _ADDRESS.finditer(text))
        return frozenset(word.lower() for address in found for word in re.findall(form, address))

    @property
    def _layout(self) -> Layout:
        return self.source.layout

    @cached_property
    def _touched(self) -> tuple[int, ...]:
        return tuple(sorted({at for span in self.spans for at in self._layout.touched(*span)}))

    @cached_property
    def _sentences(self) -> tuple[tuple[int, int], ...]:
        parts = {
            part
            for span in self.spans
            for at in self._layout.touched(*span)
            for part in self._layout.sentences(at, *span)
        }
        return tuple(sorted(parts))

    @cached_property
    def _near(self) -> tuple[int, ...]:
        return tuple(sorted({*self._touched, *(other for at in self._touched for other in self._layout.around(at))}))

    def _with_lent(self, text: Phrase) -> Phrase:
        return joined([text, *map(phrase, self.lent)]) if self.lent else text

    def _labels(self) -> Labels:
        runs = [list(self._layout.run(at)) for at in self._touched]
        heads = {run[0] for run in runs if self._layout.blocks[run[0]].kind == "row"}
        run = sorted({other for run in runs for other in run} - heads)
        named = {
            at: phrase(match[1]) for at in run if (match := _LABEL.match(self._layout.of(self._layout.blocks[at])))
        }
        others = tuple(label for at, label in named.items() if at not in self._touched)
        return Labels(tuple(named[at] for at in self._touched if at in named), others)

    def columns(self, at: int) -> tuple[tuple[Phrase, Phrase], ...]:
        """The cells of row ``at``, each behind the head of its column; none of another block."""
        if self._layout.blocks[at].kind != "row":
            return ()
        lines = (self._layout.of(self._layout.blocks[each]).strip() for each in (next(self._layout.run(at)), at))
        head, row = ([cell.strip() for cell in _CELL.split(line.removeprefix("|").removesuffix("|"))] for line in lines)
        return tuple(zip(map(phrase, head), map(phrase, row), strict=True)) if len(head) == len(row) > 1 else ()

    def _leads(self, at: int) -> Iterator[tuple[int, int]]:
        blocks = self._layout.blocks
        if blocks[at].kind not in ("item", "row", "code"):
            return
        first = next(self._layout.run(at))
        if blocks[at].kind == "row":
            yield blocks[first].start, blocks[first].end
        above = self._layout.above(first)
        if above >= 0 and blocks[above].kind in ("paragraph", "item"):
            yield self._layout.sentences(above, blocks[above].start, blocks[above].end)[-1]

    def _cut(self, span: tuple[int, int]) -> Cut:
        (start, end), text, sentences = span, self._layout.text, self._sentences
        first = next((one[0] for one in sentences if one[0] <= start < one[1]), start)
        last = next((one[1] for one in sentences if one[0] < end <= one[1]), end)
        return Cut(phrase(text[first:start]), phrase(text[start:end]), phrase(text[end:last]))

    def _counts(self) -> Iterator[int]:
        yield len(self.spans)
        for at in self._touched:
            run = [other for other in self._layout.around(at) if self._layout.blocks[other].kind in ("item", "row")]
            yield len(run)
        coded = [at for at in self._touched if self._layout.blocks[at].kind == "code"]
        yield len({part for span in self.spans for at in coded for part in self._layout.sentences(at, *span)})
