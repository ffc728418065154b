"""A common noun means the page of it only in a source of the same field; fields are told by names and code."""

from __future__ import annotations

import pytest

from curator.wiki.autolink import link_first_mentions
from curator.wiki.naming.fields import SourceField
from curator.wiki.senses import Senses
from support.pages import page, wiki

MODULE = page(
    "module",
    "Node.js loads a module by CommonJS from `node_modules`. [^a-1]\n\nECMAScript and WebAssembly have modules. [^a-2]",
)
PYTHON = "In Python 3.8 the `typing` module of Guido has TypedDict, NamedTuple, Final, ClassVar, PEP 591 and Protocol."
NODE = PYTHON + " Node.js does otherwise."


@pytest.mark.parametrize(
    ("page_of_module", "text", "is_of_it"),
    [
        (MODULE, PYTHON, False),
        (MODULE, NODE, True),
        (MODULE, "The module is loaded.", True),
        (page("module", "A module is a file. [^a-1]"), PYTHON, True),
    ],
)
def test_a_source_without_a_name_of_the_page_is_of_another_field(
    page_of_module: object, text: str, is_of_it: bool
) -> None:
    assert SourceField(text).has(page_of_module) is is_of_it  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("The `typing` module grew.", "The `typing` module grew."),
        ("Modules grew.", "Modules grew."),
        ("A module's name grew.", "A module's name grew."),
        ("CommonJS grew.", "[[commonjs|CommonJS]] grew."),
    ],
)
def test_a_common_noun_of_another_field_is_no_link(text: str, linked: str) -> None:
    known = wiki(MODULE, page("commonjs", "A system. [^a-1]", title="CommonJS"))

    assert link_first_mentions(text, known, set(), (), Senses(known, SourceField(PYTHON))) == linked


@pytest.mark.parametrize(("source", "is_linked"), [(PYTHON, False), (NODE, True)])
def test_a_phrase_of_common_nouns_is_a_link_in_its_field_only(source: str, is_linked: bool) -> None:
    known = wiki(page("module-lock", MODULE.body.partition("\n\n")[2].replace("a module", "a module lock")))

    text = link_first_mentions("Take a module lock.", known, set(), (), Senses(known, SourceField(source)))

    assert ("[[" in text) is is_linked


@pytest.mark.parametrize(
    "text",
    ["The node_modules folder.", r"CMAKE\_MODULE\_PATH is set.", "See string(MODULE) there.", "CMAKE_MODULE is set."],
)
def test_a_piece_of_an_identifier_is_no_link(text: str) -> None:
    assert (
        link_first_mentions(
            text, wiki(page("module", "A file.", title="MODULE", metadata={"curator": {"aliases": ["module"]}})), set()
        )
        == text
    )
