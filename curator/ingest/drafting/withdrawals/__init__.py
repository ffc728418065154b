"""What a changed source does not bear out any more, and a wiki without it.

A claim goes; where another source bears it out, only the proof that is gone. ``prove_again`` decides that by the new text
alone: no reply of a model has a part in it, and the wall looks at what a reply does beyond it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from curator.checks.rules.edits import raw, wording
from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.ingest.drafting.dispute import is_about
from curator.wiki import disputes
from curator.wiki.pages import editing, footnote_edits, removal
from curator.wiki.pages.aliases import alias_fields
from curator.wiki.pages.citation import Citation, marks_in, without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Source
from curator.wiki.support.judge import Judge
from curator.wiki.support.written import names_of
from curator.wiki.wiki import Wiki


@dataclass(frozen=True)
class Withdrawal:
    """What the changed source does not bear out any more of one claim."""

    labels: frozenset[str]
    """Its footnotes that prove it no more."""
    cited: frozenset[str]
    """All that it has: a claim of the same words with another proof is another one."""
    is_whole: bool
    """True: nothing else bears the claim out, and it goes."""
    finding: Finding
    """``claim_withdrawn``, or ``citation_withdrawn`` for a claim that stays."""
    instead: str = ""
    """What stood there before this source put its words into it, with the marks of the others; or those of its sentences
    that stand. Without its bullet."""
    notes: Mapping[str, Citation] = field(default_factory=dict)
    """The footnotes of the sentences that stand, by label; they are on the page already."""


@dataclass(frozen=True)
class Withdrawals:
    """What came of proving every citation of ``source`` again."""

    wiki: Wiki
    """With what still stands cited where it stands now; nothing is taken out yet."""
    source: Source
    gone: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By page: the footnotes whose words the source does not have any more."""
    claims: Mapping[str, Mapping[str, Withdrawal]] = field(default_factory=dict)
    """By page, then by the claim's words."""
    kept: tuple[Finding, ...] = ()
    """``claim_unproven``: what the source says no more and only its user may take out, in a block marked human."""
    unreadable: tuple[Finding, ...] = ()
    """``frontmatter_unreadable``: pages that would have to change, and cannot."""

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By page: aliases that the source gave it, and that nobody gives it any more."""
    at_peace: tuple[tuple[str, str], ...] = ()
    """The paths of two pages each that contradict each other by nothing that is said any more."""

    pages: int = 0
    """How many pages cite the source."""
    before: Judge | None = None
    """Who knows what the source said before; None where that is not known."""
    held: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By page: what stands against a claim that goes, and as well against the one in its place."""

    def findings(self, after: Wiki) -> tuple[Finding, ...]:
        """What is taken out and why, what is not, and of which pages nothing is left in ``after``."""
        found = (each.finding for claims in self.claims.values() for each in claims.values())
        return (*found, *self.kept, *self._headless(after), *self._emptied(after))

    def _headless(self, after: Wiki) -> Iterator[Finding]:
        for path, names in self.names.items():
            page = after.page_at(path)
            for name in [name for name in names if page is not None and name not in page.own_aliases]:
                yield Finding("alias_withdrawn", path, f"the alias {name!r} ({self.source.path} no longer gives it)")
        for one, other in self.at_peace:
            page, there = after.page_at(one), after.page_at(other)
            if page is not None and there is not None and there.slug not in page.contradicts:
                message = f"that it contradicts {there.slug} ({self.source.path} no longer says so)"
                yield Finding("relation_withdrawn", one, message)

    def _emptied(self, after: Wiki) -> Iterator[Finding]:
        for page in filter(None, map(after.page_at, self.claims)):
            if not any(block.citations for block in page.outline.blocks if block.kind in CLAIMS):
                message = "nothing that is proven is left on it"
                hint = f"curate remove {page.slug} --why REASON"
                yield Finding("page_emptied", page.path, message, severity="warn", hint=hint)

    def statements(self, pages: Iterable[Page]) -> Iterator[str]:
        """The claims of ``pages`` that go, for a model that may have something to put in their place."""
        for page in pages:
            claims = self.claims.get(page.path, {}).items()
            yield from (f"{page.slug}: {words}" for words, each in claims if each.is_whole)

    def settled(self, wiki: Wiki) -> Wiki:
        """``wiki``, which was made upon this one, without what is withdrawn."""
        for path in {**self.gone, **self.claims, **self.names}:
            page = wiki.page_at(path)
            after = self._settled(page) if page is not None else None
            if after is not None and path in self.names:
                left = [name for name in after.own_aliases if name not in self.names[path]]
                with suppress(FrontmatterError):  # a head that cannot be changed in places keeps its names
                    after = after.with_fields(**alias_fields(after, left))
            if after is not None and after != page:
                wiki = wiki.with_page(after)
        for one, other in self.at_peace:
            page, there = wiki.page_at(one), wiki.page_at(other)
            if page is not None and there is not None and not disputes.between(page, there, self.source.path):
                with suppress(FrontmatterError):
                    wiki = disputes.at_peace(wiki, one, other)
        return wiki

    @property
    def may_be_replaced(self) -> bool:
        """True where sentences stand of a statement that goes, or others stand against it."""
        pages = filter(None, map(self.wiki.page_at, self.claims))
        is_led = any(any(disputes.led(page)) for page in pages)
        return is_led or any(each.notes for found in self.claims.values() for each in found.values())

    def but_replaced(self, drafted: Wiki) -> Withdrawals:
        """These, with whole the statements that ``drafted`` puts others in the place of, though sentences of them stand;
        what stood against one stands against the one in its place.
        """
        claims = {path: dict(found) for path, found in self.claims.items()}
        held: dict[str, frozenset[str]] = {}
        for path, found in claims.items():
            page = drafted.page_at(path)
            if page is None:
                continue
            held[path] = frozenset(
                settled_wording(page, each.against)
                for each in disputes.led(page)
                if is_about(each.statement.text, editing.without_lead(each.against.text), names_of(page))
            )
            if any(each.notes for each in found.values()):
                said = {editing.words_of(without_marks(raw(page, block))) for block in page.outline.blocks}
                for words, each in found.items():
                    if each.notes and editing.words_of(without_marks(each.instead)) not in said:
                        found[words] = replace(each, instead="")
        return replace(self, claims=claims, held=held)

    def living(self, page: Page) -> Page:
        """The page as it will be: for those who ask what it says already."""
        return self._settled(page) if page.path in self.gone or page.path in self.claims else page

    def dead_in(self, page: Page, start: int, end: int) -> frozenset[str]:
        """The footnotes that prove nothing any more in this part of the page's body."""
        touched = [b for b in self._open_blocks(page) if b.start < end and start < b.end]
        dead = frozenset().union(*(self._dead(page, block) for block in touched))
        return dead & set(marks_in(page.body[start:end]))

    def _settled(self, page: Page) -> Page:
        newline, page = page.newline, page.with_newline("\n")
        was_cited = page.cites(self.source.path)
        going = [block for block in self._open_blocks(page) if self._goes(page, block)]
        page = self._without(page, going) if going else page
        body = page.body
        for block in reversed(self._open_blocks(page)):
            if labels := self._dead(page, block):
                body = body[: block.start] + without_marks(body[block.start : block.end], labels) + body[block.end :]
        body = footnote_edits.without_notes(body, self._labels(page))
        if body != page.body:
            page = page.with_body(body.rstrip("\n") + "\n")
        if was_cited and not page.cites(self.source.path):
            page = self._unlisted(page)
        return page.with_newline(newline)

    def _without(self, page: Page, going: list[Block]) -> Page:
        """``page`` without these blocks, and with what they stood in the place of, or before, as it was without them."""
        body, doomed = page.body, []
        held = self.held.get(page.path, frozenset())
        free = [block for block in disputes.freed(page, going) if settled_wording(page, block) not in held]
        for block in sorted((*going, *free), key=lambda block: block.start, reverse=True):
            found, text = self.of(page, block), body[block.start : block.end]
            if block in free:
                body = body[: block.start] + editing.without_lead(text) + body[block.end :]
            elif found is not None and found.instead:
                bullet = editing.BULLET.match(text)
                body = body[: block.start] + (bullet[0] if bullet else "") + found.instead + body[block.end :]
            else:
                doomed.append((block.kind, text))
        page = page.with_body(body)
        rest = [block for block in page.outline.blocks if (block.kind, body[block.start : block.end]) in doomed]
        return page.with_body(removal.without_blocks(body, rest)) if rest else page

    def _open_blocks(self, page: Page) -> list[Block]:
        """All blocks but footnotes, and but what is its user's own."""
        spans = removal.human_spans(page.body, page.outline.blocks)
        own = [block for block in page.outline.blocks if any(start <= block.start < end for start, end in spans)]
        return [block for block in page.outline.blocks if block.kind != "note" and block not in own]

    def _goes(self, page: Page, block: Block) -> bool:
        found, dead, cited = self.of(page, block), self._dead(page, block), set(block.citations)
        is_whole = found is not None and found.is_whole and found.cited >= cited
        return block.kind in CLAIMS and bool(dead) and (is_whole or dead >= cited)

    def _dead(self, page: Page, block: Block) -> frozenset[str]:
        found = self.of(page, block)
        dead = self.gone.get(page.path, frozenset()) | (found.labels if found is not None else frozenset())
        return dead & set(block.citations)

    def of(self, page: Page, block: Block) -> Withdrawal | None:
        """What is withdrawn of this claim."""
        known = self.claims.get(page.path, {})
        return known.get(settled_wording(page, block)) if known and block.kind in CLAIMS else None

    def _labels(self, page: Page) -> frozenset[str]:
        withdrawn = self.claims.get(page.path, {}).values()
        return self.gone.get(page.path, frozenset()).union(*({*each.labels, *each.notes} for each in withdrawn))

    def _unlisted(self, page: Page) -> Page:
        """The page without the source that it cites nowhere any more; its only one, or that of a summary, stays."""
        name = self.source.called_in(page.dialect)
        is_own = page.kind == "summary" and page.sources[:1] == (name,)
        others = [each for each in page.sources if each != name]
        return page.with_fields(sources=others) if others and not is_own else page


def settled_wording(page: Page, block: Block) -> str:
    """What a claim is known by, whatever lead a dispute has put before it."""
    return editing.without_lead(wording(page, block))
