"""Rules on what was proven before: who changes a block keeps what its old citations prove.

Words may be added to a statement and statements may be joined; what says otherwise is a dispute, and code writes that.
The title line of a page, the leads of disputes ("Earlier:") and the summaries of other sources are nobody's to reword.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, folded, wording
from curator.checks.rules.sizes import MAX_REMOVED_SHARE
from curator.finding import Finding
from curator.wiki.english.words import phrase
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import CLAIMS, is_navigation, lead_of, without_lead, words_of
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.support.judge import Judgement
from curator.wiki.support.rewording import lost
from curator.wiki.support.written import held_citations, judged, names_of, written_claims

ADVICE = "keep its words and add to them; dispute what the source says otherwise"


def proof_changed(change: Change) -> Iterator[Finding]:
    """proof_changed: where a citation of another source stays, all that it stood behind is still said there.

    Every word that tells something, every number, and nothing that turns it round. A kept statement keeps its links and the
    headings that it stands under ("Refuted ideas" says something of it), and a new one borrows no citation.
    """
    for edit in edits(change):
        for message in changed_proofs(edit, change.source.path, change.settled.get(edit.page.path, ())):
            yield Finding("proof_changed", edit.page.path, message, hint=ADVICE)


def proof_added(change: Change) -> Iterator[Finding]:
    """proof_added: a statement that was there gets another citation only where what is quoted says half of it.

    So too one that takes the place of others and says no more than they did: else any sentence would make it surer.
    """
    for edit in edits(change):
        held = held_citations(edit.page, change.evidence) if edit.old is not None else {}
        marked = {block: set(block.citations) - set(was.citations) for block, was in edit.kept_claims}
        for claim in written_claims(edit.page.body, edit.page.outline) if held else ():
            is_new = claim.block not in marked
            if not is_new and marked[claim.block].isdisjoint(held):
                continue
            lent, names = edit.lent(change.evidence) if is_new else (), names_of(edit.page)
            verdict = judged(claim, held, change.judge, names, lent, in_english=change.in_english)
            if verdict is None or verdict.findings:
                continue  # nothing is cited, or claim_unsupported tells it
            if not is_earned(verdict, claim.words, names, lent if is_new else (claim.words,)):
                message = f"what is cited says too little of {folded(claim.words)[:80]!r}"
                yield Finding("proof_added", edit.page.path, message, edit.line(claim.block))


def is_earned(verdict: Judgement, claim: str, names: Sequence[str], lent: Sequence[str]) -> bool:
    """True when what is cited says half of the telling words of ``claim``, or some that are not ``lent`` to it.

    Of another language than English nobody can tell.
    """
    if not lent or verdict.abstained:
        return True
    held = frozenset().union(*(phrase(text).stems for text in lent))
    quoted = frozenset().union(*(phrase(text).stems for text in verdict.passages))
    known = frozenset().union(*(phrase(text).stems for text in names))
    told = {word.stem for word in phrase(claim).words if word.is_content or word.is_number}
    if new := told - held - known:  # the page's own name is no word of the quote's
        return bool(new & quoted) or 2 * len((told - known) & quoted) >= len(told - known)
    return 2 * len(told & (quoted | known)) >= len(told)


def statements_lost(change: Change) -> Iterator[Finding]:
    """statements_lost: of what other sources say on a page, all ingests together take away or reword 30 % at most.

    That of the page's last 20 ingests counts. What people took away does not, nor what was put back, nor a statement
    that stands whole in a longer one.
    """
    for edit in edits(change):
        if edit.old is None or not (now := taken_away(edit.old, edit.page, change.source.path)):
            continue
        before = change.worn.get(edit.page.path, frozenset())
        proven = sum(
            any(_is_foreign(edit.old, label, change.source.path) for label in block.citations)
            for block in edit.old_claims.values()
        )
        allowed = math.ceil(MAX_REMOVED_SHARE * (proven + len(before)))
        if len(now | before) > allowed:
            message = (
                f"{len(now)} statements of other sources are reworded or lost, after {len(before)} by earlier ingests"
            )
            hint = f"at most {allowed} together: add a statement of its own, or dispute"
            yield Finding("statements_lost", edit.page.path, message, hint=hint)


def title_changed(change: Change) -> Iterator[Finding]:
    """title_changed: the title line of a page stays as it is."""
    for edit in edits(change):
        if edit.old is not None and title_lines(edit.old) != title_lines(edit.page):
            yield Finding("title_changed", edit.page.path, "its title line is code's: it stays as it is")


def summary_reworded(change: Change) -> Iterator[Finding]:
    """summary_reworded: the summary of another source says what it said: an ingest only adds links to it."""
    for edit in edits(change):
        if edit.old is None or not is_of_others(edit.old, change.source.called_in(edit.old.dialect)):
            continue
        kept = {was.start for _, was in edit.kept_claims}
        gone = [block for block in edit.old_claims.values() if block.start not in kept]
        if gone or any(not is_navigation(block) for block in edit.claims):
            message = "the summary of another source is not reworded, and says nothing of this one"
            yield Finding("summary_reworded", edit.page.path, message)


def lead_forged(change: Change) -> Iterator[Finding]:
    """lead_forged: "Earlier:" and the like stand only where code has settled a dispute in this ingest."""
    for edit in edits(change):
        settled = change.settled.get(edit.page.path, frozenset())
        for block in edit.page.outline.blocks:
            lead = lead_of(block.text)
            if lead and wording(edit.page, block) not in edit.old_claims and _told(block, lead) not in settled:
                message = f"no dispute of this ingest has put {lead!r} before: {folded(block.text)[:80]!r}"
                yield Finding("lead_forged", edit.page.path, message, edit.line(block))


def reworded(old: Page, page: Page, source: str) -> Finding | None:
    """The first thing that keeps ``page`` from taking the place of ``old``, for the author of one edit by ``source``."""
    if title_lines(old) != title_lines(page):
        return Finding("title_changed", old.path, "the title line of a page is code's: leave it out of the passage")
    message = next(changed_proofs(Edit(page, old), source), "")
    return Finding("proof_changed", old.path, message, hint=ADVICE) if message else None


def uncited_lost(edit: Edit) -> list[Block]:
    """The statements that cite nothing, a person's where ingests have to cite, of which not all is said any more."""
    kept = {was.start for _, was in edit.kept_claims}
    now = "\n\n".join(wording(edit.page, each) for each in edit.claims)
    return [
        block
        for words, block in edit.old_claims.items()
        if block.start not in kept and not block.citations and not is_navigation(block) and lost(words, now)
    ]


