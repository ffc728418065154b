"""Two things of one name: told apart where both sources say what their thing is, and speak of nothing in common."""

from __future__ import annotations

import re

import pytest

from curator.models.proposal import Add, Create
from curator.wiki.naming.homonyms import other_kind, unlike_kind
from support.pages import claim, draft, page, source, wiki

LINUX = (
    "A capability is a privilege of the Linux kernel that a process may hold. [^a-1]\n\n"
    "The superuser drops capabilities before the daemon listens on a port. [^a-1]"
)
PACKAGE = (
    "A capability is a feature that a package offers to others.\nThe resolver matches capabilities with requirements.\n"
)
FEATURE = claim(
    "A capability is a feature that a package offers to others.",
    "A capability is a feature that a package offers to others",
)
RESOLVER = claim(
    "The resolver matches capabilities with requirements.", "The resolver matches capabilities with requirements"
)
KNOWN = page("capability", LINUX)


def create(*body: object, title: str = "Capability") -> Create:
    return Create.model_validate({"op": "create", "kind": "concept", "title": title, "body": body})


@pytest.mark.parametrize(
    ("known", "said", "kind"),
    [
        (
            LINUX,
            ("A capability is a feature that a package offers.", "The resolver matches it with requirements."),
            "feature",
        ),
        (LINUX, ("A capability is a privilege of a thread.", "The resolver matches it with requirements."), ""),
        (LINUX, ("A capability is a bit that the kernel checks.", "A process may lose it at any time."), ""),
        (LINUX, ("A capability is a feature.",), ""),
        (LINUX, ("The capability is offered by a package.", "The resolver matches it with requirements."), ""),
        (
            "Capability helps. [^a-1]",
            ("A capability is a feature that a package offers to others, resolver or not.",),
            "",
        ),
    ],
)
def test_two_kinds_of_things_are_told_apart(known: str, said: tuple[str, ...], kind: str) -> None:
    assert other_kind(page("capability", known), said) == kind


@pytest.mark.parametrize(
    ("known", "said", "kind"),
    [
        ("Ida Holm was the keeper of the light. [^a-1]", "The Ida Holm is a ferry that carries cattle.", "ferry"),
        ("The Ida Holm is a ferry. [^a-1]", "Ida Holm was the keeper of the light.", "keeper"),
        ("Ida Holm was the keeper of the light. [^a-1]", "Ida Holm is a Dane.", ""),
        ("Tosk Bridge is an arch of steel. [^a-1]", "The Tosk Bridge is a monument.", ""),
        ("The Tosk Archive is a house. [^a-1]", "Tosk Archive is a society.", ""),
    ],
)
def test_whose_name_has_the_before_it_is_no_person(known: str, said: str, kind: str) -> None:
    title = re.sub(r"\A(?:The )?(\w+ \w+) .*", r"\1", known)
    assert other_kind(page("it", known, title=title), (said,)) == kind


@pytest.mark.parametrize(
    ("known", "said", "kind"),
    [
        ("Mercury is a planet. [^a-1]", "Mercury is a metal.", "metal"),
        ("Ruby is a brown dog. [^a-1]", "Ruby is a programming language from Japan.", "language"),
        ("Ruby is a brown dog. [^a-1]", "Ruby is a spaniel and no cat.", ""),
        ("Ruby is a language. [^a-1]", "Ruby is a library.", ""),
        ("Ruby is a language. [^a-1]", "Ruby is a tool for scripts.", ""),
        ("Minka is a cat. [^a-1]", "Minka is the daughter of Luna.", ""),
        ("Venice is a city in Italy. [^a-1]", "Venice was the queen of the Adriatic.", ""),
        ("Ben is a teacher. [^a-1]", "Ben is a dark horse in the election.", ""),
    ],
)
def test_what_one_thing_cannot_be_both_is_two_things_however_little_is_said(known: str, said: str, kind: str) -> None:
    title = known.partition(" ")[0]
    assert other_kind(page("it", known, title=title), (said,)) == kind


HOLM = "Ida Holm was the keeper of the light. [^a-1]\n\n- Ida Holm logged every ship. [^a-1]{more}\n"
FERRY = 'Ida Holm is a ferry. [^b-1]\n\n{holm}\n[^b-1]: sources/b.md#L1 "Ida Holm is a ferry."\n'


@pytest.mark.parametrize(
    ("said", "by", "kind"),
    [
        (HOLM.format(more=""), "ferry", "keeper"),
        (FERRY.format(holm=HOLM.format(more="")), "ferry", "keeper"),
        (HOLM.format(more=""), "keeper", ""),
        (HOLM.format(more="\n- Ida Holm is also a swimmer. [^a-1]"), "swimmer", ""),
        ("Ida Holm logged every ship. [^a-1]\n", "ferry", ""),
    ],
)
def test_a_kind_that_a_source_of_the_page_speaks_against_is_known(said: str, by: str, kind: str) -> None:
    text = f'{said}\n[^a-1]: sources/a.md#L1 "Ida Holm"\n'

    assert unlike_kind(page("ida-holm", text, title="Ida Holm"), by) == kind


def test_another_thing_of_a_page_s_name_gets_a_page_of_its_own() -> None:
    done = draft(wiki(KNOWN), source(PACKAGE), create(FEATURE, RESOLVER))

    assert not done.left_out
    assert done.created == ("concepts/capability-feature.md",)
    assert done.wiki.changed["concepts/capability-feature.md"].title == "Capability (feature)"
    assert "concepts/capability.md" not in done.wiki.changed


def test_another_thing_is_not_added_to_a_page_of_its_name() -> None:
    done = draft(wiki(KNOWN), source(PACKAGE), Add(op="add", page="capability", body=(FEATURE, RESOLVER)))

    assert not done.wiki.changed
    (told,) = done.left_out
    assert (told.code, told.places) == ("other_thing", ("1",))
    assert "'Capability (feature)'" in told.message
