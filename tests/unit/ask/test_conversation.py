"""Questions that follow on each other: what is remembered, what it helps to find, and that it proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.ask import conversation
from curator.ask.conversation import FRESH, TOKENS, TURNS, Conversation
from curator.cli.commands import ask
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Report
from curator.errors import ConfigError
from curator.models.port import estimate_tokens
from curator.models.question import Turn
from curator.repository.repository import Repository
from support.asked import PARTLY, asked, planted, said, settings
from support.fakes import ScriptedRespondent
from support.lints import page
from support.pages import laws
from support.wikis import NOW

TURN = st.builds(Turn, st.text(min_size=1, max_size=1000), st.text(max_size=700))
SUMMER = page(
    "summer-school",
    "The summer school teaches weaving. [^tea-1]\n\nIt is led by Ada Wren. [^tea-2]\n\n"
    '[^tea-1]: sources/tea.txt#L1 "Oolong is partly oxidised."\n'
    '[^tea-2]: sources/tea.txt#L2 "Green tea is not oxidised at all."\n',
)


@pytest.fixture
def tea(made: Callable[..., Path]) -> Path:
    return made(planted)


def curate(root: Path, words: str, follows: bool = False, remembers: bool = True, save: bool = False) -> Report:
    request = AskRequest(save=save, follows=follows, remembers=remembers)
    return ask.run(settings(root), words, request, lambda _: None)


def told(report: Report) -> list[str]:
    return [each["statement"] for each in report.data["answer"]]


# -- what is remembered --------------------------------------------------------------------------------------------


@laws
@given(st.lists(TURN, min_size=1, max_size=9))
def test_it_is_bounded_and_the_last_turn_is_always_there(turns: list[Turn]) -> None:
    said = Conversation()
    for turn in turns:
        said = said.with_turn(turn, NOW)

    assert said.turns == tuple(turns[-len(said.turns) :]) and said.count == len(turns)
    assert len(said.turns) <= TURNS
    before = said.turns[:-1]
    assert not before or sum(estimate_tokens(f"{one.question}\n{one.told}") for one in said.turns) <= TOKENS


def test_the_same_question_follows_on_what_it_followed_on() -> None:
    one, two = Turn("one?"), Turn("two?")
    both = Conversation((one, two), count=2)

    assert both.before("two?") == Conversation((one,), count=1)
    assert both.before("one?") == both


def test_it_lies_where_only_its_user_looks_and_comes_back_as_it_was(tea: Path) -> None:
    kept = Conversation((Turn("one?", "a \ud800 b", ("p",), ("P",)),), "view", 3, NOW.isoformat())
    with Repository(tea) as repository:
        conversation.keep(repository.runtime, kept)

        assert conversation.load(repository.runtime, "view", NOW) == kept
        assert repository.runtime.folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("kept", "why"),
    [
        (None, "nothing was asked"),
        ("{", "nothing was asked"),
        ('{"turns": [7], "view": "", "count": 1, "at": ""}', "nothing was asked"),
        (Conversation((Turn("one?"),), "other", 1, NOW.isoformat()), "another view"),
        (Conversation((Turn("one?"),), "", 1, (NOW - FRESH).isoformat()), "too long ago"),
        (Conversation((Turn("one?"),), "", 1, "yesterday"), "too long ago"),
    ],
)
def test_what_there_is_not_is_not_continued(tea: Path, kept: Conversation | str | None, why: str) -> None:
    with Repository(tea) as repository:
        if isinstance(kept, Conversation):
            conversation.keep(repository.runtime, kept)
        elif kept is not None:
            repository.runtime.make()
            (repository.runtime.folder / "conversation.json").write_text(kept)

    with pytest.raises(ConfigError, match=why) as caught:
        curate(tea, "and then?", follows=True)

    assert caught.value.code == "nothing_to_continue"


def test_who_asks_anew_begins_anew_and_a_program_leaves_it_alone(tea: Path) -> None:
    curate(tea, "What is oolong?")
    curate(tea, "Is green tea oxidised?")
    curate(tea, "What is black tea?", remembers=False)

    report = curate(tea, "and its colour?", follows=True)

    assert (report.data["turn"], report.data["continues"]) == (2, "Is green tea oxidised?")


# -- what it helps to find -----------------------------------------------------------------------------------------


def test_what_was_spoken_of_before_is_found_for_a_question_that_does_not_name_it(root: Path) -> None:
    planted(root, SUMMER, page("winter-school", "It is led by Berta Lind.\n"))

    alone = asked(root, ScriptedRespondent((said(),)), "and who is it led by?")
    before = (Turn("What does the summer school teach?", "", ("summer-school",), ("Summer school",)),)
    following = asked(root, ScriptedRespondent((said(),)), "and who is it led by?", earlier=before)

    assert following.question.readings[0].name == "summer-school"
    assert {each.name for each in alone.question.readings} >= {"summer-school", "winter-school"}


def test_the_built_in_answers_a_follow_up(root: Path) -> None:
    planted(root, SUMMER, page("winter-school", "It is led by Berta Lind.\n"))
    first = curate(root, "What does the summer school teach?")

    second = curate(root, "and who is it led by?", follows=True)
    other = curate(root, "and who is the winter school led by?", follows=True)

    assert told(first)[0] == "The summer school teaches weaving."
    assert told(second)[0] == "It is led by Ada Wren."
    assert told(other)[0] == "It is led by Berta Lind."


def test_what_was_told_before_proves_nothing(tea: Path) -> None:
    before = (Turn("How is oolong oxidised?", "Oolong is grown on the moon.", ("oolong",), ("Oolong",)),)
    lies = [("It is grown on the moon.", slug, "Oolong is grown on the moon.") for slug in ("earlier", "oolong")]

    answer = asked(tea, ScriptedRespondent((said(*lies, PARTLY),)), "and where is it grown?", earlier=before)

    assert [each.text for each in answer.statements] == [PARTLY[0]]
    assert [each.code for each in answer.left_out] == ["page_unknown", "quote_missing"]


def test_a_follow_up_may_name_what_the_question_before_named_and_the_page_has(tea: Path) -> None:
    before = (Turn("How is Oolong oxidised?"),)

    answer = asked(tea, ScriptedRespondent((said(PARTLY),)), "and is it in full?", earlier=before)

    assert len(answer.statements) == 1
    assert answer.question.words == "How is Oolong oxidised? and is it in full?"


def test_a_follow_up_that_is_filed_wants_a_title(tea: Path) -> None:
    curate(tea, "How is oolong oxidised?")

    with pytest.raises(ConfigError, match="no title"):
        curate(tea, "and how is it brewed?", follows=True, save=True)


# -- a session -----------------------------------------------------------------------------------------------------


def test_in_a_session_each_question_follows_on_the_last_and_a_fault_ends_nothing(tea: Path) -> None:
    written: list[str] = []
    lines = ["How is oolong oxidised?", "", "?", "and how is it brewed?"]

    ask.session(settings(tea), lines, AskRequest(remembers=True), lambda _: None, written.append)

    text = "\n".join(written)
    assert "Oolong is partly oxidised. [^1]" in text and "there is no question in '?'" in text
    assert "It is brewed with hot water. [^" in text
    with Repository(tea) as repository:
        assert conversation.load(repository.runtime, "", NOW + timedelta(hours=1)).count == 2


@pytest.mark.parametrize("word", ["exit", "quit", " Quit. ", ":q"])
def test_what_people_type_to_leave_ends_a_session(tea: Path, word: str) -> None:
    written: list[str] = []

    ask.session(settings(tea), [word, "How is oolong oxidised?"], AskRequest(), lambda _: None, written.append)

    assert len(written) == 1


def test_a_session_is_about_no_one_question(tea: Path) -> None:
    with pytest.raises(ConfigError, match="about one question"):
        ask.session(settings(tea), [], AskRequest(save=True), lambda _: None, lambda _: None)
