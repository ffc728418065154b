"""``curate estimate``: close to what an ingest then sends, asking nothing and changing nothing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import estimate as command
from curator.cli.commands import ingest
from curator.cli.console import Report
from curator.models.llm.forecast import TYPICAL_ANSWER
from curator.models.llm.ledger import SpendingLedger
from curator.models.port import estimate_tokens
from curator.models.sandbox import client
from curator.models.sandbox.client import ModelWorker
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system.spending import Limits, Spent
from support import shared_worker
from support.curates import curate_words
from support.endpoint import Reply, Request
from support.model_server import ModelServer, answer
from support.model_server import Prompt as Asking
from support.shared_worker import ENVIRONMENT, Lent
from support.wikis import TEA, drop, git

KNOWN, UNKNOWN = "openai/gpt-4o", "openai/whatever"
"""A model litellm knows the price and schemas of, and one it has never heard of."""
server, worker = shared_worker.server, shared_worker.worker
LONG = "".join(f"A green tea of number {n} is grown at {n} metres above the sea.\n" for n in range(210))
GREEK = "".join(f"Το τσάι με αριθμό {n} καλλιεργείται σε ύψος {n} μέτρων.\n" for n in range(40)) + TEA
CHINESE = "".join(f"第{n}种茶生长在海拔{n}米的高山上，味道清香。\n" for n in range(300)) + TEA


class Listening:
    """The model's answers; it remembers what it was asked."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answer: Callable[[Request], str | Reply] = lambda request: answer(Asking.of(request))

    def __call__(self, request: Request) -> str | Reply:
        self.requests.append(request)
        return self.answer(request)

    @property
    def sent(self) -> int:
        """Tokens of all that came over the wire."""
        return sum(
            estimate_tokens(json.dumps(request.get("response_format", {}).get("json_schema", {}).get("schema", "")))
            + sum(10 + estimate_tokens(message["content"]) for message in request["messages"])
            for request in self.requests
        )


@pytest.fixture
def asked(server: ModelServer, worker: ModelWorker, monkeypatch: pytest.MonkeyPatch) -> Listening:
    listening = Listening()
    monkeypatch.setattr(client, "ModelWorker", lambda keys, ports, lender: Lent(worker))
    monkeypatch.setattr(server, "answer", listening)
    return listening


@pytest.fixture
def flags(server: ModelServer) -> dict[str, Any]:
    return {"model": UNKNOWN, "api_base": server.url}


def estimated(root: Path, flags: dict[str, Any], *files: Path, **more: Any) -> Report:
    return command.run(Settings(root, ENVIRONMENT, {**flags, **more}), files, lambda _: None)


def taken_in(root: Path, flags: dict[str, Any], *files: Path, dry_run: bool = False, **more: Any) -> Report:
    settings = Settings(root, ENVIRONMENT, {**flags, **more})
    return ingest.run(settings, files, dry_run=dry_run, ask_again=False, say=lambda _: None)


# -- how close it comes ----------------------------------------------------------------------------------------------

SOURCES = {"short": TEA, "long": LONG, "Greek": GREEK, "Chinese": CHINESE}


@pytest.mark.parametrize(
    ("name", "model"),
    [("short", KNOWN), ("short", UNKNOWN), ("long", UNKNOWN), ("Greek", UNKNOWN), ("Chinese", KNOWN)],
)
def test_what_is_expected_is_what_is_sent_then(
    root: Path, flags: dict[str, Any], asked: Listening, name: str, model: str
) -> None:
    file = drop(root, "source.txt", SOURCES[name])
    flags["model"] = model

    (told,) = estimated(root, flags, file).data["estimates"]
    assert asked.requests == []
    taken_in(root, flags, file)

    assert told["status"] == "new"
    assert told["prompt"] == pytest.approx(asked.sent, rel=0.05)
    assert (told["calls"], told["completion"]) == (len(asked.requests), told["calls"] * TYPICAL_ANSWER)
    assert asked.sent <= told["most_prompt"]


@pytest.mark.parametrize("name", ["long", "Chinese"])
def test_a_source_that_is_read_in_windows_is_counted_window_by_window(
    root: Path, flags: dict[str, Any], asked: Listening, name: str
) -> None:
    file = drop(root, "source.txt", SOURCES[name])
    flags["window_tokens"] = 1000

    (told,) = estimated(root, flags, file).data["estimates"]
    taken_in(root, flags, file)

    assert told["calls"] == len(asked.requests) >= 5
    assert told["prompt"] == pytest.approx(asked.sent, rel=0.3)
    assert asked.sent <= told["most_prompt"]


