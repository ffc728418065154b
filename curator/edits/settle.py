"""A contradiction that a person settles: which of two statements of a page stands (AIP-10, contradiction policy).

Nothing is dropped: the other one stays behind it with its proofs, and says that it is outweighed. Pure: a wiki in, a change
set out, which ``Repository.commit`` commits.
"""

from __future__ import annotations

from datetime import datetime

from curator.checks import rules
from curator.checks.rules.change import Change
from curator.edits.rename import known_page
from curator.errors import ConfigError, Rejected
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.system import clocks
from curator.system.text import shortened
from curator.wiki import disputes
from curator.wiki.disputes import OpenDispute, open_disputes, without_leads
from curator.wiki.pages import editing, positions
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki


def settle(transaction: Transaction, name: str, statement: str, now: datetime) -> ChangeSet:
    """The wiki in which ``statement`` of the page ``name`` stands, and what contradicts it there is outweighed.

    Pages that are marked as contradicting each other for that alone are so no more. Raises ConfigError, Rejected.
    """
    wiki = transaction.wiki
    page = known_page(wiki, name)
    dispute, stands = _found(page, statement)
    after = page.with_body(dispute.settled(page.body, stands))
    if "updated_at" in page.fields:
        after = after.with_fields(updated_at=clocks.utc_timestamp(now))
    done, at_peace = disputes.unmarked(wiki.with_page(after), page, after)
    _check(transaction, done, page.path, now)
    said = shortened(editing.without_lead(without_marks(stands.text)))
    bullets = (f"settled [[{page.slug}]]", f"it stands that: {said}", *(f"updated [[{slug}]]" for slug in at_peace))
    trailer = f"{history.SETTLED}: {page.slug}"
    return ChangeSet(done, transaction.manifest(), f"settle {page.slug}", bullets, (trailer,))


def _found(page: Page, statement: str) -> tuple[OpenDispute, Block]:
    """The contradiction that ``statement`` is a side of, and that side. Raises ConfigError."""
    spot = positions.find_passage(page.body, statement)
    block = positions.block_at(page.body, spot) if spot is not None else None
    if block is None:
        hint = "copy the words of one of the two statements as they stand on the page"
        raise ConfigError("statement_unknown", f"{statement!r} is not in {page.slug} in exactly one place", hint)
    sides = [dispute for dispute in open_disputes(page) if block in (dispute.statement, dispute.against)]
    if not sides:
        hint = f"curate settle is for two statements, the second of which begins with {editing.UNDECIDED!r}"
        raise ConfigError("dispute_none", f"nothing on {page.slug} contradicts {statement!r}", hint)
    return sides[0], block


def _check(transaction: Transaction, after: Wiki, path: str, now: datetime) -> None:
    """Raises Rejected where anything but the leads of the page at ``path`` has become another."""

    def bare(wiki: Wiki) -> Wiki:
        page = wiki.page_at(path)
        return wiki if page is None else wiki.with_page(without_leads(page))

    change = Change.of_nobody(transaction.policy(None), bare(transaction.wiki), bare(after), now)
    if found := [finding for rule in rules.MOVES for finding in rule(change)]:
        raise Rejected(found)
