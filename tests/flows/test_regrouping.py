"""A model has pages regrouped: another title, two made one, a statement moved; by the source's own names."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands import edit
from curator.ingest.plan import Outcome
from curator.models.proposal import Add, Claim, Create, Merge, Move, Operation, Rename
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.pages.page import Page
from support.fakes import ScriptedModel
from support.standard import curate, head, ingest
from support.wikis import drop, git, proposal, take_in

DATABASES = """Databases

A write-ahead log is a file of changes that are not in the database yet. The write-ahead log is replayed after a crash.
The WAL grows until a checkpoint. A checkpoint copies the changes into the database file.
A cache is memory of a database for pages. A checkpoint empties the cache of the disk.
A savepoint is a mark within a transaction.
"""
WAL = """On the write-ahead log

The write-ahead log (WAL) is written before a page is. A checkpoint is run every hour.
A page cache, also called cache, is small.
"""


def said(text: str) -> Claim:
    return Claim(text=text, quotes=(text.rstrip("."),))


def page_of(title: str, *texts: str) -> Create:
    return Create(op="create", kind="concept", title=title, body=tuple(map(said, texts)))


FIRST = proposal(
    page_of(
        "Write-ahead log",
        "A write-ahead log is a file of changes that are not in the database yet.",
        "The write-ahead log is replayed after a crash.",
    ),
    page_of("WAL", "The WAL grows until a checkpoint."),
    page_of("Checkpoint", "A checkpoint copies the changes into the database file."),
    page_of(
        "Cache",
        "A cache is memory of a database for pages.",
        "A checkpoint empties the cache of the disk.",
    ),
    page_of("Savepoint", "A savepoint is a mark within a transaction."),
)
NEWS = Add(op="add", page="write-ahead-log", body=(said("The write-ahead log (WAL) is written before a page is."),))
MERGE = Merge(op="merge", page="write-ahead-log", other="wal")
MOVE = Move(op="move", page="cache", passage="A checkpoint empties the cache of the disk.", to="checkpoint")
RENAME = Rename(op="rename", page="cache", title="Page cache")


@pytest.fixture
def wiki(root: Path) -> Path:
    taken(root, "databases.txt", DATABASES, *FIRST.operations)
    return root


def taken(root: Path, name: str, text: str, *operations: Operation) -> Outcome:
    with Repository(root) as repository:
        return take_in(drop(root, name, text), repository, ScriptedModel((proposal(*operations),)))


def page(root: Path, path: str) -> Page:
    return Page(path, (root / path).read_text())


def test_pages_are_regrouped_by_the_names_of_the_source_and_come_back(wiki: Path) -> None:
    before = {path: (wiki / path).read_text() for path in ("concepts/wal.md", "concepts/cache.md")}

    outcome = taken(wiki, "wal.txt", WAL, NEWS, MERGE, MOVE, RENAME)

    assert outcome.left_out == ()
    assert not (wiki / "concepts/wal.md").exists()
    log = page(wiki, "concepts/write-ahead-log.md")
    assert "The WAL grows until a [[checkpoint]]. [^databases-3]" in log.body
    assert "WAL" in log.aliases
    cache, checkpoint = page(wiki, "concepts/cache.md"), page(wiki, "concepts/checkpoint.md")
    assert (cache.slug, cache.title, cache.aliases) == ("cache", "Page cache", ("Cache",))
    assert "# Page cache\n" in cache.body
    assert "empties" not in cache.body
    assert "A checkpoint empties the cache of the disk. [^databases-2]" in checkpoint.body
    assert '[^databases-2]: sources/databases.txt#L5 "A checkpoint empties the cache of the disk."' in checkpoint.body
    told = (wiki / "_log.md").read_text()
    assert "merged wal into [[write-ahead-log]]" in told
    assert "moved statements from [[cache]] to [[checkpoint]]" in told
    assert "another title for [[cache]]" in told
    assert git(wiki, "status", "--porcelain") == ""

    edit.undo_commits(Settings(wiki, {}, {}), [git(wiki, "rev-parse", "HEAD")], dry_run=False)

    assert {path: (wiki / path).read_text() for path in before} == before
    assert "WAL" not in page(wiki, "concepts/write-ahead-log.md").aliases


def test_what_the_source_does_not_bear_out_is_left_out_and_the_rest_lands(wiki: Path) -> None:
    outcome = taken(
        wiki,
        "wal.txt",
        WAL,
        NEWS,
        Merge(op="merge", page="write-ahead-log", other="checkpoint"),
        Rename(op="rename", page="wal", title="Slow log"),
        Move(op="move", page="write-ahead-log", passage="The write-ahead log is replayed after a crash.", to="wal"),
        Merge(op="merge", page="cache", other="nowhere"),
    )

    assert [finding.code for finding in outcome.left_out] == [
        "merge_unstated",
        "rename_unstated",
        "move_unnamed",
        "regrouping_unfit",
    ]
    assert outcome.updated == ("write-ahead-log",)


def test_one_of_two_hands_merges_and_the_other_finds_it_done(wiki: Path) -> None:
    taken(wiki, "wal.txt", WAL, NEWS, MERGE)
    again = WAL.replace("every hour", "every day")

    outcome = taken(wiki, "wal-2.txt", again, page_of("Checkpoint", "A checkpoint is run every day."), MERGE)

    assert [finding.code for finding in outcome.left_out] == ["regrouping_unfit"]
    assert outcome.updated == ("checkpoint",)


def test_two_statements_of_a_source_are_known_where_they_went(wiki: Path) -> None:
    taken(wiki, "wal.txt", WAL, NEWS, MOVE)

    assert "sources/databases.txt" in head(wiki / "concepts/checkpoint.md")["sources"]
    taken(wiki, "databases.txt", DATABASES.replace("A checkpoint empties the cache of the disk.", "Nothing."), NEWS)

    assert "empties" not in page(wiki, "concepts/checkpoint.md").body


def test_two_things_of_one_name_have_two_pages_without_a_model_too(root: Path) -> None:
    kernel = """Capabilities of Linux