def verbose(request: Request) -> str:
    """Notes on every line there is, and then no proposal."""
    asking = Asking.of(request)
    if asking.form != "notes":
        return "Tea is nice. " * 1500
    return "\n".join(f'- So it is: {line}\n^ "{line}"' for line in asking.text.split("\n") if line.strip())


@pytest.mark.parametrize(
    ("name", "window_tokens"),
    [("short", 24_000), ("Greek", 24_000), ("Chinese", 24_000), ("long", 1000), ("Chinese", 1000)],
)
def test_at_most_is_never_less_than_a_verbose_model_with_a_repair_round(
    root: Path, flags: dict[str, Any], asked: Listening, name: str, window_tokens: int
) -> None:
    asked.answer = verbose
    file = drop(root, "source.txt", SOURCES[name])
    flags["window_tokens"] = window_tokens

    (told,) = estimated(root, flags, file).data["estimates"]
    (result,) = taken_in(root, flags, file).data["results"]

    assert result["code"] == "proposal_rejected"
    assert len(asked.requests) == told["calls"] + 1
    assert asked.sent <= told["most_prompt"]
    assert told["most_completion"] == len(asked.requests) * 8000
    first = asked.requests[: told["calls"]]
    assert max(sum(estimate_tokens(m["content"]) for m in request["messages"]) for request in first) <= told["longest"]


