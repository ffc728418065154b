"""A page is renamed or removed: every link to it follows or becomes words, in one commit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from curator.cli.commands import edit, log
from curator.edits import rename
from curator.errors import ConfigError, Conflict
from curator.repository.catalogue import Catalogue
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki import relink
from curator.wiki.pages.page import Page
from curator.wiki.relink import PageMove
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import PageEntry, Wiki
from support.curates import curate_words
from support.fakes import ScriptedModel
from support.wikis import OOLONG, drop, git, take_in

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


MANIFEST = SourceManifest({"sources/a.txt": Record("00", ("oolong", "teas"))})


def test_a_new_slug_is_followed_by_every_form_of_link(wiki: Wiki) -> None:
    done = rename.rename(wiki, MANIFEST, "oolong", "wu-long")

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
    done = rename.rename(wiki, MANIFEST, "Oolong", "Blue tea")

    page = done.wiki.changed["concepts/blue-tea.md"]
    assert (page.slug, page.title, page.aliases) == ("blue-tea", "Blue tea", ("Oolong",))
    assert "# Blue tea\n" in page.text
    assert done.wiki.resolve("Oolong") == PageEntry.of(page)


def test_of_a_removed_page_words_remain(wiki: Wiki) -> None:
    done = rename.remove(wiki, MANIFEST, "oolong", "wrong")

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

    done = rename.remove(wiki, MANIFEST, "concepts/oolong.md", "double")

    assert "A [[oolong]], a [[Oolong|dark one]], one more" in done.wiki.changed["summaries/teas.md"].text


HEADS = [
    ("links: [oolong, green] # both", "links: [wu-long, green] # both", "links: [green] # both"),
    ("links: ['green',\"oolong\" ]", "links: ['green',\"wu-long\" ]", "links: ['green' ]"),
    ("links:\n  - oolong  # the tea\n  - green", "links:\n  - wu-long  # the tea\n  - green", "links:\n  - green"),
    ("links: [\n  green,\n  oolong,\n]", "links: [\n  green,\n  wu-long,\n]", "links: [\n  green,\n]"),
    ('"links":\n- green\n- "oolong"', '"links":\n- green\n- "wu-long"', '"links":\n- green'),
    ("links: [oolong]", "links: [wu-long]", "links: []"),
    ("links:\n- oolong", "links:\n- wu-long", "links: []"),
    ("links: oolong # one", "links: wu-long # one", "links: [] # one"),
    (
        "links: [concepts/oolong.md, concepts/green]",
        "links: [concepts/wu-long.md, concepts/green]",
        "links: [concepts/green]",
    ),
    ("links: [concepts/oolong, green]", "links: [concepts/wu-long, green]", "links: [green]"),
    ("links: ['[[oolong]]', '[[green]]']", "links: ['[[wu-long]]', '[[green]]']", "links: ['[[green]]']"),
    ("links: ['[[oolong#Kinds|it]]', 7]", "links: ['[[wu-long#Kinds|it]]', 7]", "links: [7]"),
    ("links: [{a: b}, oolong, oolong]", "links: [{a: b}, wu-long, wu-long]", "links: [{a: b}]"),
    (
        "links:  # first\n  - oolong  # one\n  - green  # two\n  - oolong  # three",
        "links:  # first\n  - wu-long  # one\n  - green  # two\n  - wu-long  # three",
        "links:  # first\n  - green  # two",
    ),
    ("contradicts: [green]\nlinks: [oolong, green]", "contradicts: [green]\nlinks: [wu-long, green]", None),
    ("contradicts:\n- oolong # why\n- green", "contradicts:\n- wu-long # why\n- green", "contradicts:\n- green"),
    ("supersedes: oolong", "supersedes: wu-long", "supersedes: []"),
    ("supersedes: [concepts/oolong.md, green]", "supersedes: [concepts/wu-long.md, green]", "supersedes: [green]"),
]


@pytest.mark.parametrize(("written", "renamed", "removed"), HEADS)
def test_what_a_head_names_follows_and_all_else_in_it_stays(written: str, renamed: str, removed: str | None) -> None:
    text = "\ufeff---\n# mine\ntitle:   'Cups'  # all\n{}\nlast: {{x: 010}}\n---\n\n# Cups\n\nNo link.\n"
    cups = Page("concepts/cups.md", text.format(written))
    base = Wiki(Catalogue.of_pages([TEA, GREEN, cups]))

    done = rename.rename(base, MANIFEST, "oolong", "wu-long")
    gone = rename.remove(base, MANIFEST, "oolong", "wrong")

    assert done.wiki.changed["concepts/cups.md"].text == text.format(renamed)
    assert done.bullets == ("renamed oolong to [[wu-long]]", "links changed in [[cups]], [[green]]")
    if removed is not None:
        assert gone.wiki.changed["concepts/cups.md"].text == text.format(removed)
        assert gone.bullets == ("removed oolong: wrong", "links changed in [[cups]], [[green]]")


def test_a_head_may_name_a_page_by_a_title_or_an_alias_that_stays_one() -> None:
    tea = Page(
        "concepts/oolong.md", "---\ntitle: Blue tea\nmetadata: {curator: {aliases: [wulong]}}\n---\n\n# Blue tea\n"
    )
    cups = Page("concepts/cups.md", "---\nlinks: [wulong, Blue tea, oolong, Oolongs]\n---\n\n# Cups\n")

    done = rename.rename(Wiki(Catalogue.of_pages([tea, cups])), MANIFEST, "oolong", "wu-yi")
    gone = rename.remove(Wiki(Catalogue.of_pages([tea, cups])), MANIFEST, "oolong", "wrong")

    after = done.wiki.changed["concepts/cups.md"]
    assert after.fields["links"] == ["wulong", "Blue tea", "wu-yi"]
    assert {hit.slug for name in after.head_links if (hit := done.wiki.resolve(name))} == {"wu-yi"}
    assert gone.wiki.changed["concepts/cups.md"].fields["links"] == []


@pytest.mark.parametrize("title", ["Oolong!", "OOLONG"])
@pytest.mark.parametrize("written", [written for written, _, _ in HEADS if "Kinds" not in written])
def test_a_title_of_the_same_slug_leaves_heads_as_they_are(written: str, title: str) -> None:
    cups = Page("concepts/cups.md", f"---\ntitle: Cups\n{written}\n---\n\n# Cups\n")

    done = rename.rename(Wiki(Catalogue.of_pages([TEA, cups])), MANIFEST, "oolong", title)

    assert done.wiki.page("cups") == cups


def test_a_page_that_names_itself_in_its_head_goes_on_doing_so() -> None:
    tea = Page("concepts/oolong.md", "---\nslug: oolong\nlinks: [oolong]\n---\n\n# Oolong\n")

    done = rename.rename(Wiki(Catalogue.of_pages([tea])), MANIFEST, "oolong", "wu-long")

    assert done.wiki.changed["concepts/wu-long.md"].text == tea.text.replace(
        "slug: oolong\nlinks: [oolong]", "slug: wu-long\nlinks: [wu-long]"
    )


def test_a_link_of_a_head_that_another_page_answers_is_left_and_a_relation_is_not() -> None:
    other = Page("entities/wulong.md", "---\ntitle: Wulong\naliases: [Oolong]\n---\n\n# Wulong\n")
    cups = Page("concepts/cups.md", "---\ncontradicts: [oolong]\nlinks: [oolong]\n---\n\n# Cups\n")

    done = rename.remove(Wiki(Catalogue.of_pages([TEA, cups, other])), MANIFEST, "oolong", "double")

    assert done.wiki.changed["concepts/cups.md"].text == "---\ncontradicts: []\nlinks: [oolong]\n---\n\n# Cups\n"


def test_a_rename_there_and_back_leaves_every_byte() -> None:
    heads = [written for written, _, _ in HEADS if "oolong, oolong" not in written]
    cups = [Page(f"concepts/cup-{n}.md", f"---\na: 1 # x\n{head}\n---\n\n# Cup\n") for n, head in enumerate(heads)]
    base = Wiki(Catalogue.of_pages([TEA, GREEN, *cups]))

    there = rename.rename(base, MANIFEST, "oolong", "wu-long")
    back = rename.rename(there.wiki, there.manifest, "wu-long", "oolong")

    assert len(there.wiki.changed) == len(cups) + 2
    assert {path: page.text for path, page in back.wiki.changed.items()} == {
        page.path: page.text for page in (TEA, GREEN, *cups)
    }


def test_a_head_that_cannot_be_changed_in_places_is_named() -> None:
    cups = Page("concepts/cups.md", "---\n{a: 1, links: [>-\n oolong]}\n---\n\n# Cups\n")
    odd = Page("concepts/odd.md", "---\n{a: 1, links:\n  'oolong'}\n---\n\n# Odd\n")
    base = Wiki(Catalogue.of_pages([TEA, cups, odd]))

    with pytest.raises(ConfigError, match=r"concepts/odd\.md: cannot set links") as caught:
        rename.rename(base, MANIFEST, "oolong", "wu-long")

    assert caught.value.code == "page_unreadable"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("black", "red", "page_unknown"), ("oolong", "green", "slug_taken"), ("oolong", "!?", "slug_invalid")],
)
def test_what_cannot_be_is_named(wiki: Wiki, old: str, new: str, code: str) -> None:
    with pytest.raises(ConfigError) as caught:
        rename.rename(wiki, MANIFEST, old, new)

    assert caught.value.code == code


def test_a_page_without_links_to_the_moved_one_stays_as_it_is() -> None:
    move = PageMove(PageEntry.of(TEA), None)

    assert (
        relink.relinked(Page("concepts/x.md", "# X\n\nNo [[green]] link.\n"), move).text
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
    report = edit.rename_page(settings(landed), "oolong", "Blue tea", dry_run=False)

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
    dry = edit.remove_page(settings(landed), "oolong", "no use", dry_run=True)
    assert (landed / "concepts" / "oolong.md").exists()

    report = edit.remove_page(settings(landed), "oolong", "no use", dry_run=False)

    assert "+++ /dev/null" in dry.data["diff"]
    assert report.data["removed"] == ["concepts/oolong.md"]
    assert git(landed, "status", "--porcelain") == ""
    assert "oolong.md" not in git(landed, "ls-files", "concepts")
    assert "no use" in (landed / "_log.md").read_text()


def test_a_head_link_follows_and_goes_in_the_one_commit_that_can_be_taken_back(landed: Path) -> None:
    cups = landed / "concepts" / "cups.md"
    cups.write_text("---\ntitle: Cups  # all\nlinks:\n  - oolong # it\n  - oolong-notes\n---\n\n# Cups\n")
    git(landed, "add", "-A")
    git(landed, "commit", "-qm", "cups")
    before = cups.read_text()

    renamed = edit.rename_page(settings(landed), "oolong", "wu-long", dry_run=False)
    assert cups.read_text() == before.replace("oolong # it", "wu-long # it")
    assert "links changed in [[cups]], [[oolong-notes]]" in (landed / "_log.md").read_text()
    with pytest.raises(ConfigError, match="renamed a page") as caught:
        edit.undo_commits(settings(landed), [renamed.data["commit"]], dry_run=False)
    assert caught.value.hint == "curate rename wu-long Oolong"
    edit.rename_page(settings(landed), "wu-long", "oolong", dry_run=False)
    assert cups.read_text() == before

    removed = edit.remove_page(settings(landed), "oolong", "no use", dry_run=False)
    assert cups.read_text() == before.replace("  - oolong # it\n", "")
    assert removed.data["did"] == ["removed oolong: no use", "links changed in [[cups]], [[oolong-notes]]"]
    edit.undo_commits(settings(landed), [removed.data["commit"]], dry_run=False)
    assert cups.read_text() == before
    assert git(landed, "status", "--porcelain") == ""


def test_an_ingest_before_a_rename_is_taken_back_with_head_links_about(landed: Path) -> None:
    notes = landed / "summaries" / "oolong-notes.md"
    notes.write_text(notes.read_text().replace("---\n", "---\nlinks: [oolong]\n", 1))
    cups = landed / "concepts" / "cups.md"
    cups.write_text("---\ntitle: Cups\nlinks: [oolong, oolong-notes]\n---\n\n# Cups\n")
    git(landed, "add", "-A")
    git(landed, "commit", "-qm", "by hand")
    edit.rename_page(settings(landed), "oolong", "wu-long", dry_run=False)

    report = edit.undo_commits(settings(landed), ["sources/oolong-notes.txt"], dry_run=False)

    assert report.ok
    assert not (landed / "concepts" / "wu-long.md").exists()
    assert cups.read_text() == "---\ntitle: Cups\nlinks: []\n---\n\n# Cups\n"


def test_a_linking_page_with_unsaved_changes_is_waited_for(landed: Path) -> None:
    page = landed / "summaries" / "oolong-notes.md"
    page.write_text(page.read_text() + "mine\n")
    head = git(landed, "rev-parse", "HEAD")

    with pytest.raises(Conflict, match="oolong-notes"):
        edit.rename_page(settings(landed), "oolong", "wu-long", dry_run=False)

    assert git(landed, "rev-parse", "HEAD") == head


def test_a_page_that_is_called_so_already_is_not_renamed(landed: Path) -> None:
    before = git(landed, "rev-parse", "HEAD")

    for name in ("oolong", "Oolong"):
        with pytest.raises(ConfigError, match="already") as caught:
            edit.rename_page(settings(landed), "oolong", name, dry_run=False)
        assert caught.value.code == "rename_same"
    assert git(landed, "rev-parse", "HEAD") == before


FOREIGN = """---
title: Oolong
kind: concept
metadata:
  release: 1.10   # not 1.1
  when: 2026-01-02 03:04:05
  other: {version: 1.20, 'quoted': "yes"}
  {ours}
  last: 0x1F
