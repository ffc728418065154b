"""A title may be a name of the source with a part that the source has of that thing."""

from __future__ import annotations

import pytest

from curator.wiki.naming.terms import terms_of
from curator.wiki.naming.titles import title_fault
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document

TEXT = """# dm-integrity

The dm-integrity target emulates a block device. It works in journal mode or bitmap mode. The superblock is written first.
The package.workspace manifest key points at the root. Thymol is used in every mode, and kills the mites of the hive.
"""
TERMS = terms_of(Evidence("sources/dm-integrity.md", Document.from_text(TEXT)))


@pytest.mark.parametrize(
    "title", ["dm-integrity mode", "dm-integrity superblock", "dm-integrity bitmap mode", "package.workspace key"]
)
def test_a_name_with_its_part_is_a_title(title: str) -> None:
    assert title_fault("concept", title, TERMS, lambda name: False) == ""


@pytest.mark.parametrize(
    "title",
    [
        "dm-integrity failure",
        "Thymol mode",
        "Thymol mites",
        "package.workspace hive",
        "dm-crypt mode",
        "block mode",
        "superblock key",
    ],
)
def test_what_the_source_has_of_no_such_thing_is_none(title: str) -> None:
    assert title_fault("concept", title, TERMS, lambda name: False) == "no name that the source states"


@pytest.mark.parametrize(
    ("title", "is_its"),
    [
        ("SIP-12: Seals only in the same basin", True),
        ("Seals only in the same basin", True),
        ("SIP-12: Seals are never in a basin", False),
        ("Seals only in a dry basin", False),
    ],
)
def test_a_summary_has_the_number_and_the_title_of_its_source_whatever_that_states(title: str, is_its: bool) -> None:
    head = "---\nsip: 12\ntitle: Seals only in the same basin\nstatus: Draft\n---\n\n# Abstract\n\nSeals go in.\n"
    terms = terms_of(Evidence("sources/sip-12.md", Document.from_text(head)))

    assert (title_fault("summary", title, terms, lambda name: False) == "") is is_its


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Union types as ``X | Y``", "Union types as X | Y"),
        ("The (a | b) operator of *C#* & `__init__`", "The (a | b) operator of C# & __init__"),
        ("**Bold** and __strong__ and |substituted| words", "Bold and strong and substituted words"),
    ],
)
def test_the_title_of_a_source_has_what_stands_in_code_as_it_is(heading: str, title: str) -> None:
    found = terms_of(Evidence("sources/union.md", Document.from_text(f"# {heading}\n\nA union is a type.\n")))

    assert found.title == title
    assert title_fault("summary", title, found, lambda name: False) == ""


@pytest.mark.parametrize(
    ("title", "fault"),
    [
        ("Comparison of Thymol and dm-integrity modes", ""),
        ("Comparison of Thymol and dm-integrity dangers", "no name that the source states"),
        ("Comparison of Thymol and dm-crypt modes", "no name that the source states"),
    ],
)
def test_a_comparison_may_say_in_what_its_things_are_compared(title: str, fault: str) -> None:
    assert title_fault("comparison", title, TERMS, lambda name: False) == fault