def changed_proofs(edit: Edit, source: str, settled: Collection[str] = ()) -> Iterator[str]:
    """What of one page is not proven as it was; the words of ``source``, the path of the one taken in, may change.

    A statement that code has ``settled`` keeps no lead.
    """
    old = edit.old
    if old is None:
        return
    kept = {was.start for _, was in edit.kept_claims}
    for words, block in edit.old_claims.items():
        marks = [] if block.start in kept else [label for label in block.citations if _is_foreign(old, label, source)]
        for label in dict.fromkeys(marks):
            now = "\n\n".join(wording(edit.page, each) for each in edit.claims if label in each.citations)
            told = bare if words_of(bare := without_lead(words)) in settled else words
            if fault := lost(told, now) if now else "nothing that cites it says so any more":
                yield f"[^{label}] proves {folded(words)[:80]!r}: {fault}"
                break
    replaced = {label for block in edit.old_claims.values() if block.start not in kept for label in block.citations}
    for block in edit.claims:
        borrowed = [each for each in block.citations if _is_foreign(old, each, source) and each not in replaced]
        if borrowed:
            yield f"[^{borrowed[0]}] proves nothing of {folded(block.text)[:80]!r}"
    for block, was in edit.kept_claims:
        leads = {(link.target, link.anchor) for link in edit.links_in(block)}
        before = {(link.target, link.anchor) for link in old.outline.links if was.start <= link.start < was.end}
        if was.citations and not before <= leads:
            yield f"a link of a kept statement leads elsewhere: {folded(block.text)[:80]!r}"
    yield from _moved(edit.page, old, source)


def _moved(page: Page, old: Page, source: str) -> Iterator[str]:
    """Statements of other sources that stand under other headings than any that their citations stood under before."""
    before: dict[str, set[tuple[str, ...]]] = {}
    for block, headings in _under_headings(old):
        for label in block.citations:
            before.setdefault(label, set()).add(headings)
    for block, headings in _under_headings(page):
        foreign = [label for label in block.citations if label in before and _is_foreign(old, label, source)]
        if foreign and not any(headings in before[label] for label in foreign):
            yield f"what [^{foreign[0]}] proves stands under another heading: {folded(block.text)[:80]!r}"


def _under_headings(page: Page) -> Iterator[tuple[Block, tuple[str, ...]]]:
    """Each claim block, with the headings that it stands under, outermost first."""
    above: list[Block] = []
    for block in page.outline.blocks:
        if block.kind == "heading":
            above = [*(each for each in above if each.level < block.level), block]
        elif block.kind in CLAIMS:
            yield block, tuple(folded(each.text) for each in above)


def taken_away(old: Page, page: Page, source: str) -> frozenset[str]:
    """The statements of ``old``, by their words, that rest on other sources than ``source`` and are not in ``page``."""
    edit = Edit(page, old)
    kept = {was.start for _, was in edit.kept_claims}
    now = [f" {words_of(wording(page, block))} " for block in edit.claims]
    return frozenset(
        words_of(words)
        for words, block in edit.old_claims.items()
        if block.start not in kept
        and any(_is_foreign(old, label, source) for label in block.citations)
        and not any(f" {words_of(without_lead(words))} " in text for text in now)
    )


def statements(page: Page) -> frozenset[str]:
    """All that ``page`` states, as ``taken_away`` tells it."""
    return frozenset(words_of(wording(page, block)) for block in page.outline.blocks if block.kind in CLAIMS)


def _is_foreign(page: Page, label: str, source: str) -> bool:
    return label in page.citations and page.citations[label].path != source


def title_lines(page: Page) -> list[str]:
    """What stands in the headings of level 1."""
    return [folded(block.text) for block in page.outline.headings if block.level == 1]


def is_of_others(page: Page, reference: str) -> bool:
    """True for a summary that does not list the source called ``reference``."""
    return page.kind == "summary" and bool(page.sources) and reference not in page.sources


def _told(block: Block, lead: str) -> str:
    return words_of(without_marks(block.text).strip()[len(lead) :])
