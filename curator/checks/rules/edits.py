"""What a change adds to a page: the rules judge that, never what was there before.

A page with old faults (a user's broken link, raw HTML, a missing field) must not stop an ingest that does not add to
them. Old text is known by its words: a block whose words stood in the old page is old, wherever it stands now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from curator.checks.rules.change import Change
from curator.wiki.pages import editing, inline
from curator.wiki.pages.citation import replace_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block, Link
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.written import lent_by, written_claims

EARLIER = f"{editing.EARLIER} "
"""What curator itself puts before the outweighed one of two claims."""


@dataclass(frozen=True)
class Edit:
    """A changed page beside what it was; ``old`` is None when the page is new."""

    page: Page
    old: Page | None

    @cached_property
    def claims(self) -> tuple[Block, ...]:
        """The paragraphs, list items and table rows that the old page did not have."""
        return tuple(block for block in self._claims_now if not self.is_old(block))

    def is_old(self, block: Block) -> bool:
        return any(words in self.old_claims for words in _as_before(wording(self.page, block)))

    @cached_property
    def kept_claims(self) -> tuple[tuple[Block, Block], ...]:
        """Each claim block that was in the old page, with what it was there."""
        pairs = []
        for block in self._claims_now:
            found = (self.old_claims.get(words) for words in _as_before(wording(self.page, block)))
            if (was := next(filter(None, found), None)) is not None:
                pairs.append((block, was._replace(citations=self._citations_then(block, was))))
        return tuple(pairs)

    def _citations_then(self, block: Block, was: Block) -> tuple[str, ...]:
        """The citations that ``block`` had: those of its own twin, where the old page says ``was`` several times."""
        return block.citations if (was.text, block.citations) in self._cited_then else was.citations

    @cached_property
    def _cited_then(self) -> frozenset[tuple[str, tuple[str, ...]]]:
        """The words of each block of the old page, with its citations."""
        return (
            frozenset((block.text, block.citations) for block in self.old.outline.blocks) if self.old else frozenset()
        )

    @cached_property
    def old_claims(self) -> dict[str, Block]:
        """The claim blocks of the old page by their words; of twins the one with the most citations."""
        found: dict[str, Block] = {}
        for block in self.old.outline.blocks if self.old else ():
            words = wording(self.old, block) if self.old else ""
            twin = found.get(words)
            if block.kind in CLAIMS and (twin is None or len(twin.citations) < len(block.citations)):
                found[words] = block
        return found

    def lent(self, evidence: Evidence) -> tuple[str, ...]:
        """What the claims that are no longer there lend to those that take their place."""
        if self.old is None:
            return ()
        now = {words for block in self._claims_now for words in _as_before(wording(self.page, block))}
        claims = written_claims(self.old.body, self.old.outline)
        return lent_by(
            (each for each in claims if wording(self.old, each.block) not in now), self.old.citations, evidence
        )

    def added(self, kind: str) -> Iterator[Block]:
        """The blocks of ``kind`` (heading, code) whose words the old page had in no block of that kind."""
        known = {folded(block.text) for block in self.old.outline.blocks if block.kind == kind} if self.old else set()
        for block in self.page.outline.blocks:
            if block.kind == kind and folded(block.text) not in known:
                yield block

    @cached_property
    def notes(self) -> tuple[Block, ...]:
        """The footnote definitions that the old page did not have in these very letters."""
        before = self.old.outline.blocks if self.old else ()
        known = Counter(raw(self.old, block) for block in before if self.old and block.kind == "note")
        new = []
        for block in self.page.outline.blocks:
            if block.kind == "note":
                known[raw(self.page, block)] -= 1
                if known[raw(self.page, block)] < 0:
                    new.append(block)
        return tuple(new)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links, images and embeds that lead where the old page did not lead, the first of each."""
        known = {_lead(link) for link in self.old.outline.links} if self.old else set()
        fresh = {_lead(link): link for link in reversed(self.page.outline.links)}
        return tuple(link for lead, link in reversed(fresh.items()) if lead not in known)

    def links_in(self, block: Block) -> tuple[Link, ...]:
        """The links within a block of the page, nested blocks apart."""
        links = self.page.outline.links
        first = bisect_left(self._link_starts, block.start)
        last = bisect_left(self._link_starts, block.end)
        return links[first:last]

    @cached_property
    def _link_starts(self) -> list[int]:
        return [link.start for link in self.page.outline.links]

    @cached_property
    def lines(self) -> tuple[tuple[int, str], ...]:
        """Number and text of the file's lines that the old file did not have; a line end's CR belongs to the line."""
        known = Counter(self.old.text.split("\n")) if self.old else Counter()
        new = []
        for number, line in enumerate(self.page.text.split("\n"), start=1):
            known[line] -= 1
            if known[line] < 0:
                new.append((number, line))
        return tuple(new)

    @cached_property
    def code_lines(self) -> frozenset[int]:
        """The file's lines that are inside code blocks."""
        found: set[int] = set()
        for block in self.page.outline.blocks:
            if block.kind == "code":
                first = self.page.line_of(block.line)
                found.update(range(first, first + raw(self.page, block).count("\n") + 1))
        return frozenset(found)

    def line(self, block: Block | Link) -> int:
        return self.page.line_of(block.line)

    @cached_property
    def _claims_now(self) -> tuple[Block, ...]:
        return tuple(block for block in self.page.outline.blocks if block.kind in CLAIMS)


