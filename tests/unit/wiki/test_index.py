"""The index is a pure function of the pages, whatever their order."""

from __future__ import annotations

import random
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.repository.catalogue import Catalogue
from curator.wiki import index
from curator.wiki.pages import markdown
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry, Wiki
from support.pages import laws, page

TEXT = st.text(alphabet="ab \n[]<>|`*\\!()é茶\u2028", max_size=20)
ENTRIES = st.lists(
    st.builds(
        PageEntry,
        slug=st.sampled_from(["a", "a-b", "ab", "b", "b-1", "b1", "tea", "tea-x", "z"]),
        path=st.just("x.md"),
        title=TEXT,
        kind=st.one_of(st.sampled_from(["concept", "entity", "summary", "file-format"]), TEXT),
        summary=TEXT,
        sources=st.lists(TEXT, max_size=2).map(tuple),
        tags=st.lists(TEXT, max_size=2).map(tuple),
    ),
    max_size=8,
    unique_by=lambda entry: entry.slug,
)
GROUPINGS = st.sampled_from(["kind", "tag", "source"])


@laws
@given(ENTRIES, GROUPINGS, st.randoms(use_true_random=False))
def test_the_order_of_the_pages_is_nothing_to_the_index(
    entries: list[PageEntry], grouping: str, chance: random.Random
) -> None:
    other = list(entries)
    chance.shuffle(other)

    assert index.render(entries, grouping) == index.render(other, grouping)


@laws
@given(ENTRIES, GROUPINGS)
def test_an_index_links_the_pages_and_nothing_else(entries: list[PageEntry], grouping: str) -> None:
    outline = markdown.scan(index.render(entries, grouping))

    assert {link.target for link in outline.links} == {entry.slug for entry in entries}
    assert all(link.form == "wiki" for link in outline.links)
    assert outline.html == ()
    assert {block.kind for block in outline.blocks} <= {"heading", "item"}


@laws
@given(ENTRIES)
def test_every_page_has_one_line(entries: list[PageEntry]) -> None:
    lines = [line for line in index.render(entries).split("\n") if line.startswith("- ")]

    assert sorted(lines) == sorted(map(index.line, entries))


def test_sections_by_kind_stand_in_their_order_and_pages_by_slug() -> None:
    pages = [
        page("b-b", "Second.", kind="concept"),
        page("b", "First of all concepts."),
        page("notes", "Notes.", kind="summary"),
        page("wheel", "", kind="file-format"),
        page("ann", "A person.", kind="entity"),
    ]

    assert index.render(map(PageEntry.of, pages)) == (
        "# Index\n\n"
        "## Summaries\n\n- [[notes]] Notes: Notes.\n\n"
        "## Entities\n\n- [[ann]] Ann: A person.\n\n"
        "## Concepts\n\n- [[b]] B: First of all concepts.\n- [[b-b]] B b: Second.\n\n"
        "## File-formats\n\n- [[wheel]] Wheel\n"
    )


@pytest.mark.parametrize(
    ("grouping", "text"),
    [
        ("tag", "# Index\n\n## Untagged\n\n- [[b]] B\n\n## hot\n\n- [[a]] A\n"),
        ("source", "# Index\n\n## sources/a\\[1].md\n\n- [[a]] A\n\n## sources/old.txt\n\n- [[b]] B\n"),
    ],
)
def test_sections_by_tag_and_source(grouping: str, text: str) -> None:
    entries = [
        PageEntry.of(page("a", tags=["hot", "hot"], sources=["sources/a[1].md"], title="A")),
        PageEntry.of(page("b", title="B")),
    ]

    assert index.render(entries, grouping).replace("\\]", "]") == text


def test_an_empty_wiki_has_an_index() -> None:
    assert index.render([]) == "# Index\n"


@given(
    st.lists(st.sampled_from(["tea", "pot", "cup", "kettle"]), unique=True),
    st.sampled_from(["kind", "tag", "source"]),
)
def test_the_index_of_a_wiki_is_that_of_its_entries(slugs: list[str], grouping: str) -> None:
    """Kept lines or made anew, changed pages and gone ones: byte for byte the same."""
    pages = [
        Page(f"concepts/{slug}.md", f"---\ntags: [a, {slug}]\n---\n\n# The {slug}\n\nIt is [one].\n") for slug in slugs
    ]
    wiki = Wiki(Catalogue.of_pages([*pages, Page("entities/x.md", "# X\n")])).without("entities/x.md")
    for one in pages[::2]:
        wiki = wiki.with_page(one.with_body("\n# Other `words`\n\nNew.\n"))

    assert index.of(wiki, grouping) == index.render(wiki.entries(), grouping)


_PAGES = st.dictionaries(
    st.tuples(st.sampled_from(["concepts", "entities", "x"]), st.sampled_from(["a", "a-b", "b", "ab", "é", "tea"])),
    st.sampled_from(["One", "One\n\nSays [so].", "Two"]),
)


@given(_PAGES, _PAGES, st.sets(st.integers(0, 9)))
def test_an_index_edited_where_it_changes_is_the_one_made_anew(
    before: dict[tuple[str, str], str], after: dict[tuple[str, str], str], gone: set[int]
) -> None:
    def pages(of: dict[tuple[str, str], str]) -> list[Page]:
        return [Page(f"{folder}/{name}.md", f"# {said}\n") for (folder, name), said in of.items()]

    store = Catalogue.of_pages(pages(before))
    wiki = reduce(Wiki.with_page, pages(after), Wiki(store))
    for number, old in enumerate(pages(before)):
        if number in gone and old.path not in wiki.changed:
            wiki = wiki.without(old.path)

    assert _edited_or_anew(wiki, index.of(Wiki(store))) == index.render(wiki.entries())


def _edited_or_anew(wiki: Wiki, before: str) -> str:
    return str(index.edited(before.encode(), wiki) or index.of(wiki))


def test_an_index_that_is_not_what_it_is_said_to_be_is_made_anew() -> None:
    wiki = Wiki(Catalogue.of_pages([Page("concepts/a.md", "# A\n"), Page("concepts/c.md", "# C\n")]))
    changed = wiki.with_page(Page("concepts/b.md", "# B\n"))
    assert index.edited(b"# Index\n\n## Concepts\n\n- [[b]] B\n", changed) is None
    assert index.edited(b"# Index\n", changed.without("concepts/a.md")) is None


def test_of_a_big_index_only_what_changes_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    wiki = Wiki(Catalogue.of_pages([Page(f"concepts/{name}.md", f"# {name}\n") for name in "acd"]))
    before = index.of(wiki)
    monkeypatch.setattr(Catalogue, "lines", lambda self: pytest.fail("every line is read"))

    after = index.edited(before.encode(), wiki.with_page(Page("concepts/b.md", "# b\n")).without("concepts/d.md"))

    assert str(after) == "# Index\n\n## Concepts\n\n- [[a]] a\n- [[b]] b\n- [[c]] c\n"


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Oolong", "- [[oolong]] Oolong: A tea."),
        ("Grüner Tee (2nd)", "- [[oolong]] Grüner Tee (2nd): A tea."),
        ("a | b", "- [[oolong]] a \\| b: A tea."),
        ("`code` [x]", "- [[oolong]] \\`code\\` \\[x\\]: A tea."),
    ],
)
def test_a_line_has_slug_title_and_summary_and_links_nothing_else(title: str, line: str) -> None:
    entry = PageEntry.of(Page("concepts/oolong.md", f"---\nslug: oolong\ntitle: {title!r}\n---\nA tea.\n"))

    assert index.line(entry) == line
