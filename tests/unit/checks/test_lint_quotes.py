"""Evidence held once more: the quick look never says yes where the careful one says no."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.checks.lint.facts.quotes import moved
from curator.models.sandbox.process import SANDBOX
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.formats import PLAIN
from curator.wiki.sources.quick_evidence import QuickEvidence
from curator.wiki.sources.source import Document
from support.lints import found, page, plant, run, the_only
from support.pages import laws

PIECES = st.sampled_from(
    [
        "tea",
        "Tea",
        "is",
        "1.5",
        "-3",
        "1",
        ",",
        "5 %",
        "[a](b)",
        "https://x.y/tea",
        "`code`",
        "[^n]",
        "caf\u00e9",
        "\u2212",
        ".",
    ]
)


def evidence(text: str) -> QuickEvidence:
    return QuickEvidence("sources/a.md", Document.from_text(text))


@laws
@given(st.lists(PIECES, min_size=1, max_size=8), st.integers(0, 7), st.integers(1, 8), st.sampled_from([" ", "", "\n"]))
@example(["tea", "1.5", "5 %"], 0, 3, " ")
def test_what_stands_holds(words: list[str], start: int, length: int, between: str) -> None:
    text = between.join(words)
    quote = " ".join(" ".join(words[start : start + length]).split())
    citation = Citation("sources/a.md", f"L1-L{text.count(chr(10)) + 1}", quote)

    if evidence(text).stands(citation):
        assert evidence(text).holds(citation)


@pytest.mark.parametrize("quote", ["is partly", "Tea is partly oxidised.", "oxidised. It is brewed hot."])
def test_plain_words_are_soon_found(quote: str) -> None:
    assert evidence("Tea is partly\noxidised. It  is brewed hot.").stands(Citation("sources/a.md", "L1-L2", quote))


@pytest.mark.parametrize("anchor", ["L2", "p1", "L9-L12"])
def test_words_in_other_lines_do_not_stand_here(anchor: str) -> None:
    assert not evidence("tea is good\nindeed").stands(Citation("sources/a.md", anchor, "tea is good"))


def test_moved_words_get_the_place_where_they_stand() -> None:
    source = evidence("one line\nTea is partly oxidised.\nanother line")

    there = moved(Citation("sources/a.md", "L3", "Tea is partly oxidised."), source)

    assert there is not None and there.anchor == "L2"
    assert moved(Citation("sources/a.md", "L3", "Tea is never oxidised at all."), source) is None


# -- citations of pages --------------------------------------------------------------------------------------------


def cited(source: str, quote: str = "Oolong is partly oxidised.", anchor: str = "p3") -> tuple[str, str]:
    body = f'It is tea. [^t-1]\n\n[^t-1]: sources/{source}#{anchor} "{quote}"'
    return page("oolong", body, sources=f"[sources/{source}]")


def test_what_no_reader_can_read_is_said_once(root: Path) -> None:
    (root / "sources" / "book.djvu").write_bytes(b"%PDF-1.7")
    twice = 'Tea. [^a] [^b]\n\n[^a]: sources/book.djvu#p1 "Tea is hot."\n[^b]: sources/book.djvu#p2 "Tea is cold."'
    plant(root, cited("book.djvu"), page("assam", twice, sources="[sources/book.djvu]"))

    fault = the_only(root, "evidence_unchecked")

    assert (fault.path, fault.line, fault.severity) == ("sources/book.djvu", None, "info")
    assert fault.message == (
        "3 citations, first on concepts/assam.md, name a page of it: there is no reader for .djvu, so they were not checked"
    )
    assert not found(root, "evidence_missing")


def test_a_page_of_a_book_that_is_not_there_is_no_source(root: Path) -> None:
    plant(root, cited("gone.djvu", anchor="p12"))

    assert {fault.line for fault in found(root, "source_unresolved")} == {6, 15}
    assert not found(root, "evidence_unchecked")


def test_words_of_a_page_are_looked_for_where_a_source_can_be_read(root: Path) -> None:
    plant(root, cited("tea.txt", "Green tea is not oxidised at all."))

    fault = the_only(root, "evidence_moved")

    assert (fault.line, fault.severity) == (15, "warn")
    assert fault.message == "[^t-1]: these words are at L2 of the source, not at p3"

    run(root, fix=True)
    assert "sources/tea.txt#L2 " in (root / "concepts" / "oolong.md").read_text("utf-8")
    assert not found(root, "evidence_moved")


def test_lines_of_markup_that_earlier_versions_cite_become_paragraphs(root: Path) -> None:
    (root / "sources" / "tea.html").write_text(
        "<h1>Tea</h1>\n<p>White tea is withered.</p>\n<p>Green tea is steamed.</p>"
    )
    plant(root, cited("tea.html", "Green tea is steamed.", anchor="L3"))

    fault = the_only(root, "evidence_moved")
    assert (fault.severity, fault.hint) == ("info", "curate lint --fix writes #par3")

    run(root, fix=True)
    assert "sources/tea.html#par3 " in (root / "concepts" / "oolong.md").read_text("utf-8")
    assert not found(root, "evidence_moved")


def test_words_that_a_readable_source_does_not_have_are_missing_on_any_page(root: Path) -> None:
    plant(root, cited("tea.txt", "Green tea is blue."))

    assert the_only(root, "evidence_missing").severity == "error"


def test_a_line_of_what_no_reader_can_read_is_still_a_warning(root: Path) -> None:
    (root / "sources" / "book.djvu").write_bytes(b"%PDF-1.7")
    plant(root, cited("book.djvu", anchor="L3"))

    assert [(fault.path, fault.severity) for fault in found(root, "evidence_unchecked")] == [
        ("concepts/oolong.md", "warn")
    ]


def test_lint_and_the_reader_in_the_jail_call_the_same_formats_plain() -> None:
    written = (SANDBOX / "read.py").read_text("utf-8")
    (line,) = re.findall(r"(?m)^PLAIN = (\(.*\))$", written)

    assert ast.literal_eval(line) == PLAIN
