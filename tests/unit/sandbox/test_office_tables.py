"""Workbooks and tables as text: a row a line, bounds that are said, and nothing of what is hidden."""

from __future__ import annotations

import pytest
from extracted import Extracted
from formats import csv, xlsx
from formats.office import gathered
from unicode_text import Unreadable

from support.office_files import xlsx as made

STYLES = """
<numFmts><numFmt numFmtId="170" formatCode="dd&quot;.&quot;mm\\.yyyy"/><numFmt numFmtId="171" formatCode=";;;"/></numFmts>
<fonts><font/><font><color rgb="FFFFFFFF"/></font><font><sz val="1"/></font><font><color theme="0"/></font></fonts>
<fills><fill><patternFill patternType="none"/></fill>
<fill><patternFill patternType="solid"><fgColor rgb="FF000080"/></patternFill></fill></fills>
<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="10"/><xf numFmtId="171"/><xf fontId="1" fillId="0"/>
<xf fontId="1" fillId="1"/><xf fontId="2"/><xf fontId="3"/><xf numFmtId="22"/></cellXfs>
"""


def read(*sheets: str, state: str = "visible", shared: str = "") -> Extracted:
    return xlsx.read(made(*sheets, state=state, styles=STYLES, shared=shared), 100_000)


def texts(sheet: str, shared: str = "") -> list[str]:
    return [text for _, text, _ in read(f"<sheetData>{sheet}</sheetData>", shared=shared).lines[1:]]


def test_each_sheet_is_a_page_and_each_row_a_line() -> None:
    row = '<row r="1"><c r="B1" t="s"><v>0</v></c><c r="C1"><v>1</v></c></row><row r="2"><c r="D2" t="b"><v>1</v></c></row>'
    found = read(
        row, '<row><c t="inlineStr"><is><t>b</t></is></c></row>', shared="<si><r><t>Te</t></r><r><t>a</t></r></si>"
    )

    assert found.unit == "page"
    assert [line[:2] for line in found.lines] == [
        (1, "# Sheet 1"),
        (1, "Tea | 1 |"),
        (1, "| | TRUE"),
        (2, "# Sheet 2"),
        (2, "b"),
    ]


@pytest.mark.parametrize(
    ("style", "value", "shown"),
    [
        (0, "0.30000000000000004", "0.3"),
        (0, "12345678", "12345678"),
        (1, "45418", "2024-05-06"),
        (2, "45418", "2024-05-06"),
        (9, "45418.4375", "2024-05-06 10:30"),
        (1, "99999999999", "99999999999"),
        (3, "0.125", "12.5%"),
        (0, "nan?", "nan?"),
    ],
)
def test_numbers_are_shown_as_days_shares_and_without_noise(style: int, value: str, shown: str) -> None:
    assert texts(f'<row><c s="{style}"><v>{value}</v></c></row>') == [f"{shown}"]


HIDINGS = {
    "a row": '<row hidden="1"><c><v>777</v></c></row>',
    "a column": '<cols><col min="2" max="16384" hidden="1"/></cols><row><c r="B1"><v>777</v></c></row>',
    "no format": '<row><c s="4"><v>777</v></c></row>',
    "white": '<row><c s="5"><v>777</v></c></row>',
    "white by the theme": '<row><c s="8"><v>777</v></c></row>',
    "tiny": '<row><c s="7"><v>777</v></c></row>',
}


@pytest.mark.parametrize("sheet", HIDINGS.values(), ids=HIDINGS)
def test_what_nobody_sees_is_left_out_and_counted(sheet: str) -> None:
    found = read(sheet)

    assert [text for _, text, _ in found.lines] == ["# Sheet 1"]
    assert [(each.count, each.is_hidden) for each in found.left_out] == [(3, True)]


def test_white_on_a_dark_cell_is_seen() -> None:
    assert texts('<row><c s="6"><v>1</v></c></row>') == ["1"]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_left_out(state: str) -> None:
    found = read("<row><c><v>1</v></c></row>", "<row><c><v>777</v></c></row>", state=state)

    assert [text for _, text, _ in found.lines] == ["# Sheet 1", "1"]
    assert [(each.what, each.count) for each in found.left_out] == [("hidden sheets", 3)]


def test_rows_beyond_the_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 2)

    found = read("<row><c><v>1</v></c></row>" * 5)

    assert len(found.lines) == 3
    assert [(each.what, each.count) for each in found.left_out] == [("rows of sheets beyond the first 2", 3)]


