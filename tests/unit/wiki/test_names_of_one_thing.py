"""Two names are one thing's where a sentence says so in earnest."""

from __future__ import annotations

import pytest

from curator.wiki.naming.aliases import alias_fault, are_alike, is_one_thing
from curator.wiki.naming.terms import terms_of
from curator.wiki.sources.evidence import Evidence
from support.pages import source


def stated(text: str) -> bool:
    taken = source(f"Notes\n\n{text} Bees fly.\n")
    return is_one_thing("Warrick hive", "Coffin hive", terms_of(Evidence(taken.path, taken.document)))


@pytest.mark.parametrize(
    "text",
    [
        "The Warrick hive (Coffin hive) is sold in spring.",
        "The Warrick hive, also known as the Coffin hive, has a sloped roof.",
        "The Warrick hive was formerly called Coffin hive.",
        'The "Warrick hive", also called "Coffin hive", is sold in spring.',
    ],
)
def test_a_sentence_says_so(text: str) -> None:
    assert stated(text)


@pytest.mark.parametrize(
    "text",
    [
        'A child wrote "the Warrick hive, also known as the Coffin hive".',
        "If the Warrick hive were also called the Coffin hive, nobody would buy it.",
        "A misprint reads Warrick hive (Coffin hive).",
        "In a novel the Warrick hive (Coffin hive) sings.",
        "Many think that the Warrick hive is also known as the Coffin hive.",
        "It is not true that the Warrick hive is also known as the Coffin hive.",
        "The Warrick hive (Coffin hive) is sold. The Coffin hive is not the same as the Warrick hive.",
        "The Warrick hive/Coffin hive test ran in May.",
    ],
)
def test_a_sentence_only_tells_of_it(text: str) -> None:
    assert not stated(text)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The Warrick hive (Coffin hive) does not float.", True),
        ("If the Warrick hive (Coffin hive) floats, sell it.", True),
        ("It is an error to write Warrick hive (Coffin hive).", False),
        ("If the Warrick hive were called Coffin hive, bees would laugh.", False),
    ],
)
def test_an_alias_needs_less_but_no_jest(text: str, holds: bool) -> None:
    taken = source(f"Notes\n\n{text} Bees fly.\n")
    fault = alias_fault("Coffin hive", "Warrick hive", "entity", terms_of(Evidence(taken.path, taken.document)))

    assert (fault == "") is holds


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Write-ahead log", "WAL", True),
        ("Source distribution", "sdist", True),
        ("Quillbox", "Quillbox relay", True),
        ("Colour", "Color", True),
        ("Varroa", "Port Elsin", False),
        ("Journal", "Snapshot", False),
        ("Formic acid", "Oxalic acid", False),
        ("Dry stone wall", "Stone wall", True),
    ],
)
def test_names_are_alike_by_a_word_by_initials_or_by_spelling(one: str, other: str, alike: bool) -> None:
    assert are_alike([one], [other]) is alike
