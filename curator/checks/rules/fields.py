"""Rules on what an edit may change in a page's frontmatter (research F4 to F6).

Of an old page curator writes ``sources``, ``confidence``, ``updated_at``, the relations and its own aliases; every other
field, and every other vendor's metadata, stays as its owner wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits
from curator.finding import Finding
from curator.wiki.confidence import ALONE, MOST
from curator.wiki.disputes import open_disputes, sources_of
from curator.wiki.pages.aliases import FLAT, owners
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import without_lead, words_of
from curator.wiki.pages.page import Page

MAX_CONFIDENCE_OF_NEW = max(MOST.values())
MAX_RISE = 0.2
RELATIONS = ("contradicts", "supersedes")
WRITTEN = frozenset({"sources", "confidence", "updated_at", *RELATIONS})
_ROUNDING = 1e-9


def changed(change: Change) -> Iterator[Finding]:
    """field_changed (F6): title, slug, kind, id, created and all that curator does not write stay as they are."""
    for edit in edits(change):
        if edit.old is None:
            continue
        old, new = _foreign(edit.old), _foreign(edit.page)
        for key in sorted(key for key in {*old, *new} if old.get(key) != new.get(key)):
            yield Finding("field_changed", edit.page.path, f"{key}: not for an ingest to change")


def confidence(change: Change) -> Iterator[Finding]:
    """confidence_invalid (F5): a number from 0 to 1."""
    for edit in edits(change):
        found = edit.page.fields.get("confidence", 1.0)
        if edit.old is not None and found == edit.old.fields.get("confidence", 1.0):
            continue
        if not isinstance(found, (int, float)) or isinstance(found, bool) or not 0 <= found <= 1:
            yield Finding("confidence_invalid", edit.page.path, f"confidence: {found!r} is no number from 0 to 1")


def confidence_raised(change: Change) -> Iterator[Finding]:
    """confidence_raised (F5): one source makes nothing certain: at most 0.95 on a new page; on an old one 0.2 more, or what
    this source alone would give a new one; and nothing where the page has no statement of this source. What a dispute alone
    had taken comes back when it is settled.
    """
    for edit in edits(change):
        found = edit.page.confidence
        alone = ALONE.get(change.source.authority, 0.0)
        allowed = MAX_CONFIDENCE_OF_NEW if edit.old is None else max(edit.old.confidence + MAX_RISE, alone)
        if edit.old is not None and edit.old.contradicts and not edit.page.contradicts:
            # What the dispute alone took comes back; relation_lost tells whether it may.
            allowed = MAX_CONFIDENCE_OF_NEW
        elif edit.old is not None and not _speaks_in(change, edit):
            allowed = edit.old.confidence
        if found > allowed + _ROUNDING:
            yield Finding("confidence_raised", edit.page.path, f"confidence: {found} is more than {allowed:.2f}")


def source_lost(change: Change) -> Iterator[Finding]:
    """source_lost (F4): an edit drops none of a page's sources."""
    for edit in edits(change):
        for source in edit.old.sources if edit.old else ():
            if source not in edit.page.sources:
                yield Finding("source_lost", edit.page.path, f"sources: {source} is dropped")


def source_unlisted(change: Change) -> Iterator[Finding]:
    """source_unlisted (F4): a page lists the source that it cites, and a new page the one it was written from."""
    for edit in edits(change):
        reference = change.source.called_in(edit.page.dialect)
        if reference not in edit.page.sources and (edit.old is None or edit.page.cites(change.source.path)):
            yield Finding("source_unlisted", edit.page.path, f"sources: {reference} is not among them")


def source_uncited(change: Change) -> Iterator[Finding]:
    """source_uncited (F4): a page comes to list the source taken in only where a statement of it cites that source."""
    for edit in edits(change):
        reference = change.source.called_in(edit.page.dialect)
        is_new = reference in edit.page.sources and (edit.old is None or reference not in edit.old.sources)
        if is_new and not _speaks_in(change, edit):
            message = f"sources: {reference} is listed, and no statement of the page cites it"
            yield Finding("source_uncited", edit.page.path, message)


def source_unknown(change: Change) -> Iterator[Finding]:
    """source_unknown (F4): the only source an ingest adds is its own."""
    for edit in edits(change):
        known = {change.source.called_in(edit.page.dialect), *(edit.old.sources if edit.old else ())}
        for source in edit.page.sources:
            if source not in known:
                yield Finding("source_unknown", edit.page.path, f"sources: {source} is not the source taken in")


def relation_lost(change: Change) -> Iterator[Finding]:
    """relation_lost: what a page contradicts or supersedes, and its other names, are only added to.

    Two pages contradict each other no more when code has settled in this ingest what they contradicted each other for.
    """
    for edit in edits(change):
        if edit.old is None:
            continue
        for key in (*RELATIONS, "aliases"):
            for name in getattr(edit.old, key):
                if name not in getattr(edit.page, key) and not (
                    key == "contradicts" and _is_settled(change, edit, name)
                ):
                    yield Finding("relation_lost", edit.page.path, f"{key}: {name} is dropped")


def _is_settled(change: Change, edit: Edit, slug: str) -> bool:
    """True when all that one of the two had open by the other's source stands behind a lead that code has put there now."""
    own, other = change.before.page_at(edit.page.path), change.before.page(slug)
    for page, there in ((own, other), (other, own)):
        if page is not None and there is not None and there.kind == "summary":
            cited = {citation.path for citation in there.citations.values()}
            against = [each.against for each in open_disputes(page) if sources_of(page, each.against) & cited]
            said = {words_of(without_marks(without_lead(each.text))) for each in against}
            if said and said <= change.settled.get(page.path, frozenset()):
                return True
    return False


def _foreign(page: Page) -> dict[str, Any]:
    """What curator does not write: unknown fields and metadata included, its own aliases not."""
    kept = {key: value for key, value in page.fields.items() if key not in {*WRITTEN, "metadata", FLAT}}
    kept |= {FLAT: names} if (names := owners(page)) else {}
    metadata = page.fields.get("metadata", {})
    if not isinstance(metadata, dict):
        return {**kept, "metadata": metadata}
    kept.update({f"metadata.{key}": value for key, value in metadata.items() if key != "curator"})
    ours = metadata.get("curator", {})
    if not isinstance(ours, dict):
        return {**kept, "metadata.curator": ours}
    return {**kept, **{f"metadata.curator.{key}": value for key, value in ours.items() if key != "aliases"}}


def _speaks_in(change: Change, edit: Edit) -> bool:
    """True when the page has a statement of the source taken in: one that cites it, or a new one where none has to."""
    return edit.page.cites(change.source.path) or (change.policy.grounding != "required" and bool(edit.claims))
