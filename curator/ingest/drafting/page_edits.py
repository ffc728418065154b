"""What claims make of one page: a new one is filled, a section grows, a passage is replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curator.checks.rules import frames, proofs, sizes
from curator.checks.rules.edits import Edit
from curator.finding import Finding
from curator.ingest.drafting import naming
from curator.ingest.drafting.claims import writer as claims
from curator.ingest.drafting.claims.said import gist, is_said
from curator.ingest.drafting.withdrawals import Withdrawals
from curator.models.proposal import Claim, Replace
from curator.system.text import shortened
from curator.wiki import placing
from curator.wiki.pages import editing, footnote_edits, positions, tables, timeline
from curator.wiki.pages.citation import mark, marks_in, without_marks
from curator.wiki.pages.editing import Position
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.wiki import Wiki

_HEAD_BYTES = 500
"""Room for what code writes into the head of a page afterwards."""


class DoesNotFit(Exception):
    """An operation that fits nowhere, with a stable code: nothing is done of it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True)
class PageEdits:
    """Edits pages for one source. What has no ground in it is left out, and listed by ``writer``."""

    writer: claims.ClaimWriter
    naming: naming.Names
    names: Wiki
    """Knows every page that a link may go to."""
    withdrawals: Withdrawals

    def filled(self, page: Page, body: Sequence[Claim]) -> Page | None:
        """A new page with ``body`` below its title; None when nothing is left of that."""
        fresh = [claim for claim in body if not (claims.is_heading(claim) and _is_title(claim, page))]
        blocks, notes = self.writer.write(page, fresh, self.names)
        if not blocks:
            return None
        text = f"{page.body.rstrip()}\n\n{editing.join(timeline.in_order(page.kind, blocks))}\n"
        return page.with_body(footnote_edits.add_notes(text, notes))

    def extended(self, page: Page, section: str, body: Sequence[Claim]) -> Page:
        """``page`` with ``body`` in a section, or where it belongs; what it says already is not said again."""
        known = self.withdrawals.living(page)
        is_new = section and editing.end_of_section(page.body, section) is None
        below = "\n".join(claim.text for claim in body)
        if is_new and (fault := self.naming.label_fault(section, page, self.names, below=below)):
            self.writer.left_out.append(fault)
            section = ""
        said = (each for each in body if is_said(each.text, known) or placing.repeats_opening(known, each.text))
        gone = [each for each in said if not claims.is_heading(each)]
        fresh = [claim for claim in body if claim not in gone]
        if page.kind in DERIVED:
            text, blocks, notes = self._placed(page, section, fresh)
        else:
            text = page.body
            blocks, notes = self.writer.write(page, fresh, self.names, section=section)
            blocks = _unsaid(blocks, tables.tables(known.body))
            notes = _cited(notes, blocks)
        if blocks and (section or page.kind in DERIVED):
            text = _appended(text, section, blocks)
        elif blocks:
            text = placing.with_additions(page, blocks)
        if text == page.body:
            return page
        after = page.with_body(footnote_edits.add_notes(text, notes))
        return self._unframed(page, after, _room_fault(page, after, self.writer.source.path))

    def _placed(self, page: Page, section: str, body: Sequence[Claim]) -> tuple[str, list[str], list[str]]:
        """The text with what has a place in it by date or by table, the blocks that have none, the footnotes of all."""
        known = tables.tables(page.body)
        headed = [claim.model_copy(update={"text": tables.with_head(claim.text, known)}) for claim in body]
        self.writer.places.update((new, self.writer.places.get(old, ())) for new, old in zip(headed, body, strict=True))
        heads = " ".join(cell for table in known for cell in table.head) if headed != list(body) else ""
        blocks, notes = self.writer.write(page, headed, self.names, passage=heads)
        living = self.withdrawals.living(page)
        fresh = [b for b in timeline.in_order(page.kind, blocks) if b.startswith("#") or not is_said(b, living)]
        text, rest = timeline.placed(page.kind, page.body, fresh, section)
        rest = _unsaid(rest, tables.tables(living.body))
        return text, rest, _cited(notes, [text, *rest])

    def replaced(self, page: Page, operation: Replace) -> Page:
        """``page`` with new claims in the place of a passage. Raises DoesNotFit: passage_not_found, citation_lost.

        What cites nothing there is a person's, and stands above them still unless they say all of it.
        """
        spot = _spot_of(page, operation.passage)
        old = page.body[spot.start : spot.end]
        blocks, notes = self.writer.write(page, operation.body, self.names, passage=old)
        if not blocks:
            return page
        gone = self.withdrawals.dead_in(page, spot.start, spot.end)
        new = without_marks(editing.fitted(editing.join(blocks), page.body, spot), gone)
        lost = [label for label in marks_in(old) if label not in gone and mark(label) not in new]
        if lost:
            message = f"the new text drops {', '.join(map(mark, lost))} of the passage"
            raise DoesNotFit("citation_lost", message)
        after = page.with_body(page.body[: spot.start] + new + page.body[spot.end :])
        if self.writer.policy.grounding == "required" and (kept := proofs.uncited_lost(Edit(after, page))):
            at = page.body.rfind("\n", 0, spot.start) + 1
            after = page.with_body(_above(page, at, kept) + page.body[at : spot.start] + new + page.body[spot.end :])
        after = page.with_body(footnote_edits.add_notes(footnote_edits.without_notes(after.body, gone), notes))
        fault = proofs.reworded(page, after, self.writer.source.path)
        return self._unframed(page, after, fault)

    def _unframed(self, page: Page, after: Page, fault: Finding | None = None) -> Page:
        """``after``, or ``page`` where there is a fault, or new words turn what others say there."""
        if fault := fault or frames.frame_fault(page, after, self.writer.source.path):
            self.writer.left_out.append(fault)
            return page
        return after


