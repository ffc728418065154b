"""A source has changed: every citation of it, on every page, is proven again by the words that it has now.

A citation stands when its words are in the new text, wherever, and what is read there does not turn the claim: no word that
negates or bounds has come into their sentence, and a finding of ``curator.wiki.support`` counts unless the old text gave it
too. Where there is no old text to compare with (the wiki
commits no sources, or not in a format that is read as it is) each counts; but of a claim that rests on other sources as
well, only that a negation came between.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from curator.checks.rules.edits import raw, unmarked
from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.ingest.drafting.claims.footnote_labels import FootnoteLabels
from curator.ingest.drafting.withdrawals import Withdrawal, Withdrawals, settled_wording
from curator.ingest.drafting.withdrawals.framed_again import taken_back
from curator.ingest.drafting.withdrawals.standing_sentences import standing
from curator.ingest.drafting.withdrawals.withdrawn_heads import at_peace as is_at_peace
from curator.ingest.drafting.withdrawals.withdrawn_heads import names_gone
from curator.repository.history import TakenIn
from curator.system.text import shortened
from curator.wiki.pages import editing, footnote_edits, removal
from curator.wiki.pages.citation import Citation, mark, without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.near_words import TURNING
from curator.wiki.sources.source import Document, Source
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import PageEntry, Wiki

ReadSource = Callable[[str], Document | None]
"""The text of a source as it was taken in, by its path; None where that is not known."""
IngestsOf = Callable[[str], Iterable[TakenIn]]
"""What the last ingests made of the page at a path, newest first."""

_SIGNS = re.compile(r"[<>≤≥≠±%‰$€£¥°]")
"""What a comparison of words does not see, and a claim may hang by."""
_NEGATING = (
    TURNING
    - frozenset("must should shall may might can could all any every always more less before after above below".split())
    - frozenset("least most".split())
) | frozenset("nobody nothing until wrong false untrue incorrect obsolete formerly withdrawn rejected ~~".split())
"""Where one of these comes into a sentence, what is quoted of it may not be so any more."""
_TURNED = frozenset({"negation_turned", "quote_cut"})
_CODES = {True: "claim_withdrawn", False: "citation_withdrawn"}


def prove_again(
    wiki: Wiki, source: Source, judge: Judge, read: ReadSource, ingests_of: IngestsOf = lambda path: ()
) -> Withdrawals:
    """What the changed ``source`` still bears out on the pages of ``wiki``; ``judge`` knows its new text. ``ingests_of``
    gives the last versions of a page: what the source had made of a statement of others is taken back to that.
    """
    proving = _Proving(source, judge, read, ingests_of)
    cited = list(wiki.store.citing(source.path))
    gone: dict[str, frozenset[str]] = {}
    withdrawals: dict[str, dict[str, Withdrawal]] = {}
    kept: list[Finding] = []
    unreadable: list[Finding] = []
    for page in filter(None, map(wiki.page_at, cited)):
        proof = _PageProof.of(page.with_newline("\n"), proving)
        after = proof.page.with_newline(page.newline)
        if (proof.gone or proof.withdrawals or after != page) and (fault := _unreadable(page)) is not None:
            unreadable.append(fault)
            continue
        wiki = wiki.with_page(after) if after != page else wiki
        gone[page.path], withdrawals[page.path] = proof.gone, proof.withdrawals
        kept += proof.kept
    settles = {path: labels for path, labels in gone.items() if labels}
    found = Withdrawals(
        wiki,
        source,
        settles,
        {p: w for p, w in withdrawals.items() if w},
        tuple(kept),
        tuple(unreadable),
        pages=len(cited),
        before=proving.judge_of(source.path),
    )
    return _with_heads(found, proving, [path for path in cited if path not in {each.path for each in unreadable}])


def _with_heads(found: Withdrawals, proving: _Proving, cited: Sequence[str]) -> Withdrawals:
    """``found`` with what the source does not bear out any more in the heads of the pages that cite it."""
    path, wiki = found.source.path, found.wiki
    names: dict[str, tuple[str, ...]] = {}
    at_peace: dict[frozenset[str], tuple[str, str]] = {}
    for page in filter(None, map(wiki.page_at, cited)):
        if not page.is_readable:
            continue
        living = found.living(page)
        if gone := tuple(names_gone(living, path, proving.judge, proving.judge_of)):
            names[page.path] = gone
        for other in filter(None, map(wiki.page, page.contradicts)):
            pair = frozenset((page.path, other.path))
            if pair in at_peace or len(pair) < 2 or not other.is_readable:
                continue
            after = (living, found.living(other))
            if is_at_peace((page, other), after, path, proving.judge, proving.judge_of):
                at_peace[pair] = (page.path, other.path)
    return replace(found, names=names, at_peace=tuple(at_peace.values()))


@dataclass(frozen=True)
class _PageProof:
    """One page, proven again."""

    page: Page
    """With its footnotes where their words stand now."""
    gone: frozenset[str]
    withdrawals: dict[str, Withdrawal]
    kept: tuple[Finding, ...]

    @classmethod
    def of(cls, page: Page, proving: _Proving) -> _PageProof:
        mine = {label: citation for label, citation in page.citations.items() if citation.path == proving.source.path}
        again = {label: proving.again(citation) for label, citation in mine.items()}
        page = page.with_body(
            footnote_edits.parted(page.body, {label for label in mine if again[label] != mine[label]})
        )
        spans = removal.human_spans(page.body, page.outline.blocks)
        withdrawals: dict[str, Withdrawal] = {}
        kept: list[Finding] = []
        labels = FootnoteLabels(page, proving.source.stem)
        for block in page.outline.blocks:
            found = proving.claim(page, block, mine, again, labels)
            if found is None:
                continue
            if any(start <= block.start < end for start, end in spans):
                message = f"left in a block marked <!-- human -->: {found.finding.message}"
                kept.append(Finding("claim_unproven", page.path, message))
            else:
                twin = withdrawals.get(settled_wording(page, block), found)
                both = replace(found, labels=found.labels | twin.labels, cited=found.cited | twin.cited)
                withdrawals[settled_wording(page, block)] = both
        gone = frozenset(label for label, citation in again.items() if citation is None)
        page = _with_anchors(page, again, spans)
        notes = [labels.new_notes[label] for each in withdrawals.values() for label in each.notes]
        return cls(page.with_body(footnote_edits.add_notes(page.body, notes)), gone, withdrawals, tuple(kept))


def _with_anchors(page: Page, again: Mapping[str, Citation | None], spans: Sequence[tuple[int, int]]) -> Page:
    """The page with the footnotes that stand elsewhere, or in other words, written anew."""
    body = page.body
    for block in reversed(page.outline.blocks):
        new = again.get(block.info) if block.kind == "note" else None
        is_own = any(start <= block.start < end for start, end in spans)
        if new is not None and not is_own and new != page.citations[block.info]:
            body = body[: block.start] + new.definition(block.info) + body[block.end :]
    return page.with_body(body) if body != page.body else page


@dataclass
class _Proving:
    """The old and the new text of a source, asked by one page after the other."""

    source: Source
    judge: Judge
    read: ReadSource
    ingests_of: IngestsOf
    before: dict[str, list[Page]] = field(default_factory=dict)
    judges: dict[str, Judge | None] = field(default_factory=dict)
    """Of the sources as they were taken in, by path."""

    def again(self, citation: Citation) -> Citation | None:
        """The citation where its words stand now, as the source writes them; None where they stand nowhere."""
        if self.judge.evidence.repeats(citation):
            return citation
        found = self.judge.evidence.locate(citation.quote)
        if found is None or _SIGNS.findall(found.quote) != _SIGNS.findall(citation.quote):
            return None
        return found

    def claim(
        self,
        page: Page,
        block: Block,
        mine: Mapping[str, Citation],
        again: Mapping[str, Citation | None],
        new_labels: FootnoteLabels,
    ) -> Withdrawal | None:
        """What of a block is not borne out any more; None for nothing."""
        labels = [label for label in dict.fromkeys(block.citations) if label in mine]
        if not labels or block.kind not in CLAIMS:
            return None
        claim = _CitedClaim(
            unmarked(raw(page, block)),
            PageEntry.of(page).names if page.is_readable else (),
            tuple(page.citations.get(label) for label in block.citations if label not in mine),
        )
        dead = frozenset(label for label in labels if again[label] is None)
        said = [f'no longer says "{mine[label].quote}"' for label in labels if label in dead]
        standing = [new for label in labels if (new := again[label]) is not None]
        if standing and (turned := self._turned(claim, standing, [mine[label] for label in labels])):
            dead = frozenset(labels)
            said.append(f"does not bear it out any more: {turned}")
        if not dead:
            return None
        is_turned = len(said) > sum(again[label] is None for label in labels)
        instead = self._before(page, block, labels) if dead == set(labels) else ""
        notes: dict[str, Citation] = {}
        if not instead and dead == set(block.citations) and block.kind != "row" and not is_turned:
            instead, notes = self._standing(page, block, claim, [mine[label] for label in labels], new_labels)
        is_whole = dead == set(labels) and (bool(instead) or not self._is_borne_out(claim))
        shown = shortened(settled_wording(page, block))
        shown = shown if is_whole else f"a proof of {shown}"
        message = f"{shown} ({self.source.path} {said[0]})"
        stays = "of it stays" if notes else "it is as it was"
        message += f"; {stays}: {shortened(unmarked(instead))}" if instead else ""
        finding = Finding(_CODES[is_whole], page.path, message)
        return Withdrawal(dead, frozenset(block.citations), is_whole, finding, instead, notes)

    def _standing(
        self, page: Page, block: Block, claim: _CitedClaim, old: Sequence[Citation], new_labels: FootnoteLabels
    ) -> tuple[str, dict[str, Citation]]:
        """The sentences of ``block`` that stand, with their marks, and the footnotes of these."""
        text = editing.without_bullet(editing.without_lead(without_marks(raw(page, block))))
        found = standing(text, [each.quote for each in old], self.judge, claim.names)
        if found is None or self._turned(replace(claim, text=found.text), found.citations, old):
            return "", {}
        notes = {new_labels.label(each): each for each in found.citations}
        marks = "".join(f" {mark(label)}" for label in notes)
        return found.text + marks, {label: each for label, each in notes.items() if label not in page.citations}

    def _before(self, page: Page, block: Block, mine: Collection[str]) -> str:
        """What the others that ``block`` cites said there before this source put its words into it; empty for nothing, and
        where it has put in none.
        """
        cited = {label: page.citations[label] for label in block.citations if label in page.citations}
        others = {(label, each.path, each.quote) for label, each in cited.items() if label not in mine}
        for old in self._pages_before(page.path) if others else ():
            for each in old.outline.blocks:
                known = {
                    (n, old.citations[n].path, old.citations[n].quote) for n in each.citations if n in old.citations
                }
                is_other = settled_wording(old, each) != settled_wording(page, block)
                if each.kind == block.kind and known == others and is_other:
                    return editing.without_bullet(editing.without_lead(raw(old, each)))
        return ""

    def _pages_before(self, path: str) -> list[Page]:
        """The page as it was before each of the last ingests of this source, newest first."""
        if path not in self.before:
            own = (taken for taken in self.ingests_of(path) if taken.source == self.source.path)
            self.before[path] = [Page(path, taken.before).with_newline("\n") for taken in own]
        return self.before[path]

    def _turned(self, claim: _CitedClaim, cited: Sequence[Citation], old: Sequence[Citation]) -> str:
        """What the new text has against a claim, and the old one had not; empty for nothing."""
        quotes, judge = [each.quote for each in cited], self.judge_of(self.source.path)
        now = self.judge.judge(claim.text, quotes, claim.names)
        found = now.findings
        if judge is not None:
            if framed := taken_back(self.judge, judge, cited, old):
                return framed
            before = judge.judge(claim.text, [each.quote for each in old], claim.names)
            if _negations(now.passages) - _negations([*before.passages, claim.text]):
                return f'it says now "{" ".join(now.passages)}"'
            known = {finding.code for finding in before.findings}
            found = tuple(finding for finding in found if finding.code not in known)
        elif claim.others:
            found = tuple(finding for finding in found if finding.code in _TURNED)
        return next((finding.message for finding in found if not finding.code.startswith("quote_too")), "")

    def _is_borne_out(self, claim: _CitedClaim) -> bool:
        """True when another of the sources that a claim cites states it; one that cannot be looked at gets the benefit."""
        quotes: dict[str, list[str]] = {}
        for citation in claim.others:
            if citation is None:
                return True
            quotes.setdefault(citation.path, []).append(citation.quote)
        judges = {path: self.judge_of(path) for path in quotes}
        return any(
            judge is None or judge.judge(claim.text, quotes[path], claim.names).supported
            for path, judge in judges.items()
        )

    def judge_of(self, path: str) -> Judge | None:
        if path not in self.judges:
            document = self.read(path)
            self.judges[path] = Judge(Evidence(path, document)) if document is not None else None
        return self.judges[path]


@dataclass(frozen=True)
class _CitedClaim:
    """A block as it is judged."""

    text: str
    names: tuple[str, ...]
    """Of its page."""
    others: tuple[Citation | None, ...]
    """What it cites besides; None for a footnote that is no citation of a source."""


def _negations(passages: Sequence[str]) -> Counter[str]:
    """The words, and the marks of what is struck out, that may take back what stands beside them."""
    text = " ".join(passages).casefold().replace("'", "").replace("’", "")
    return Counter(word for word in re.findall(r"\w+|~~", text) if word in _NEGATING)


def _unreadable(page: Page) -> Finding | None:
    try:
        _ = page.fields
    except FrontmatterError as error:
        message = f"it cites a source that has changed, and its head cannot be read: {error.message}"
        return Finding("frontmatter_unreadable", page.path, message)
    return None
