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


def test_a_name_that_a_merge_brought_goes_to_the_page_that_a_split_makes_of_it(landed: Path) -> None:
    merged(landed, "dark-tea", "oolong")

    edit.split_page(settings(landed), "dark-tea", "Oolong", "", ("oxidised in part",), dry_run=False)

    page, made = (Page(f"concepts/{s}.md", (landed / f"concepts/{s}.md").read_text()) for s in ("dark-tea", "oolong"))
    assert page.aliases == () and made.title == "Oolong"
    assert "[[oolong|Oolong]]" in (landed / "summaries/oolong-notes.md").read_text()


ISLE, LANGUAGE = "Java is an island.", "Java is a language. It is old."


@pytest.fixture
def two_in_one(root: Path) -> Path:
    """A page of which two sources speak, each of another thing, and their summaries."""
    head = "---\nschema: knowledge/v1\nslug: {0}\nkind: {1}\ntitle: {2}\nsources: [{3}]\n---\n\n# {2}\n\n"
    notes = {name: f'[^{name}-1]: sources/{name}.md#L1 "{said}"\n' for name, said in (("a", ISLE), ("b", LANGUAGE))}
    both = head.format("java", "entity", "Java", "sources/a.md, sources/b.md")
    (root / "entities").mkdir(exist_ok=True)
    (root / "summaries").mkdir(exist_ok=True)
    (root / "entities/java.md").write_text(
        f"{both}{ISLE} [^a-1]\n{LANGUAGE} [^b-1]\nIt has volcanoes. [^a-1]\n\n{notes['a']}{notes['b']}"
    )
    for name, note in notes.items():
        (root / f"sources/{name}.md").write_text(f"{ISLE} {LANGUAGE} It has volcanoes.\n")
        text = head.format(f"{name}-notes", "summary", f"Notes {name}", f"sources/{name}.md")
        (root / f"summaries/{name}-notes.md").write_text(f"{text}On [[java|Java]]. [^{name}-1]\n\n{note}")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "pages of mine")
    return root


def test_a_statement_is_split_from_its_paragraph_with_its_own_proof_and_links_follow_its_source(
    two_in_one: Path,
) -> None:
    edit.split_page(settings(two_in_one), "java", "Java (language)", "", ("a language",), dry_run=False)

    page, made = (
        Page(f"entities/{s}.md", (two_in_one / f"entities/{s}.md").read_text()) for s in ("java", "java-language")
    )
    assert f"{ISLE} [^a-1]\nIt has volcanoes. [^a-1]\n" in page.body and LANGUAGE not in page.body
    assert f"# Java (language)\n\n{LANGUAGE} [^b-1]\n" in made.body and ISLE not in made.body
    assert "links changed in [[b-notes]]" in (two_in_one / "_log.md").read_text()
    assert "[[java|Java]]" in (two_in_one / "summaries/a-notes.md").read_text()
    assert "[[java-language|Java]]" in (two_in_one / "summaries/b-notes.md").read_text()


def test_a_page_is_not_split_from_itself(two_in_one: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        edit.split_page(settings(two_in_one), "java", "Java", "", ("a language",), dry_run=True)

    assert caught.value.code == "slug_taken" and "'Java'" in str(caught.value)


def test_a_name_that_somebody_wrote_in_a_head_is_not_taken_from_its_page(two_in_one: Path) -> None:
    page = two_in_one / "entities/java.md"
    page.write_text(page.read_text().replace("title: Java\n", "title: Java\naliases: [Oak]\n"))
    git(two_in_one, "commit", "-qam", "mine")

    with pytest.raises(ConfigError, match=r"'Oak' is already a name of entities/java\.md") as caught:
        edit.split_page(settings(two_in_one), "java", "Oak", "", ("a language",), dry_run=True)

    assert caught.value.code == "name_taken" and "head" in str(caught.value.hint)


def test_sections_by_one_source_become_one_and_the_merge_is_named_to_who_would_split_all_of_it(root: Path) -> None:
    ingest(root, "a.md", "# Report A\n\nThe pump Orla is a pump. The pump Orla weighs 12 kilograms.\n")
    ingest(root, "b.md", "# Report B\n\nVega Castle is a castle. The pump Orla is red. Vega Castle is white.\n")
    before = tree(root)

    done = merged(root, "pump-orla", "vega-castle").data["commit"]

    page = (root / "concepts/pump-orla.md").read_text()
    assert page.count("## From [[b-page|Report B]]") == 1 and "- Vega Castle is white." in page
    with pytest.raises(ConfigError) as caught:
        edit.split_page(settings(root), "pump-orla", "Vega Castle", "", (), dry_run=True)
    assert f"curate undo {done[:12]}" in str(caught.value.hint)
    edit.split_page(settings(root), "pump-orla", "Vega Castle", "From Report B", ("is a castle",), dry_run=False)
    assert "[[vega-castle|Vega Castle]] is a castle" in (root / "summaries/b-page.md").read_text()
    edit.undo_commits(settings(root), [git(root, "rev-parse", "HEAD"), done], dry_run=False)
    assert tree(root) == before


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
