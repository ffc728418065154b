"""ODF texts: what a person reads there, in the order in which it stands, and nothing that nobody sees."""

from __future__ import annotations

import pytest
from extracted import Extracted
from formats import odt

from support.office_files import odt as made

STYLES = """
<style:style style:name="White" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="Hidden" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Tiny" style:family="text"><style:text-properties fo:font-size="1pt"/></style:style>
<style:style style:name="Thin" style:family="text"><style:text-properties style:text-scale="1%"/></style:style>
<style:style style:name="Off" style:family="paragraph"><style:paragraph-properties fo:margin-left="-90cm"/></style:style>
<style:style style:name="Dark" style:family="table-cell"><style:table-cell-properties fo:background-color="#000080"/>
</style:style>
<style:style style:name="Gone" style:family="paragraph" style:parent-style-name="Far"/>
<style:style style:name="Far" style:family="paragraph"><style:text-properties text:display="none"/></style:style>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="Title" style:family="paragraph"/>
<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/>
</text:list-style>
"""
META = (
    "<m><title>Tea</title><initial-creator>Ann Lee</initial-creator><creator>Bo</creator><date>2024-05-06T1</date></m>"
)


def read(text: str, **parts: str) -> Extracted:
    return odt.read(made(text, STYLES, **parts), 100_000)


def texts(text: str) -> list[str]:
    return [line for _, line, _ in read(text).lines]


def test_headings_paragraphs_and_notes() -> None:
    body = "<text:note-body><text:p>For weeks.</text:p></text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}"
    found = read(
        f'<text:h text:outline-level="2">Growing</text:h><text:p>In<text:s text:c="3"/>shade.{note}</text:note> In\nMay.'
        "</text:p><text:p/><text:p>Two<text:line-break/>lines.</text:p>"
    )

    assert (found.unit, [line[:2] for line in found.lines]) == (
        "paragraph",
        [(1, "## Growing"), (2, "In shade. In May."), (2, "Note 1: For weeks."), (3, "Two"), (3, "lines.")],
    )


def test_items_have_their_numbers() -> None:
    inner = "<text:list><text:list-item><text:p>c</text:p></text:list-item></text:list>"
    items = (
        f"<text:list-item><text:p>a</text:p></text:list-item><text:list-item><text:p>b</text:p>{inner}</text:list-item>"
    )

    assert texts(f'<text:list text:style-name="L">{items}</text:list>') == ["1. a", "2. b", "  2.a) c"]
    assert texts(f"<text:list>{items}</text:list>") == ["- a", "- b", "  - c"]


def test_items_that_are_parted_by_others_go_on_counting_at_every_depth() -> None:
    """As LibreOffice writes a list that Word has made: each stretch is a list of its own."""
    again = '<text:list text:style-name="L" text:continue-list="x">'

    def item(text: str, depth: int) -> str:
        inner = f"<text:p>{text}</text:p>"
        for _ in range(depth):
            inner = f"<text:list><text:list-item>{inner}</text:list-item></text:list>"
        return f"{again}<text:list-item>{inner}</text:list-item></text:list>"

    parts = [item("a", 0), item("b", 1), "<text:p>Between.</text:p>", item("c", 1), item("d", 0), item("e", 1)]

    assert texts("".join(parts)) == ["1. a", "  1.a) b", "Between.", "  1.b) c", "2. d", "  2.a) e"]


def test_a_row_is_a_line_and_repeated_cells_are_bounded() -> None:
    row = (
        "<table:table-row><table:table-cell><text:p>Grade</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row>'
    )

    assert texts(f"<table:table>{row}</table:table>") == ["Grade | x | x"]
    many = row.replace('"2"', '"99999999"')
    assert len(texts(f"<table:table>{many}</table:table>")[0]) < 1_000


def test_a_frame_is_read_behind_its_paragraph() -> None:
    frame = "<draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame>"

    assert texts(f"<text:p>Te{frame}xt.</text:p>") == ["Text.", "Boxed."]


HIDINGS = {
    "hidden": '<text:p><text:span text:style-name="Hidden">secret</text:span></text:p>',
    "hidden by the style's ancestor": '<text:p text:style-name="Gone">secret</text:p>',
    "white": '<text:p><text:span text:style-name="White">secret</text:span></text:p>',
    "tiny": '<text:p><text:span text:style-name="Tiny">secret</text:span></text:p>',
    "squeezed": '<text:p><text:span text:style-name="Thin">secret</text:span></text:p>',
    "off the page": '<text:p text:style-name="Off">secret</text:p>',
    "a frame off the page": '<text:p><draw:frame draw:x="-90cm"><draw:text-box><text:p>secret</text:p></draw:text-box>'
    "</draw:frame></text:p>",
    "a hidden section": '<text:section text:display="none"><text:p>secret</text:p></text:section>',
    "a hidden field": "<text:p><text:hidden-text>secret</text:hidden-text></text:p>",
    "a hidden row": '<table:table><table:table-row table:visibility="collapse"><table:table-cell><text:p>secret</text:p>'
    "</table:table-cell></table:table-row></table:table>",
}


@pytest.mark.parametrize("text", HIDINGS.values(), ids=HIDINGS)
def test_what_nobody_sees_is_left_out_and_counted(text: str) -> None:
    found = read(f"<text:p>Seen.</text:p>{text}")

    assert [line for _, line, _ in found.lines] == ["Seen."]
    assert [(each.count, each.is_hidden) for each in found.left_out] == [(len("secret"), True)]


def test_white_on_a_dark_cell_is_seen() -> None:
    cell = (
        '<table:table-cell table:style-name="Dark"><text:p><text:span text:style-name="White">seen</text:span></text:p>'
    )

    assert texts(f"<table:table><table:table-row>{cell}</table:table-cell></table:table-row></table:table>") == ["seen"]


def test_deletions_comments_and_contents_are_left_out_by_name() -> None:
    found = read(
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes><text:table-of-content><text:p>Tea 1</text:p></text:table-of-content>"
        "<text:p>Text.<office:annotation><text:p>Really?</text:p></office:annotation></text:p>"
    )

    assert {each.what: each.count for each in found.left_out} == {
        "tracked deletions": 3,
        "table of contents": 5,
        "comments": 7,
    }


def test_the_head_names_who_wrote_it_first_and_when_it_was_last_changed() -> None:
    assert read("<text:p>x</text:p>", meta=META).head == {"title": "Tea", "authors": ["Ann Lee"], "date": "2024-05-06"}
    assert read('<text:p text:style-name="P1">On Tea</text:p>').head == {"title": "On Tea"}
