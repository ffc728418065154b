"""The head of a text file, in YAML or TOML, gives title, authors, date, language, DOI and address."""

from __future__ import annotations

import front_matter
import pytest
from front_matter import Value, is_known, read_head

from curator.wiki.pages.names import SERIES


def head(text: str) -> dict[str, Value]:
    return read_head(text.split("\n"))


def test_a_head_of_yaml_is_read() -> None:
    assert head(
        '---\ntitle: "Tea: a report"  # x\nauthor: Ann Lee and Bob\ndate: 2024-05-01T10:00\nlang: en_gb\n---\n'
    ) == {
        "title": "Tea: a report",
        "authors": ["Ann Lee", "Bob"],
        "date": "2024-05-01",
        "language": "en-GB",
    }


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("published_date: 2024-05", {"date": "2024-05"}),
        ("Source-URL: https://a.b/c", {"url": "https://a.b/c"}),
        ("url: javascript:x", {}),
        ("doi: https://doi.org/10.1000/182", {"doi": "10.1000/182"}),
        ("authors:\n  - name: Ann\n    email: a@b.c\n  - Bob", {"authors": ["Ann", "Bob"]}),
        ("authors: [Ann, 'Bob, Jr.']", {"authors": ["Ann", "Bob, Jr."]}),
        ("authors:\n- Ann\n- Bob", {"authors": ["Ann", "Bob"]}),
        ("title: one\n  two", {"title": "one two"}),
        ("title: >\n  one\n  two", {"title": "one two"}),
        ("title: 'it''s'", {"title": "it's"}),
        ("title:", {}),
        ("source: https://a.b/c\npublished:\ncreated: 2026-11-02", {"url": "https://a.b/c", "date": "2026-11-02"}),
        ("url: none\nsource: '[[A book]]'\ncreated: 2024-05-01T10:00:00 (UTC +02:00)", {"date": "2024-05-01"}),
        ("source: https://a.b/c\nurl: https://d.e/", {"url": "https://d.e/"}),
        ('author:\n  - "[[Ann Lee]]"\n  - "[[people/bob|Bob]]"', {"authors": ["Ann Lee", "Bob"]}),
        ("tags: [tea, clipping/web]", {"tags": ["tea", "clipping/web"]}),
        ("tags: tea, Green Tea", {"tags": ["tea", "Green", "Tea"]}),
        ("tags:\n  - daily", {"tags": ["daily"]}),
    ],
)
def test_fields_have_many_names_and_forms(written: str, wanted: dict[str, object]) -> None:
    assert head(f"---\n{written}\n---\ntext") == wanted


def test_a_head_of_toml_is_read() -> None:
    written = '+++\ntitle = "Tea"\ndate = 2024-05-01\nauthors = ["Ann"]\n[extra]\nurl = "https://no.example"\n+++'

    assert head(written) == {"title": "Tea", "date": "2024-05-01", "authors": ["Ann"]}


def test_a_record_of_a_source_gives_its_fields_but_not_its_own_authority() -> None:
    written = "schema: knowledge.source/v1\ntitle: Tea\ncaptured_by: Ann\nauthority: primary\ntags: [tea]"

    assert head(f"---\n{written}\n---") == {"title": "Tea", "captured_by": "Ann", "tags": ["tea"]}


@pytest.mark.parametrize("text", ["", "title: Tea", "---\ntitle: Tea", "+++\ntitle = \n+++", "---\n---"])
def test_what_is_no_head_says_nothing(text: str) -> None:
    assert head(text) == {}


@pytest.mark.parametrize("name", ["title", "Status", "superseded-by", "eip", "RFC"])
def test_what_a_document_says_of_itself_is_read(name: str) -> None:
    assert is_known(name)


@pytest.mark.parametrize("name", ["cssclass", "discussions-to", "prompt", "source", "eip-note"])
def test_what_is_for_programs_or_for_nobody_is_not(name: str) -> None:
    assert not is_known(name)


def test_what_numbers_documents_is_the_same_for_the_reader_and_for_the_wiki() -> None:
    assert front_matter._SERIES == SERIES
