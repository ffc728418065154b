r"""Rich text: what a person reads there, in the order in which it stands, and nothing that nobody sees."""

from __future__ import annotations

import pytest
from extracted import Extracted
from formats import rtf
from unicode_text import Unreadable

COLOURS = r"{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}"


def read(body: str) -> Extracted:
    return rtf.read(rf"{{\rtf1\ansi\ansicpg1252{COLOURS}{body}}}".encode("latin-1"), 100_000)


def texts(body: str) -> list[str]:
    return [text for _, text, _ in read(body).lines]


def test_paragraphs_headings_and_notes() -> None:
    found = read(
        r"{\stylesheet{\s0 Normal;}{\s3\b heading 2;}}\pard\s3 Growing\par\pard In {\b shade}.{\footnote\pard For weeks.}"
        r" In May.\par\pard\outlinelevel0 Next\par Two\line lines."
    )

    assert (found.unit, [line[:2] for line in found.lines]) == (
        "paragraph",
        [
            (1, "## Growing"),
            (2, "In shade. In May."),
            (2, "Note 1: For weeks."),
            (3, "# Next"),
            (4, "# Two"),
            (4, "lines."),
        ],
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"caf\'e9", "café"),
        (r"\u8364?5", "€5"),
        (r"\uc2\u8364\'80\'80 5", "€ 5"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"a\emdash b\~c\-d\_e", "a—b c" + "d-e"),
        (r"\{x\\y\}", r"{x\y}"),
        (r"{\fonttbl{\f1\fcharset204 A;}}{\f1 \'c0}", "А"),
        (r"{\fonttbl{\f1\fcharset128 A;}}{\f1 \'93\'fa}", "日"),
        (r"a\bin3 }}}b", "ab"),
        (r"{\*\unknown no}yes", "yes"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt the guild}}", "the guild"),
        (r"{\listtext\'b7\tab}item", "- item"),
        (r"{\listtext 2.\tab}item", "2. item"),
        (r"{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt boxed}}}", "boxed"),
    ],
)
def test_words_are_those_that_are_shown(written: str, shown: str) -> None:
    assert texts(written) == [shown]


def test_a_row_is_a_line() -> None:
    row = r"\trowd\cellx1\cellx2\pard\intbl Grade\cell Two\par lines\cell\row"

    assert texts(f"{row}\\pard After.") == ["Grade | Two lines", "After."]


HIDINGS = [r"{\v secret}", r"{\cf1 secret}", r"{\fs2 secret}", r"{\cf2\highlight2 secret}", r"{\cbpat2\cf2 secret}"]
HIDINGS += [r"{\charscalex1 secret}", r"\li-30000 secret"]


@pytest.mark.parametrize("group", HIDINGS)
def test_what_nobody_sees_is_left_out_and_counted(group: str) -> None:
    found = read(rf"\pard Seen.\par\pard {group}\par")

    assert [text for _, text, _ in found.lines] == ["Seen."]
    assert [(each.count, each.is_hidden) for each in found.left_out] == [(len("secret"), True)]


def test_white_on_a_colour_is_seen() -> None:
    assert texts(r"{\cf1\highlight2 seen}") == ["seen"]


def test_deletions_comments_and_headers_are_left_out_by_name() -> None:
    found = read(r"{\header Page 1}Text.{\deleted old}{\*\annotation Really?}{\pict 0102}")

    assert [text for _, text, _ in found.lines] == ["Text."]
    assert {each.what: each.count for each in found.left_out} == {
        "page headers and footers": 6,
        "tracked deletions": 3,
        "comments": 7,
        "images": 1,
    }


def test_the_head_is_that_of_the_info_group() -> None:
    body = r"\deflang1031{\info{\title Tee}{\author Ann Lee;Bo Ek}{\creatim\yr2024\mo5\dy6\hr1}}Text."

    assert read(body).head == {
        "title": "Tee",
        "authors": ["Ann Lee", "Bo Ek"],
        "date": "2024-05-06",
        "language": "de-DE",
    }


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"{\\rtf1 " + b"{" * 5_000])
def test_what_is_no_rich_text_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable) as caught:
        rtf.read(data, 1_000)

    assert caught.value.code == "source_damaged"


def test_too_many_words_of_control_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rtf, "_MOST_TOKENS", 100)

    with pytest.raises(Unreadable) as caught:
        read(r"\b" * 200)

    assert caught.value.code == "source_too_large"


@pytest.mark.parametrize("body", ["}", "{", r"\bin999999999 x", "}}}}{{", r"\u", r"\'", "\\"])
def test_broken_rich_text_is_read_as_far_as_it_goes(body: str) -> None:
    assert texts(f"Tea. {body}") == ["Tea."] or "Tea." in texts(f"Tea. {body}")[0]
