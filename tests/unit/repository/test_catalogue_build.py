"""The first look at a wiki: all its pages in the catalogue, whoever reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.cli.commands import init
from curator.repository import snapshot
from curator.repository.catalogue import Catalogue, rows
from curator.repository.repository import Repository
from support.lints import page
from support.wikis import git


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    """Forty pages and other files."""
    root = tmp_path / "wiki"
    init.run(root, "Tea")
    pages = dict(page(f"page-{number}", f"About {number}, as [[page-{number + 1}]] says.") for number in range(40))
    for path, text in {**pages, "README.md": "# No page\n", "concepts/no-head.md": "Words.\n"}.items():
        (root / path).write_text(text)
    (root / "concepts" / "link.md").symlink_to("page-1.md")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "pages")
    return root


def shown(root: Path) -> tuple[list[object], list[str], set[str]]:
    for file in (root / ".git" / "curator").glob("catalogue-*"):
        file.unlink()
    with Repository(root) as repository:
        catalogue = repository.view().catalogue
        return list(catalogue.entries()), catalogue.similar("page 7", 5), set(catalogue.inbound("page-8"))


@pytest.mark.parametrize("cores", [2, 3])
def test_several_processes_see_what_one_sees(wiki: Path, monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr("curator.system.parallel.processes", lambda: 1)
    alone = shown(wiki)

    monkeypatch.setattr("curator.system.parallel.processes", lambda: cores)
    monkeypatch.setattr("curator.system.parallel._PART", 7)

    assert shown(wiki) == alone
    assert len(alone[0]) == 41
    assert alone[2] == {"page-7"}


def test_where_a_fourth_of_the_pages_has_changed_all_are_read_anew(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "_MANY", 1)
    ways: list[str] = []

    def told(way: str, does: Callable[..., bool]) -> Callable[..., bool]:
        def tell(*given: object) -> bool:
            ways.append(way)
            return does(*given)

        return tell

    for way in ("make", "update"):
        monkeypatch.setattr(Catalogue, way, told(way, getattr(Catalogue, way)))
    with Repository(wiki) as repository:
        assert repository.view().catalogue.count() == 41
    seen = []
    for most in (10, 11):
        for number in range(most):
            (wiki / "concepts" / f"page-{number}.md").write_text(page(f"page-{number}", f"Of the {most}th.")[1])
        (wiki / "sources" / f"note-{most}.md").write_text("No page.\n")
        git(wiki, "add", "-A")
        git(wiki, "commit", "-qm", "many")
        with Repository(wiki) as repository:
            catalogue = repository.view().catalogue
            seen.append((len(catalogue.search(f"{most}th", 99)), catalogue.count()))

    assert seen == [(10, 41), (11, 41)]
    assert ways == ["make", "update", "make"]


def test_a_fork_that_lacks_a_blob_leaves_its_part_to_this_process(wiki: Path) -> None:
    with Repository(wiki) as repository:
        tree = [blob for blob in repository.git.tree(repository.head() or "", "") if blob.path == "concepts/page-1.md"]
        gone = [(blob.path, "0" * len(blob.oid)) for blob in tree]

        with pytest.raises(LookupError):
            list(rows._read(repository.git, rows._refuse, gone))
