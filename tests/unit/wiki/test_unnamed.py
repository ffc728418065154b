from __future__ import annotations

import pytest

from curator.wiki.naming.unnamed import is_unnamed
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from curator.wiki.support.source_context import SourceContext

NEWS = "Court news of Lisk\n\nThe Norling hive explodes in the sun. The market clerk of the OPFS takes bribes. A ship sank."


@pytest.mark.parametrize(
    "names",
    [
        ("Norling hive",),
        ("Hives",),
        ("Lisk market",),
        ("Elsin", "the clerk"),
        ("Origin private file system",),
        ("Vessel",),
        ("Clerks of the market",),
    ],
)
def test_a_source_names_a_thing_by_a_word_its_initials_or_what_means_the_same(names: tuple[str, ...]) -> None:
    assert not is_unnamed(names, source(NEWS))


@pytest.mark.parametrize("names", [("Warrick hive",), ("Thymol",), ("Elsin Harbour Board", "harbour board")])
def test_a_source_does_not_name_what_shares_an_ordinary_word_with_something_in_it(names: tuple[str, ...]) -> None:
    assert is_unnamed(names, source(NEWS))


@pytest.mark.parametrize("names", [("Oskar Lind", "the Clerk", "Clerk"), ("Varn Shipyard", "Old Ship")])
def test_an_alias_of_words_that_anything_may_be_called_by_names_no_thing_with_a_proper_name(
    names: tuple[str, ...],
) -> None:
    assert is_unnamed(names, source(NEWS))


def test_what_is_in_another_language_is_not_judged() -> None:
    text = "Nachrichten aus Lisk\n\nDer Stock von Norling ist in der Sonne und nicht im Schatten explodiert."

    assert not is_unnamed(("Thymol",), source(text))


def source(text: str) -> SourceContext:
    return SourceContext(Evidence("sources/news.md", Document.from_text(text)))
