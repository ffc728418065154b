"""The budget before each question and the books after it: with scripted answers, over real HTTP, in ``curate ingest``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import ingest as command
from curator.cli.commands import status
from curator.cli.console import Report
from curator.config import Config
from curator.errors import ModelError
from curator.models.llm.budget import BudgetGuard, Prices
from curator.models.llm.ledger import BudgetSpent, SpendingLedger, end_of
from curator.models.llm.prompts import Prompt
from curator.models.llm.provider import Provider
from curator.models.sandbox import client
from curator.models.sandbox.client import ModelWorker
from curator.repository.runtime.runtime import Runtime
from curator.repository.settings import Settings
from curator.system.spending import Spent
from support import shared_worker
from support.endpoint import Endpoint, Reply
from support.model_server import ModelServer, Mood, answer
from support.model_server import Prompt as Asking
from support.shared_worker import ENVIRONMENT, Lent
from support.wikis import NOW, TEA, drop, git

KNOWN, UNKNOWN = "openai/gpt-4o", "openai/whatever"
"""A model litellm knows the price of, and one it has never heard of."""
PRICES = {"prompt_price": 2.5e-6, "completion_price": 10e-6}
server, worker = shared_worker.server, shared_worker.worker


def question(text: str = "What is tea?", source: str = "sources/tea.txt") -> Prompt:
    return Prompt(({"role": "user", "content": text},), nonce="0f" * 16, source=source)


def reply(prompt: int | None = 100, completion: int | None = 20, cost: float | None = None, text: str = "Tea.") -> Any:
    return {"ok": True, "text": text, "tokens": {"prompt": prompt, "completion": completion}, "cost": cost}


class Asked:
    """A provider without a wire: it gives one answer, or one error, and counts."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.times = 0

    def __call__(self) -> dict[str, Any]:
        self.times += 1
        if isinstance(self.answer, BaseException):
            raise self.answer
        assert isinstance(self.answer, dict)
        return self.answer


Filled = Callable[..., BudgetGuard]


@pytest.fixture
def guard(tmp_path: Path) -> Filled:
    """A guard with these settings; ``known`` is what litellm knows."""

    def guard(known: Mapping[str, Any] | None = None, **settings: Any) -> BudgetGuard:
        config = Config(model=UNKNOWN, **{"max_output_tokens": 1000, **settings})
        return BudgetGuard(config, SpendingLedger(tmp_path / "spend"), lambda: known or {}, lambda: NOW)

    return guard


def spent(guard: BudgetGuard) -> Spent:
    return guard.ledger.spent("day", NOW)


# -- what a question takes -------------------------------------------------------------------------------------------


def test_an_answer_counts_as_the_provider_counts(guard: Filled) -> None:
    paying = guard()

    paid = paying.charge(question(), Asked(reply(100, 20, 0.25)))

    assert (paid["text"], paid["cost"]) == ("Tea.", 0.25)
    assert spent(paying) == Spent(120, 0.25)


def test_while_it_is_asked_it_counts_at_its_most(guard: Filled) -> None:
    paying, seen = guard(), []

    def ask() -> dict[str, Any]:
        seen.append(spent(paying))
        answer: dict[str, Any] = reply()
        return answer

    paying.charge(question(), ask)

    assert seen == [paying.most(question())]
    assert seen[0].tokens >= 1000 + question().tokens


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [
        (reply(None, None, text="Tea is a drink. " * 10), question().tokens + 41),
        (reply(100, None, text="Tea is a drink. " * 10), 141),
        (reply(None, 20), question().tokens + 20),
        (reply(-5000, -5000), 0),
    ],
    ids=["nothing", "the question", "the answer", "less than nothing"],
)
def test_what_the_provider_does_not_count_is_estimated(guard: Filled, answer: Any, tokens: int) -> None:
    paying = guard(dollars_per_million_in=2, dollars_per_million_out=8)

    paid = paying.charge(question(), Asked(answer))

    assert spent(paying).tokens == tokens
    assert paid["cost"] == pytest.approx(spent(paying).dollars)
    assert paid["cost"] >= 0


@pytest.mark.parametrize(
    ("code", "retryable", "counts"),
    [
        ("model_rate_limited", True, False),
        ("model_unavailable", True, False),
        ("model_key_refused", False, False),
        ("model_timeout", True, True),
        ("model_worker_died", True, True),
    ],
)
def test_a_fault_costs_what_the_provider_may_ask_for_it(
    guard: Filled, code: str, retryable: bool, counts: bool
) -> None:
    paying = guard()

    with pytest.raises(ModelError, match="no answer"):
        paying.charge(question(), Asked(ModelError(code, "no answer", retryable=retryable)))

    assert spent(paying) == (paying.most(question()) if counts else Spent())


