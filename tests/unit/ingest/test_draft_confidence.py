"""How sure a draft makes its pages: by the registry, and never surer than a model or a person said."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from curator.ingest.drafting import draft
from curator.ingest.drafting.drafted import DraftContext
from curator.models.proposal import Add, Claim, Create, Dispute, Mark, Operation, Proposal
from curator.wiki.pages.page import Page
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Source, SourceRemarks
from curator.wiki.support.judge import Judge
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import NOW, claim, page, source, wiki

OLD = "sources/old.txt"
TEXT = """Tea is a hot drink made of leaves.
Green tea is not fermented at all.

Tea contradicts and replaces the cup. This replaces what was said of old. All of it may be wrong of tea.
"""
QUOTES = ("Tea contradicts and replaces the cup", "This replaces what was said of old", "All of it may be wrong of tea")
HOT = claim("Tea is hot.", "Tea is a hot drink")
SUMMARY = Create(op="create", kind="summary", title="On tea", body=(HOT,))
ADDED = Add(op="add", page="tea", body=(HOT,))
TEA = page("tea", f'Tea is cold. [^old-1]\n\n[^old-1]: {OLD}#L1 "tea is cold as ice"\n')


def taken(path: str = "sources/tea.txt", authority: str = "secondary", text: str = TEXT, digest: str = "ff") -> Source:
    found = source(text, path, authority)
    return Source(found.path, f"sha256:{digest}", found.document, authority=authority)


def page_after(
    *operations: Operation,
    old: Page = TEA,
    new: Source | None = None,
    slug: str = "tea",
    now: datetime = NOW,
    resolution: str = "defer",
    others: tuple[Page, ...] = (),
    **record: str,
) -> Page:
    """What becomes of a page that rests on one source, of which the registry says ``record``."""
    new = new or taken()
    known = SourceWeights(SourceManifest({OLD: Record("aa", ("tea",), **record)}))  # type: ignore[arg-type]
    policy = CurationPolicy(conflict_resolution=resolution)
    setting = DraftContext(new, Judge(Evidence(new.path, new.document)), policy, now, known)
    found = draft.draft(Proposal(operations=operations), wiki(old, *others), setting)
    assert found.broken == ()
    after = found.wiki.page(slug)
    assert after is not None
    return after


@pytest.mark.parametrize(
    ("authority", "text", "wanted"),
    [
        ("primary", TEXT, 0.8),
        ("secondary", TEXT, 0.7),
        ("rumour", TEXT, 0.4),
        ("primary", f"Date: 2020-01-01\n{TEXT}", 0.78),
        ("primary", f"Date: 2001-01-01\n{TEXT}", 0.75),
    ],
)
def test_a_new_page_is_as_sure_as_its_source_allows(authority: str, text: str, wanted: float) -> None:
    assert page_after(SUMMARY, new=taken(authority=authority, text=text), slug="tea-summary").confidence == wanted


@pytest.mark.parametrize(
    ("record", "new", "said", "wanted"),
    [
        ({}, taken(), 0.7, 0.75),
        ({"authority": "rumour"}, taken(), 0.4, 0.7),
        ({"authority": "primary"}, taken(), 0.8, 0.85),
        ({"authority": "primary"}, taken(authority="rumour"), 0.8, 0.8),
        ({"superseded_by": "new"}, taken(), 0.7, 0.7),
        ({}, taken(digest="aa"), 0.7, 0.7),
        ({}, taken("sources/old.md"), 0.7, 0.7),
        ({}, taken(OLD, digest="bb"), 0.7, 0.7),
        ({"captured_at": "2010-01-01T00:00:00Z"}, taken(OLD, digest="bb"), 0.5, 0.5),
        ({}, taken(), 0.5, 0.55),
        ({}, taken(), 0.93, 0.93),
    ],
)
def test_a_page_grows_surer_by_independent_sources_alone(
    record: dict[str, str], new: Source, said: float, wanted: float
) -> None:
    assert page_after(ADDED, old=TEA.with_fields(confidence=said), new=new, **record).confidence == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(("relation", "wanted"), [("contradicts", 0.6), ("supersedes", 0.65)])
def test_a_change_without_a_new_source_may_only_lower_the_figure(relation: str, wanted: float) -> None:
    mark = Mark.model_validate({"op": "mark", "page": "tea", relation: ("cup",), "quotes": QUOTES})

    assert page_after(mark, others=(page("cup"),), captured_at="2010-01-01T00:00:00Z").confidence == wanted


@pytest.mark.parametrize(("doubt", "wanted"), [(0.2, 0.5), (0.69, 0.69), (0.9, 0.75), (1.0, 0.75)])
@pytest.mark.parametrize("first", [True, False])
def test_a_model_only_ever_lowers_the_figure(doubt: float, wanted: float, first: bool) -> None:
    mark = Mark(op="mark", page="tea", confidence=doubt, quotes=QUOTES)

    assert page_after(*((mark, ADDED) if first else (ADDED, mark))).confidence == wanted


@pytest.mark.parametrize(("was", "wanted"), [(0.7, 0.5), (0.55, 0.5), (0.5, 0.5), (0.3, 0.3)])
def test_doubts_of_several_sources_lower_a_page_no_further_than_that_of_one(was: float, wanted: float) -> None:
    mark = Mark(op="mark", page="tea", confidence=0.1, quotes=QUOTES)

    assert page_after(mark, old=TEA.with_fields(confidence=was)).confidence == wanted


@pytest.mark.parametrize(("doubt", "wanted"), [(0.2, 0.2), (0.9, 0.7)])
def test_a_model_only_ever_lowers_the_figure_of_a_new_page(doubt: float, wanted: float) -> None:
    mark = Mark(op="mark", page="tea-summary", confidence=doubt, quotes=QUOTES)

    assert page_after(SUMMARY, mark, slug="tea-summary").confidence == wanted


def test_a_figure_that_stays_is_written_as_it_was() -> None:
    old = Page(TEA.path, TEA.text.replace("confidence: 0.7", "confidence: 0.700 # mine"))

    assert "confidence: 0.700 # mine\n" in page_after(ADDED, old=old, new=taken(digest="aa")).text


def test_a_page_without_a_figure_gets_none() -> None:
    old = Page(TEA.path, TEA.text.replace("confidence: 0.7\n", ""))

    assert "confidence" not in page_after(ADDED, old=old).fields


def test_the_source_that_is_superseded_just_now_counts_no_more() -> None:
    other = page("old", "Of old.", kind="summary", sources=[OLD])
    mark = Mark(op="mark", page="tea-summary", supersedes=("old",), quotes=QUOTES)

    assert page_after(SUMMARY, mark, ADDED, others=(other,)).confidence == 0.7


def test_a_source_that_somebody_says_it_supersedes_counts_no_more() -> None:
    assert page_after(ADDED, new=replace(taken(), remarks=SourceRemarks(supersedes=(OLD,)))).confidence == 0.7


@pytest.mark.parametrize(
    ("authority", "new", "current"),
    [
        ("secondary", "primary", "first"),
        ("primary", "secondary", "last"),
        ("rumour", "secondary", "first"),
        ("secondary", "secondary", "open"),
    ],
)
def test_authority_settles_a_dispute(authority: str, new: str, current: str) -> None:
    said: Claim = claim("Tea is hot, not cold.", "Tea is a hot drink")
    dispute = Dispute(op="dispute", page="tea", passage="Tea is cold.", claim=said)

    after = page_after(SUMMARY, dispute, new=taken(authority=new), resolution="authority", authority=authority)

    leads = {
        "first": "Earlier: Tea is cold.",
        "last": "now outweighed: Tea is hot",
        "open": "Sources disagree; another says: Tea is hot",
    }
    assert leads[current] in after.body
    assert bool(after.contradicts) is (current == "open")
