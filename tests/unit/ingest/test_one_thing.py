"""One thing, one page, and two things, two pages: by capitals where they tell, and told to the model where it is glued."""

from __future__ import annotations

import pytest

from curator.models import search_replace
from curator.models.proposal import Create, Proposal
from curator.wiki.pages.names import spelling_tells
from support.pages import claim, draft, page, source, wiki

TEXT = """Qualifiers

The qualifier `Final` keeps a name from being assigned again. The decorator `@final` closes a class.
The class ForwardRef holds a name of a type. The form `X | Y` is a union of two types.
The enumeration of annotation formats has a number of kinds.
"""
FINAL = claim("`Final` keeps a name from being assigned again.", "`Final` keeps a name from being assigned again")
FORWARD = claim("The class ForwardRef holds a name of a type.", "The class ForwardRef holds a name of a type")
UNION = claim("The form `X | Y` is a union of two types.", "The form `X | Y` is a union of two types")


def create(title: str, body: object, **rest: object) -> Create:
    return Create.model_validate({"op": "create", "kind": "concept", "title": title, "body": (body,), **rest})


DECORATOR = page("final-decorator", "It closes a class.", metadata={"curator": {"aliases": ["final"]}})
FORMAT = page("annotation-format", "A number.", metadata={"curator": {"aliases": ["FORWARDREF"]}})


@pytest.mark.parametrize(
    ("one", "other", "text", "tells"),
    [
        ("ForwardRef", "FORWARDREF", "", True),
        ("Final", "final", "", False),
        ("Final", "final", "`Final` and `@final`", True),
        ("Wheel", "wheels", "`Wheel` is there", False),
        ("WAL mode", "wal mode", "", False),
        ("Thymol", "thymol", "", False),
        ("PyPI", "pypi", "", False),
        ("default-features", "Default feature", "It is set by default-features = false.", True),
        ("default-features", "default features", "It is set by default-features = false.", False),
        ("lock-files", "lock file", "Some lock-files are old.", False),
    ],
)
def test_capitals_and_keys_tell_where_they_are_meant(one: str, other: str, text: str, tells: bool) -> None:
    assert spelling_tells(one, other, text) is tells
    assert spelling_tells(other, one, text) is tells


def test_what_capitals_tell_apart_gets_a_page_of_its_own() -> None:
    done = draft(wiki(DECORATOR, FORMAT), source(TEXT), create("Final", FINAL), create("ForwardRef", FORWARD))

    assert not done.left_out
    assert sorted(done.created) == ["concepts/final.md", "concepts/forwardref.md"]
    assert not done.left_out


def test_what_exists_under_another_name_is_told() -> None:
    done = draft(
        wiki(page("qualifier", "A word.", metadata={"curator": {"aliases": ["Final"]}})),
        source(TEXT),
        create("Final", FINAL),
    )

    assert done.created == ()
    assert "assigned again" in done.wiki.changed["concepts/qualifier.md"].body
    (told,) = done.left_out
    assert told.code == "page_exists"
    assert told.places == ("1",)
    assert "'Final': it exists as qualifier" in told.message


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Java is a runtime by Sun.", True),
        ("Java is an island with volcanoes.", False),
        ("Java is one of the islands of Indonesia.", False),
        ("Java runs on many machines.", False),
    ],
)
def test_what_may_be_another_thing_of_the_title_is_told(said: str, is_told: bool) -> None:
    known = page("java", 'Java is an island of Indonesia. [^a-1]\n\n[^a-1]: sources/a.txt#L1 "Java is an island"\n')

    done = draft(wiki(known), source(f"Words\n\n{said}\n"), create("Java", claim(said, said)))

    assert said.removeprefix("Java") in done.wiki.changed["concepts/java.md"].body
    assert [fault.code for fault in done.left_out] == ["page_exists"] * is_told
    assert all("java (Java, which is said to be: island)" in fault.message for fault in done.left_out)


def test_a_title_with_a_bar_survives_in_both_forms() -> None:
    block = '<<<<<<< CREATE concept | `X | Y` | union form; `int | str`\nA form.\n^ "x"\n>>>>>>> END\n'
    (operation,) = Proposal.parse(search_replace.to_json(block)).operations
    assert isinstance(operation, Create)
    assert operation.title == "`X | Y`"
    assert operation.aliases == ("union form", "`int | str`")

    done = draft(wiki(), source(TEXT), create("`X | Y`", UNION))

    (path,) = done.created
    made = done.wiki.changed[path]
    assert made.title == "X | Y"
    assert made.outline.headings[0].text == "X | Y"
