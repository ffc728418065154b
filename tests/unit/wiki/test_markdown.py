"""What stands in a markdown text, as a person reads it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.wiki.pages import inline, markdown
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.markdown import Block, Link
from support.pages import Case, cases, laws

MARKUP = st.text(alphabet='ab []()!#|\\`*_-+>~<&:.1^\n\r\t"😀é', max_size=80)


@pytest.mark.parametrize("case", cases("links"), ids=lambda case: case.title)
def test_links(case: Case) -> None:
    found = markdown.scan(case.given).links

    assert "\n".join(map(_shown_link, found)) == case.wanted


@pytest.mark.parametrize("case", cases("blocks"), ids=lambda case: case.title)
def test_blocks(case: Case) -> None:
    found = markdown.scan(case.given).blocks

    assert "\n".join(map(_shown_block, found)) == case.wanted


def _shown_link(link: Link) -> str:
    return f"{link.form} {link.target or '-'} {link.anchor or '-'} {link.line}"


def _shown_block(block: Block) -> str:
    cited = f" | {' '.join(block.citations)}" if block.citations else ""
    return f"{block.kind} {block.line} | {' '.join(without_marks(block.text).split())}{cited}"


def test_a_block_is_where_its_words_are() -> None:
    text = "Before 😀.\n\n- Tea is a drink. [^1]\n  - Black. [^2]\n\n| a |\n|---|\n| b [^3] |\n"

    found = [text[block.start : block.end] for block in markdown.scan(text).blocks]

    assert found == ["Before 😀.", "- Tea is a drink. [^1]", "- Black. [^2]", "| b [^3] |"]


def test_a_link_is_where_it_is_written() -> None:
    text = "Été 😀 [[wheel|the wheel]] and [x](y.md)"

    found = [text[link.start : link.end] for link in markdown.scan(text).links]

    assert found == ["[[wheel|the wheel]]", "[x](y.md)"]


def test_words_outside_links_are_told_apart() -> None:
    (block,) = markdown.scan("See also: [[wheel]], [tea](tea.md).").blocks

    assert block.text == "See also: wheel, tea."
    assert block.words_outside_links == "See also: , ."


def test_the_cells_of_a_row_are_told_apart() -> None:
    (row,) = markdown.scan("| File | Place |\n|---|---|\n| `https://a.org/x` | https://a.org/y |\n").blocks

    assert row.text == "https://a.org/x https://a.org/y"


def test_raw_html_is_told_with_its_line() -> None:
    outline = markdown.scan("a <b>x</b>\n\n<script>\ny\n</script>\n\n<!-- z -->\n")

    assert [line for line, _ in outline.html][:3] == [1, 1, 3]
    assert "<!-- z -->" in [text for _, text in outline.html]


def test_windows_line_ends_count_as_one() -> None:
    blocks = markdown.scan("# A\r\n\r\nB\r\nc\r\n\r\n- d\r\n").blocks

    assert [(block.kind, block.line) for block in blocks] == [("heading", 1), ("paragraph", 3), ("item", 6)]


@laws
@given(st.one_of(MARKUP, st.text(max_size=80)))
@example("[[a|b]]\n[^x]: [[c]]\n    - d")
@example("|a|\n|-|\n|[[b\\|c]]|")
def test_any_text_is_read_and_every_place_is_in_it(text: str) -> None:
    outline = markdown.scan(text)

    lines = text.count("\n") + 1
    for block in outline.blocks:
        assert 0 <= block.start <= block.end <= len(text)
        assert 1 <= block.line <= lines
    for link in outline.links:
        assert 0 <= link.start < link.end <= len(text)
        assert 1 <= link.line <= lines
    assert list(outline.blocks) == sorted(outline.blocks, key=lambda block: block.start)


@laws
@given(st.text(alphabet='ab 1[]()!#|\\`*_-+>~<&:.=^"😀é', min_size=1, max_size=40))
@example("# x")
@example("1. x")
@example("<b>")
@example("&lt;x&gt;")
@example("===")
@example("~~~ x")
@example("    x")
@example("https://example.org")
def test_escaped_text_shows_as_it_is(text: str) -> None:
    outline = markdown.scan(f"# {inline.escape(text)}\n")

    (heading,) = outline.blocks
    assert (outline.links, outline.html) == ((), ())
    assert heading.text == " ".join(text.split())


@laws
@given(st.text(alphabet='ab 1[]()!#|\\`*_-+>~<&:.=^"😀é', min_size=1, max_size=40).filter(str.strip))
@example("1) x")
@example("---")
@example("=====")
@example("~~~")
def test_escaped_text_is_a_paragraph(text: str) -> None:
    outline = markdown.scan(inline.escape(text))

    assert [block.kind for block in outline.blocks] == ["paragraph"]
    assert outline.blocks[0].text == " ".join(text.split())
