"""Footnotes that cite: written so that they can be read back, and so that nothing in a quote comes alive."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.wiki.pages import markdown
from curator.wiki.pages.citation import Anchor, Citation, mark, marks_in, quote_path, without_marks
from support.pages import laws

FOOTNOTE = '[^pep-0427-1]: sources/pep-0427.rst#L38 "a wheel is a ZIP-format archive"'

ONE_LINE = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=40).map(
    lambda text: " ".join(text.split())
)
MARKUP = st.text(alphabet="[]()<>!^`\\\"'#|*_/:? ab", max_size=24).map(lambda text: " ".join(text.split()))


def read_back(definition: str) -> Citation | None:
    return Citation.parse(definition.partition("]:")[2])


def test_a_citation_is_written_as_a_footnote() -> None:
    citation = Citation("sources/pep-0427.rst", "L38", "a wheel is a ZIP-format archive")

    assert citation.definition("pep-0427-1") == FOOTNOTE
    assert read_back(FOOTNOTE) == citation


@pytest.mark.parametrize(
    "place",
    [
        Anchor("line", 38, 38),
        Anchor("line", 12, 15),
        Anchor("page", 3, 3),
        Anchor("page", 3, 4),
        Anchor("paragraph", 7, 7),
        Anchor("paragraph", 7, 9),
        Anchor("second", 62, 62),
        Anchor("second", 62, 75),
    ],
    ids=lambda place: place.written,
)
def test_an_anchor_is_read_back_as_it_was_written(place: Anchor) -> None:
    note = f'sources/a.md#{place.written} "the words of it"'

    found = Citation.parse(note)

    assert found is not None and found.place == place


@pytest.mark.parametrize("anchor", ["", "L", "L3-4", "L3-p4", "page3", "t=1-2", "t=1.5", "par", "L" + "9" * 10])
def test_anything_else_is_no_anchor(anchor: str) -> None:
    assert Anchor.parse(anchor) is None
    assert Citation.parse(f'sources/a.md#{anchor} "the words of it"') is None


@pytest.mark.parametrize(
    "note",
    [
        "see the book",
        'notes/a.md#L1 "words"',
        'sources/a.md "words"',
        'sources/a.md#L "words"',
        "sources/a.md#L1 words",
        'sources/a.md#L1 "words" and more',
        "",
    ],
)
def test_a_footnote_of_another_kind_is_no_citation(note: str) -> None:
    assert Citation.parse(note) is None


def test_a_footnote_broken_over_lines_is_read() -> None:
    note = 'sources/a.md#L1-L2\n    "words of\n    the source"\n'

    assert Citation.parse(note) == Citation("sources/a.md", "L1-L2", "words of the source")


@laws
@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20),
    st.sampled_from(["L1", "L12-L15", "p3"]),
    st.one_of(ONE_LINE, MARKUP),
)
@example("a b (1).md", "L1", "x")
@example("100% #1.md", "L1", "x")
@example("ペ\u3000ジ.md", "L1", "x")
@example("a[1]](x).md", "L1", 'he said "yes" [^1] and [[no]]')
@example("a", "L1", "\\[x]")
def test_what_is_cited_is_what_is_read(name: str, anchor: str, quote: str) -> None:
    citation = Citation(f"sources/{name}", anchor, quote)

    assert read_back(citation.definition("x-1")) == citation


@laws
@given(st.one_of(MARKUP, st.text(alphabet="[]!<a>(b)\\", max_size=16)))
@example("see [[wheel]] and ![[x]] and ![y](z) and [a](b) and [^1] <b> <!-- c --> <https://x.y>")
@example("\\\\[[x]]")
def test_a_quote_links_nothing_and_is_no_html(quote: str) -> None:
    citation = Citation("sources/a.md", "L1", f"before {quote} after")

    outline = markdown.scan(f"Claim. [^a-1]\n\n{citation.definition('a-1')}\n")

    assert outline.links == ()
    assert outline.html == ()


@laws
@given(st.text(alphabet="[]!<a>(b)`|*_#", min_size=1, max_size=16))
def test_a_source_path_links_nothing(name: str) -> None:
    outline = markdown.scan(f"Claim. [^a-1]\n\n{Citation('sources/' + name, 'L1', 'words').definition('a-1')}\n")

    assert (outline.links, outline.html) == ((), ())


def test_a_plain_path_is_written_as_it_is() -> None:
    assert quote_path("sources/2025/étude_du-thé.v2.md") == "sources/2025/étude_du-thé.v2.md"
    assert quote_path("sources/my notes.md") == "sources/my%20notes.md"


def test_marks_are_found_in_order_and_taken_out() -> None:
    text = f"One. {mark('a-1')} Two {mark('b-2')}{mark('a-1')}."

    assert marks_in(text) == ["a-1", "b-2", "a-1"]
    assert without_marks(text) == "One. Two."


def test_no_program_finds_a_link_in_quoted_words() -> None:
    """Some look for ``[[`` whatever stands before it."""
    assert "[[" not in Citation("sources/a.md", "L1", "Call [[Anna Müller]] and [[[x]]]").definition("a-1")
