"""The index of a commit that somebody else made: what is followed line by line is what would be made anew."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from curator.repository.repository import Repository
from curator.wiki import index
from support.fakes import ScriptedModel
from support.wikis import MORE, OOLONG, drop, git, take_in


@pytest.fixture
def committed(root: Path, repository: Repository) -> Path:
    """A wiki whose last commit curator made."""
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    return root


def write(root: Path, path: str, title: str, kind: str = "concept", slug: str = "", text: str = "A tea.") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    head = f"schema: knowledge/v1\nkind: {kind}\nslug: {slug or file.stem}\ntitle: {title}\nsources: []\n"
    file.write_text(f"---\n{head}---\n\n# {title}\n\n{text}\n")


def commit_by_hand(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "mine")


def known(repository: Repository) -> bytes | None:
    """The index of the newest commit, where it is known; it is the one that would be made anew."""
    snapshot = repository.view()
    found = snapshot.index
    assert found is None or found.decode() == index.render(snapshot.wiki.entries())
    return found


def test_pages_that_came_changed_and_went_by_hand_are_followed(committed: Path, repository: Repository) -> None:
    write(committed, "concepts/assam.md", "Assam")
    write(committed, "concepts/zhejiang.md", "Zhejiang")
    commit_by_hand(committed)
    assert b"[[assam]] Assam" in (known(repository) or b"")

    write(committed, "concepts/assam.md", "Assam, of India")
    (committed / "concepts" / "zhejiang.md").unlink()
    (committed / "_index.md").write_text("what somebody thought would be in it\n")
    commit_by_hand(committed)

    found = known(repository) or b""
    assert b"Assam, of India" in found
    assert b"zhejiang" not in found


def test_an_ingest_after_somebody_elses_commit_writes_the_same_index(committed: Path, repository: Repository) -> None:
    write(committed, "concepts/assam.md", "Assam")
    commit_by_hand(committed)
    assert known(repository)

    text = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
    take_in(drop(committed, "brewing.txt", text), repository, ScriptedModel((MORE,)))

    snapshot = repository.view()
    assert snapshot.own("_index.md") == index.render(snapshot.wiki.entries())
    assert "[[assam]] Assam" in snapshot.own("_index.md")
    assert snapshot.catalogue.known_index == snapshot.base


def test_pages_that_share_a_slug_have_it_made_anew(committed: Path, repository: Repository) -> None:
    write(committed, "concepts/other.md", "Oolong", slug="oolong")
    commit_by_hand(committed)

    assert known(repository) is None


@pytest.mark.parametrize("seed", range(6))
def test_whatever_others_commit_no_wrong_index_is_known(committed: Path, repository: Repository, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        for _ in range(chance.randrange(1, 4)):
            kind = chance.choice(["concept", "entity"])
            path = f"{'concepts' if kind == 'concept' else 'entities'}/{chance.choice('abc')}.md"
            if (committed / path).exists() and chance.random() < 0.4:
                (committed / path).unlink()
            else:
                slug = chance.choice(["", "", "", "a", "shared"])
                write(committed, path, chance.choice(["A", "B [x]", "Ä"]), kind, slug, f"{chance.random()}")
        if git(committed, "status", "--porcelain"):
            commit_by_hand(committed)
        known(repository)


def test_what_is_proven_of_the_registry_holds_while_nobody_writes_it(committed: Path, repository: Repository) -> None:
    text = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
    take_in(drop(committed, "brewing.txt", text), repository, ScriptedModel((MORE,)))
    proven = repository.view().catalogue.proven_registry()
    assert proven[1] is not None
    write(committed, "concepts/assam.md", "Assam")
    commit_by_hand(committed)

    manifest = repository.view().manifest()

    assert repository.view()._has_as_in(proven[0], "_manifest.json")
    assert "sources/brewing.txt" in manifest.sources
    (committed / "_manifest.json").write_text((committed / "_manifest.json").read_text() + "\n")
    commit_by_hand(committed)
    assert not repository.view()._has_as_in(proven[0], "_manifest.json")
