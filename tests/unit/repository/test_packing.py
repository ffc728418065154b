"""What commits leave behind is packed when it has become much, and nothing else of the repository changes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from curator.repository.git import packing
from curator.repository.repository import Repository
from support.standard import curate, scripted
from support.wikis import NOW, OOLONG, drop, git


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_FILES", 4)


def loose(root: Path) -> int:
    return int(git(root, "count-objects").split()[0])


@pytest.mark.usefixtures("soon")
def test_what_has_come_together_is_packed_after_an_ingest(root: Path) -> None:
    with scripted(OOLONG):
        curate(root, "ingest", drop(root))

    assert loose(root) == 0
    assert "oolong" in git(root, "show", "HEAD:concepts/oolong.md")
    assert git(root, "fsck", "--full", "--strict") == ""
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.usefixtures("soon")
def test_the_first_commit_after_a_packing_has_the_index_know_the_files_of_those_before(root: Path) -> None:
    def known() -> dict[str, bool]:
        """Of each page: whether git need not read it to see that it is as the index has it."""
        told = git(root, "--no-optional-locks", "ls-files", "--debug", "concepts/*.md").split("\n")
        sizes = [int(line.split()[1]) for line in told if line.startswith("  size: ")]
        return {path: size > 0 for path, size in zip(told[::6], sizes, strict=False)}

    mine = root / "concepts" / "mine.md"
    mine.write_text("---\nschema: knowledge/v1\nkind: concept\nslug: mine\ntitle: Mine\nsources: []\n---\n\n# Mine\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "mine")
    with scripted(OOLONG), Repository(root) as repository:
        curate(root, "ingest", drop(root))
        assert known() == {"concepts/mine.md": True, "concepts/oolong.md": False}
        mine.write_text(mine.read_text() + "\nMore.\n")
        assert repository.commit_edits(lambda: NOW)

    assert known() == {"concepts/mine.md": True, "concepts/oolong.md": True}
    page = root / "concepts" / "oolong.md"
    page.write_text(page.read_text().replace("tea", "sea"))
    assert git(root, "status", "--porcelain").split() == ["M", "concepts/oolong.md"]


@pytest.mark.usefixtures("soon")
def test_who_turned_packing_off_keeps_it_off(root: Path) -> None:
    git(root, "config", "gc.auto", "0")
    before = loose(root)

    with Repository(root) as repository:
        repository.pack_if_due()

    assert loose(root) == before > 0


@pytest.mark.usefixtures("soon")
def test_one_process_packs(root: Path) -> None:
    before = loose(root)
    with Repository(root) as repository, repository.runtime.lock(name="packing"), Repository(root) as other:
        other.pack_if_due()

    assert loose(root) == before > 0


def test_what_is_let_be_grows_with_the_packs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_BYTES", 1_000)
    packs = root / ".git" / "objects" / "pack"
    with Repository(root) as repository:
        repository.git.store([random.Random(1).randbytes(100_000)])
        assert repository.git.needs_packing  # there is no pack yet

        (packs / "pack-of-old.pack").write_bytes(bytes(400_000))
        assert not repository.git.needs_packing

        repository.git.store([random.Random(2).randbytes(100_000)])
        assert repository.git.needs_packing  # more than half of what is packed


def test_few_objects_are_let_be(root: Path) -> None:
    with Repository(root) as repository:
        assert not repository.git.needs_packing


@pytest.mark.usefixtures("soon")
def test_a_commit_that_is_being_made_keeps_its_objects(root: Path) -> None:
    with Repository(root) as repository:
        coming = repository.git.store([b"of another hand, and no commit has it yet"])[0]
        repository.pack_if_due()
        assert repository.git.blob(coming) == b"of another hand, and no commit has it yet"


def test_who_asks_again_and_again_is_answered_by_a_look_in_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_FILES", loose(root) + 100)
    looks = 0
    with Repository(root) as repository:
        real = repository.git._loose

        def counted() -> object:
            nonlocal looks
            looks += 1
            return real()

        monkeypatch.setattr(repository.git, "_loose", counted)
        for number in range(60):
            repository.git.store([f"{number}, {one}".encode() for one in range(3)])
            if repository.git.needs_packing:
                break

    assert packing.MOST_FILES < loose(root) <= packing.MOST_FILES + 3
    assert looks < number / 2
