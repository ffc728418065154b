"""A page is renamed or removed: every link to it follows or becomes words, in one commit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes import ScriptedModel
from wikis import OOLONG, drop, git, take_in

from curator import relinking, upkeep
from curator.catalogue import Catalogue
from curator.commands import log, manual
from curator.errors import ConfigError, Conflict
from curator.manifest import Manifest, Record
from curator.page import Page
from curator.relinking import Move
from curator.repository import Repository
from curator.settings import Settings
from curator.wiki import Entry, Wiki

TEA = Page("concepts/oolong.md", "---\nslug: oolong\ntitle: Oolong\n---\n\n# Oolong\n\nSee [[oolong#brewing]].\n")
LINKS = """---
title: Teas
contradicts: [oolong, green]
---

# Teas

A [[oolong]], a [[Oolong|dark one]], [one more](../concepts/oolong.md#brewing "tea"), [by name][o] and ![[oolong]].

- [[oolong|Oolong]]
- [[oolong]] and [[green]]

| tea | kind |
| --- | --- |
| [[oolong\\|dark]] | `[[oolong]]` |

[o]: ../concepts/oolong.md
"""
TEAS = Page("summaries/teas.md", LINKS)
GREEN = Page("concepts/green.md", "# Green\n\nAs good as [[concepts/oolong]].\n")


@pytest.fixture
def wiki() -> Wiki:
    return Wiki(Catalogue.of_pages([TEA, TEAS, GREEN]))


MANIFEST = Manifest({"sources/a.txt": Record("00", ("oolong", "teas"))})


def test_a_new_slug_is_followed_by_every_form_of_link(wiki: Wiki) -> None:
    done = upkeep.rename(wiki, MANIFEST, "oolong", "wu-long")

    teas = done.wiki.changed["summaries/teas.md"].text
    assert "A [[wu-long]], a [[Oolong|dark one]], [one more](../concepts/wu-long.md#brewing" in teas
    assert "and ![[wu-long]]." in teas
    assert "[o]: ../concepts/wu-long.md" in teas
    assert "| [[wu-long\\|dark]] | `[[oolong]]` |" in teas
    assert "contradicts: [wu-long, green]" in teas
    assert "[[concepts/wu-long]]" in done.wiki.changed["concepts/green.md"].text
    assert done.wiki.changed["concepts/wu-long.md"].text == TEA.text.replace("oolong", "wu-long")
    assert done.wiki.gone == {"concepts/oolong.md"}
    assert done.manifest.sources["sources/a.txt"].slugs == ("teas", "wu-long")


def test_a_new_title_gives_the_slug_and_keeps_the_old_one_as_alias(wiki: Wiki) -> None:
    done = upkeep.rename(wiki, MANIFEST, "Oolong", "Blue tea")

    page = done.wiki.changed["concepts/blue-tea.md"]
    assert (page.slug, page.title, page.aliases) == ("blue-tea", "Blue tea", ("Oolong",))
    assert "# Blue tea\n" in page.text
    assert done.wiki.resolve("Oolong") == Entry.of(page)


def test_of_a_removed_page_words_remain(wiki: Wiki) -> None:
    done = upkeep.remove(wiki, MANIFEST, "oolong", "wrong")

    teas = done.wiki.changed["summaries/teas.md"].text
    assert "A oolong, a dark one, one more, by name and oolong." in teas
    assert "- [[oolong|Oolong]]" not in teas
    assert "- oolong and [[green]]" in teas
    assert "| dark | `[[oolong]]` |" in teas
    assert "[o]:" not in teas
    assert "contradicts: [green]" in teas
    assert done.wiki.resolve("oolong") is None
    assert done.manifest.sources["sources/a.txt"].slugs == ("teas",)
    assert "removed oolong: wrong" in done.bullets


def test_a_link_that_another_page_of_the_name_answers_is_left() -> None:
    other = Page("entities/wulong.md", "---\ntitle: Wulong\naliases: [Oolong]\n---\n\n# Wulong\n")
    wiki = Wiki(Catalogue.of_pages([TEA, TEAS, other]))

    done = upkeep.remove(wiki, MANIFEST, "concepts/oolong.md", "double")

    assert "A [[oolong]], a [[Oolong|dark one]], one more" in done.wiki.changed["summaries/teas.md"].text


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("black", "red", "page_unknown"), ("oolong", "green", "slug_taken"), ("oolong", "!?", "slug_invalid")],
)
def test_what_cannot_be_is_named(wiki: Wiki, old: str, new: str, code: str) -> None:
    with pytest.raises(ConfigError) as caught:
        upkeep.rename(wiki, MANIFEST, old, new)

    assert caught.value.code == code


def test_a_page_without_links_to_the_moved_one_stays_as_it_is() -> None:
    move = Move(Entry.of(TEA), None)

    assert (
        relinking.relinked(Page("concepts/x.md", "# X\n\nNo [[green]] link.\n"), move).text
        == "# X\n\nNo [[green]] link.\n"
    )


@pytest.fixture
def landed(root: Path) -> Path:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    return root


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def test_a_rename_is_one_commit_and_its_history_is_followed(landed: Path) -> None:
    report = manual.rename(settings(landed), "oolong", "Blue tea", dry_run=False)

    assert report.ok
    assert git(landed, "status", "--porcelain") == ""
    assert not (landed / "concepts" / "oolong.md").exists()
    assert "[[blue-tea|Oolong]]" in (landed / "summaries" / "oolong-notes.md").read_text()
    assert "[[blue-tea]] Blue tea" in (landed / "_index.md").read_text()
    assert "manual | rename oolong to blue-tea" in (landed / "_log.md").read_text()
    assert (
        "blue-tea"
        in json.loads((landed / "_manifest.json").read_text())["sources"]["sources/oolong-notes.txt"]["slugs"]
    )
    lines = log.run_page(settings(landed), "blue-tea").data["lines"]
    assert any(line["source"] == "sources/oolong-notes.txt" for line in lines)


def test_a_page_is_removed_with_its_reason(landed: Path) -> None:
    dry = manual.remove(settings(landed), "oolong", "no use", dry_run=True)
    assert (landed / "concepts" / "oolong.md").exists()

    report = manual.remove(settings(landed), "oolong", "no use", dry_run=False)

    assert "+++ /dev/null" in dry.data["diff"]
    assert report.data["removed"] == ["concepts/oolong.md"]
    assert git(landed, "status", "--porcelain") == ""
    assert "oolong.md" not in git(landed, "ls-files", "concepts")
    assert "no use" in (landed / "_log.md").read_text()


def test_a_linking_page_with_unsaved_changes_is_waited_for(landed: Path) -> None:
    page = landed / "summaries" / "oolong-notes.md"
    page.write_text(page.read_text() + "mine\n")
    head = git(landed, "rev-parse", "HEAD")

    with pytest.raises(Conflict, match="oolong-notes"):
        manual.rename(settings(landed), "oolong", "wu-long", dry_run=False)

    assert git(landed, "rev-parse", "HEAD") == head
