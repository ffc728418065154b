"""Pages are regrouped only as the source's own names bear out: each refusal with its rule, and a few for a source."""

from __future__ import annotations

from typing import Any

import pytest

from curator.checks.rules.moves import MOST_MERGED, MOST_MOVED
from curator.ingest.drafting import draft as drafting
from curator.ingest.drafting.drafted import Draft, DraftContext
from curator.ingest.drafting.regroup import regrouped
from curator.models.proposal import Claim, Create, Merge, Move, Operation, Proposal, Rename
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import NOW, page, source, wiki

TEXT = """Logs

The write-ahead log (WAL) is written first. A journal, also called rollback log, is written before it.
Checkpoints are run by Ada Berg. A snapshot, also known as image, is a copy. A savepoint, also called mark, is set.
The page cache is small. Mount Berg is high. Berg climbs.
"""
NOTE = '[^old-1]: sources/old.txt#L1 "words"\n'


def of(slug: str, *statements: str, **fields: Any) -> Page:
    body = "\n\n".join(s if s.startswith("#") else f"{s} [^old-1]" for s in statements)
    return page(slug, f"{body}\n\n{NOTE}", **fields)


LOG = of("write-ahead-log", "A write-ahead log is a file.", title="Write-ahead log")
WAL = of("wal", "The WAL grows.", title="WAL")
CHECKPOINT = of("checkpoint", "A checkpoint copies changes.")
CACHE = of(
    "cache",
    "A cache is memory.",
    "A checkpoint empties the cache.",
    "It fills again.",
    "Checkpoints are rare.",
    "## Refuted ideas",
    "A checkpoint is a cache.",
    "## Details",
    "The cache has checkpoints.",
    "Every checkpoint is told to it.",
    "Contradicted: A checkpoint is slow.",
)


def done(base: Wiki, *operations: Operation, text: str = TEXT) -> Draft:
    taken = source(text)
    context = DraftContext(taken, Judge(Evidence(taken.path, taken.document)), CurationPolicy(), NOW)
    proposal = Proposal(operations=operations)
    return regrouped(drafting.draft(proposal, base, context), proposal, context)


def merge(page: str, other: str) -> Merge:
    return Merge(op="merge", page=page, other=other)


GROUP = (
    "# Node.js Release Working Group\n\nThe Release working group's purpose is this. It is the Release working group.\n"
)
GOVERNED = "# Release Working Group\n\nThe Node.js Release Working Group (WG) maintains oversight.\n"


LONG, SHORT = "Node.js Release Working Group", "Release Working Group"


@pytest.mark.parametrize(
    ("text", "names", "is_one"),
    [
        (GROUP, (LONG, SHORT), True),
        (GROUP, (SHORT, LONG), True),
        (GOVERNED, (SHORT, LONG), False),  # that may be one of several
        (f"{GROUP}The Docker Release Working Group helps.\n", (LONG, SHORT), False),
        (GROUP.replace(f"# {LONG}", "# Notes"), (LONG, SHORT), False),
        (GROUP, ("Docker Release Working Group", SHORT), False),
        (GROUP, (LONG, "Working Group"), False),  # it has no such by itself
        ("# Ada Berg\n\nThe Berg is high. By Ada Berg.\n", ("Ada Berg", "Berg"), False),
        (
            "# Tea Notes\n\nThe tea notes are old, and so are green tea notes.\n",
            ("Green tea notes", "Tea notes"),
            False,
        ),
    ],
)
def test_a_name_in_full_and_in_short_are_one_things_where_the_long_one_is_the_sources_title(
    text: str, names: tuple[str, str], is_one: bool
) -> None:
    one, other = (of(each.lower().replace(" ", "-").replace(".", "-"), "It is so.", title=each) for each in names)

    found = done(wiki(one, other), merge(one.slug, other.slug), text=text)

    assert [finding.code for finding in found.left_out] == ([] if is_one else ["merge_unstated"])
    assert found.merged == (((other.slug, one.slug),) if is_one else ())


def test_the_summary_that_is_called_as_a_page_that_goes_is_not_what_that_becomes_part_of() -> None:
    one, other = (
        of(each.lower().replace(" ", "-").replace(".", "-"), "It is so.", title=each) for each in (SHORT, LONG)
    )
    said = Claim(
        text=f"The purpose of the [[{other.slug}|group]] is this.",
        quotes=("The Release working group's purpose is this.",),
    )
    summary = Create(op="create", kind="summary", title=LONG, body=(said,))

    found = done(wiki(one, other), summary, merge(one.slug, other.slug), text=GROUP)

    assert (found.left_out, found.merged) == ((), ((other.slug, one.slug),))


def rename(title: str, page: str = "cache") -> Rename:
    return Rename(op="rename", page=page, title=title)


def move(passage: str, to: str = "checkpoint") -> Move:
    return Move(op="move", page="cache", passage=passage, to=to)


