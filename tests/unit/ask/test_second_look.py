"""A reply that misses something names what to look for; it is looked for once, and asked for once more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.errors import ModelError
from curator.models.port import Usage
from curator.models.statements import Statements
from support.asked import FULLY, GREEN, OOLONG, PARTLY, WATER, asked, planted, said
from support.fakes import ScriptedRespondent

PAID = Usage(100, 20, 0.5)
OF_OOLONG = "How is oolong oxidised?"


@pytest.fixture
def tea(made: Callable[..., Path]) -> Path:
    return made(planted, OOLONG, GREEN, WATER)


def wanting(*searches: str, statements: Statements | None = None) -> Statements:
    return Statements(statements=statements.statements if statements else (), look_for=searches)


def respondent(*answers: Statements | Exception) -> ScriptedRespondent:
    return ScriptedRespondent(answers, usage=PAID)


def test_what_is_missing_is_looked_for_in_other_words(tea: Path) -> None:
    model = respondent(wanting("black tea", "chests"), said(FULLY))

    answer = asked(tea, model, "What of the hot brew?", tokens=60)

    first, second = model.questions
    assert "black tea" not in "".join(each.text.casefold() for each in first.readings)
    assert "Black tea" in "".join(each.text for each in second.readings)
    assert [each.text for each in answer.statements] == [FULLY[0]]
    assert answer.look_for == ("black tea", "chests")
    assert answer.reply.usage.prompt == 200, "both are paid for"


def test_what_stands_already_is_shown_once_more_with_what_is_new(tea: Path) -> None:
    model = respondent(wanting("black tea", statements=said(PARTLY)), said(PARTLY, FULLY))

    answer = asked(tea, model, OF_OOLONG, tokens=60)

    texts = "".join(each.text for each in model.questions[1].readings)
    assert PARTLY[2] in texts and "Black tea" in texts
    assert [each.text for each in answer.statements] == [PARTLY[0], FULLY[0]]


def test_what_a_statement_quotes_that_does_not_hold_is_shown_once_more_too(tea: Path) -> None:
    """It may be told in better words, now that the rest is there."""
    untold = ("Oolong costs 12 coins.", *PARTLY[1:])
    model = respondent(wanting("black tea", statements=said(untold)), said(PARTLY, FULLY))

    answer = asked(tea, model, OF_OOLONG, tokens=60)

    assert PARTLY[2] in "".join(each.text for each in model.questions[1].readings)
    assert [each.text for each in answer.statements] == [PARTLY[0], FULLY[0]]


def test_an_answer_that_proves_less_does_not_take_the_place_of_one(tea: Path) -> None:
    model = respondent(wanting("black tea", statements=said(PARTLY)), Statements(statements=()))

    answer = asked(tea, model, OF_OOLONG, tokens=60)

    assert [each.text for each in answer.statements] == [PARTLY[0]]
    assert answer.reply.usage.prompt == 200


def test_nobody_is_asked_about_the_same_passages_again(tea: Path) -> None:
    model = respondent(wanting("oolong oxidised"))

    answer = asked(tea, model, OF_OOLONG)

    assert len(model.questions) == 1 and answer.statements == ()


def test_it_is_asked_once_more_and_not_again(tea: Path) -> None:
    model = respondent(wanting("black tea"), wanting("green tea"), said(PARTLY))

    answer = asked(tea, model, OF_OOLONG, tokens=60)

    assert len(model.questions) == 2 and answer.statements == ()


def test_a_fault_of_the_second_question_takes_nothing_of_the_first(tea: Path) -> None:
    model = respondent(
        wanting("black tea", statements=said(PARTLY)), ModelError("model_failed", "no", "wait", retryable=False)
    )

    answer = asked(tea, model, OF_OOLONG, tokens=60)

    assert [each.text for each in answer.statements] == [PARTLY[0]]
