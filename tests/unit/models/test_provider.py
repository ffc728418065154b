"""A language model over the wire: real litellm in its jail, real HTTP, and answers that are never paid for twice."""

from __future__ import annotations

import itertools
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import ingest as command
from curator.cli.commands import init
from curator.cli.console import Report
from curator.config import Config
from curator.errors import ModelError, ProposalError, Rejected
from curator.ingest import intake
from curator.ingest.plan import Outcome
from curator.models import choose, repair
from curator.models.llm import provider
from curator.models.llm.language_model import LanguageModel
from curator.models.llm.prompts import Prompt
from curator.models.llm.provider import Provider
from curator.models.port import Usage
from curator.models.proposal import Claim, schema
from curator.models.sandbox import client
from curator.models.sandbox.addresses import Address, environment_for
from curator.models.sandbox.client import ModelWorker
from curator.models.saved_answers import saved_only
from curator.repository.begun import Transaction
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Runtime
from curator.repository.settings import Settings
from support.endpoint import Endpoint, Reply
from support.places import FIXTURES
from support.waiting import PATIENCE
from support.wikis import TEA, drop, git, take_in

REPLIES = FIXTURES / "replies"
GOOD = {"json": (REPLIES / "good.json").read_text("utf-8"), "blocks": (REPLIES / "good.blocks.txt").read_text("utf-8")}
PROSE = (REPLIES / "bad" / "reply_not_json-prose.json").read_text("utf-8")
NOTES = (REPLIES / "notes.txt").read_text("utf-8")

KEY = "sk-test-0123456789abcdef"
ENVIRONMENT = {"OPENAI_API_KEY": KEY, "AWS_SECRET_ACCESS_KEY": "aws-secret-word", "PATH": "/bin", "TOKEN": "a-token"}
KNOWN, UNKNOWN = "openai/gpt-4o", "openai/whatever"
"""A model litellm knows prices and schemas of, and one it has never heard of."""

TEA_PAGE = """---
schema: knowledge/v1
slug: tea
kind: concept
title: Tea
---
# Tea

Tea comes from one place.

Every tea takes boiling water.

## Kinds

- Black tea is common.
"""
PROMPT = Prompt(
    ({"role": "system", "content": "Keep the wiki."}, {"role": "user", "content": "What is tea?"}), nonce="0f" * 16
)

Answer = str | Reply | Callable[[dict[str, Any]], "str | Reply"]


class Script:
    """What the endpoint answers, in turn, the last answer again and again; and when it was asked."""

    def __init__(self) -> None:
        self.answers: Sequence[Answer] = ("",)
        self.times: list[float] = []

    def __call__(self, request: dict[str, Any]) -> str | Reply:
        self.times.append(time.monotonic())
        answer = self.answers[min(len(self.times), len(self.answers)) - 1]
        return answer(request) if callable(answer) else answer

    def say(self, *answers: Answer) -> None:
        """Begin anew, with these."""
        self.answers = answers
        self.times.clear()