tags: [tea]
---
# Oolong

Oolong is a tea.
"""


@pytest.mark.parametrize(
    ("ours", "then"),
    [
        ("curator: {type: Tea}", "curator: {type: Tea, aliases: [Oolong]}"),
        ("curator:\n    aliases:\n    - Wulong  # mine\n    version: 1.0", None),
        ("curator:\n    type: Tea", "curator:\n    type: Tea\n    aliases:\n    - Oolong\n"),
        ("#", None),
    ],
    ids=["flow", "list", "block", "none"],
)
def test_a_rename_keeps_every_byte_of_the_head_that_is_not_the_title_or_an_alias(ours: str, then: str | None) -> None:
    before = FOREIGN.replace("{ours}", ours)

    wiki = Wiki(Catalogue.of_pages([Page("concepts/oolong.md", before)]))
    (page,) = rename.rename(wiki, MANIFEST, "oolong", "Black dragon").wiki.changed.values()

    head = page.text.partition("\n---\n")[0]
    lines = [line for line in before.partition("\n---\n")[0].split("\n") if not line.endswith(("Oolong", "Tea}"))]
    assert [line for line in lines if line not in head.split("\n")] == []
    assert page.title == "Black dragon"
    assert page.own_aliases[-1] == "Oolong"
    assert then is None or then in head


def test_the_command_leaves_the_metadata_of_another_program_to_the_byte(landed: Path) -> None:
    foreign = FOREIGN.replace("  {ours}\n", "")
    (landed / "concepts" / "tea.md").write_text(foreign.replace("Oolong", "Keemun"))
    git(landed, "add", "-A")
    git(landed, "commit", "-qm", "tea")

    run = [*curate_words(), "--wiki", str(landed), "rename", "keemun", "Black dragon"]
    subprocess.run(run, check=True, capture_output=True)

    head = (landed / "concepts" / "black-dragon.md").read_text().partition("\n---\n")[0]
    metadata = foreign[foreign.index("metadata:") : foreign.index("tags:")]
    assert metadata in head
    assert head.count("release") == 1
    assert "aliases:" in head
