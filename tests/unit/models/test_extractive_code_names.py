"""Which names that a document writes as code get a page, and with which opening."""

from __future__ import annotations

import pytest

from curator.models.extractive.curate import curate
from curator.models.port import Request
from curator.models.proposal import Create
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source

LEDGER = """\
PEP: 12
Title: Marking the entries of a ledger
Status: Final

Abstract
========

{abstract}

Specification
=============

The ``ledger.Final`` entry qualifier is used to indicate that an entry may not be changed after it was written. A reader
must refuse a ledger in which a ``Final`` entry was changed. An entry is marked with ``Final`` when the clerk signs it.
Final remarks stand below the last entry.

For example, the entries of a bakery could be kept so::

    class Bakery(Ledger):
        flour: Final

``Bakery`` is a ledger with one entry, the flour that was bought. A typical example is a ledger that is kept by two clerks.
"""


def pages(text: str) -> dict[str, list[str]]:
    """The blocks of the pages of things that are made of ``text``, by their titles."""
    source = Source("sources/a.rst", "sha256:0", Document.from_text(text), "rst")
    request = Request(source=source, evidence=Evidence(source.path, source.document), pages=(), entries=())
    made = [op for op in curate(request).operations if isinstance(op, Create) and op.kind != "summary"]
    return {op.title: [claim.text for claim in op.body] for op in made}


@pytest.mark.parametrize(
    ("brought", "name", "title"),
    [
        ("proposes a new kind of ledger, ``TallyBook``, which counts each entry twice", "TallyBook", "TallyBook"),
        ("proposes adding a ``@counted`` decorator to the language of ledgers", "@counted", "counted decorator"),
        (
            "introduces two marks: ``Tally``, which counts an entry, and ``TallyStop``, which ends it",
            "TallyStop",
            "TallyStop",
        ),
    ],
)
def test_what_a_document_brings_has_a_page_that_opens_with_that(brought: str, name: str, title: str) -> None:
    noun = " decorator" if name.startswith("@") else ""
    more = f"The ``{name}``{noun} may be used once a year. A clerk who uses the ``{name}``{noun} has to sign for it."

    made = pages(LEDGER.format(abstract=f"This PEP {brought}. {more}"))

    (body,) = (body for called, body in made.items() if called.casefold() == title.casefold())
    assert body[0].startswith(f"PEP 12 {brought[:16]}")


def test_a_name_that_is_an_ordinary_word_is_meant_where_it_is_code() -> None:
    made = pages(LEDGER.format(abstract="This PEP is about ledgers."))

    opening, *others = made["Final"]
    assert opening.startswith("The `ledger.Final` entry qualifier is used to indicate")
    assert others and not any("remarks" in each for each in others)


@pytest.mark.parametrize(
    "said",
    [
        "recommends against ``TallyBook``",
        "proposes removing ``TallyBook`` from the language of ledgers",
        "specifies when the ``TallyBook`` of a clerk ends",
        "defines neither ``TallyBook`` nor any other book",
    ],
)
def test_what_a_document_refuses_or_only_speaks_of_is_not_brought_by_it(said: str) -> None:
    more = "The ``TallyBook`` may be used once a year. A clerk who uses the ``TallyBook`` has to sign for it."

    assert "TallyBook" not in pages(LEDGER.format(abstract=f"This PEP {said}. {more}"))


def test_what_is_made_up_to_show_something_has_no_page() -> None:
    made = pages(LEDGER.format(abstract="This PEP is about ledgers."))

    assert not {"Bakery", "Typical example"} & made.keys()


def test_what_is_spoken_of_and_then_shown_has_a_page() -> None:
    said = """``Shipyard`` is the class that builds the ledgers of boats for their owners. A ``Shipyard`` is opened by its
clerk, and a ``Shipyard`` may build two ledgers a year. It is declared as follows::

    class Shipyard(Ledger):
        boats: Final

A test case is a ledger that was written to try the clerk. Each test case has one entry that is wrong."""

    assert {"Shipyard", "Test case"} <= pages(LEDGER.format(abstract=said)).keys()


def test_two_things_of_one_name_in_two_modules_are_not_one() -> None:
    said = """``mail.Message`` is a letter that the clerk sends to a town. A ``mail.Message`` has a stamp.

``chat.Message`` is a line that the clerk shouts over the yard. A ``chat.Message`` has no stamp."""

    assert "Message" not in pages(LEDGER.format(abstract=said))
