"""What stands in the brackets of a title is a kind or a field that one clause gives to this very thing."""

from __future__ import annotations

import pytest

from curator.wiki.naming.brackets import bracket_fault
from curator.wiki.naming.terms import PlacedWords, terms_of
from curator.wiki.naming.titles import qualified_fault
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (("Mercury", "planet"), "Mercury is the closest planet to the Sun."),
        (("Mercury", "planet"), "The planet Mercury has no moon."),
        (("Mercury", "planet"), "Mercury (planet) is small."),
        (("Mercury", "planet"), "Mercury, a planet without a moon, is small."),
        (("Python", "programming language"), "Python is a general-purpose, high-level programming language."),
        (("Capability", "Linux"), "A Linux capability is a right of a process."),
        (("Capability", "Linux"), "In Linux, capabilities are rights of a process."),
        (("Capability", "Linux"), "The capabilities of Linux are rights of a process."),
        (("Capability", "Linux"), "Capabilities are a Linux feature."),
        (("Journal", "disks"), "A journal of disks is kept."),
        (("Wheel", "packaging"), "Wheels in packaging are archives."),
        (("WHEEL", "metadata"), "WHEEL is the wheel metadata specific to a build of the package."),
        (("extra", "variable"), 'The "extra" variable is special.'),
        (("build-backend", "key"), "Where the build-backend key exists, this takes precedence."),
        (("format", "parameter"), "The value of the format parameter should be a content type."),
        (("Dynamic", "field"), "A new field, Dynamic, will be added to the list."),
        (("dynamic", "field"), "The dynamic field is a list of what is not static."),
        (("Thymol", "village"), "Thymol is a village in the hills that lies beside a railway."),
        (
            ("Regulation on data", "General Data Protection Regulation"),
            "The Regulation on data (General Data Protection Regulation).",
        ),
    ],
)
def test_a_clause_gives_the_thing_its_kind_or_field(title: tuple[str, str], text: str) -> None:
    assert bracket_fault(*title, [PlacedWords.of(text)]) == ""


@pytest.mark.parametrize(
    ("title", "text"),
    [
        (("Hanna Voss", "thief"), "Hanna Voss keeps bees, and Hugo Farr is a thief."),
        (("Hanna Voss", "thief"), "Hanna Voss is not a thief."),
        (("Hanna Voss", "thief"), "Hanna Voss is the sister of a thief."),
        (("Hanna Voss", "thief"), "Hanna Voss is a thief catcher."),
        (("Hanna Voss", "thief"), "Hanna Voss is an alleged thief."),
        (("Hanna Voss", "thief"), "The brother of Hanna Voss is a thief."),
        (("Hanna Voss", "thief"), "Hanna Voss's brother is a thief."),
        (("Hanna Voss", "thief"), "If Hanna Voss were a thief, nobody would pay her."),
        (("Hanna Voss", "thief"), 'In a play, "Hanna Voss (thief)" is a clown.'),
        (("Hanna Voss", "thief"), "Guests were Hanna Voss, a thief and Hugo Farr."),
        (("Hanna Voss", "convicted of murder"), "Hanna Voss (convicted of murder) keeps bees."),
        (("Quillbox", "sells stolen passwords"), "Quillbox is new. Rotbox sells stolen passwords."),
        (("Quillbox", "do not use"), "Quillbox (do not use) is new."),
        (("Quillbox", "abandoned"), "Quillbox (abandoned) is new."),
        (("Hanna Voss", "thief"), "Guests were a thief, Hanna Voss, and Hugo Farr."),
        (("build-backend", "key"), "The build-backend key holder rests."),
        (("Postgres", "command"), "The Postgres command names are short."),
        (("Spain", "flag"), "He drew a flag, Spain, and a crown."),
        (("Quillbox", "malware"), "Quillbox was audited. Malware was found in Rotbox."),
    ],
)
def test_no_clause_gives_it(title: tuple[str, str], text: str) -> None:
    sentences = [PlacedWords.of(each) for each in text.split(". ")]
    assert bracket_fault(*title, sentences)


@pytest.mark.parametrize(
    ("title", "is_sound"),
    [
        ("Journal (UBIFS)", True),
        ("Key (UBIFS)", False),  # the source has no such thing
        ("Journal (Authentication)", False),  # any word of a title in capitals may be meant
        ("Hanna Voss (UBIFS)", False),  # no term: she may have nothing to do with it
    ],
)
def test_a_term_may_have_the_name_that_its_source_is_titled_by(title: str, is_sound: bool) -> None:
    text = "# UBIFS Authentication Support\n\nWhat changes is kept in the journal. Hanna Voss wrote about it.\n"
    terms = terms_of(Evidence("sources/ubifs.md", Document.from_text(text)))

    assert (qualified_fault(title, terms, lambda _: False) == "") is is_sound
