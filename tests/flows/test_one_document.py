"""A document that was written of before it came in has one page, whichever came first."""

from __future__ import annotations

from pathlib import Path

from curator.cli.commands import edit
from curator.models.proposal import Claim, Create
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.pages.page import Page
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
