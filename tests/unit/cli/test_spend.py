"""Money is true: what was paid is told, landed or not, and a long run is agreed to before it is paid."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.cli.commands import ingest, init, spend, status
from curator.cli.console import Report
from curator.repository.settings import Settings
from support.depth import light_litellm
from support.endpoint import Endpoint
from support.places import FIXTURES
from support.wikis import drop

GOOD = (FIXTURES / "replies" / "good.blocks.txt").read_text("utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init.run(tmp_path / "tea", "Tea")
    return tmp_path / "tea"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with light_litellm(), Endpoint(lambda request: "I would rather write prose.") as served:
        yield served


def settings(root: Path, endpoint: Endpoint, **more: object) -> Settings:
    return Settings(root, {}, {"model": "openai/prose", "api_base": endpoint.url, "max_attempts": 1, **more})


def quiet(text: str) -> None:
    assert isinstance(text, str)


def test_answers_that_did_not_land_are_told_where_they_were_paid_for(root: Path, endpoint: Endpoint) -> None:
    source = drop(root, "oolong.txt", "Oolong\n\nOolong is a tea that is partly oxidised.\n")

    report = ingest.run(settings(root, endpoint), [source], False, False, quiet)

    asked = len(endpoint.requests)
    paid = {"requests": asked, "tokens": 120 * asked, "prompt": 100 * asked, "completion": 20 * asked, "cost": None}
    assert asked >= 2
    result, tokens = report.data["results"][0], {"prompt": 100 * asked, "completion": 20 * asked}
    assert (result["spent"], result["tokens"], result["cost"]) == (paid, tokens, None)
    words = f"{100 * asked} tokens in, {20 * asked} out, price unknown"
    assert f"  paid: {words}; nothing of it is in the wiki yet" in report.lines

    told = spend.run(Settings(root, {}, {}))
    assert told.data["total"] == told.data["not_landed"] == told.data["today"] == paid
    assert told.data["models"] == [{"model": "openai/prose", **paid}]
    assert told.data["sources"] == [{"source": "sources/oolong.txt", **paid, "landed": False}]
    assert f"  sources/oolong.txt  {words}, {asked} questions; not in the wiki" in told.lines

    state = status.run(Settings(root, {}, {}))
    assert state.data["paid"] == {"tokens": 120 * asked, "cost": None}
    assert state.data["spend"] == {**tokens, "cost": None}
    assert state.data["landed"] == {"prompt": 0, "completion": 0, "cost": 0.0}
    assert any(line.startswith(f"spent    {120 * asked} tokens, price unknown") for line in state.lines)


def test_a_wiki_that_asked_nobody_has_spent_nothing(root: Path) -> None:
    report = spend.run(Settings(root, {}, {}))

    assert report.lines == ("nothing was spent: no model was asked here",)
    assert report.data["total"]["requests"] == 0


@pytest.mark.parametrize("wanted", [True, False])
def test_a_long_run_is_agreed_to_before_anybody_is_asked(root: Path, endpoint: Endpoint, wanted: bool) -> None:
    source = drop(root, "oolong.txt", "Oolong\n\nOolong is a tea that is partly oxidised.\n")
    before, heard = len(endpoint.requests), []

    def agree(text: str) -> bool:
        heard.append(text)
        return wanted

    report = run_with(settings(root, endpoint, ask_from_tokens=1000), source, agree)

    assert heard[0].startswith("1 source will take about ")
    assert heard[0].endswith("tokens of openai/prose, at a price that is not known")
    assert (len(endpoint.requests) > before) == wanted
    assert ("nothing was asked, and nothing paid" in report.lines) != wanted


def test_a_short_run_is_begun_at_once(root: Path, endpoint: Endpoint) -> None:
    source = drop(root, "oolong.txt", "Oolong\n\nOolong is a tea that is partly oxidised.\n")

    run_with(settings(root, endpoint), source, lambda text: pytest.fail(text))


def run_with(settings: Settings, source: Path, agree: object) -> Report:
    return ingest.run(settings, [source], False, False, quiet, agree=agree)  # type: ignore[arg-type]