@pytest.fixture(scope="module")
def loopback() -> Iterator[Endpoint]:
    with Endpoint(Script()) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def closed() -> Iterator[socket.socket]:
    """A port on which nobody listens yet."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound


@pytest.fixture(scope="module")
def trickle() -> Iterator[int]:
    """The port of a server that never stops answering, a byte at a time."""
    over = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        # Until the client has had enough, or nobody came.
        with suppress(OSError):
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n")
                while not over.wait(0.05):
                    connection.sendall(b" ")

    threading.Thread(target=serve, daemon=True).start()
    yield int(server.getsockname()[1])
    over.set()
    server.close()


@pytest.fixture(scope="module")
def worker(loopback: Endpoint, closed: socket.socket, trickle: int) -> Iterator[ModelWorker]:
    """One for the whole module: loading litellm takes seconds."""
    ports, hosts = (loopback.port, closed.getsockname()[1], trickle), ("127.0.0.1", "localhost")
    allowed = [Address(host, port) for port in ports for host in hosts]
    with ModelWorker(environment_for(["openai/x"], ENVIRONMENT), allowed) as worker:
        worker.start()
        yield worker


class Lent:
    """The module's worker, as a provider's own: it outlives the provider."""

    def __init__(self, worker: ModelWorker) -> None:
        self.worker = worker
        self.start = worker.start
        self.describe = worker.describe
        self.asked: list[Mapping[str, Any]] = []
        self.rights: list[tuple[Mapping[str, str], list[Address]]] = []
        """What providers wanted a worker to have."""
        self.before_asking: list[Callable[[], None]] = []

    @property
    def level(self) -> str:
        return self.worker.level

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.asked.append(request)
        if self.before_asking:
            self.before_asking.pop(0)()
        return self.worker.ask(request, seconds)

    def close(self) -> None:
        """Nothing: another test needs it."""


@pytest.fixture
def lent(worker: ModelWorker, monkeypatch: pytest.MonkeyPatch) -> Lent:
    lent = Lent(worker)

    def made(keys: Mapping[str, str], allowed: list[Address], lender: Path) -> Lent:
        lent.rights.append((keys, allowed))
        return lent

    monkeypatch.setattr(client, "ModelWorker", made)
    return lent


@pytest.fixture
def endpoint(loopback: Endpoint) -> Endpoint:
    loopback.requests.clear()
    loopback.headers.clear()
    return loopback


@pytest.fixture
def script(endpoint: Endpoint) -> Script:
    script = Script()
    endpoint.answer = script
    return script


@pytest.fixture
def config(endpoint: Endpoint) -> Config:
    return Config(model=UNKNOWN, api_base=endpoint.url, answer_seconds=20, retry_seconds=0.01, max_attempts=3)


Make = Callable[..., Provider]


@pytest.fixture
def make(lent: Lent, config: Config, tmp_path: Path) -> Make:
    """A provider over the module's worker, with these settings changed."""

    def make(ask_again: bool = False, **changes: Any) -> Provider:
        return Provider(config.model_copy(update=changes), ENVIRONMENT, Runtime(tmp_path / "runtime"), ask_again)

    return make


# -- one answer ------------------------------------------------------------------------------------------------------


def test_an_answer_comes_with_its_tokens_its_cost_and_its_jail(make: Make, script: Script, worker: ModelWorker) -> None:
    script.say("Tea is a drink.")

    completion = make(model=KNOWN).complete(PROMPT)

    assert (completion.text, completion.finish_reason, completion.model) == ("Tea is a drink.", "stop", KNOWN)
    assert (completion.usage.prompt, completion.usage.completion) == (100, 20)
    assert completion.usage.cost == pytest.approx((100 * 2.5 + 20 * 10) / 1e6)
    assert completion.sandbox == worker.level
    assert completion.sandbox in ("strong", "medium", "weak")


def test_a_price_nobody_knows_is_none_and_never_zero(make: Make, script: Script) -> None:
    script.say("Tea is a drink.")

    assert make().complete(PROMPT).usage == Usage(100, 20, None)


def test_tokens_nobody_counted_are_none_and_so_is_their_price(make: Make, script: Script) -> None:
    script.say(Reply("Tea is a drink.", usage=None))

    assert make(model=KNOWN).complete(PROMPT).usage == Usage(None, None, None)


def test_the_request_is_what_the_configuration_says(make: Make, script: Script, endpoint: Endpoint) -> None:
    script.say("Tea is a drink.")

    make(max_output_tokens=777).complete(PROMPT)

    sent = endpoint.requests[0]
    assert sent["messages"] == list(PROMPT.messages)
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == ("whatever", 777, 0)
    assert not sent.get("stream")
    assert "tools" not in sent


def test_a_worker_gets_the_keys_of_its_provider_and_the_address_of_its_server_and_nothing_else(
    make: Make, lent: Lent, endpoint: Endpoint
) -> None:
    make()

    assert lent.rights == [({"OPENAI_API_KEY": KEY}, [Address("127.0.0.1", endpoint.port)])]


def test_half_a_character_in_an_answer_is_no_reason_to_lose_it(make: Make, script: Script) -> None:
    body = Reply("Tea HALF is a drink.").body("whatever").replace(b"HALF", rb"\ud83c")
    script.say(Reply(raw_body=body))

    assert make().complete(PROMPT).text == "Tea ? is a drink."
    assert make().complete(PROMPT).text == "Tea ? is a drink."
    assert len(script.times) == 1


