"""Two pages are made one and one two, each in a commit of its own that can be taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.cli.commands import edit
from curator.cli.console import Report
from curator.errors import ConfigError
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki import merging
from curator.wiki.pages.page import Page
from support.fakes import ScriptedModel
from support.standard import curate, ingest
from support.wikis import OOLONG, drop, git, take_in


@pytest.fixture
def landed(root: Path) -> Path:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    cups = root / "concepts" / "dark-tea.md"
    cups.write_text(
        "---\nschema: knowledge/v1\nslug: dark-tea\nkind: concept\ntitle: Dark tea\nsources: []\n---\n\n# Dark tea\n\n"
        "A tea. Close to [[oolong]].\n\n## Brewing\n\n- With hot water.\n- In a pot.\n"
    )
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a page of mine")
    return root


def merged(root: Path, kept: str, gone: str, *, dry_run: bool = False) -> Report:
    return edit.merge_pages(settings(root), kept, gone, dry_run)


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def tree(root: Path) -> dict[str, str]:
    places = [*root.glob("concepts/*.md"), *root.glob("summaries/*.md"), root / "_manifest.json"]
    return {path.name: path.read_text() for path in places}


def test_a_merge_is_one_commit_and_is_taken_back(landed: Path) -> None:
    before = tree(landed)

    report = merged(landed, "dark-tea", "oolong")

    assert report.data["removed"] == ["concepts/oolong.md"]
    assert git(landed, "status", "--porcelain") == ""
    page = Page("concepts/dark-tea.md", (landed / "concepts/dark-tea.md").read_text())
    assert page.aliases == ("Oolong",)
    assert page.citations
    assert "[[dark-tea|Oolong]]" in (landed / "summaries/oolong-notes.md").read_text()
    record = json.loads((landed / "_manifest.json").read_text())["sources"]["sources/oolong-notes.txt"]
    assert record["slugs"] == ["dark-tea", "oolong-notes"]

    edit.undo_commits(settings(landed), [report.data["commit"]], dry_run=False)

    assert {name: text.split("updated_at")[0] for name, text in tree(landed).items()} == {
        name: text.split("updated_at")[0] for name, text in before.items()
    }


def test_an_ingest_whose_page_was_merged_since_is_taken_back_after_the_merge(landed: Path) -> None:
    ingest = git(landed, "rev-parse", "HEAD~1")
    done = merged(landed, "dark-tea", "oolong").data["commit"]

    with pytest.raises(ConfigError) as caught:
        edit.undo_commits(settings(landed), [ingest], dry_run=True)

    assert caught.value.code == "undo_merged"
    assert done[:12] in str(caught.value.hint)
    report = edit.undo_commits(settings(landed), [ingest, done], dry_run=False)
    assert report.ok
    assert not (landed / "concepts/oolong.md").exists()


def test_ingests_are_taken_back_around_a_merge_of_their_pages(root: Path) -> None:
    said = "The pump Orla is a rotary pump that lifts water. The pump Orla weighs 12 kilograms.\n"
    ingest(root, "a.md", f"# Report A\n\n{said}")
    ingest(root, "b.md", "# Report B\n\nThe Orla pump is a pump for wells. The Orla pump is painted blue.\n")
    done = merged(root, "pump-orla", "orla-pump").data["commit"]

    for name in ("sources/a.md", done, "sources/b.md"):
        assert edit.undo_commits(settings(root), [name], dry_run=False).ok

    assert list(tree(root)) == ["_manifest.json"] and curate(root, "validate").status == 0


def test_a_split_takes_a_section_or_statements_along_with_their_proofs(landed: Path) -> None:
    text = (landed / "concepts/oolong.md").read_text()
    said = merging.statements(Page("concepts/oolong.md", text))
    assert said

    edit.merge_pages(settings(landed), "dark-tea", "oolong", dry_run=False)
    report = edit.split_page(settings(landed), "dark-tea", "Brewing dark tea", "Brewing", ("A tea.",), dry_run=False)

    assert report.data["changed"] == ["brewing-dark-tea", "dark-tea"]
    made = Page("concepts/brewing-dark-tea.md", (landed / "concepts/brewing-dark-tea.md").read_text())
    assert "A tea. Close to" in made.body
    assert "- With hot water.\n- In a pot." in made.body
    left = Page("concepts/dark-tea.md", (landed / "concepts/dark-tea.md").read_text())
    assert "Brewing\n" not in left.body
    assert "See also [[brewing-dark-tea|Brewing dark tea]]." in left.body
    assert merging.statements(left).keys() == said.keys()
    assert git(landed, "status", "--porcelain") == ""


def test_the_new_page_of_a_split_lists_what_it_cites(landed: Path) -> None:
    page = landed / "concepts/oolong.md"
    page.write_text(page.read_text().replace("sources:\n", "sources:\n- sources/of-mine.txt\n") + "\nMine.\n")
    git(landed, "commit", "-qam", "mine")

    edit.split_page(settings(landed), "oolong", "Oxidation", "", ("oxidised in part",), dry_run=False)

    made = Page("concepts/oxidation.md", (landed / "concepts/oxidation.md").read_text())
    assert made.sources == ("sources/oolong-notes.txt",)


@pytest.mark.parametrize(
    ("section", "statements", "code"),
    [("Nowhere", (), "section_unknown"), ("", ("no such words",), "statement_unknown"), ("", (), "split_empty")],
)
def test_what_cannot_be_split_is_named(landed: Path, section: str, statements: tuple[str, ...], code: str) -> None:
    with pytest.raises(ConfigError) as caught:
        edit.split_page(settings(landed), "dark-tea", "New", section, statements, dry_run=True)

    assert caught.value.code == code


def test_a_page_is_not_merged_with_itself(landed: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        merged(landed, "oolong", "Oolong", dry_run=True)

    assert caught.value.code == "merge_same"
