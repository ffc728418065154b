"""``curate ask`` with a language model: real litellm in its jail, real HTTP, books, budget, and answers paid for once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import ask, status
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Report
from curator.errors import ModelError, ProposalError
from curator.models import statements
from curator.models.llm.ledger import BudgetSpent, SpendingLedger
from curator.models.sandbox import client
from curator.models.sandbox.addresses import Address
from curator.models.sandbox.client import ModelWorker
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from support.asked import FULLY, PARTLY, head, planted, said
from support.depth import light_litellm
from support.endpoint import Endpoint, Reply
from support.shared_worker import ENVIRONMENT, Lent
from support.wikis import NOW, git

KNOWN, UNKNOWN = "openai/gpt-4o", "openai/whatever"
"""A model litellm knows prices and schemas of, and one it has never heard of."""
QUESTION = "How is oolong oxidised?"


class Script:
    """What the endpoint answers, in turn, the last answer again and again."""

    def __init__(self) -> None:
        self.answers: tuple[str | Reply, ...] = ("",)
        self.requests: list[dict[str, Any]] = []

    def __call__(self, request: dict[str, Any]) -> str | Reply:
        self.requests.append(request)
        return self.answers[min(len(self.requests), len(self.answers)) - 1]

    def say(self, *answers: str | Reply) -> None:
        self.answers = answers
        self.requests.clear()


@pytest.fixture(scope="module")
def loopback() -> Iterator[Endpoint]:
    with Endpoint(Script()) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def worker(loopback: Endpoint) -> Iterator[ModelWorker]:
    with light_litellm(), ModelWorker(ENVIRONMENT, [Address("127.0.0.1", loopback.port)]) as worker:
        worker.start()
        yield worker


@pytest.fixture
def script(loopback: Endpoint, worker: ModelWorker, monkeypatch: pytest.MonkeyPatch) -> Script:
    def made(keys: Mapping[str, str], ports: list[int], lender: Path) -> Lent:
        return Lent(worker)

    monkeypatch.setattr(client, "ModelWorker", made)
    loopback.answer = script = Script()
    return script


@pytest.fixture
def tea(made: Callable[..., Path]) -> Path:
    return made(planted)


def curate(root: Path, endpoint: Endpoint, words: str = QUESTION, model: str = UNKNOWN, **wish: Any) -> Report:
    config, write = wish.pop("config", {}), wish.pop("write", None)
    environment = {
        **ENVIRONMENT,
        "SOURCE_DATE_EPOCH": str(int(NOW.timestamp())),
        "CURATOR_API_BASE": endpoint.url,
        "CURATOR_MAX_ATTEMPTS": "1",
        **config,
    }
    return ask.run(Settings(root, environment, {"model": model}), words, AskRequest(**wish), lambda _: None, write)


def test_an_answer_over_the_wire_is_told_and_booked(tea: Path, script: Script, loopback: Endpoint) -> None:
    script.say(said(PARTLY, ("It is blue.", "oolong", "as blue as the sky")).dumps(), '{"statements": []}')

    report = curate(tea, loopback, model=KNOWN)

    first, second = script.requests
    assert (first["response_format"]["json_schema"]["schema"], second["response_format"]["json_schema"]["schema"]) == (
        statements.schema(),
        statements.schema(mends=True),
    )
    assert '2. {"text":"It is blue."' in second["messages"][1]["content"]
    assert PARTLY[0] not in str(second["messages"])

    assert [one["statement"] for one in report.data["answer"]] == [PARTLY[0]]
    assert [one["code"] for one in report.data["left_out"]] == ["quote_missing"]
    assert report.data["tokens"] == {"prompt": 200, "completion": 40}
    assert report.data["cost"] == pytest.approx(2 * (100 * 2.5 + 20 * 10) / 1e6)
    assert report.data["model"] == KNOWN
    assert "spent      200 tokens in, 40 out, 0.0009 USD" in report.lines
    with Repository(tea) as repository:
        assert SpendingLedger(repository.runtime.folder / "spend").spent("month", datetime.now(UTC)).tokens == 240


def test_the_request_has_the_pages_the_question_and_the_schema_where_it_is_enforced(
    tea: Path, script: Script, loopback: Endpoint
) -> None:
    script.say(said(PARTLY).dumps())

    curate(tea, loopback, model=KNOWN)
    curate(tea, loopback, model=UNKNOWN)

    with_schema, without = script.requests
    assert with_schema["response_format"]["json_schema"]["schema"] == statements.schema()
    assert "response_format" not in without and "tools" not in with_schema
    system, user = (message["content"] for message in without["messages"])
    assert 'name="page" page="oolong" title="Oolong"' in user
    assert "It is brewed with hot water." in user and "[^tea-1]" not in user and "sources/" not in user
    assert 'name="question">\nHow is oolong oxidised?\n' in user
    assert "plain and factual" in system and "medium" in system and "$" not in system


def test_the_same_question_about_the_same_pages_is_paid_for_once(tea: Path, script: Script, loopback: Endpoint) -> None:
    script.say(said(PARTLY).dumps(), said(FULLY).dumps())
    first = curate(tea, loopback, words="oolong and black tea")

    second = curate(tea, loopback, words="oolong and black tea", save=True, title="Oxidation")
    again = curate(tea, loopback, words="oolong and black tea", ask_again=True)

    assert second.data["answer"] == first.data["answer"]
    assert second.data["created"] == ["oxidation"] and second.data["commit"] == head(tea)
    assert again.data["answer"] != first.data["answer"]
    assert len(script.requests) == 2
    assert git(tea, "log", "-1", "--format=%(trailers:key=Curator-Tokens,valueonly)").strip() == "100/20"
    assert status.run(Settings(tea, {}, {})).data["landed"] == {"prompt": 100, "completion": 20, "cost": None}


def test_saved_answers_do_not_pile_up(
    tea: Path, script: Script, loopback: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curator.ask.flow._KEPT", 2)
    script.say(said(PARTLY).dumps())

    for word in ("one", "two", "three", "four"):
        curate(tea, loopback, words=f"oolong {word}")

    assert len(list((tea / ".git" / "curator" / "replies").iterdir())) == 2
    assert len(script.requests) == 4


@pytest.mark.parametrize(
    ("limit", "kind"),
    [("TOKENS_PER_DAY", BudgetSpent), ("TOKENS_PER_INGEST", ModelError), ("TOKENS_PER_MONTH", BudgetSpent)],
)
def test_a_question_is_within_the_budget_or_is_not_asked(
    tea: Path, script: Script, loopback: Endpoint, limit: str, kind: type[Exception]
) -> None:
    most = {"CURATOR_MAX_OUTPUT_TOKENS": "256"}
    script.say(Reply(said(PARTLY).dumps(), usage={"prompt_tokens": 2500, "completion_tokens": 50}))
    if kind is BudgetSpent:
        curate(tea, loopback, words="What is oolong?", config=most)
    before = len(script.requests)

    with pytest.raises(kind) as caught:
        curate(tea, loopback, config={**most, f"CURATOR_{limit}": "3000" if kind is BudgetSpent else "300"})

    assert "budget" in str(getattr(caught.value, "code", ""))
    assert len(script.requests) == before


def test_a_reply_without_end_is_no_answer(tea: Path, script: Script, loopback: Endpoint) -> None:
    script.say("x" * 10_000_000)

    with pytest.raises(ProposalError) as caught:
        curate(tea, loopback)

    assert caught.value.code == "reply_too_large" and "--ask-again" in caught.value.hint
    assert "source" not in caught.value.hint


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply('{"statements": [', finish_reason="length"), "reply_cut_off"),
        (Reply("I would rather write prose."), "reply_not_json"),
        (Reply("no such key", status=401), "model_key_refused"),
    ],
)
def test_what_is_no_answer_is_told(tea: Path, script: Script, loopback: Endpoint, reply: Reply, code: str) -> None:
    script.say(reply)

    with pytest.raises((ProposalError, ModelError)) as caught:
        curate(tea, loopback)

    assert caught.value.code == code
    assert "split the source" not in caught.value.hint


def test_a_reply_that_gives_its_orders_away_is_not_believed(tea: Path, script: Script, loopback: Endpoint) -> None:
    def leak(request: dict[str, Any]) -> str:
        system = request["messages"][0]["content"]
        return json.dumps({"statements": [{"text": system[:900], "quotes": []}]})

    loopback.answer = leak

    with pytest.raises(ProposalError) as caught:
        curate(tea, loopback)

    assert caught.value.code == "reply_leaks_prompt"


# -- an answer that is told as it comes ----------------------------------------------------------------------------

FALSE = ("It is blue.", "oolong", "as blue as the sky")


def streamed(*before: tuple[str, str, str], behind: tuple[tuple[str, str, str], ...]) -> Reply:
    """A reply of which the rest comes when it is let go on; the cut is in the middle of what comes behind."""
    text = said(*before, *behind).dumps()
    cut = len(said(*before).dumps()) + 10
    return Reply(text[:cut], rest=text[cut:])


def test_a_statement_is_told_when_it_is_proven_and_not_when_all_is_said(
    tea: Path, script: Script, loopback: Endpoint
) -> None:
    slow = streamed(PARTLY, FALSE, behind=(FULLY,))
    script.say(slow, '{"statements": []}')
    told: list[str] = []

    def write(text: str) -> None:
        told.append(text)
        slow.go_on.set()

    report = curate(tea, loopback, model=KNOWN, write=write)

    assert [text.strip().partition(" [^")[0] for text in told] == [PARTLY[0], FULLY[0]]
    assert [one["statement"] for one in report.data["answer"]] == [PARTLY[0], FULLY[0]]
    lines = "\n".join(report.lines)
    assert PARTLY[0] not in lines and "[^2]: sources/tea.txt" in lines
    first, second = script.requests
    assert first["stream"] and first["stream_options"] == {"include_usage": True} and not second.get("stream")
    assert report.data["tokens"] == {"prompt": 200, "completion": 40}
    assert report.data["cost"] == pytest.approx(2 * (100 * 2.5 + 20 * 10) / 1e6)
    assert [one["code"] for one in report.data["left_out"]] == ["quote_missing"]


def test_what_was_paid_for_is_told_again_without_a_stream(tea: Path, script: Script, loopback: Endpoint) -> None:
    slow = streamed(PARTLY, behind=(FULLY,))
    slow.go_on.set()
    script.say(slow)
    first: list[str] = []
    second: list[str] = []

    curate(tea, loopback, write=first.append)
    curate(tea, loopback, write=second.append)

    assert first == second and len(first) == 2
    assert len(script.requests) == 1


def test_a_statement_that_is_mended_is_told_at_the_end(tea: Path, script: Script, loopback: Endpoint) -> None:
    mended = {"number": 1, "text": PARTLY[0], "quotes": [{"page": PARTLY[1], "words": PARTLY[2]}]}
    script.say(said(FALSE, FULLY).dumps(), json.dumps({"statements": [mended]}))
    told: list[str] = []

    curate(tea, loopback, write=told.append)

    assert [text.strip().partition(" [^")[0] for text in told] == [FULLY[0], PARTLY[0]]


def test_of_a_stream_that_gives_its_orders_away_nothing_more_is_told(
    tea: Path, script: Script, loopback: Endpoint
) -> None:
    def leak(request: dict[str, Any]) -> str:
        system = request["messages"][0]["content"]
        return said(PARTLY, (system[:900], "oolong", "as it is"), FULLY).dumps()

    loopback.answer = leak
    told: list[str] = []

    with pytest.raises(ProposalError) as caught:
        curate(tea, loopback, write=told.append)

    assert caught.value.code == "reply_leaks_prompt"
    assert [text.strip().partition(" [^")[0] for text in told] == [PARTLY[0]]


def test_a_stream_without_end_is_no_answer(tea: Path, script: Script, loopback: Endpoint) -> None:
    script.say("{" * 1_100_000)

    with pytest.raises(ProposalError) as caught:
        curate(tea, loopback, write=lambda _: None)

    assert caught.value.code == "reply_too_large"


def test_a_follow_up_is_asked_with_what_was_said_before_it_as_data(
    tea: Path, script: Script, loopback: Endpoint
) -> None:
    script.say(said(PARTLY).dumps(), said(("It is brewed with hot water.", "oolong", "brewed with hot water")).dumps())
    first = curate(tea, loopback, remembers=True)

    second = curate(tea, loopback, words="and what is it brewed with?", follows=True, remembers=True)
    again = curate(tea, loopback, words="and what is it brewed with?", follows=True, remembers=True)

    before, after = (request["messages"] for request in script.requests)
    assert 'name="earlier"' not in str(before)
    assert f'name="earlier">\nQuestion: {QUESTION}\nAnswer: {PARTLY[0]}\n</data' in after[1]["content"]
    assert "It\nproves nothing" in after[0]["content"]
    assert (first.data["turn"], second.data["turn"], second.data["continues"]) == (1, 2, QUESTION)
    assert again.data["answer"] == second.data["answer"] and again.data["turn"] == 2
