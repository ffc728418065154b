"""Word documents: what a person reads there, in the order in which it stands, and nothing that nobody sees."""

from __future__ import annotations

import pytest
from extracted import Extracted
from formats import docx

from support.office_files import core, p, w_table
from support.office_files import docx as made

STYLES = """
<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Mine"/><w:basedOn w:val="Base"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="table" w:styleId="Dark"><w:tblPr><w:shd w:val="clear" w:fill="000080"/></w:tblPr></w:style>
<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
"""
NUMBERING = """
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
"""


def read(body: str, **parts: str) -> Extracted:
    return docx.read(made(body, **parts), 100_000)


def texts(body: str, **parts: str) -> list[str]:
    return [text for _, text, _ in read(body, **parts).lines]


def left_out(body: str, **parts: str) -> dict[str, int]:
    return {each.what: each.count for each in read(body, **parts).left_out}


def listed(text: str, number: int, level: int = 0) -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_paragraphs_are_counted_and_empty_ones_are_not() -> None:
    found = read(p("One.") + p(" ") + "<w:p><w:r><w:t>Two</w:t><w:br/><w:t>lines.</w:t></w:r></w:p>")

    assert (found.unit, list(found.lines)) == ("paragraph", [(1, "One.", 1), (2, "Two", 2), (2, "lines.", 2)])


def test_headings_are_told_by_their_level_or_that_of_their_style() -> None:
    body = p("A", '<w:pStyle w:val="Sub"/>') + p("B", '<w:outlineLvl w:val="1"/>') + p("C", '<w:pStyle w:val="Loop"/>')

    assert texts(body, styles=STYLES) == ["# A", "## B", "C"]


def test_items_have_the_numbers_that_word_shows() -> None:
    body = listed("a", 1) + listed("b", 1) + listed("c", 1, 1) + listed("d", 1, 1) + listed("e", 1) + listed("f", 2)

    assert texts(body, numbering=NUMBERING) == ["1. a", "2. b", "  2.a) c", "  2.b) d", "3. e", "- f"]


def test_a_row_is_a_line_and_a_table_of_one_column_is_text() -> None:
    assert texts(w_table(("Grade", "Price"), ("Sencha", ""))) == ["Grade | Price", "Sencha |"]
    assert texts(w_table(("One.",), ("Two.",))) == ["One.", "Two."]


def test_a_note_stands_behind_its_paragraph_under_the_same_number() -> None:
    note = '<w:footnote w:id="2"><w:p><w:r><w:t>For weeks.</w:t></w:r></w:p></w:footnote>'
    body = p('In shade.</w:t></w:r><w:r><w:footnoteReference w:id="2"/><w:t xml:space="preserve"> In May.')

    assert list(read(body + p("Next."), footnotes=note).lines) == [
        (1, "In shade. In May.", 1),
        (1, "Note 1: For weeks.", 1),
        (2, "Next.", 2),
    ]


