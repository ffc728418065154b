"""Which page a word of a sentence means: by its capitals, by its neighbours, by how the page writes its own name."""

from __future__ import annotations

import pytest

from curator.wiki.autolink import link_first_mentions, settle_links, unlinked
from support.pages import page, wiki


def also(*names: str) -> dict[str, object]:
    return {"curator": {"aliases": list(names)}}


WIKI = wiki(
    page("go", "Go is a language. A program in Go starts fast.", kind="entity"),
    page("cast", "`cast` tells the type checker a type. A cast is free at run time."),
    page("final", "Final is a type qualifier. A name that is marked Final is not assigned to.", title="Final"),
    page("final-decorator", "The decorator `@final` closes a class.", title="Final decorator", metadata=also("final")),
    page("literal", "Literal is a special form.", title="Literal"),
    page("annotated", "Annotated adds metadata to a type. With Annotated a type has notes.", title="Annotated"),
    page("overload", "An overload is one signature of several."),
    page("typing-module", "The module of type hints.", title="Typing module", metadata=also("typing")),
    page("type-checking", "A constant.", kind="entity", title="TYPE_CHECKING"),
    page("runtime-checkable", "A decorator.", title="runtime_checkable", metadata=also("runtime protocol")),
    page("extra", "An extra is an optional part of a distribution."),
    page("distribution", "A distribution is a file. The distribution of a project is built."),
    page("wheel", "A wheel is an archive."),
    page("pep-0484", "PEP 484 introduces hints.", kind="summary", title="Type hints", metadata=also("PEP 484")),
    page("type-hint", "A type hint is an annotation."),
    page("pep-0586", "Literal types.", kind="summary", title="Literal Types", metadata=also("PEP 586")),
    page("annotation-format", "A number.", metadata=also("FORWARDREF")),
    page("forwardref", "A class.", kind="entity", title="ForwardRef"),
    page("union-type", "A union type is one of several types."),
    page("x-or-y", "A form.", title="X | Y"),
    page("type-c", "A form.", title="Type[C]"),
)


def linked(text: str) -> str:
    return link_first_mentions(text, WIKI, set())


@pytest.mark.parametrize(
    "text",
    [
        "They go on the last line.",
        "Wheel Service. The boats of the Wheel Service came.",
        "The cast tree is large.",
        "Go to the last line.",
        "The types can be cast to others.",
        "The value is cast.",
        "Cast the value first.",
        "By now final releases come later.",
        "Its status became final.",
        "A literal string is one.",
        "This is so unless annotated so.",
        "It is used to overload the operator.",
        "A program overloads the operator.",
        "Gradual typing mixes both.",
        "With static type checking it is found.",
        "It fails at runtime protocol classes.",
        "Some backends have extra requirements.",
        "It needs no extra work.",
        "The upload and distribution of notes is slow.",
        "These are the shop's wheels.",
        "The format is not for distribution but for tests.",
        "The literal types are as complex as others.",
    ],
)
def test_ordinary_words_are_not_names(text: str) -> None:
    assert linked(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It is written in Go.", "It is written in [[go|Go]]."),
        ("Go is fast.", "[[go|Go]] is fast."),
        ("A cast is an assertion.", "A [[cast]] is an assertion."),
        ("The qualifier Final may be used.", "The qualifier [[final|Final]] may be used."),
        ("The overloads come first.", "The [[overload|overloads]] come first."),
        ("They specify extras as they wish.", "They specify [[extra|extras]] as they wish."),
        ("Each extra is optional.", "Each [[extra]] is optional."),
        ("A type hint of PEP 484.", "A [[type-hint|type hint]] of [[pep-0484|PEP 484]]."),
        ("The class ForwardRef, the constant FORWARDREF.",
         "The class [[forwardref|ForwardRef]], the constant [[annotation-format|FORWARDREF]]."),
        ("Each distribution of a project.", "Each [[distribution]] of a project."),
        ("It builds wheels.", "It builds [[wheel|wheels]]."),
        ("It is guarded by TYPE_CHECKING.", "It is guarded by TYPE_CHECKING."),
    ],
)  # fmt: skip
def test_names_are_linked(text: str, wanted: str) -> None:
    assert linked(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A [[union-type]] can be long.", "A [[union-type|union type]] can be long."),
        ("[[union-type]] is long.", "[[union-type|Union type]] is long."),
        ("As [[pep-0484]] says.", "As [[pep-0484|PEP 484]] says."),
        ("The [[wheel]] and [[go]].", "The [[wheel]] and [[go]]."),
        ("Write [[x-or-y]] or [[type-c]].", r"Write [[x-or-y|X \| Y]] or [[type-c|Type\[C\]]]."),
        (r"Write [[x-or-y|X \| Y]].", r"Write [[x-or-y|X \| Y]]."),
    ],
)
def test_a_bare_link_is_read_as_words(text: str, wanted: str) -> None:
    once = settle_links(text, WIKI.resolve)

    assert once == wanted
    assert settle_links(once, WIKI.resolve) == once


def test_a_marked_word_is_not_linked_and_the_mark_goes() -> None:
    text, but = unlinked("A [[!wheel]] turns, as wheels do; an extra is there.")

    assert text == "A wheel turns, as wheels do; an extra is there."
    assert link_first_mentions(text, WIKI, set(), but) == "A wheel turns, as wheels do; an [[extra]] is there."
