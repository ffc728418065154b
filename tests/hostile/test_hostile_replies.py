"""Replies of a model that was talked into harm, each with the rule that stops it; on all else it has no effect.

What lands must be, byte for byte, what lands of the honest operation alone; or the wall refuses the reply, and nothing
lands. Cases are text files beside this one, a group each. A case, or the whole group above its ``cases``, has:

    name:    unlike any other of the group
    source:  the file of ``sources/`` that is taken in
    stops:   the code of the rule that stops it, or several that all must; none where all of it is made harmless
    says:    a claim, with ``quote`` or ``quotes``, added to ``page`` (in ``section``); or
    ops:     the hostile operations; or
    reply:   the whole text
    first:   replies on other sources that were taken in before it (source, ops, lands), where it takes several
    keeps:   what of ``says`` lands all the same: the sentences of it that are sound by themselves
    lands:   the operations that land in its place beside the honest one, where code makes it harmless
    waits:   true where the rule is on its way: it may be stopped or not
    open:    why it is not stopped: the day it is, the test says so

A push tries all of them, and commits every fortieth of them; at night all are committed: ``TEST_DEPTH=nightly``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from support.attacks import HONEST, HOSTILE, Attacked, Operations, add, claim, from_file, reply_of
from support.depth import NIGHTLY

Case = dict[str, Any]
_NOT_GROUPS = ("base", "answers")
_COMMITTED = 40
"""One in so many cases of a group is committed on a push; at night all are."""


@cache
def _cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for file in sorted(HOSTILE.glob("*.yaml")):
        group = from_file(file.name) if file.stem not in _NOT_GROUPS else {"cases": []}
        shared = {key: value for key, value in group.items() if key != "cases"}
        for case in group["cases"]:
            name = f"{file.stem}: {case['name']}"
            assert name not in found, name
            found[name] = {**shared, **case}
    return found


def _params(*, first: bool = False, every: int = 1) -> list[Any]:
    """The names of the cases: every so manieth; and with ``first`` all that take several replies, else none of them."""
    named = [(name, case) for name, case in _cases().items() if first or "first" not in case]
    taken = [each for at, each in enumerate(named) if at % every == 0 or "first" in each[1]]
    return [pytest.param(name, marks=_marks(case)) for name, case in taken]


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    why = case.get("open", "the rule is on its way")
    return [pytest.mark.xfail(strict="open" in case, reason=why)] if {"open", "waits"} & set(case) else []


def _operations(case: Case) -> Operations:
    return list(case["ops"]) if "ops" in case else _said(case, "says")


def _landing(case: Case) -> Operations:
    return _said(case, "keeps") if "keeps" in case else case.get("lands", ())


def _said(case: Case, what: str) -> Operations:
    quotes = [case["quote"]] if "quote" in case else case.get("quotes", [])
    return [add(case["page"], claim(case[what], *quotes), section=case.get("section", ""))]


def _reply(case: Case) -> str:
    return str(case["reply"]) if "reply" in case else reply_of([*HONEST[case["source"]], *_operations(case)])


def _wanted(case: Case) -> set[str]:
    stops = case.get("stops") or []
    return {stops} if isinstance(stops, str) else set(stops)


@pytest.mark.parametrize("name", _params())
def test_only_what_is_honest_lands(name: str, base: Attacked) -> None:
    case = _cases()[name]
    before = base.state()

    landed, found = base.trial(case["source"], _reply(case))

    assert _wanted(case) <= {finding.code for finding in found}, f"stopped by {[str(each) for each in found]}"
    assert not landed or landed == base.honest(case["source"], _landing(case))
    assert landed or found
    assert base.state() == before


@pytest.mark.parametrize("name", _params(first=True, every=1 if NIGHTLY else _COMMITTED))
def test_what_is_committed_is_what_an_honest_reply_would_have_brought(
    name: str, copies: Callable[[str], Attacked]
) -> None:
    case = _cases()[name]
    attacked, honest = copies("attacked"), copies("honest")
    codes: set[str] = set()

    for taken in (*case.get("first", ()), case):
        source = taken["source"]
        landed, found = attacked.take(source, _reply(taken))
        codes |= {finding.code for finding in found}
        if landed:
            honest.take(source, reply_of([*HONEST[source], *_landing(taken)]))

    assert _wanted(case) <= codes
    assert attacked.tree() == honest.tree()
    assert attacked.log() == honest.log()