# -- the form of a reply ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "setting", "form"),
    [
        (KNOWN, "auto", "json"),
        (UNKNOWN, "auto", "blocks"),
        (KNOWN, "blocks", "blocks"),
        (UNKNOWN, "json", "json"),
    ],
)
def test_the_form_is_what_litellm_knows_of_the_model_unless_it_is_set(
    make: Make, lent: Lent, model: str, setting: str, form: str
) -> None:
    chosen = make(model=model, reply_format=setting).reply_format()

    assert chosen == form
    assert lent.asked == []


# -- failures --------------------------------------------------------------------------------------------------------


def test_a_rate_limit_is_waited_out_as_long_as_the_provider_says(make: Make, script: Script) -> None:
    script.say(Reply("slow down", status=429, headers={"Retry-After": "1"}), "Tea is a drink.")

    completion = make().complete(PROMPT)

    assert completion.text == "Tea is a drink."
    assert script.times[1] - script.times[0] >= 1


def test_a_provider_that_wants_a_long_pause_is_left_alone(make: Make, script: Script) -> None:
    script.say(Reply("come back later", status=429, headers={"Retry-After": "3600"}))

    with pytest.raises(ModelError) as caught:
        make().complete(PROMPT)

    assert (caught.value.code, caught.value.retryable) == ("model_rate_limited", True)
    assert caught.value.retry_after == 3600
    assert caught.value.hint == "the provider says when to come again: in 1:00:00 (h:mm:ss)"
    assert len(script.times) == 1


@pytest.mark.parametrize("wish", ["-5", "nan", "-inf", "soon"])
def test_a_wish_that_is_no_time_is_passed_over(make: Make, script: Script, wish: str) -> None:
    script.say(Reply("slow down", status=429, headers={"Retry-After": wish}), "Tea is a drink.")

    assert make().complete(PROMPT).text == "Tea is a drink."


@pytest.mark.parametrize(
    "fault",
    [
        Reply("oops", status=500),
        Reply("bad gateway", status=502),
        Reply("overloaded", status=503),
        Reply("too slow", status=408),
        Reply("slow down", status=429),
        Reply(raw_body=b"<html>a proxy</html>"),
        Reply(raw_body=b'{"choices": []}'),
    ],
    ids=lambda fault: str(fault.status),
)
def test_a_passing_fault_is_tried_again(make: Make, script: Script, fault: Reply) -> None:
    script.say(fault, fault, "Tea is a drink.")

    assert make().complete(PROMPT).text == "Tea is a drink."
    assert len(script.times) == 3


@pytest.mark.parametrize("attempts", [1, 4])
def test_the_attempts_are_counted(make: Make, script: Script, attempts: int) -> None:
    script.say(Reply("oops", status=500))

    with pytest.raises(ModelError) as caught:
        make(max_attempts=attempts).complete(PROMPT)

    assert (caught.value.code, caught.value.retryable) == ("model_unavailable", True)
    assert len(script.times) == attempts


@pytest.mark.parametrize(
    ("status", "text", "code"),
    [
        (400, "no such parameter", "model_request_refused"),
        (400, "This model's maximum context length is 4097 tokens", "model_context_exceeded"),
        (400, "rejected by our safety system: content_policy_violation", "model_content_refused"),
        (401, "who are you", "model_key_refused"),
        (402, "pay first", "model_quota_exhausted"),
        (403, "not for you", "model_key_refused"),
        (404, "The model `whatever` does not exist", "model_not_found"),
        (422, "unprocessable", "model_request_refused"),
        (429, "You exceeded your current quota: insufficient_quota", "model_quota_exhausted"),
    ],
)
def test_a_lasting_fault_is_not_tried_again(make: Make, script: Script, status: int, text: str, code: str) -> None:
    script.say(Reply(text, status=status))

    with pytest.raises(ModelError) as caught:
        make().complete(PROMPT)

    assert (caught.value.code, caught.value.retryable) == (code, False)
    assert len(script.times) == 1


def test_a_slow_answer_is_asked_for_again(make: Make, script: Script) -> None:
    script.say(Reply("late", delay=20), "Tea is a drink.")

    assert make(answer_seconds=0.5).complete(PROMPT).text == "Tea is a drink."
    assert len(script.times) == 2


def test_a_hanging_endpoint_costs_no_more_than_the_time_it_is_given(make: Make, script: Script) -> None:
    script.say(Reply("never", delay=2 * PATIENCE))

    with pytest.raises(ModelError) as caught:
        make(answer_seconds=0.5).complete(PROMPT)

    assert caught.value.code == "model_timeout"
    assert len(script.times) == 3