def test_a_second_reader_is_counted(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    file = drop(root, "source.txt", SOURCES["short"])
    (alone,) = estimated(root, flags, file).data["estimates"]
    report = estimated(root, {**flags, "verify": "model", "verify_model": "openai/reader"}, file)

    (told,) = report.data["estimates"]
    assert (
        told["calls"] > alone["calls"] and told["prompt"] > alone["prompt"] and told["completion"] > alone["completion"]
    )
    assert told["most_prompt"] > alone["most_prompt"] and told["longest"] == alone["longest"]
    assert any("claims read by openai/reader" in line for line in report.lines)


def test_the_pages_that_are_shown_count_too(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    file = drop(root)
    (before,) = estimated(root, flags, file).data["estimates"]
    (root / "AGENTS.md").write_text("Pages are short. " * 300)
    git(root, "add", "AGENTS.md")
    git(root, "commit", "-qm", "by hand")

    (after,) = estimated(root, flags, file).data["estimates"]
    taken_in(root, flags, file)

    assert after["prompt"] > before["prompt"] + 500
    assert after["prompt"] == pytest.approx(asked.sent, rel=0.05)


def test_the_wikis_own_history_tells_how_long_answers_are(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 333}
    asked.answer = lambda request: Reply(answer(Asking.of(request)), usage=usage)
    drinks = [drop(root, f"{drink}.txt", TEA.replace("olong", drink)) for drink in ("mate", "milk", "mead", "must")]
    taken_in(root, flags, *drinks[:3])

    (told,) = estimated(root, flags, drinks[3]).data["estimates"]
    (other,) = estimated(root, flags, drinks[3], model=KNOWN).data["estimates"]

    assert (told["completion"], other["completion"]) == (333, TYPICAL_ANSWER)


# -- what it costs ---------------------------------------------------------------------------------------------------


def test_the_built_in_curator_is_free_and_asks_nobody(root: Path) -> None:
    report = estimated(root, {}, drop(root))

    assert report.ok
    assert report.data == {"model": None, "estimates": [], "total": {"tokens": 0, "cost": 0.0}}
    assert report.lines == ("the built-in curator asks no model: it costs nothing",)


def test_a_file_that_is_not_there_costs_nothing_and_is_said_all_the_same(root: Path) -> None:
    report = estimated(root, {}, drop(root), root / "nope.md")

    assert (report.exit_status, len(report.data["estimates"])) == (1, 1)
    assert report.lines[0] == f"refused    {root}/nope.md: there is no such file"


def test_the_command_prints_one_object(root: Path) -> None:
    line = [*curate_words(), "estimate", "--json", "--wiki", str(root), str(drop(root))]
    done = subprocess.run(line, capture_output=True, text=True, check=True, timeout=60)

    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        "ok": True,
        "command": "estimate",
        "model": None,
        "estimates": [],
        "total": {"tokens": 0, "cost": 0.0},
    }


def test_what_is_told_of_a_source_has_a_fixed_shape(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    data = estimated(root, flags, drop(root), drop(root, "empty.txt", "")).data

    assert list(data) == ["model", "estimates", "total", "spent", "fits"]
    told, refused = data["estimates"]
    counts = ["calls", "prompt", "completion", "most_prompt", "most_completion", "longest"]
    assert list(told) == ["source", "status", *counts, "cost", "most_cost", "longest_cost"]
    assert list(refused) == ["source", "status", "reason"]


def test_a_known_price_is_told(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    report = estimated(root, flags, drop(root), model=KNOWN)

    (told,) = report.data["estimates"]
    assert told["cost"] == pytest.approx((told["prompt"] * 2.5 + told["completion"] * 10) / 1e6)
    assert told["most_cost"] > told["cost"]
    assert report.data["total"]["cost"] == pytest.approx(told["cost"])
    assert report.lines[-1].endswith(f"{told['cost']:.4f} USD with openai/gpt-4o")
    assert json.loads(json.dumps(report.data)) == report.data


def test_an_unknown_price_is_unknown_and_not_nothing(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    report = estimated(root, flags, drop(root))

    assert report.ok
    assert [report.data["estimates"][0][key] for key in ("cost", "most_cost")] == [None, None]
    assert report.data["total"]["cost"] is None
    assert "unknown cost" in report.lines[0]


def test_the_users_own_prices_count(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    report = estimated(root, flags, drop(root), dollars_per_million_in=1, dollars_per_million_out=3)

    (told,) = report.data["estimates"]
    assert told["cost"] == pytest.approx((told["prompt"] + told["completion"] * 3) / 1e6)


# -- sources that will not be asked about ----------------------------------------------------------------------------


def test_what_is_in_already_is_not_counted(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    file = drop(root)
    taken_in(root, flags, file)
    asked.requests.clear()
    twin = drop(root, "twin.txt")
    changed = drop(root, "changed.txt", TEA + "More of it.\n")
    again = drop(root, "again.txt", TEA + "More of it.\n")

    report = estimated(root, flags, file, twin, changed, again)

    assert [(e["source"], e["status"], e.get("reason")) for e in report.data["estimates"]] == [
        ("sources/oolong-notes.txt", "skipped", "already ingested"),
        ("sources/twin.txt", "duplicate", "the same bytes as sources/oolong-notes.txt"),
        ("sources/changed.txt", "new", None),
        ("sources/again.txt", "duplicate", "the same bytes as sources/changed.txt"),
    ]
    assert report.ok
    assert report.data["total"]["tokens"] == sum(report.data["estimates"][2][key] for key in ("prompt", "completion"))


def test_what_a_dry_run_has_paid_for_is_not_counted_again(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    file = drop(root)
    taken_in(root, flags, file, dry_run=True)

    report = estimated(root, flags, file)

    assert report.lines[0] == "answered   sources/oolong-notes.txt: the model was asked, and its answer is paid for"
    assert report.data["total"] == {"tokens": 0, "cost": 0.0}


def test_what_cannot_be_read_is_refused_and_the_rest_is_counted(
    root: Path, flags: dict[str, Any], asked: Listening, tmp_path: Path
) -> None:
    big, bad, good = drop(root, "big.txt", TEA * 20), drop(root, "bad.txt", "\0\1\2 \3"), drop(root)
    link = tmp_path / "link.txt"
    link.symlink_to(good)

    report = estimated(root, flags, big, bad, link, tmp_path / "gone.txt", good, max_source_bytes=1000)

    assert report.exit_status == 1
    assert [entry["status"] for entry in report.data["estimates"]] == ["refused"] * 4 + ["new"]
    assert report.lines[0].startswith("refused    sources/big.txt: it has ")
    assert report.lines[1].startswith("refused    sources/bad.txt: ")
    assert report.lines[1].count("bad.txt") == 1
    assert "symbolic link" in report.lines[2]
    assert report.lines[3] == f"refused    {tmp_path}/gone.txt: there is no such file"
    assert report.data["total"]["tokens"] > 0


def test_a_folder_is_read_file_by_file_and_an_empty_one_is_said_to_be(
    root: Path, flags: dict[str, Any], asked: Listening, tmp_path: Path
) -> None:
    (tmp_path / "more").mkdir()
    assert estimated(root, flags, tmp_path / "more").lines == ("no files there",)

    (tmp_path / "more" / "a.txt").write_text(TEA)
    (tmp_path / "more" / "b.txt").write_text(TEA + "And more.\n")

    report = estimated(root, flags, tmp_path / "more")

    assert [entry["source"] for entry in report.data["estimates"]] == ["sources/a.txt", "sources/b.txt"]


# -- the budget ------------------------------------------------------------------------------------------------------


def spend(root: Path, tokens: int, dollars: float | None = 0.0) -> None:
    with Repository(root) as repository:
        ledger = SpendingLedger(repository.runtime.folder / "spend")
        now = Settings(root, {}, {}).now()
        ledger.settle(ledger.enter(Spent(tokens, dollars), Limits(), now), Spent(tokens, dollars), now)


def test_it_says_whether_the_budget_has_it(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    file = drop(root)
    spend(root, 50_000)
    limits = {"tokens_per_ingest": 20_000, "tokens_per_day": 51_000, "tokens_per_month": 100_000}

    report = estimated(root, flags, file, **limits)

    assert report.data["fits"] == {"ingest": True, "day": False, "month": True}
    assert report.data["spent"]["day"] == {"tokens": 50_000, "cost": 0.0}
    ingest_line, day, month = report.lines[-3:]
    assert ingest_line == "ingest     20,000 tokens: it fits"
    assert day.startswith("day        50,000 tokens, 0.0000 USD of 51,000 tokens used; it does not fit: the rest waits")
    assert month.endswith("of 100,000 tokens used; it fits")


def test_without_limits_it_says_nothing_of_them(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    report = estimated(root, flags, drop(root))

    assert report.data["fits"] == {}
    assert len(report.lines) == 2


@pytest.mark.parametrize(("limit", "fits"), [(9000, False), (20_000, True)])
def test_it_says_what_becomes_of_a_question_that_is_too_big_for_any_day(
    root: Path, flags: dict[str, Any], asked: Listening, limit: int, fits: bool
) -> None:
    """What is expected would fit, but not what has to be there before it is asked."""
    file = drop(root)

    report = estimated(root, flags, file, tokens_per_day=limit, tokens_per_ingest=limit)
    (result,) = taken_in(root, flags, file, tokens_per_day=limit, tokens_per_ingest=limit).data["results"]

    assert report.data["total"]["tokens"] < 9000
    assert report.data["fits"] == {"ingest": fits, "day": fits}
    assert (result["status"] == "ingested") == fits
    assert fits or "it does not allow one question" in report.lines[-1]


def test_a_budget_in_dollars_needs_a_price(root: Path, flags: dict[str, Any], asked: Listening) -> None:
    report = estimated(root, flags, drop(root), dollars_per_day=5)

    assert report.data["fits"] == {"day": False}
    assert "nobody knows what openai/whatever costs" in report.lines[-2]
    assert "dollars_per_million_in" in report.lines[-1]


def test_what_was_spent_at_an_unknown_price_does_not_make_the_rest_not_fit(
    root: Path, flags: dict[str, Any], asked: Listening
) -> None:
    spend(root, 5000, None)

    report = estimated(root, flags, drop(root), model=KNOWN, dollars_per_month=5)

    assert report.data["fits"] == {"month": True}
    assert report.data["spent"]["month"] == {"tokens": 5000, "cost": None}


# -- it changes nothing ----------------------------------------------------------------------------------------------


def everything(root: Path) -> dict[str, bytes]:
    """All files but the caches."""
    files = (file for file in root.rglob("*") if file.is_file() and not file.name.startswith("catalogue"))
    return {str(file.relative_to(root)): file.read_bytes() for file in files}


def test_it_asks_nothing_and_changes_nothing(
    root: Path, flags: dict[str, Any], asked: Listening, tmp_path: Path
) -> None:
    taken_in(root, flags, drop(root))
    asked.requests.clear()
    files = [drop(root, "long.txt", LONG), drop(root), tmp_path / "from-elsewhere.txt", tmp_path / "gone.txt"]
    files[2].write_text(TEA + "And more.\n")
    before = everything(root)

    estimated(root, flags, *files, window_tokens=1000, tokens_per_day=1)

    assert asked.requests == []
    assert everything(root) == before
    assert git(root, "status", "--porcelain") == "?? sources/long.txt"