def test_an_interrupted_question_counts_at_its_most(guard: Filled) -> None:
    paying = guard()

    with pytest.raises(KeyboardInterrupt):
        paying.charge(question(), Asked(KeyboardInterrupt()))

    assert spent(paying) == paying.most(question())


# -- limits ----------------------------------------------------------------------------------------------------------


def test_over_the_limit_of_the_day_nothing_is_asked(guard: Filled) -> None:
    paying, asked = guard(tokens_per_day=1500), Asked(reply(500, 100))
    paying.charge(question(), asked)

    with pytest.raises(BudgetSpent):
        paying.charge(question(source="sources/other.txt"), asked)

    assert asked.times == 1
    assert spent(paying).tokens == 600


def test_the_limit_of_a_source_holds_for_all_its_questions_together(guard: Filled) -> None:
    paying, asked = guard(tokens_per_ingest=2000), Asked(reply(400, 100))
    for _ in range(2):
        paying.charge(question(), asked)

    with pytest.raises(ModelError) as caught:
        paying.charge(question(), asked)
    paying.charge(question(source="sources/other.txt"), asked)

    assert caught.value.code == "budget_too_small"
    assert asked.times == 3


def test_answers_that_never_came_count_for_the_source_as_well(guard: Filled) -> None:
    paying = guard(tokens_per_ingest=2000)
    late = Asked(ModelError("model_timeout", "late", retryable=True))
    with pytest.raises(ModelError, match="late"):
        paying.charge(question(), late)

    with pytest.raises(ModelError) as caught:
        paying.charge(question(), late)

    assert caught.value.code == "budget_too_small"
    assert late.times == 1