def test_a_fault_is_not_kept_as_an_answer(make: Make, script: Script, tmp_path: Path) -> None:
    script.say(Reply("who are you", status=401), "Tea is a drink.")

    with pytest.raises(ModelError):
        make().complete(PROMPT)

    assert list(tmp_path.glob("runtime/replies/*")) == []
    assert make().complete(PROMPT).text == "Tea is a drink."


# -- an answer is paid for once --------------------------------------------------------------------------------------


def with_nonce(nonce: str, question: str = "What is tea?") -> Prompt:
    return Prompt(
        ({"role": "system", "content": "Keep the wiki."}, {"role": "user", "content": f"{nonce}: {question}"}), nonce
    )


def test_the_same_question_is_answered_from_the_runtime_folder(make: Make, script: Script) -> None:
    script.say("Tea is a drink.", "Tea is a fish.")
    first = make(model=KNOWN).complete(with_nonce("aa" * 16))

    second = make(model=KNOWN).complete(with_nonce("bb" * 16))

    assert len(script.times) == 1
    assert second == first
    assert second.nonce == "aa" * 16


def test_where_only_saved_answers_may_be_used_nobody_is_asked(make: Make, script: Script, endpoint: Endpoint) -> None:
    provider = make()

    with saved_only(), pytest.raises(ModelError) as refused:
        provider.complete(PROMPT)
    script.say(Reply("one"))
    asked = provider.complete(PROMPT)

    assert refused.value.code == "answer_wanted"
    with saved_only():
        assert provider.complete(PROMPT) == asked
    assert len(endpoint.requests) == 1


def test_another_question_is_asked(make: Make, script: Script, endpoint: Endpoint) -> None:
    script.say("Tea is a drink.")
    make().complete(with_nonce("aa" * 16))

    make().complete(with_nonce("aa" * 16, "What is oolong?"))
    make(model=KNOWN).complete(with_nonce("aa" * 16))
    make(api_base=f"http://localhost:{endpoint.port}/v1").complete(with_nonce("aa" * 16))
    make(max_output_tokens=9000).complete(with_nonce("aa" * 16))

    assert len(script.times) == 5


def test_to_ask_again_is_to_ask_each_question_once_more(make: Make, script: Script) -> None:
    script.say("one", "two", "three")
    make().complete(PROMPT)

    again = make(ask_again=True)
    answers = [again.complete(PROMPT).text, again.complete(PROMPT).text, make().complete(PROMPT).text]

    assert answers == ["two", "two", "two"]
    assert len(script.times) == 2


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", '{"text": "half'])
def test_a_damaged_answer_is_asked_for_anew(make: Make, script: Script, tmp_path: Path, damage: str) -> None:
    script.say("Tea is a drink.")
    make().complete(PROMPT)
    (saved,) = tmp_path.glob("runtime/replies/*.json")
    saved.write_text(damage)

    assert make().complete(PROMPT).text == "Tea is a drink."
    assert len(script.times) == 2
    assert json.loads(saved.read_text("utf-8"))["text"] == "Tea is a drink."


# -- the whole flow --------------------------------------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return with_tea(tmp_path / "wiki")