def _above(page: Page, at: int, kept: Sequence[Block]) -> str:
    """The text of ``page`` up to ``at`` with the blocks ``kept`` behind it."""
    text = page.body[:at]
    for block in kept:
        line = page.body.rfind("\n", 0, block.start) + 1
        text += page.body[line : block.end] + ("\n" if block.kind in ("item", "row") else "\n\n")
    return text


def block_with(page: Page, passage: str) -> Block:
    """The block that a passage stands in. Raises DoesNotFit (passage_not_found) unless it is in one, once."""
    block = positions.block_at(page.body, _spot_of(page, passage))
    if block is None:
        raise _not_found(page, passage)
    return block


def _spot_of(page: Page, passage: str) -> Position:
    spot = positions.find_passage(page.body, passage)
    if spot is None:
        raise _not_found(page, passage)
    return spot


def _not_found(page: Page, passage: str) -> DoesNotFit:
    message = f"the passage is not in {page.slug!r} in exactly one place: {shortened(passage)}"
    return DoesNotFit("passage_not_found", message)


def _room_fault(page: Page, after: Page, source: str) -> Finding | None:
    """A page that is full costs a source what it would have added there, and no more."""
    size = len(after.text.encode())
    if size <= sizes.MAX_PAGE_BYTES - _HEAD_BYTES:
        return None
    message = f"{page.slug} would have {size:,} bytes; a page has at most {sizes.MAX_PAGE_BYTES:,}"
    return Finding("page_full", source, message, hint="give a part of its subject a page of its own")


def _is_title(claim: Claim, page: Page) -> bool:
    return gist(claim.text) == gist(page.title)


def _unsaid(blocks: Sequence[str], known: Sequence[tables.Table]) -> list[str]:
    """``blocks`` without the rows that a ``known`` table has, which keep their marks there, and with nothing empty."""
    return editing.without_empty_sections([left for each in blocks if (left := tables.without_rows(each, known))])


def _cited(notes: Sequence[str], blocks: Sequence[str]) -> list[str]:
    """The footnotes whose marks stand in ``blocks``."""
    written = "\n".join(blocks)
    return [note for note in notes if note.partition(":")[0] in written]


def _appended(text: str, section: str, blocks: list[str]) -> str:
    """``text`` with ``blocks`` at the end of a section, which is made if there is none, or at its own end."""
    at = editing.end_of_section(text, section) if section else None
    if section and at is None:
        blocks = [claims.heading(f"## {section}"), *blocks]
    return editing.insert(text, editing.end_of_text(text) if at is None else at, editing.join(blocks))
