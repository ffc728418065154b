"""The yes or no that a statement begins with."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.ask.yes_no import without_yes, yes_unproven
from curator.models.statements import Proof
from curator.wiki.passages.passage import Passage, Reading
from support.asked import asked, planted, said
from support.fakes import ScriptedRespondent


def against(question: str, text: str, quote: str) -> str:
    reading = Reading("bridge", "entities/bridge.md", "Tosk Bridge", ("Tosk Bridge",), ())
    return yes_unproven(text, (Proof(reading, Passage("paragraph", quote)),), question)


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        ("May lorries use the Tosk Bridge?", "Yes, the bridge carries a road.", "The bridge carries a single road."),
        ("May lorries use the Tosk Bridge?", "Yes: lorries must not use it.", "Lorries must not use the bridge."),
        ("May lorries of 20 tonnes use it?", "Yes, lorries may.", "Lorries of 12 tonnes may use the bridge."),
        ("May visitors cross alone?", "- Yes, visitors may.", "Visitors may cross with a guide."),
        ("May visitors always cross?", "Yes; visitors may.", "Visitors may cross in summer."),
        ("May visitors cross?", "No, there are no cracks.", "There are no cracks in the arch."),
    ],
)
def test_what_is_quoted_has_to_speak_of_what_was_asked(question: str, text: str, quote: str) -> None:
    assert against(question, text, quote)


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        ("May lorries use the Tosk Bridge?", "Yes, lorries may use it.", "Lorries may use the bridge."),
        ("May lorries of 20 tonnes use it?", "No: none above 12 tonnes.", "Lorries above 12 tonnes must not use it."),
        ("Must visitors not cross?", "Yes, they must not.", "Visitors must not cross the bridge."),
        ("Who may cross?", "Yes, visitors may.", "Visitors may cross the bridge."),
        ("May lorries use the Tosk Bridge?", "The bridge carries a road.", "The bridge carries a single road."),
    ],
)
def test_nothing_is_against_one_that_is_quoted(question: str, text: str, quote: str) -> None:
    assert against(question, text, quote) == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Yes: visitors may climb.", "Visitors may climb."),
        ("- No, it is closed.", "- It is closed."),
        ("Yes.", ""),
        ("Yesterday it rained.", "Yesterday it rained."),
    ],
)
def test_the_rest_of_it_is_left(text: str, left: str) -> None:
    assert without_yes(text) == left


def test_a_statement_is_told_without_a_yes_that_nothing_bears_out(root: Path) -> None:
    planted(root)
    told = said(
        ("Yes, green tea is not oxidised at all.", "green-tea", "Green tea is not oxidised at all."),
        ("Yes.", "green-tea", "Green tea is not oxidised at all."),
    )

    answer = asked(root, ScriptedRespondent((told,)), "Is green tea oxidised?")

    assert [each.text for each in answer.statements] == ["Green tea is not oxidised at all."]
    assert [each.code for each in answer.left_out] == ["yes_unproven"]