def edits(change: Change) -> Iterator[Edit]:
    """Every changed page beside what it was."""
    if change not in _edits:
        _edits[change] = tuple(Edit(page, change.old(path)) for path, page in change.pages.items())
    yield from _edits[change]


_edits: WeakKeyDictionary[Change, tuple[Edit, ...]] = WeakKeyDictionary()
"""Forty rules read each page once; when the change is judged and gone, so is what they read."""


def raw(page: Page, block: Block) -> str:
    return page.body[block.start : block.end]


def folded(text: str) -> str:
    return " ".join(text.split())


def _as_before(words: str) -> Iterator[str]:
    """How a statement may have been written before a dispute of this ingest: as it is, bare, or behind another lead."""
    yield words
    if (bare := words.removeprefix(EARLIER)) != words:
        yield from (bare, *(f"{lead} {bare}" for lead in editing.LEADS if lead != editing.EARLIER))


def wording(page: Page, block: Block) -> str:
    """What a claim says; for a row its cells as written, because the scan runs their words together."""
    return folded(unmarked(raw(page, block)).replace("|", " | ") if block.kind == "row" else unmarked(block.text))


def unmarked(text: str) -> str:
    """``text`` without citation marks; white space around them stays."""
    return replace_marks(text, lambda label: "")


def names_in(values: Iterable[object]) -> Iterator[str]:
    """Every string inside ``values``, at any depth: what a frontmatter says in words."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from names_in(value.values())
        elif isinstance(value, list):
            yield from names_in(value)


def code_spans(text: str) -> list[str]:
    """What stands between backticks in a piece of markdown, each run of them closed by the next of its length."""
    return [text[first:last] for first, last in inline.code_spans(text)]


def without_code(text: str, keep: Callable[[str], bool] = lambda code: False) -> str:
    """``text`` without what stands between backticks, but for the code that ``keep`` wants kept."""
    for first, last in reversed(inline.code_spans(text)):
        if not keep(text[first:last]):
            text = text[:first] + text[last:]
    return text


def _lead(link: Link) -> tuple[str, str, str]:
    """Where a link leads. A picture is loaded by itself, a link is not; how either is written makes little difference."""
    shape = {"image": "picture", "embed": "embed", "wiki": "wiki"}.get(link.form, "link")
    return shape, link.target, link.anchor