def with_tea(folder: Path) -> Path:
    """A new wiki with the page that the good replies edit."""
    init.run(folder, "Tea")
    (folder / "concepts").mkdir(exist_ok=True)
    (folder / "concepts" / "tea.md").write_text(TEA_PAGE, "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "by hand")
    return folder


@pytest.fixture
def curate(lent: Lent, config: Config, root: Path) -> Callable[..., Outcome]:
    """One ingest, as a process of its own would do it: nothing is remembered but what is on disk."""

    def curate(
        root: Path = root,
        text: str = TEA,
        ask_again: bool = False,
        window_tokens: int = 24_000,
        dry_run: bool = False,
        **changes: Any,
    ) -> Outcome:
        settings = config.model_copy(update=changes)
        file = drop(root, text=text)
        with (
            Repository(root) as repository,
            Provider(settings, ENVIRONMENT, repository.runtime, ask_again) as opened,
        ):
            return take_in(file, repository, LanguageModel(opened, window_tokens), dry_run=dry_run)

    return curate


Curate = Callable[..., Outcome]


def pages_of(root: Path) -> dict[str, str]:
    """Every file of the newest commit but the log, which names the model."""
    names = git(root, "ls-tree", "-r", "--name-only", "HEAD").split("\n")
    return {name: git(root, "show", f"HEAD:{name}") for name in names if name != "_log.md"}


def saved_replies(root: Path) -> list[str]:
    files = sorted((root / ".git" / "curator" / "replies").glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
    return [json.loads(file.read_text("utf-8"))["text"] for file in files]


def test_a_schema_is_enforced_where_it_can_be_and_both_forms_give_the_same_pages(
    curate: Curate, script: Script, endpoint: Endpoint, root: Path, tmp_path: Path
) -> None:
    other = with_tea(tmp_path / "other")
    script.say(GOOD["json"], GOOD["blocks"])

    curate(root, model=KNOWN)
    curate(other, model=UNKNOWN)

    with_schema, without = endpoint.requests
    assert with_schema["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": schema(), "strict": True},
    }
    assert "response_format" not in without
    assert pages_of(root) == pages_of(other)
    assert "concepts/oolong.md" in pages_of(root)


def test_the_commit_tells_what_it_cost_and_from_which_jail_it_came(
    curate: Curate, script: Script, root: Path, worker: ModelWorker
) -> None:
    script.say(GOOD["json"])

    curate(model=KNOWN)

    trailers = git(root, "log", "-1", "--format=%(trailers)")
    assert "Curator-Model: openai/gpt-4o" in trailers
    assert "Curator-Tokens: 100/20" in trailers
    assert "Curator-Cost: 0.000450 USD" in trailers
    assert f"complete {worker.level}" in trailers


def run_command(root: Path, file: Path, endpoint: Endpoint) -> Report:
    """``curate ingest FILE`` with a model of the endpoint."""
    settings = Settings(root, ENVIRONMENT, {"model": KNOWN, "api_base": endpoint.url})
    return command.run(settings, [file], dry_run=False, ask_again=False, say=lambda _: None)


def test_the_command_says_what_it_cost(
    lent: Lent, script: Script, endpoint: Endpoint, root: Path, tmp_path: Path
) -> None:
    script.say(GOOD["json"])
    (tmp_path / "oolong-notes.txt").write_text(TEA, "utf-8")

    report = run_command(root, tmp_path / "oolong-notes.txt", endpoint)

    assert report.ok
    (result,) = report.data["results"]
    assert result["tokens"] == {"prompt": 100, "completion": 20}
    assert result["cost"] == pytest.approx(0.00045)
    assert result["model"] == KNOWN


def test_the_commit_calls_an_unknown_cost_unknown(curate: Curate, script: Script, root: Path) -> None:
    script.say(Reply(GOOD["blocks"], usage=None))

    curate()

    trailers = git(root, "log", "-1", "--format=%(trailers)")
    assert "Curator-Tokens: unknown/unknown" in trailers
    assert "Curator-Cost: unknown" in trailers


def test_a_raw_reply_is_saved_before_it_is_looked_at(curate: Curate, script: Script, root: Path) -> None:
    script.say(PROSE + "\r\n\t — 茶", PROSE)

    with pytest.raises(Rejected):
        curate()

    assert saved_replies(root) == [PROSE + "\r\n\t — 茶", PROSE]
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"


def test_after_a_refusal_the_next_run_pays_nothing(curate: Curate, script: Script) -> None:
    script.say(PROSE)
    with pytest.raises(Rejected) as first:
        curate()

    with pytest.raises(Rejected) as second:
        curate()

    assert len(script.times) == 2
    assert second.value.findings == first.value.findings


def test_what_a_dry_run_paid_for_is_taken_in_for_nothing(curate: Curate, script: Script, root: Path) -> None:
    script.say(GOOD["blocks"])
    shown = curate(dry_run=True)

    outcome = curate()

    assert len(script.times) == 1
    assert shown.commit is None
    assert outcome.diffs == shown.diffs
    assert git(root, "rev-parse", "HEAD") == outcome.commit


def test_when_asked_to_the_next_run_asks_again(curate: Curate, script: Script, root: Path) -> None:
    script.say(PROSE, PROSE, GOOD["blocks"])
    with pytest.raises(Rejected):
        curate()

    outcome = curate(ask_again=True)

    assert len(script.times) == 3
    assert git(root, "rev-parse", "HEAD") == outcome.commit


def test_after_a_crash_between_reply_and_commit_the_next_run_pays_nothing(
    curate: Curate, script: Script, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Crash(BaseException):
        pass

    def crash(*_: object, **__: object) -> str:
        raise Crash

    script.say(GOOD["json"])
    with monkeypatch.context() as patch, pytest.raises(Crash):
        patch.setattr(Transaction, "commit", crash)
        curate(model=KNOWN)

    outcome = curate(model=KNOWN)

    assert len(script.times) == 1
    assert git(root, "rev-parse", "HEAD") == outcome.commit
    assert outcome.reply.usage.prompt == 100


def test_a_change_of_the_source_the_pages_or_the_conventions_is_another_question(
    curate: Curate, script: Script, root: Path
) -> None:
    script.say(PROSE)
    with pytest.raises(Rejected):
        curate()
    asked = [len(script.times)]

    for file, text in (
        ("sources/oolong-notes.txt", TEA + "Oolong keeps for two years.\n"),
        ("concepts/tea.md", TEA_PAGE + "- Oolong keeps for three years.\n"),
        ("AGENTS.md", "Pages are short.\n"),
        ("raw.txt", "of no account\n"),
    ):
        (root / file).write_text(text, "utf-8")
        if not file.startswith("sources/"):
            git(root, "add", file)
            git(root, "commit", "-qm", "by hand")
        with pytest.raises(Rejected):
            curate(text=TEA + "Oolong keeps for two years.\n")
        asked.append(len(script.times))

    assert [after - before for before, after in itertools.pairwise(asked)] == [2, 2, 2, 0]


def test_a_fault_goes_back_once_over_the_wire(curate: Curate, script: Script, endpoint: Endpoint) -> None:
    faulty = GOOD["blocks"].replace("Oolong is grown in Fujian and on Taiwan.", "Oolong is grown in Darjeeling only.")
    sound = repair.previous(GOOD["blocks"])
    assert sound is not None
    parts = dict(repair.parts_of(sound))

    def mended(request: dict[str, Any]) -> str:
        found = []
        for number in re.findall(r"(?m)^(\d+\.\d+)\. ", request["messages"][1]["content"]):
            claim = parts[number]
            assert isinstance(claim, Claim)
            found.append(
                "\n".join([f"<<<<<<< {number}", claim.text, *(f'^ "{q}"' for q in claim.quotes), ">>>>>>> END"])
            )
        return "\n".join(found)

    script.say(faulty, mended)

    outcome = curate()

    second = endpoint.requests[1]["messages"]
    assert outcome.left_out == () and "Fujian" in outcome.reply.text
    assert outcome.reply.usage == Usage(200, 40, None)
    assert [message["role"] for message in second] == ["system", "user"]
    assert "quote_missing" in second[1]["content"] and "Darjeeling" in second[1]["content"]


def repeats_the_nonce(request: dict[str, Any]) -> str:
    nonce = re.search(r'<data id="(\w+)"', request["messages"][1]["content"])
    assert nonce is not None
    return GOOD["blocks"].replace("Oolong notes", f"Oolong {nonce[1]}")


def test_a_reply_that_gave_the_prompt_away_stays_refused(curate: Curate, script: Script, root: Path) -> None:
    script.say(repeats_the_nonce)
    codes = []

    for _ in range(2):
        with pytest.raises(ProposalError) as caught:
            curate()
        codes.append(caught.value.code)

    assert codes == ["reply_leaks_prompt", "reply_leaks_prompt"]
    assert len(script.times) == 1
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"


def test_a_reply_that_was_cut_off_is_asked_for_anew_when_it_may_be_longer(curate: Curate, script: Script) -> None:
    cut = Reply(GOOD["blocks"][:100], finish_reason="length")
    script.say(cut, cut, GOOD["blocks"])
    for _ in range(2):
        with pytest.raises(Rejected, match="reply_cut_off"):
            curate(max_output_tokens=300)

    outcome = curate(max_output_tokens=4000)

    assert len(script.times) == 3
    assert outcome.created == ("oolong-notes", "oolong")


def test_no_key_and_no_path_of_the_machine_is_in_any_request(
    curate: Curate, script: Script, endpoint: Endpoint, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = str(Path.home())
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    script.say(PROSE, "", NOTES)

    with pytest.raises(Rejected):
        curate(model=KNOWN)
    with pytest.raises((Rejected, ProposalError)):
        curate(window_tokens=30)

    sent = json.dumps(endpoint.requests)
    assert len(endpoint.requests) >= 4
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    for secret in (KEY, "aws-secret-word", "a-token", str(root), str(root.parent), home, "/.git", "Bearer"):
        assert secret not in sent


def test_the_windows_of_a_long_source_are_paid_for_once(curate: Curate, script: Script, endpoint: Endpoint) -> None:
    def answer(request: dict[str, Any]) -> str:
        return NOTES if 'part="' in request["messages"][1]["content"] else GOOD["blocks"].replace("90", "91")

    script.say(answer)
    with pytest.raises((Rejected, ProposalError)):
        curate(window_tokens=30, ask_again=True)
        raise ProposalError("taken", "what was sound of it")
    windows = [user for user in users(endpoint) if 'part="' in user]

    assert len(windows) == len(set(windows)) == 2
    assert len(endpoint.requests) == 4


def users(endpoint: Endpoint) -> list[str]:
    """What each request was about, without its nonce."""
    return [re.sub(r"[0-9a-f]{32}", "", request["messages"][1]["content"]) for request in endpoint.requests]


# -- the worker's life; from here on workers end ---------------------------------------------------------------------


def workers() -> set[str]:
    """The model workers this process has started and not yet seen end."""
    lists = [file.read_text() for file in Path("/proc/self/task").glob("*/children")]
    return {process for line in lists for process in line.split() if b"complete" in arguments_of(process)}


def arguments_of(process: str) -> list[bytes]:
    """Its command line; for a moment after its start it has none."""
    for _ in range(100):
        if written := Path(f"/proc/{process}/cmdline").read_bytes():
            return written.split(b"\0")
        time.sleep(0.01)
    return []


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")


@needs_proc
def test_the_worker_starts_with_the_block_and_ends_with_it(config: Config, tmp_path: Path) -> None:
    before = workers()

    with choose.open_model(config, ENVIRONMENT, Runtime(tmp_path)) as model:
        during = workers()

    assert model.name == UNKNOWN
    assert len(during - before) == 1
    assert workers() == before


@needs_proc
def test_the_worker_ends_when_the_block_breaks(config: Config, tmp_path: Path) -> None:
    before = workers()

    with pytest.raises(KeyboardInterrupt), choose.open_model(config, ENVIRONMENT, Runtime(tmp_path)):
        raise KeyboardInterrupt

    assert workers() == before


@needs_proc
def test_litellm_loads_while_the_source_is_read_and_is_gone_when_the_command_ends(
    endpoint: Endpoint, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = workers()
    while_reading: list[set[str]] = []
    read = intake.read_source

    def watched(*arguments: Any) -> Any:
        while_reading.append(workers() - before)
        return read(*arguments)

    monkeypatch.setattr(intake, "read_source", watched)
    file = drop(root, text="\0\1\2 no text \3\4")

    report = run_command(root, file, endpoint)

    assert not report.ok
    assert [len(found) for found in while_reading] == [1]
    assert workers() == before


def test_a_refused_connection_is_tried_again(make: Make, lent: Lent, closed: socket.socket) -> None:
    lent.before_asking = [lambda: None, lambda: answer_once(closed, "Tea is a drink.")]

    completion = make(api_base=f"http://127.0.0.1:{closed.getsockname()[1]}/v1").complete(PROMPT)

    assert completion.text == "Tea is a drink."
    assert len(lent.asked) == 2


def answer_once(bound: socket.socket, text: str) -> None:
    """Open the port at last, and give one answer."""
    bound.listen()

    def serve() -> None:
        connection, _ = bound.accept()
        with connection:
            connection.recv(65_536)
            body = Reply(text).body("whatever")
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body)

    threading.Thread(target=serve, daemon=True).start()


def test_an_answer_that_trickles_in_for_ever_is_ended(
    make: Make, trickle: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "_GRACE", 0.5)
    slow = make(api_base=f"http://127.0.0.1:{trickle}/v1", answer_seconds=1, max_attempts=1)

    with pytest.raises(ModelError) as caught:
        slow.complete(PROMPT)

    assert (caught.value.code, caught.value.retryable) == ("model_timeout", True)