def test_formulas_that_were_never_worked_out_are_said() -> None:
    found = read("<row><c><f>A1+1</f></c><c><f>A1</f><v>4</v></c></row>")

    assert [text for _, text, _ in found.lines][1:] == ["4"]
    assert [(each.what, each.count) for each in found.left_out] == [("formulas without a stored value", 1)]


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (b"a,b\n1,2\n", [(1, "a | b", 1), (2, "1 | 2", 2)]),
        (b"a;b\n1,5;2\n", [(1, "a | b", 1), (2, "1,5 | 2", 2)]),
        (b"a\tb\n\n1\t2", [(1, "a | b", 1), (3, "1 | 2", 3)]),
        (b'a,b\r\n"two\r\nlines",2\r\nc,d', [(1, "a | b", 1), (2, "two lines | 2", 3), (4, "c | d", 4)]),
        ("Grün,weiß\n".encode("utf-16"), [(1, "Grün | weiß", 1)]),
        (b"one column\nonly", [(1, "one column", 1), (2, "only", 2)]),
    ],
)
def test_records_have_the_numbers_of_their_lines(data: bytes, rows: list[tuple[int, str, int]]) -> None:
    found = csv.read(data, 1_000)

    assert (found.unit, found.lines) == ("line", rows)


def test_records_beyond_the_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv, "MOST_ROWS", 2)

    found = csv.read(b"a,b\n" * 10, 1_000)

    assert len(found.lines) == 2
    assert [(each.what, each.count) for each in found.left_out] == [("rows beyond the first 2", 8)]


def test_a_quote_that_never_ends_is_refused_within_its_bound() -> None:
    with pytest.raises(Unreadable) as caught:
        csv.read(b'a,"' + b"x\n" * 5_000, 1_000)

    assert caught.value.code == "source_damaged"


def test_a_row_without_words_is_no_line() -> None:
    assert gathered.row_of(["", " "]) == ""


FORMS = [
    ("0,", "5000", "5"),
    ("#,##0", "5000", "5000"),
    ("&quot;approved&quot;", "13", "approved"),
    ("0&quot;%&quot;", "40", "40%"),
    ("0%", "0.4", "40%"),
    ("[&gt;5]&quot;banned&quot;;&quot;free&quot;", "9", "banned"),
    ("[&gt;5]&quot;banned&quot;;&quot;free&quot;", "3", "free"),
    ("0&quot; gain&quot;;0&quot; loss&quot;", "-5", "5 loss"),
    ("0;[Red]0", "-5", "-5"),
    ("-0", "12", "-12"),
    ("_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-;_-* &quot;-&quot;?? [$€-407]_-;_-@_-", "-12.5", "-12.5"),
    ("_-* #,##0.00_-;-* #,##0.00_-;_-* &quot;-&quot;??_-;_-@_-", "0", "0"),
    ("0&quot; t&quot;", "12", "12 t"),
    (r"\n\o\t\ 0", "12", "not 12"),
    ("[$not -409]0", "12", "not 12"),
    ("&quot;not before &quot;yyyy\\-mm\\-dd", "45000", "not before 2023-03-15"),
    ("0;;;@", "0", ""),
    (";;;", "12", ""),
    ("0;0;0;&quot;x&quot;@", "12", "12"),
    ("0.0E+0", "12", "12"),
]


@pytest.mark.parametrize(("form", "value", "shown"), FORMS)
def test_a_number_is_read_as_its_form_shows_it(form: str, value: str, shown: str) -> None:
    styles = (
        f'<numFmts><numFmt numFmtId="200" formatCode="{form}"/></numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs>'
    )
    row = f'<sheetData><row><c t="inlineStr"><is><t>x</t></is></c><c s="1"><v>{value}</v></c></row></sheetData>'

    assert [text for _, text, _ in xlsx.read(made(row, styles=styles), 1000).lines][1:] == [
        f"x | {shown}" if shown else "x"
    ]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("&quot;not &quot;@", "x | not tea"),
        ("@", "x | tea"),
        ("0", "x | tea"),
        ("0;0;0;&quot;no&quot;", "x | no"),
        (";;;", "x"),
    ],
)
def test_words_are_read_as_their_form_shows_them(form: str, shown: str) -> None:
    styles = (
        f'<numFmts><numFmt numFmtId="200" formatCode="{form}"/></numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs>'
    )
    cells = "".join(f'<c s="{s}" t="inlineStr"><is><t>{text}</t></is></c>' for s, text in ((0, "x"), (1, "tea")))
    found = xlsx.read(made(f"<sheetData><row>{cells}</row></sheetData>", styles=styles), 1000)

    assert [text for _, text, _ in found.lines][1:] == [shown]