@pytest.mark.parametrize(
    ("base", "operation", "said"),
    [
        ((LOG, WAL), merge("write-ahead-log", "wal"), ""),
        ((LOG, WAL), merge("wal", "write-ahead-log"), ""),
        (
            (LOG, of("wal", "It.", title="WAL", contradicts=["write-ahead-log"])),
            merge("write-ahead-log", "wal"),
            "contradicts",
        ),
        ((of("write-ahead-log", "It.", supersedes=["wal"]), WAL), merge("write-ahead-log", "wal"), "supersedes"),
        ((LOG, of("wal", "<!-- human -->\nMine.", title="WAL")), merge("write-ahead-log", "wal"), "human"),
        ((of("write-ahead-log", "It.", "<!-- human -->\nMine."), WAL), merge("write-ahead-log", "wal"), "human"),
        ((LOG, of("wal", "It.", title="WAL", kind="summary")), merge("write-ahead-log", "wal"), "summary"),
        ((LOG, of("wal", "- 2020: it.", title="WAL", kind="timeline")), merge("write-ahead-log", "wal"), "timeline"),
        (
            (of("ada-berg", "She.", title="Ada Berg"), of("berg", "It.", title="Berg")),
            merge("ada-berg", "berg"),
            "one thing",
        ),
        ((LOG, CHECKPOINT), merge("write-ahead-log", "checkpoint"), "one thing"),
        ((LOG, of("first", "A.", title="Write ahead lists")), merge("write-ahead-log", "first"), "one thing"),
        ((CACHE,), rename("Page cache"), "does not call"),
        ((of("journal", "A journal is kept."),), rename("Rollback log", "journal"), ""),
        ((of("journal", "A journal of disks is kept."),), rename("Journal (disks)", "journal"), ""),
        ((of("journal", "A journal is kept."),), rename("Journal (poison)", "journal"), "poison"),
        ((of("rollback-log", "A log."),), rename("Log", "rollback-log"), "says less"),
        (
            (of("journal", "A journal is kept."), of("rollback-log", "A log.")),
            rename("Rollback log", "journal"),
            "already a name",
        ),
        ((CACHE, CHECKPOINT), move("Checkpoints are rare."), ""),
        ((CACHE, CHECKPOINT), move("A cache is memory."), "opens with"),
        ((CACHE, CHECKPOINT), move("A checkpoint empties the cache."), "stands next to"),
        ((CACHE, CHECKPOINT), move("It fills again."), "stands next to"),
        ((CACHE, CHECKPOINT), move("A checkpoint is a cache."), "headings"),
        ((CACHE, CHECKPOINT), move("The cache has checkpoints."), "first"),
        ((CACHE, CHECKPOINT), move("Every checkpoint is told to it."), "disagree"),
        ((CACHE, CHECKPOINT), move("Contradicted: A checkpoint is slow."), "disagree"),
        (
            (CACHE, of("savepoint", "A savepoint is a mark.")),
            move("Checkpoints are rare.", "savepoint"),
            "does not name",
        ),
        ((CACHE, of("vacuum", "A vacuum is run.")), move("Checkpoints are rare.", "vacuum"), "does not speak"),
        ((CACHE, of("checkpoint", "It.", kind="summary")), move("Checkpoints are rare."), "summary"),
        ((CACHE, of("checkpoint", "- 2020: it.", kind="timeline")), move("Checkpoints are rare."), "its place there"),
    ],
)
def test_each_is_as_the_source_names_things(base: tuple[Page, ...], operation: Operation, said: str) -> None:
    draft = done(wiki(*base), operation)

    assert [said in finding.message for finding in draft.left_out] == [True] * bool(said), draft.left_out
    assert bool(draft.wiki.changed) is not bool(said)


def test_one_source_merges_two_pages_and_moves_five_statements_at_most() -> None:
    pairs = [("journal", "rollback-log"), ("snapshot", "image"), ("savepoint", "mark")]
    several = of("cache", "A cache is memory.", *(f"Checkpoint {n} is rare." for n in range(7)), "The end.")
    base = wiki(*(of(slug, f"A {slug} is there.") for pair in pairs for slug in pair), several, CHECKPOINT)

    draft = done(base, *(merge(*pair) for pair in pairs), *(move(f"Checkpoint {n} is rare.") for n in range(7)))

    assert [finding.code for finding in draft.left_out] == ["regrouped_too_much"] * 3
    assert len(draft.merged) == MOST_MERGED
    assert draft.wiki.changed["concepts/checkpoint.md"].body.count("is rare") == MOST_MOVED


def test_merges_in_a_ring_end_after_the_first() -> None:
    draft = done(wiki(LOG, WAL), merge("write-ahead-log", "wal"), merge("wal", "write-ahead-log"))

    assert draft.merged == (("wal", "write-ahead-log"),)
    assert [finding.code for finding in draft.left_out] == ["regrouping_unfit"]


def test_a_part_of_its_user_s_own_is_not_touched_by_links_that_follow() -> None:
    mine = page("mine", "Mine.\n\n<!-- human -->\nSee [[wal]].\n<!-- /human -->\n")

    draft = done(wiki(LOG, WAL, mine), merge("write-ahead-log", "wal"))

    assert [finding.code for finding in draft.left_out] == ["human_block"]
    assert not draft.wiki.changed