A capability is a privilege of the Linux kernel that a process may hold. A capability is dropped by the superuser before the
daemon listens on a port. A capability can be inherited by a child. The kernel checks each capability of a thread.
"""
    package = """Capabilities of packages

A capability is a feature that a package offers to others. A capability has a version. The resolver matches each capability
with a requirement. A capability is listed in the metadata file of a distribution.
"""
    assert ingest(root, "linux.txt", kernel)["status"] == "ingested"
    assert ingest(root, "packages.txt", package)["status"] == "ingested"

    assert "feature" not in page(root, "concepts/capability.md").body
    other = page(root, "concepts/capability-feature.md")
    assert other.title == "Capability (feature)"
    assert "A capability is a feature that a package offers to others." in other.body


def test_what_is_regrouped_waits_for_a_person_when_flagged(wiki: Path) -> None:
    answer = proposal(NEWS, MERGE, MOVE, RENAME)

    held = ingest(wiki, "wal.txt", WAL, answer, CURATOR_REVIEW="flagged")

    assert held["code"] == "review_needed"
    (name,) = [each["name"] for each in curate(wiki, "review", "list")["proposals"]]
    flags = curate(wiki, "review", "show", name)["flags"]
    assert all(code in " ".join(map(str, flags)) for code in ("page_merged", "page_renamed", "statement_moved"))

    assert curate(wiki, "review", "approve", name).status == 0
    assert not (wiki / "concepts/wal.md").exists()
    assert page(wiki, "concepts/cache.md").title == "Page cache"


def test_a_page_becomes_part_of_one_with_quite_another_name_only_when_a_person_has_looked(wiki: Path) -> None:
    text = "On savepoints\n\nA savepoint, also known as cache, is set. A savepoint is a mark.\n"
    news = Add(op="add", page="savepoint", body=(said("A savepoint, also known as cache, is set."),))

    result = ingest(wiki, "marks.txt", text, proposal(news, Merge(op="merge", page="savepoint", other="cache")))

    assert (result["status"], result["code"]) == ("held", "review_needed")
    assert (wiki / "concepts/cache.md").exists()
    name = str(result["next"].rpartition(" ")[2])
    shown = curate(wiki, "review", "show", name)
    assert [flag for flag in shown["flags"] if "nothing in common" in flag] == shown["flags"]
    curate(wiki, "review", "approve", name)
    assert not (wiki / "concepts/cache.md").exists()
