"""A repair of an answer: the statements that did not hold, by their numbers, with the passages they may rest on."""

from __future__ import annotations

import json

import pytest

from curator.finding import Finding
from curator.models.llm.language_model import LanguageModel
from curator.models.port import Usage
from curator.models.question import Question
from curator.models.statements import Statements, asked_for
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_page import read_page
from support.asked import FULLY, GREEN, OOLONG, PARTLY, WATER, said
from support.fakes import ScriptedProvider

BAD = ("Black tea is oxidised by 7 percent.", *FULLY[1:])
FIRST = said(PARTLY, BAD, ("It is blue.", "oolong", "as blue as the sky"))
MENDED = {"number": 2, "text": FULLY[0], "quotes": [{"page": FULLY[1], "words": FULLY[2]}]}
QUESTION = Question("How are teas oxidised?", tuple(read_page(Page(*each)) for each in (OOLONG, GREEN, WATER)))
FAULTS = (
    Finding("number_unknown", "reply", "'7' is nowhere", places=("2",)),
    Finding("quote_missing", "reply", "not there: 'as blue as the sky'", places=("3",)),
)


def mended(*statements: dict[str, object]) -> Statements:
    model = LanguageModel(ScriptedProvider(json.dumps({"statements": statements})), 24_000)
    return Statements.parse(model.answer(QUESTION.again(FIRST.dumps(), FAULTS)).text)


def test_what_is_mended_takes_its_place_and_all_else_stays() -> None:
    assert mended(MENDED).statements == (FIRST.statements[0], said(FULLY).statements[0], FIRST.statements[2])


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [{**MENDED, "number": 1}],
        [{**MENDED, "number": 4}],
        [MENDED, MENDED],
        [{**MENDED, "number": "2"}],
        [{**MENDED, "text": ""}],
        [{"text": FULLY[0], "quotes": []}],
    ],
    ids=["none", "one that was sound", "one that is not there", "twice", "no number", "no text", "no place"],
)
def test_a_repair_that_is_none_mends_nothing_and_has_its_price(statements: list[dict[str, object]]) -> None:
    provider = ScriptedProvider(json.dumps({"statements": statements}))

    reply = LanguageModel(provider, 24_000).answer(QUESTION.again(FIRST.dumps(), FAULTS))

    assert Statements.parse(reply.text) == FIRST
    assert reply.usage == Usage(100, 20, 0.5)


def test_the_prompt_has_what_is_faulty_and_the_passages_it_may_rest_on() -> None:
    provider = ScriptedProvider('{"statements": []}')

    LanguageModel(provider, 24_000).answer(QUESTION.again(FIRST.dumps(), FAULTS[:1]))

    ((prompt,), user) = provider.prompts, provider.prompts[0].messages[1]["content"]
    assert f"2. {FIRST.statements[1].model_dump_json()}\n   number_unknown: '7' is nowhere" in user
    assert PARTLY[0] not in user and "as blue as the sky" not in user
    assert "Black tea | fully oxidised" in user and "It tastes of nobody knows what" not in user
    assert user.count(f'<data id="{prompt.nonce}"') == user.count(f'</data id="{prompt.nonce}">')


def test_a_fault_of_the_whole_reply_is_about_no_statement() -> None:
    assert asked_for((*FAULTS, Finding("reply_schema", "reply", "no"))) == ()
    assert asked_for((*FAULTS, *FAULTS)) == (2, 3)