def test_a_text_box_is_read_once_behind_its_paragraph() -> None:
    box = f"<w:txbxContent>{p('Boxed.')}</w:txbxContent>"
    drawing = (
        f"<mc:AlternateContent><mc:Choice><w:drawing><wps:wsp>{box}</wps:wsp></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    )

    assert texts(f"<w:p><w:r><w:t>Text.</w:t>{drawing}</w:r></w:p>") == ["Text.", "Boxed."]


def test_insertions_are_read_and_deletions_are_not() -> None:
    body = "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>"

    assert texts(body) == ["new"]
    assert left_out(body) == {"tracked deletions": 3}


WHITE = p("seen", run='<w:color w:val="FFFFFF"/>')
WHITE_SECRET = WHITE.replace("seen", "secret")
HIDINGS = {
    "vanish": p("secret", run="<w:vanish/>"),
    "vanish by a style": p("secret", run='<w:rStyle w:val="Secret"/>'),
    "white": WHITE_SECRET,
    "nearly white": p("secret", run='<w:color w:val="FDFDFD"/>'),
    "black on black": p("secret", run='<w:highlight w:val="black"/>'),
    "the colour of the shade": p("secret", '<w:shd w:val="clear" w:fill="204060"/>', '<w:color w:val="204060"/>'),
    "white in a cell": f"<w:tbl><w:tr><w:tc>{WHITE_SECRET}</w:tc></w:tr></w:tbl>",
    "tiny": p("secret", run='<w:sz w:val="2"/>'),
    "squeezed": p("secret", run='<w:w w:val="1"/>'),
    "a line without height": p("secret", '<w:spacing w:line="20" w:lineRule="exact"/>'),
    "transparent": p("secret", run="<w:textFill><w:noFill/></w:textFill>"),
    "raised off the line": p("secret", run='<w:position w:val="-3000"/>'),
    "letters on letters": p("secret", run='<w:spacing w:val="-400"/>'),
    "indented off the page": p("secret", '<w:ind w:left="-30000"/>'),
    "framed off the page": p("secret", '<w:framePr w:x="90000" w:y="1"/>'),
    "white by the theme": p("secret", run='<w:color w:val="000000" w:themeColor="background1"/>'),
    "white by its fill": p(
        "secret", run='<w:textFill><w:solidFill><w:srgbClr w:val="FFFFFF"/></w:solidFill></w:textFill>'
    ),
    "transparent by its fill": p(
        "secret",
        run='<w:textFill><w:solidFill><w:srgbClr w:val="000000"><w:alpha w:val="100000"/></w:srgbClr></w:solidFill>'
        "</w:textFill>",
    ),
    "a box off the page": "<w:p><w:r><w:drawing><wp:anchor><wp:positionH><wp:posOffset>-90000000</wp:posOffset>"
    f"</wp:positionH><w:txbxContent>{p('secret')}</w:txbxContent></wp:anchor></w:drawing></w:r></w:p>",
    "a box without a size": '<w:p><w:r><w:drawing><wp:anchor><wp:extent cx="1" cy="1"/>'
    f"<w:txbxContent>{p('secret')}</w:txbxContent></wp:anchor></w:drawing></w:r></w:p>",
    "a hidden row": f"<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>{p('secret')}</w:tc></w:tr></w:tbl>",
    "a flat row": '<w:tbl><w:tr><w:trPr><w:trHeight w:val="2" w:hRule="exact"/></w:trPr>'
    f"<w:tc>{p('secret')}</w:tc></w:tr></w:tbl>",
    "a hidden box": '<w:p><w:r><w:drawing><wp:docPr hidden="1"/>'
    f"<w:txbxContent>{p('secret')}</w:txbxContent></w:drawing></w:r></w:p>",
    "white in a box": "<w:p><w:r><w:drawing><wps:wsp><wps:spPr><a:noFill/></wps:spPr>"
    f"<w:txbxContent>{WHITE_SECRET}</w:txbxContent></wps:wsp></w:drawing></w:r></w:p>",
}


@pytest.mark.parametrize("body", HIDINGS.values(), ids=HIDINGS)
def test_what_nobody_sees_is_left_out_and_counted(body: str) -> None:
    found = read(p("Seen.") + body, styles=STYLES)

    assert [text for _, text, _ in found.lines] == ["Seen."]
    assert [(each.count, each.is_hidden) for each in found.left_out] == [(len("secret"), True)]


SEEN = {
    "white on a dark cell": "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val='clear' w:fill='000080'/></w:tcPr>"
    f"{WHITE}</w:tc></w:tr></w:tbl>",
    "white in a table of a dark style": '<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr>'
    f"<w:tc>{WHITE}</w:tc></w:tr></w:tbl>",
    "white on a highlight": p("seen", run='<w:color w:val="FFFFFF"/><w:highlight w:val="darkBlue"/>'),
    "hidden, but not": p("seen", run='<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>'),
    "a dark colour of the theme": p(
        "seen", run='<w:color w:val="FFFFFF" w:themeColor="background1" w:themeShade="80"/>'
    ),
    "an indent into the margin": p("seen", '<w:ind w:left="-720"/>'),
    "small print": p("seen", run='<w:sz w:val="11"/>'),
}


@pytest.mark.parametrize("body", SEEN.values(), ids=SEEN)
def test_what_is_seen_is_read(body: str) -> None:
    assert texts(body, styles=STYLES) == ["seen"]


def test_what_stands_beside_the_text_is_left_out_by_name() -> None:
    parts = {"comments": p("Really?"), "header": p("Page 1"), "styles": STYLES}

    assert left_out(p("Text.") + p("Text 1", '<w:pStyle w:val="TOC1"/>'), **parts) == {
        "table of contents": 6,
        "comments": 7,
        "page headers and footers": 6,
    }


def test_the_head_is_that_of_the_properties_and_else_of_the_text() -> None:
    body = p("On Tea", '<w:pStyle w:val="Title"/>')
    said = core(title="Tea", creator="Ann Lee;Bo Ek", modified="2024-05-06T10:00:00Z")

    assert read(body, styles=STYLES).head == {"title": "On Tea", "language": "en-GB"}
    assert read(body, styles=STYLES, core=said).head == {
        "title": "Tea",
        "authors": ["Ann Lee", "Bo Ek"],
        "date": "2024-05-06",
        "language": "en-GB",
    }
