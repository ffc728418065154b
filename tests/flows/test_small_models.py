"""Models of 7 billion parameters with 8,192 tokens of room: prompts fit, rounds are few, and what is sound lands."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import ask, ingest
from curator.cli.commands.ask import AskRequest
from curator.repository.settings import Settings
from support.depth import light_litellm
from support.small_model import ROOM, Habits, SmallModel
from support.wikis import git

MOST_CALLS = 3
"""For a source of one window: the question, one repair, and one question more where the answer was none."""


@pytest.fixture(autouse=True)
def _light() -> Iterator[None]:
    with light_litellm():
        yield


def settings(root: Path, url: str, **more: Any) -> Settings:
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    flags = {"model": "openai/small", "api_base": url, "context_tokens": ROOM, "reply_format": "blocks", **more}
    return Settings(root, environment, {**flags, "look_first": False})


def document(name: str, sentences: int) -> str:
    """A document of that many sentences, all different."""
    facts = (
        f"The {name} vessel of shelf {number} holds {number + 3} litres of water and weighs {number * 7 + 11} grams. "
        for number in range(sentences)
    )
    lines = "\n".join(line + ("\n" if at % 5 == 4 else "") for at, line in enumerate(facts))
    return f"# The {name} collection\n\nA {name} vessel is a pot in which water is boiled for tea.\n\n{lines}\n"


def taken_in(root: Path, model: SmallModel, documents: Mapping[str, str], **more: Any) -> dict[str, dict[str, Any]]:
    files = []
    for name, text in documents.items():
        (root / "sources" / name).write_text(text)
        files.append(root / "sources" / name)
    with model.endpoint() as endpoint:
        report = ingest.run(settings(root, endpoint.url, **more), files, False, False, lambda said: None)
    return {result["source"].removeprefix("sources/"): result for result in report.data["results"]}


@pytest.mark.parametrize("server", ["vllm", "llama.cpp"])
def test_a_careless_model_with_little_room_brings_what_is_sound(root: Path, server: str) -> None:
    model = SmallModel(server=server)
    sizes = {"short": 4, "medium": 90, "long": 700}

    results = taken_in(root, model, {f"{name}.md": document(name, count) for name, count in sizes.items()})

    assert {name: result["status"] for name, result in results.items()} == dict.fromkeys(results, "ingested")
    assert [call for call in model.served if call.status != 200] == []
    assert max(call.prompt + call.wanted for call in model.served) <= ROOM
    pages = git(root, "grep", "-h", "", "HEAD", "--", "summaries", "concepts", "entities")
    assert "pot in which water is boiled" in pages
    assert "Napoleon" not in pages


def test_an_answer_in_prose_is_asked_for_again_a_bounded_number_of_times(root: Path) -> None:
    deaf = SmallModel(Habits(prose=frozenset(range(1, 100))))

    result = taken_in(root, deaf, {"deaf.md": document("deaf", 4)})["deaf.md"]

    assert result["status"] == "parked"
    assert len(deaf.served) <= MOST_CALLS
    assert result["next"]

    hears = SmallModel(Habits(prose=frozenset({1})))
    assert taken_in(root, hears, {"hears.md": document("hears", 4)})["hears.md"]["status"] == "ingested"
    assert len(hears.served) <= MOST_CALLS


def test_an_answer_that_never_ends_is_cut_and_the_next_one_lands(root: Path) -> None:
    model = SmallModel(Habits(rambles=frozenset({1})))

    result = taken_in(root, model, {"kettle.md": document("kettle", 4)})["kettle.md"]

    assert model.served[0].finish == "length"
    assert result["status"] == "ingested"
    assert len(model.served) <= MOST_CALLS


def test_of_an_answer_that_is_cut_off_what_was_finished_lands_and_the_rest_is_said_to_be_missing(root: Path) -> None:
    model = SmallModel(Habits(never_stops=frozenset({1}), careless=False))

    result = taken_in(root, model, {"kettle.md": document("kettle", 4)})["kettle.md"]

    assert (model.served[0].finish, len(model.served)) == ("length", 1)
    assert result["status"] == "ingested"
    assert "reply_cut_off" in {finding["code"] for finding in result["findings"]}


def test_a_window_whose_notes_were_cut_off_is_read_in_halves(root: Path) -> None:
    model = SmallModel(Habits(never_stops=frozenset({2}), careless=False))

    result = taken_in(root, model, {"long.md": document("long", 300)})["long.md"]

    assert [call.finish for call in model.served].count("length") == 1
    assert result["status"] == "ingested"


def test_a_model_that_is_not_said_to_be_small_says_so_itself(root: Path) -> None:
    model = SmallModel()

    result = taken_in(root, model, {"large.md": document("large", 700)}, context_tokens=0)["large.md"]

    assert (result["status"], result["code"]) == ("parked", "model_context_exceeded")
    assert "context_tokens 8192" in result["next"]
    assert len(model.served) == 1


def test_a_question_fits_too(root: Path) -> None:
    model = SmallModel(Habits(careless=False))
    taken_in(root, model, {"long.md": document("long", 300)})
    with model.endpoint() as endpoint:
        asked = settings(root, endpoint.url)
        ask.run(asked, "How many litres does the long vessel of shelf 12 hold?", AskRequest(), lambda _: None)

    assert [call for call in model.served if call.status != 200] == []
    assert max(call.prompt + call.wanted for call in model.served) <= ROOM