def test_a_question_that_was_interrupted_counts_for_the_source_as_well(guard: Filled) -> None:
    paying, asked = guard(tokens_per_ingest=2000), Asked(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        paying.charge(question(), asked)

    with pytest.raises(ModelError) as caught:
        paying.charge(question(), asked)

    assert caught.value.code == "budget_too_small"
    assert asked.times == 1


# -- prices ----------------------------------------------------------------------------------------------------------


def test_without_a_limit_in_dollars_nobody_is_asked_for_the_price(guard: Filled) -> None:
    def never() -> Mapping[str, Any]:
        raise AssertionError

    paying = guard(tokens_per_day=10_000)
    paying.known = never

    assert paying.charge(question(), Asked(reply()))["cost"] is None


def test_an_unknown_price_under_a_limit_in_dollars_is_not_paid(guard: Filled) -> None:
    paying, asked = guard({"prompt_price": None}, dollars_per_month=1), Asked(reply())

    with pytest.raises(ModelError) as caught:
        paying.charge(question(), asked)

    assert (caught.value.code, caught.value.retryable, caught.value.is_general) == ("price_unknown", False, True)
    assert asked.times == 0
    assert spent(paying) == Spent()


def test_a_limit_in_dollars_holds_by_the_price_litellm_knows(guard: Filled) -> None:
    paying, asked = guard(PRICES, dollars_per_day=0.015), Asked(reply(1000, 500))
    paying.charge(question(), asked)
    assert spent(paying).dollars == pytest.approx(0.0075)

    with pytest.raises(BudgetSpent) as caught:
        paying.charge(question(), asked)

    assert asked.times == 1
    assert caught.value.hint == "wait until then, or raise dollars_per_day"


def test_the_users_own_prices_go_before_litellms(guard: Filled) -> None:
    paying = guard(PRICES, dollars_per_million_in=1, dollars_per_million_out=2, dollars_per_day=1)

    paid = paying.charge(question(), Asked(reply(1000, 500, cost=0.0075)))

    assert paid["cost"] == pytest.approx(0.002)
    assert spent(paying).dollars == pytest.approx(0.002)


@pytest.mark.parametrize(
    ("settings", "known", "prices"),
    [
        ({}, {}, Prices(None, None)),
        ({}, PRICES, Prices(2.5e-6, 10e-6)),
        ({}, {"prompt_price": 0.0, "completion_price": 0.0}, Prices(0, 0)),
        ({"dollars_per_million_in": 3, "dollars_per_million_out": 4}, {}, Prices(3e-6, 4e-6)),
        ({"dollars_per_million_in": 3}, PRICES, Prices(3e-6, 10e-6)),
        ({"dollars_per_million_in": 3}, {}, Prices(3e-6, None)),
        ({"dollars_per_million_out": 4}, {}, Prices(None, 4e-6)),
    ],
)
def test_a_price_that_is_not_set_is_unknown_and_not_nothing(
    settings: dict[str, Any], known: dict[str, Any], prices: Prices
) -> None:
    found = Prices.of(Config(model=UNKNOWN, **settings), lambda: known)

    assert found == prices
    assert (found.dollars(10, 10) is None) == (None in (prices.prompt, prices.completion))


# -- over the wire ---------------------------------------------------------------------------------------------------


@pytest.fixture
def model(server: ModelServer, worker: ModelWorker, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    monkeypatch.setattr(client, "ModelWorker", lambda keys, ports, lender: Lent(worker))
    monkeypatch.setattr(server, "mood", Mood())
    server.calls.clear()
    return server


@pytest.fixture
def dear(model: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    """A provider that counts 2,000 tokens for whatever it is asked."""
    usage = {"prompt_tokens": 1500, "completion_tokens": 500}
    monkeypatch.setattr(model, "answer", lambda request: Reply(answer(Asking.of(request)), usage=usage))
    return model


Make = Callable[..., Provider]


@pytest.fixture
def make(model: ModelServer, tmp_path: Path) -> Make:
    def make(**settings: Any) -> Provider:
        chosen = {"model": UNKNOWN, "api_base": model.url, "max_attempts": 3, "retry_seconds": 0.01, **settings}
        return Provider(Config(**chosen), ENVIRONMENT, Runtime(tmp_path / "runtime"))

    return make


def books(tmp_path: Path) -> Spent:
    return SpendingLedger(tmp_path / "runtime" / "spend").spent("day", datetime.now(UTC))


def wanted(text: str = "Tea is a drink.") -> Prompt:
    """A question as the server understands it."""
    data = f'<data id="{"0f" * 16}" name="source" path="sources/tea.txt">\n{text}\n</data id="{"0f" * 16}">'
    messages = ({"role": "system", "content": "Keep it."}, {"role": "user", "content": data})
    return Prompt(messages, nonce="0f" * 16, source="sources/tea.txt")


def test_what_the_budget_does_not_allow_never_reaches_the_wire(make: Make, dear: ModelServer, tmp_path: Path) -> None:
    provider = make(tokens_per_day=9000)
    provider.complete(wanted())

    with pytest.raises(BudgetSpent):
        provider.complete(wanted("Coffee is one too."))

    assert len(dear.calls) == 1
    assert books(tmp_path).tokens == 2000


def test_a_saved_answer_is_free_whatever_the_budget(make: Make, model: ModelServer, tmp_path: Path) -> None:
    make().complete(wanted())

    again = make(tokens_per_day=1).complete(wanted())

    assert again.text
    assert len(model.calls) == 1
    assert books(tmp_path).tokens == 120


def test_refused_attempts_are_free_and_the_one_that_is_answered_is_not(
    make: Make, model: ModelServer, tmp_path: Path
) -> None:
    model.limit(2, seconds=0)

    make(tokens_per_day=9000).complete(wanted())

    assert [call.status for call in model.calls] == [429, 429, 200]
    assert books(tmp_path).tokens == 120


def test_the_price_comes_from_litellms_list(make: Make, tmp_path: Path) -> None:
    completion = make(model=KNOWN, dollars_per_day=1).complete(wanted())

    assert completion.usage.cost == pytest.approx((100 * 2.5 + 20 * 10) / 1e6)
    assert books(tmp_path) == Spent(120, completion.usage.cost)


def test_without_a_price_a_budget_in_dollars_lets_nothing_out(make: Make, model: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        make(dollars_per_day=1).complete(wanted())

    assert caught.value.code == "price_unknown"
    assert model.calls == []
    assert books(tmp_path) == Spent()


def test_an_answer_that_nobody_counted_counts_by_the_estimate(
    make: Make, model: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "answer", lambda request: Reply("Tea is a drink. " * 40, usage=None))

    completion = make(model=KNOWN, dollars_per_day=1).complete(wanted())

    tokens = wanted().tokens + 161
    assert (completion.usage.prompt, completion.usage.completion) == (None, None)
    assert completion.usage.cost == pytest.approx((wanted().tokens * 2.5 + 161 * 10) / 1e6)
    assert books(tmp_path).tokens == tokens


def test_answers_that_come_too_late_count_at_their_most(make: Make, model: ModelServer, tmp_path: Path) -> None:
    model.mood = Mood(delay=30)
    provider = make(answer_seconds=2, max_attempts=2)

    with pytest.raises(ModelError) as caught:
        provider.complete(wanted())

    assert caught.value.code == "model_timeout"
    assert len(model.calls) == 2
    assert books(tmp_path).tokens == 2 * (int(wanted().tokens * 1.3) + 8000)


# -- curate ingest ---------------------------------------------------------------------------------------------------

LONG = "".join(f"A green tea of number {n} is grown at {n} metres above the sea.\n" for n in range(210))
"""Four windows of a thousand tokens."""


def ingest(root: Path, model: Endpoint, *files: Path, **flags: Any) -> Report:
    """``curate ingest``, as a process of its own would do it."""
    settings = Settings(root, ENVIRONMENT, {"model": UNKNOWN, "api_base": model.url, **flags})
    return command.run(settings, files, dry_run=False, ask_again=False, say=lambda _: None)


def test_over_the_budget_of_the_day_a_source_is_held_and_goes_on_when_it_is_raised(
    root: Path, dear: ModelServer
) -> None:
    ingest(root, dear, drop(root))
    head = git(root, "rev-parse", "HEAD")
    coffee = drop(root, "coffee.txt", TEA.replace("Oolong", "Coffee").replace("tea", "bean"))
    asked, until = len(dear.calls), f"{end_of('day', datetime.now(UTC)):%Y-%m-%d %H:%M}"

    report = ingest(root, dear, coffee, tokens_per_day=9000, max_output_tokens=5500)

    (result,) = report.data["results"]
    assert report.exit_status == 1
    assert (len(dear.calls), git(root, "rev-parse", "HEAD")) == (asked, head)
    assert (result["status"], result["code"]) == ("held", "budget_day")
    assert (result["commit"], result["tokens"], result["cost"]) == (None, None, None)
    assert result["reason"].startswith(f"the budget of the day, 9,000 tokens, allows no further question until {until}")
    assert (result["general"], result["passes"]) == (True, True)
    assert 0 < result["again_in"] <= 25 * 3600
    assert result["next"].startswith("wait until then, or raise tokens_per_day; then: curate ingest")
    assert json.dumps(report.data)

    told = status.run(Settings(root, {}, {"tokens_per_day": 9000}))
    (waiting,) = told.data["parked"]
    assert (waiting["source"], until in waiting["reason"]) == ("sources/coffee.txt", True)
    assert any(line.startswith("day") and "of 9,000 tokens" in line for line in told.lines)
    assert told.data["budget"]["day"]["tokens_limit"] == 9000

    later = ingest(root, dear, drop(root), tokens_per_day=100_000)

    assert [(r["source"], r["status"]) for r in later.data["results"]] == [
        ("sources/coffee.txt", "ingested"),
        ("sources/oolong-notes.txt", "skipped"),
    ]
    assert status.run(Settings(root, {}, {})).data["parked"] == []


def test_a_long_source_that_meets_the_limit_on_its_way_waits_and_is_not_asked_twice(
    root: Path, dear: ModelServer
) -> None:
    file = drop(root, "long.txt", LONG)
    windows = {"window_tokens": 1000, "max_output_tokens": 1000}

    held = ingest(root, dear, file, tokens_per_day=6000, **windows)
    asked = len(dear.calls)
    still = ingest(root, dear, file, tokens_per_day=6000, **windows)

    assert [r["status"] for r in (*held.data["results"], *still.data["results"])] == ["held", "held"]
    assert (asked, len(dear.calls)) == (2, 2)

    done = ingest(root, dear, file, tokens_per_day=100_000, **windows)

    (result,) = done.data["results"]
    assert result["status"] == "ingested"
    assert len(dear.calls) >= 5
    assert all(len(calls) == 1 for calls in dear.answered().values())
    assert result["tokens"] == {"prompt": 1500 * len(dear.calls), "completion": 500 * len(dear.calls)}


def test_a_source_that_takes_more_than_one_may_is_parked_and_others_are_not(root: Path, model: ModelServer) -> None:
    long, short = drop(root, "long.txt", LONG), drop(root)

    report = ingest(root, model, long, short, tokens_per_ingest=4500, window_tokens=1000, max_output_tokens=1000)

    first, second = report.data["results"]
    assert (first["status"], first["code"], first["general"], first["passes"]) == (
        "parked",
        "budget_too_small",
        False,
        False,
    )
    assert "all that is allowed per ingest is 4,500 tokens" in first["reason"]
    assert second["status"] == "ingested"


def test_the_repair_round_is_within_the_limit_of_the_source(
    root: Path, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = {"prompt_tokens": 3000, "completion_tokens": 1000}
    monkeypatch.setattr(model, "answer", lambda request: Reply("Tea is nice.", usage=usage))
    file = drop(root)

    tight = ingest(root, model, file, tokens_per_ingest=4100, max_output_tokens=256)
    roomy = ingest(root, model, file, tokens_per_ingest=9000, max_output_tokens=256)

    assert (tight.data["results"][0]["code"], roomy.data["results"][0]["code"]) == (
        "budget_too_small",
        "proposal_rejected",
    )
    assert len(model.calls) == 2


def test_a_budget_in_dollars_without_a_price_says_what_to_set(root: Path, model: ModelServer) -> None:
    report = ingest(root, model, drop(root), dollars_per_day=5)

    (result,) = report.data["results"]
    assert (result["status"], result["code"], result["general"]) == ("parked", "price_unknown", True)
    assert "dollars_per_million_in" in result["next"]
    assert model.calls == []
