"""What is in no honest office file is refused, whatever its format, and within bounds."""

from __future__ import annotations

import pytest
from formats import docx, epub, odt, pptx, xlsx
from formats.office import archive
from formats.office.archive import Archive
from unicode_text import Unreadable

from support import office_files as make

PARAGRAPH = make.p("Tea is picked in May.")
DECLARED = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
FETCHED = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'


def refusal(data: bytes, part: str = "word/document.xml") -> tuple[str, str]:
    with pytest.raises(Unreadable) as caught:
        list(Archive(data).each(part, ("p",)))
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("text", [DECLARED, FETCHED])
def test_entities_are_refused_and_never_fetched(text: str) -> None:
    code, message = refusal(make.zipped({"word/document.xml": text}))

    assert code == "source_damaged"
    assert "entities" in message


@pytest.mark.parametrize("encoding", ["x-nobody-knows", "gb18030"])
def test_an_encoding_that_xml_does_not_have_is_refused(encoding: str) -> None:
    assert (
        refusal(make.zipped({"word/document.xml": f'<?xml version="1.0" encoding="{encoding}"?><x/>'}))[0]
        == "source_damaged"
    )


def test_deep_nesting_is_refused_before_anything_walks_it() -> None:
    assert refusal(make.docx("<w:sdt>" * 300 + "</w:sdt>" * 300))[0] == "source_damaged"


def test_what_unpacks_to_too_much_is_refused_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MOST_BYTES", 100_000)

    assert refusal(make.docx(make.p("a" * 200_000)))[0] == "source_too_large"


def test_too_many_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MOST_ELEMENTS", 1_000)

    assert refusal(make.docx("<w:p/>" * 2_000))[0] == "source_too_large"


def test_a_tag_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_LONGEST_TAG", 1_000)
    monkeypatch.setattr(archive, "_CHUNK", 1_000)

    assert "does not end" in refusal(make.zipped({"word/document.xml": f'<x a="{"a" * 5_000}"/>'}))[1]


def test_a_file_of_two_kinds_at_once_is_refused() -> None:
    assert "begins with 'PK'" in refusal(b"%PDF-1.4\n" + make.docx(PARAGRAPH))[1]


def test_a_locked_file_says_what_to_do() -> None:
    assert refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))[0] == "source_locked"


@pytest.mark.parametrize("data", [b"PK\x03\x04", make.docx(PARAGRAPH)[:-30], make.docx(PARAGRAPH)[:200]])
def test_a_file_that_was_cut_is_refused(data: bytes) -> None:
    assert refusal(data)[0] == "source_damaged"


def test_a_damaged_part_is_refused() -> None:
    data = bytearray(make.docx(make.p("".join(map(str, range(2_000))))))
    at = data.index(b"word/document.xml") + 100
    data[at : at + 50] = bytes(50)

    assert refusal(bytes(data))[0] == "source_damaged"


@pytest.mark.parametrize("reader", [docx, odt, pptx, xlsx, epub])
def test_an_archive_of_another_kind_is_no_such_file(reader: object) -> None:
    with pytest.raises(Unreadable) as caught:
        reader.read(make.zipped({"a.txt": "tea"}), 1_000)  # type: ignore[attr-defined]

    assert caught.value.code == "source_damaged"
    assert "is in it" in str(caught.value)


def test_more_text_than_is_allowed_is_refused() -> None:
    with pytest.raises(Unreadable) as caught:
        docx.read(make.docx(PARAGRAPH * 100), 1_000)

    assert caught.value.code == "source_too_large"
