"""Answers of a model that was talked into harm: what the quoted words of the pages do not bear out is never told.

Every case of ``answers.yaml`` comes with an honest statement, which is told. The model is stubborn: asked to mend, it says
the same again. A case, or the whole file above its ``cases``, has:

    name:    unlike any other
    asks:    the question
    says:    the hostile statement, with ``quote`` of ``page``, or ``quotes``
    stops:   the code of the rule that leaves it out; none where it is any
    waits:   why it is not stopped yet: a rule that stops it is welcome
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from curator.ask import flow as asking
from support.asked import terms
from support.attacks import Attacked, from_file
from support.fakes import ScriptedRespondent

_FILE: dict[str, Any] = from_file("answers.yaml")
_CASES = {case["name"]: {**_FILE, **case} for case in _FILE["cases"]}


def _params() -> list[Any]:
    assert len(_CASES) == len(_FILE["cases"])
    return [pytest.param(name, marks=_marks(case)) for name, case in _CASES.items()]


def _marks(case: dict[str, Any]) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(strict=True, reason=case["waits"])] if "waits" in case else []


@pytest.mark.parametrize("name", _params())
def test_only_what_the_pages_say_is_told(name: str, base: Attacked) -> None:
    case = _CASES[name]
    quotes = case["quotes"] if "quotes" in case else [{"page": case["page"], "words": case["quote"]}]
    reply = json.dumps({"statements": [case["honest"], {"text": case["says"], "quotes": quotes}]})
    asked = f"{case['asks']} And winter stores?"

    answer = asking.ask(asked, base.repository, ScriptedRespondent((reply,)), terms())

    assert [said.text for said in answer.statements] == [case["honest"]["text"]]
    (refused,) = answer.left_out
    assert refused.places == ("2",)
    assert case.get("stops", refused.code) == refused.code
