"""What is added to a page and takes back, in its words, what another source says there: it is a dispute of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.models.extractive.reversals import Reversals, taken_back
from curator.models.proposal import MAX_QUOTES, Claim, Dispute
from curator.wiki.pages import editing
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.page import Page
from curator.wiki.support.written import names_of


def disputes(page: Page, body: Sequence[Claim], source: str) -> Iterator[Dispute]:
    """One for each statement of ``page`` that a claim of ``body`` takes back and ``source`` itself does not make."""
    changes = Reversals([editing.without_bullet(without_marks(claim.text)) for claim in body]).about(names_of(page))
    own = {label for label, citation in page.citations.items() if citation.path == source}
    for block in page.outline.blocks if changes and page.kind != "summary" else ():
        is_others = block.kind in ("paragraph", "item") and own.isdisjoint(block.citations)
        at = taken_back(without_marks(block.text), changes) if is_others and not editing.lead_of(block.text) else -1
        passage = editing.without_bullet(page.body[block.start : block.end]).strip()
        if at >= 0 and page.body.count(passage) == 1:
            alike = [claim for claim in body if claim.text == body[at].text]
            quotes = tuple(dict.fromkeys(quote for claim in alike for quote in claim.quotes))[:MAX_QUOTES]
            claim = Claim(text=body[at].text, quotes=quotes)
            yield Dispute(op="dispute", page=page.slug, passage=passage, claim=claim)
