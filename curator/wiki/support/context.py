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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from curator.wiki.english.words import Phrase, joined, phrase
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.sources.layout import Layout

_CODE = re.compile(r"`[^`]*`")
_LEAD = re.compile(r"\s*(?:[-*+]\s+)?([^:.;!?]{2,90}):\s+(?=\S)")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>]+")
_CELL = re.compile(r"\s*(?<!\\)\|\s*")
_LABEL = re.compile(r"\s*(?:[-*+]\s+|\|\s*)?[*_`]{0,3}([^:|*_`]{2,60}?)[*_`]{0,3}(?::[*_`]{0,3}\s+\S|\s*\|)")
_TAG = re.compile(r"(\w{1,2}|[^\w\s])\s{3,}\S")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z?][\w-]*")
_NUMBER_FIELDS = frozenset("pep rfc number no id issue version report standard part title subject name".split())
"""Head fields that name the source itself."""


_OPENING, _SHORT = 4, 160
"""Blocks that a source may open with, and the letters of a short one."""


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
    own_headings: tuple[Phrase, ...] = ()
    other_headings: tuple[Phrase, ...] = ()
    """Headings beside those that the quotes stand under."""
    tags: frozenset[str] = frozenset()
    """What the text that is quoted is indented under or begins with in a manual: ``-s``, ``--shared``."""


@dataclass(frozen=True)
class Context:
    """What the source says where the quotes of one claim stand."""

    stated: Phrase
    around: Phrase
    """The wider surroundings, with all that is ``stated``."""
    headings: Phrase
    led: Phrase
    """The sentences that lead to the lists, tables and code that the quotes stand in, and those tables' heads."""
    section: Phrase
    """All under the innermost headings; only a name may come from so far."""
    known: Phrase
    cuts: tuple[Cut, ...]
    passages: tuple[str, ...]
    """The widened quotes, as the source writes them, on one line each."""
    counts: frozenset[int]
    """How many things the lists hold that the quotes stand in or enumerate."""
    kinds: frozenset[str] = frozenset()
    """The kinds of the blocks that the quotes stand in."""
    labels: Labels = Labels()
    cells: tuple[tuple[Phrase, Phrase, Phrase], ...] = ()
    """The cells of the rows quoted, each with the head of its column and the first cell of its row."""
    addresses: frozenset[str] = frozenset()
    """The words of the URLs there: they may bear a name out, and nothing else."""


