"""A document that was written of before it came in has one page, whichever came first."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands import edit
from curator.models.proposal import Claim, Create
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.naming.terms import Terms
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Document
from support.fakes import ScriptedModel
from support.wikis import drop, git, proposal, take_in

TYPING = "Typing\n\nPEP 484 introduced type hints into the language. Gradual typing mixes checked and unchecked code.\n"
STUBS = "Stub files\n\nPEP 484 introduced stub files, too. A stub file has the suffix pyi.\n"
HINTS = """PEP: 484
Title: Type Hints
Status: Final

Abstract
========

This PEP introduces a standard syntax for type annotations.
"""


def said(kind: str, title: str, text: str, quote: str, *aliases: str) -> Create:
    return Create(op="create", kind=kind, title=title, aliases=aliases, body=(Claim(text=text, quotes=(quote,)),))


def entity(text: str) -> Create:
    return said("entity", "PEP 484", text, text.removesuffix(", too.").removesuffix("."))


GRADUAL = said(
    "concept",
    "Gradual typing",
    "Gradual typing mixes checked and unchecked code.",
    "Gradual typing mixes checked and unchecked code",
)
FIRST = proposal(entity("PEP 484 introduced type hints into the language."), GRADUAL)
SECOND = proposal(
    said(
        "summary",
        "Type Hints",
        "This PEP introduces a standard syntax for type annotations.",
        "This PEP introduces a standard syntax for type annotations",
    )
)
THIRD = proposal(entity("PEP 484 introduced stub files, too."))


def test_what_was_known_of_a_document_is_on_its_summary_and_comes_back(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root, "typing.txt", TYPING), repository, ScriptedModel((FIRST,)))
    before = (root / "entities/pep-484.md").read_text()

    with Repository(root) as repository:
        take_in(drop(root, "pep-0484.rst", HINTS), repository, ScriptedModel((SECOND,)))
    commit = git(root, "rev-parse", "HEAD")

    assert not (root / "entities/pep-484.md").exists()
    assert git(root, "status", "--porcelain") == ""
    page = Page("summaries/pep-0484.md", (root / "summaries/pep-0484.md").read_text())
    assert "standard syntax" in page.summary
    assert "## From other sources\n\nPEP 484 introduced type hints into the language. [^typing-1]" in page.body
    assert "PEP 484" in page.aliases
    assert page.sources == ("sources/pep-0484.rst", "sources/typing.txt")
    assert "merged pep-484 into [[pep-0484]]" in (root / "_log.md").read_text()
    assert "pep-484" not in (root / "_manifest.json").read_text()

    with Repository(root) as repository:
        take_in(drop(root, "stubs.txt", STUBS), repository, ScriptedModel((THIRD,)))

    assert not (root / "entities/pep-484.md").exists()
    page = Page("summaries/pep-0484.md", (root / "summaries/pep-0484.md").read_text())
    assert "introduced stub files, too. [^stubs-1]" in page.body

    edit.undo_commits(Settings(root, {}, {}), [git(root, "rev-parse", "HEAD"), commit], dry_run=False)

    assert (root / "entities/pep-484.md").read_text() == before
    assert not (root / "summaries/pep-0484.md").exists()


RFC = """Network Working Group                                         S. Bradner
Request for Comments: 92119                           Harvard University
BCP: 14                                                       March 1997

        Key words for use in RFCs to Indicate Requirement Levels

Abstract

   In many standards track documents several words are used to signify
   the requirements in the specification.

1. MUST   This word means that the definition is an absolute requirement.
"""
ISO = "# ISO 98601: Date and time format\n\nISO 98601 is a standard for dates. It was first published in 1988.\n"


@pytest.mark.parametrize(
    ("file", "text", "number", "title", "quote"),
    [
        (
            "rfc92119.txt",
            RFC,
            "RFC 92119",
            "RFC 92119: Key words for use in RFCs to Indicate Requirement Levels",
            "several words are used to signify\n   the requirements in the specification",
        ),
        ("iso98601.md", ISO, "ISO-98601", "ISO 98601: Date and time format", "It was first published in 1988"),
        ("din-98601.md", ISO.replace("ISO", "DIN"), "DIN98601", "DIN 98601", "It was first published in 1988"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_document_is_known_by_its_number(
    root: Path, file: str, text: str, number: str, title: str, quote: str, is_first: bool
) -> None:
    """However its number is written, and whichever comes first."""
    told = f"{number} was the topic of the meeting at Kiel."
    entity = proposal(said("entity", number, told, told.removesuffix(".")))
    summary = proposal(said("summary", title, " ".join(f"{quote}.".split()), quote))
    both = [("minutes.txt", f"Minutes\n\n{told}\n", entity), (file, text, summary)]
    with Repository(root) as repository:
        for name, written, answer in both if is_first else reversed(both):
            take_in(drop(root, name, written), repository, ScriptedModel((answer,)))

    assert not list(root.glob("entities/*.md"))
    (page,) = (root / "summaries").glob(f"{file.partition('.')[0]}*.md")
    assert told.removesuffix(".") in page.read_text()
    assert f"title: '{title}'" in page.read_text() or f"title: {title}" in page.read_text()


def test_the_title_of_a_plain_document_is_no_sections_name() -> None:
    def title(text: str) -> str:
        return Terms("sources/notes-on-tea.txt", Document.from_text(text)).title

    assert Terms("sources/words.txt", Document.from_text(RFC)).number == "RFC 92119"
    assert title(RFC) == "Key words for use in RFCs to Indicate Requirement Levels"
    assert title("Written at sea.\n\nAbstract\n\nTea is hot, and served so.\n") == "notes on tea"
    assert title("# Introduction\n\nTea is hot, and served so.\n") == "Introduction"  # all that it is called


def test_a_second_source_that_says_it_is_the_document_takes_nothing(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root, "pep-0484.rst", HINTS), repository, ScriptedModel((SECOND,)))
        page = "---\nschema: knowledge/v1\nslug: pep-484\nkind: entity\ntitle: PEP 484\nsources: []\n---\n\n"
        page += "# PEP 484\n\nMine.\n"
        (root / "entities/pep-484.md").parent.mkdir(exist_ok=True)
        (root / "entities/pep-484.md").write_text(page)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "a page of mine")
        take_in(drop(root, "pep-484.rst", f"{HINTS}\nOnce more.\n"), repository, ScriptedModel((SECOND,)))

    assert (root / "entities/pep-484.md").read_text() == page