class SourceContext:
    """One source, parsed once, ready to widen quotes."""

    def __init__(self, evidence: Evidence) -> None:
        self.path = evidence.path
        self.evidence = evidence
        self.layout = Layout(evidence.document)

    @cached_property
    def everything(self) -> Phrase:
        return joined([phrase(self.layout.of(block)) for block in self.layout.blocks])

    @cached_property
    def lower_case(self) -> frozenset[str]:
        """The words that the source writes without a capital somewhere: no names."""
        return frozenset(word.lower for word in self.everything.words if word.text.islower())

    @cached_property
    def headings(self) -> Phrase:
        return joined([phrase(self.layout.of(block)) for block in self.layout.blocks if block.kind == "heading"])

    @cached_property
    def opening(self) -> Phrase:
        """The lines with which it says what it is: its head, and the short blocks it begins with."""
        begins = [self.layout.of(block) for block in self.layout.blocks[:_OPENING]]
        head = [self.layout.of(block) for block in self.layout.head]
        return joined([phrase(text) for text in (*head, *(each for each in begins if len(each) <= _SHORT))])

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The source's title, number and file name."""
        named = [self.layout.title, re.sub(r"[-_]", " ", PurePosixPath(self.path).stem)]
        for block in self.layout.head:
            field, _, value = self.layout.of(block).partition(":")
            if field.strip().lower() in _NUMBER_FIELDS:
                named.append(f"{field.strip()} {value.strip()}")
        return tuple(named)

    @cached_property
    def names(self) -> Phrase:
        return joined([phrase(name) for name in self.named])

    def widen(self, quote: str) -> Context | Missing:
        """The context of one quote; or why it proves nothing."""
        found = self.evidence.spans(quote)
        return found if isinstance(found, Missing) else self.context([(start, end) for start, end, _ in found], (), ())

    def context(self, spans: Sequence[tuple[int, int]], names: Sequence[str], lent: Sequence[str]) -> Context:
        """The context of the quotes at ``spans`` on a page that has ``names``; what is ``lent`` is stated as well."""
        touched = sorted({at for span in spans for at in self.layout.touched(*span)})
        sentences = sorted({part for span in spans for at in touched for part in self.layout.sentences(at, *span)})
        near = sorted({*touched, *(other for at in touched for other in self.layout.around(at))})
        headings = [at for at in near if self.layout.blocks[at].kind == "heading"]
        text = self.layout.text
        return Context(
            stated=joined([*(phrase(text[start:end]) for start, end in sentences), *map(phrase, lent)]),
            around=joined([*(self._of(at) for at in near), *map(phrase, lent)]),
            headings=joined([self._of(at) for at in headings]),
            section=self._section(tuple(sorted({self.layout.blocks[at].headings for at in touched}))),
            led=joined([phrase(text[start:end]) for at in touched for start, end in self._leads(at)]),
            known=joined([self.names, *(phrase(name) for name in names)]),
            cuts=tuple(self._cut(span, sentences) for span in spans),
            passages=tuple(" ".join(text[start:end].split()) for start, end in sentences),
            counts=frozenset(self._counts(touched, len(spans))),
            kinds=frozenset(self.layout.blocks[at].kind for at in touched),
            labels=self._labels(touched),
            cells=tuple(cell for at in touched for cell in self._cells(at)),
            addresses=self._addresses(near),
        )

    def _labels(self, touched: Sequence[int]) -> Labels:
        runs = [list(self.layout.run(at)) for at in touched]
        heads = {run[0] for run in runs if self.layout.blocks[run[0]].kind == "row"}
        run = sorted({other for run in runs for other in run} - heads)
        named = {at: phrase(match[1]) for at in run if (match := _LABEL.match(self.layout.of(self.layout.blocks[at])))}
        others = tuple(label for at, label in named.items() if at not in touched)
        blocks = self.layout.blocks
        above = sorted({place for at in touched for place in blocks[at].headings if blocks[place].headings})
        beside = [
            place
            for place, block in enumerate(blocks)
            if block.kind == "heading"
            and place not in above
            and any(block.headings == blocks[at].headings for at in above)
        ]
        tags = {tag for at in touched for place in (at, *self.layout.outer(at)) for tag in self._tags(place)}
        return Labels(
            tuple(named[at] for at in touched if at in named),
            others,
            tuple(self._of(at) for at in above),
            tuple(phrase(self.layout.of(blocks[at]).split(":")[0]) for at in beside),
            frozenset(tags),
        )

    def _tags(self, at: int) -> Iterator[str]:
        line = self.layout.of(self.layout.blocks[at]).strip().split("\n")[0]
        tag = _TAG.match(line)
        if tag:
            yield tag[1]
        elif line.startswith("-"):
            yield from _OPTION.findall(re.split(r"\s{3,}", line)[0])

    def _cells(self, at: int) -> Iterator[tuple[Phrase, Phrase, Phrase]]:
        if self.layout.blocks[at].kind != "row":
            return
        lines = (self.layout.of(self.layout.blocks[each]).strip() for each in (next(self.layout.run(at)), at))
        head, row = (_CELL.split(line.removeprefix("|").removesuffix("|").strip(" ")) for line in lines)
        if len(head) == len(row) > 1:
            yield from (
                (phrase(cell), phrase(name), phrase(row[0])) for cell, name in zip(row[1:], head[1:], strict=True)
            )

    def _addresses(self, near: Sequence[int]) -> frozenset[str]:
        found = (match[0] for at in near for match in _ADDRESS.finditer(self.layout.of(self.layout.blocks[at])))
        return frozenset(word.lower() for address in found for word in re.findall(r"[^\W\d_]+", address))

    def _of(self, at: int) -> Phrase:
        return phrase(self.layout.of(self.layout.blocks[at]))

    @lru_cache(maxsize=64)  # noqa: B019 (as long-lived as the source)
    def _section(self, headings: tuple[tuple[int, ...], ...]) -> Phrase:
        blocks = self.layout.blocks
        return joined([self._of(at) for at, block in enumerate(blocks) if block.headings in headings])

    def _leads(self, at: int) -> Iterator[tuple[int, int]]:
        blocks = self.layout.blocks
        if blocks[at].kind not in ("item", "row", "code"):
            return
        first = next(self.layout.run(at))
        if blocks[at].kind == "row":
            yield blocks[first].start, blocks[first].end
        if first and blocks[first - 1].kind in ("paragraph", "item"):
            before = blocks[first - 1]
            yield self.layout.sentences(first - 1, before.start, before.end)[-1]

    def _cut(self, span: tuple[int, int], sentences: Sequence[tuple[int, int]]) -> Cut:
        text, (start, end) = self.layout.text, span
        first = next((one[0] for one in sentences if one[0] <= start < one[1]), start)
        last = next((one[1] for one in sentences if one[0] < end <= one[1]), end)
        return Cut(phrase(text[first:start]), phrase(text[start:end]), phrase(text[end:last]))

    def _counts(self, touched: Sequence[int], quotes: int) -> Iterator[int]:
        yield quotes
        for at in touched:
            block = self.layout.blocks[at]
            run = [other for other in self.layout.around(at) if self.layout.blocks[other].kind in ("item", "row")]
            yield len(run)
            yield self.layout.of(block).count(",") + 1


@dataclass(frozen=True)
class Case:
    """One claim to be judged, and what the source says where its quotes stand: what a rule is given."""

    whole: Phrase
    claim: Phrase
    """The claim without the ``Label:`` it may begin with, which states nothing by itself."""
    context: Context
    source: SourceContext

    @classmethod
    def of(cls, claim: str, context: Context, source: SourceContext) -> Case:
        masked = _CODE.sub(lambda found: "x" * len(found[0]), claim)
        label = _LEAD.match(masked)
        return cls(phrase(claim), phrase(claim[label.end() :] if label else claim), context, source)
