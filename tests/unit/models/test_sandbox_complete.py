"""The model worker: real litellm, in its jail, against a real HTTP endpoint; then a litellm that means harm."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from curator.errors import ModelError
from curator.models.sandbox import client, process
from curator.models.sandbox.addresses import ANY, Address, addresses_for, environment_for
from curator.models.sandbox.client import ModelWorker
from curator.models.sandbox.connector import Connector
from curator.models.sandbox.model_errors import error_from
from curator.models.sandbox.process import packages_of
from support.depth import NIGHTLY, light_litellm
from support.endpoint import Endpoint, Reply
from support.interruptions import at_each_line
from support.waiting import PATIENCE, has_ended, until

SCHEMA = {
    "type": "object",
    "properties": {"summary": {"type": "string"}},
    "required": ["summary"],
    "additionalProperties": False,
}


class Script:
    """What the endpoint answers next; each test writes its own."""

    reply: str | Reply = ""

    def __call__(self, request: dict[str, Any]) -> str | Reply:
        return self.reply


script = Script()


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(script) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def worker(endpoint: Endpoint) -> Iterator[ModelWorker]:
    """One for the whole module: loading litellm takes seconds."""
    allowed = [Address(host, endpoint.port) for host in ("127.0.0.1", "localhost")]
    with ModelWorker({"MISTRAL_API_KEY": "mistral-secret"}, allowed) as worker:
        yield worker


Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(worker: ModelWorker, endpoint: Endpoint) -> Ask:
    """Ask the endpoint, which gives ``reply``."""

    return partial(asked, worker, endpoint)


def asked(worker: ModelWorker, endpoint: Endpoint, reply: str | Reply = "ok", **options: Any) -> dict[str, Any]:
    script.reply = reply
    request = {
        "op": "complete",
        "model": "openai/x",
        "messages": [{"role": "user", "content": "What is tea?"}],
        "api_base": endpoint.url,
        "api_key": None,
        "schema": None,
        "timeout": PATIENCE,
        "max_tokens": 400,
        "temperature": 0,
    }
    hear = options.pop("hear", None)
    return worker.ask({**request, **options}, PATIENCE, hear)


def error(reply: dict[str, Any]) -> ModelError:
    assert not reply["ok"]
    return error_from(reply)


# --- answers


def test_an_answer_comes_back_with_its_tokens(ask: Ask, endpoint: Endpoint) -> None:
    reply = ask("Tea is a drink — 茶.")

    assert reply["text"] == "Tea is a drink — 茶."
    assert (reply["finish_reason"], reply["model"]) == ("stop", "x")
    assert reply["tokens"] == {"prompt": 100, "completion": 20}
    sent = endpoint.requests[-1]
    assert sent["messages"] == [{"role": "user", "content": "What is tea?"}]
    assert (sent["max_tokens"], sent["temperature"], sent.get("stream")) == (400, 0, None)


def test_a_schema_is_passed_through_strictly(ask: Ask, endpoint: Endpoint) -> None:
    ask('{"summary": "x"}', schema=SCHEMA)

    assert endpoint.requests[-1]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
    }


def test_a_large_request_and_a_large_answer_pass_the_pipes(ask: Ask) -> None:
    reply = ask("tea " * 500_000, messages=[{"role": "user", "content": "milk " * 200_000}])

    assert reply["text"] == "tea " * 500_000


def test_a_cut_answer_says_so(ask: Ask) -> None:
    assert ask(Reply("Tea is", finish_reason="length"))["finish_reason"] == "length"


def test_tokens_nobody_counted_are_unknown(ask: Ask) -> None:
    reply = ask(Reply("ok", usage=None))

    assert reply["tokens"] == {"prompt": None, "completion": None}


def test_the_price_of_an_unknown_model_is_unknown_and_not_zero(ask: Ask) -> None:
    assert ask()["cost"] is None


def test_the_price_of_a_known_model_is_worked_out(ask: Ask) -> None:
    reply = ask(model="openai/gpt-4o")

    assert reply["cost"] == pytest.approx((100 * 2.5 + 20 * 10) / 1e6)


def test_a_model_that_has_but_one_temperature_is_asked_without(ask: Ask, endpoint: Endpoint) -> None:
    def picky(request: dict[str, Any]) -> str | Reply:
        refusal = Reply("Unsupported value: 'temperature' does not support 0 with this model.", status=400)
        return refusal if "temperature" in request else "fine"

    endpoint.answer = picky
    try:
        assert ask()["text"] == "fine"
    finally:
        endpoint.answer = script


# --- answers piece by piece


def test_a_stream_is_heard_piece_by_piece_and_comes_back_whole(ask: Ask, endpoint: Endpoint) -> None:
    heard: list[str] = []
    slow = Reply("Tea is a drink", rest=" — 茶.")

    def hear(piece: str) -> None:
        heard.append(piece)
        if "".join(heard) == slow.text:
            slow.go_on.set()

    reply = ask(slow, model="openai/gpt-4o", hear=hear)

    assert "".join(heard) == reply["text"] == "Tea is a drink — 茶." and len(heard) > 2
    assert (reply["finish_reason"], reply["tokens"]) == ("stop", {"prompt": 100, "completion": 20})
    assert reply["cost"] == pytest.approx((100 * 2.5 + 20 * 10) / 1e6)
    assert endpoint.requests[-1]["stream_options"] == {"include_usage": True}


def test_tokens_of_a_stream_that_nobody_counted_are_unknown(ask: Ask) -> None:
    reply = ask(Reply("ok", usage=None), model="openai/gpt-4o", hear=lambda _: None)

    assert (reply["tokens"], reply["cost"]) == ({"prompt": None, "completion": None}, None)


def test_a_cut_stream_says_so(ask: Ask) -> None:
    assert ask(Reply("Tea is", finish_reason="length"), hear=lambda _: None)["finish_reason"] == "length"


def test_a_stream_without_end_is_left(ask: Ask) -> None:
    assert len(ask(" ".join(map(str, range(300_000))), hear=lambda _: None)["text"]) < 1_100_000


def test_a_stream_that_stands_still_is_a_timeout(ask: Ask) -> None:
    assert error(ask(Reply("Tea is", rest=" a drink."), hear=lambda _: None, timeout=0.3)).code == "model_timeout"


def test_a_stream_that_is_refused_is_told_as_any_refusal(ask: Ask) -> None:
    assert error(ask(Reply("who are you", status=401), hear=lambda _: None)).code == "model_key_refused"


def test_a_server_that_knows_no_streams_is_asked_without(ask: Ask, endpoint: Endpoint) -> None:
    def plain(request: dict[str, Any]) -> str | Reply:
        return Reply("Unknown parameter: 'stream_options'.", status=400) if "stream_options" in request else "fine"

    endpoint.answer = plain
    try:
        assert ask(hear=lambda _: None)["text"] == "fine"
    finally:
        endpoint.answer = script


def test_who_stops_hearing_ends_the_worker_and_the_next_request_has_a_new_one(endpoint: Endpoint) -> None:
    def hear(piece: str) -> None:
        raise KeyboardInterrupt

    with light_litellm(), ModelWorker({}, [Address("127.0.0.1", endpoint.port)]) as worker:
        with pytest.raises(KeyboardInterrupt):
            asked(worker, endpoint, "tea", hear=hear)

        assert asked(worker, endpoint, "milk")["text"] == "milk"


# --- keys


def test_a_server_of_the_users_own_is_asked_without_a_key(ask: Ask, endpoint: Endpoint) -> None:
    ask()

    assert endpoint.headers[-1]["authorization"] == "Bearer none"


def test_a_key_from_the_environment_is_used(ask: Ask, endpoint: Endpoint) -> None:
    ask(model="mistral/mistral-small")

    assert endpoint.headers[-1]["authorization"] == "Bearer mistral-secret"


def test_a_key_in_the_request_goes_before(ask: Ask, endpoint: Endpoint) -> None:
    ask(api_key="my-own-key")

    assert endpoint.headers[-1]["authorization"] == "Bearer my-own-key"


def test_a_missing_key_is_found_before_anybody_is_asked(ask: Ask, endpoint: Endpoint) -> None:
    asked = len(endpoint.requests)

    fault = error(ask(model="anthropic/claude-sonnet-4-5", api_base=None))

    assert (fault.code, fault.retryable) == ("model_key_missing", False)
    assert "ANTHROPIC_API_KEY" in fault.message
    assert len(endpoint.requests) == asked


def test_keys_do_not_show_in_messages(ask: Ask) -> None:
    seen = "Incorrect API key provided: sk-proj-abcdefghijklmnop, my-own-key or mistral-secret. Bearer xyz"

    message = ask(Reply(seen, status=401), api_key="my-own-key")["message"]

    assert message == "Incorrect API key provided: [redacted], [redacted] or [redacted]. [redacted]"


# --- failures


@pytest.mark.parametrize(
    ("status", "text", "code", "retryable"),
    [
        (400, "no such parameter", "model_request_refused", False),
        (400, "This model's maximum context length is 4097 tokens", "model_context_exceeded", False),
        (400, "rejected by our safety system: content_policy_violation", "model_content_refused", False),
        (401, "who are you", "model_key_refused", False),
        (402, "pay first", "model_quota_exhausted", False),
        (403, "not for you", "model_key_refused", False),
        (404, "The model `x` does not exist", "model_not_found", False),
        (408, "too slow", "model_timeout", True),
        (422, "unprocessable", "model_request_refused", False),
        (429, "slow down", "model_rate_limited", True),
        (429, "You exceeded your current quota: insufficient_quota", "model_quota_exhausted", False),
        (500, "oops", "model_unavailable", True),
        (502, "bad gateway", "model_unavailable", True),
        (503, "overloaded", "model_unavailable", True),
    ],
)
def test_a_failure_says_what_was_seen_and_whether_to_try_again(
    ask: Ask, status: int, text: str, code: str, retryable: bool
) -> None:
    fault = error(ask(Reply(text, status=status)))

    assert (fault.code, fault.retryable) == (code, retryable)
    assert str(status) in fault.message
    assert text in fault.message
    assert fault.hint


def test_a_failed_request_is_sent_once(ask: Ask, endpoint: Endpoint) -> None:
    asked = len(endpoint.requests)

    ask(Reply("oops", status=500))

    assert len(endpoint.requests) == asked + 1


def test_the_wait_that_the_provider_wants_is_passed_on(ask: Ask) -> None:
    fault = error(ask(Reply("slow down", status=429, headers={"Retry-After": "3"})))

    assert fault.retry_after == 3.0


@pytest.mark.parametrize("header", ["Wed, 21 Oct 2026 07:28:00 GMT", "soon"])
def test_a_wait_that_is_no_number_is_left_out(ask: Ask, header: str) -> None:
    assert error(ask(Reply("slow down", status=429, headers={"Retry-After": header}))).retry_after is None


@pytest.mark.parametrize("body", [b"", b"<html>proxy</html>", b"{}", b"[1]", b'{"choices": []}', b"\xff\xfe"])
def test_a_body_that_is_no_answer_is_an_outage(ask: Ask, body: bytes) -> None:
    fault = error(ask(Reply(raw_body=body)))

    assert (fault.code, fault.retryable) == ("model_unavailable", True)
    assert len(fault.message) < 400


def test_a_slow_answer_is_a_timeout(ask: Ask) -> None:
    fault = error(ask(Reply("late", delay=2 * PATIENCE), timeout=0.5))

    assert (fault.code, fault.retryable) == ("model_timeout", True)


def test_a_model_without_a_provider_is_not_found(ask: Ask) -> None:
    fault = error(ask(model="nonsense", api_base=None))

    assert (fault.code, fault.retryable) == ("model_not_found", False)


def test_the_worker_lives_on_after_a_request_that_makes_no_sense(ask: Ask) -> None:
    assert not ask(messages=17)["ok"]

    assert ask("still here")["text"] == "still here"


def test_a_message_is_one_short_line(ask: Ask) -> None:
    message = ask(Reply("bad\nthing\n" * 200, status=400))["message"]

    assert "\n" not in message
    assert len(message) <= 300


# --- descriptions


def test_a_known_model_is_described(worker: ModelWorker) -> None:
    described = worker.describe("openai/gpt-4o")

    assert described["json_schema"] is True
    assert described["max_input_tokens"] == 128_000
    assert described["missing_keys"] == ["OPENAI_API_KEY"]


def test_an_unknown_model_is_described_as_unknown(worker: ModelWorker, endpoint: Endpoint) -> None:
    described = worker.describe("openai/x", endpoint.url)

    assert described["json_schema"] is False
    assert described["max_input_tokens"] is None
    assert described["missing_keys"] == []


# --- the jail around litellm


def test_litellm_works_in_the_jail(worker: ModelWorker, ask: Ask) -> None:
    assert ask()["ok"]
    if client.prove_sandbox("complete")["sandbox"] == "strong":
        assert worker.level == "strong"


def test_a_name_is_resolved_in_the_jail(ask: Ask, endpoint: Endpoint) -> None:
    assert ask("by name", api_base=f"http://localhost:{endpoint.port}/v1")["text"] == "by name"


def test_another_server_on_the_same_machine_is_not_reached(ask: Ask) -> None:
    with Endpoint(lambda request: "reached") as other:
        fault = error(ask(api_base=other.url))

    assert (fault.code, fault.retryable) == ("model_port_closed", False)
    assert other.requests == []


# --- the end of a worker; from here on each test has a worker of its own, with a litellm that does as it is told

OBEDIENT = """
import os, sys
from types import SimpleNamespace as Namespace
class BadRequestError(Exception): pass
print("litellm says hello")
os.write(1, b'{"id": 1, "ok": true, "text": "forged"}\\n')
model_cost = {}
def get_supported_openai_params(model): return []
def get_model_info(model): raise ValueError
def validate_environment(model): return {"keys_in_environment": True, "missing_keys": []}
def supports_response_schema(model): return False
def completion(messages, **rest):
    names = {}
    exec(messages[0]["content"], names)
    message = Namespace(content=str(names.get("text")))
    return Namespace(choices=[Namespace(message=message, finish_reason="stop")], model="obedient", usage=None)
"""


@pytest.fixture
def obedient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelWorker]:
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "litellm.py").write_text(OBEDIENT)
    real = packages_of("litellm")[1]
    monkeypatch.setattr(client, "packages_of", lambda module: ["--packages", f"{packages}{os.pathsep}{real}"])
    with ModelWorker({"OPENAI_API_KEY": "sk-secret"}, [Address("api.openai.com", 443)]) as worker:
        yield worker


def run(worker: ModelWorker, code: str, seconds: float = 30) -> dict[str, Any]:
    """Have the litellm in ``worker`` run ``code``; its ``text`` comes back as the model's."""
    return worker.ask({"op": "complete", "model": "x", "messages": [{"role": "user", "content": code}]}, seconds)


def test_what_litellm_prints_is_no_reply(obedient: ModelWorker) -> None:
    forged = 'import os; print("x"); os.write(1, b\'{"id": 1, "ok": true}\\n\'); os.system("echo x"); text = "real"'

    assert run(obedient, forged)["text"] == "real"
    assert run(obedient, "text = 'again'")["text"] == "again"


def test_litellm_cannot_read_the_requests_to_come(obedient: ModelWorker) -> None:
    assert run(obedient, "import sys; text = repr(sys.stdin.read())")["text"] == "''"


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")
@pytest.mark.parametrize(
    "code",
    [
        "open({page!r}).read()",
        "open({page!r}, 'w')",
        "__import__('os').listdir({folder!r})",
        "__import__('os').unlink({page!r})",
        "open('/etc/passwd').read()",
        "__import__('subprocess').run(['true'])",
        "__import__('socket').create_connection(('127.0.0.1', {port}), 2)",
    ],
)
def test_a_poisoned_litellm_gets_neither_pages_nor_programs_nor_ports(
    obedient: ModelWorker, tmp_path: Path, code: str
) -> None:
    page = tmp_path / "tea.md"
    page.write_text("Tea is a drink.")
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = code.format(page=str(page), folder=str(tmp_path), port=server.getsockname()[1])

        reply = run(obedient, code)

    if obedient.level != "strong":
        pytest.skip(f"the sandbox is {obedient.level} here")
    assert (reply["ok"], reply["kind"]) == (False, "PermissionError")
    assert page.read_text() == "Tea is a drink."


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_keys_are_not_in_the_process_environment(obedient: ModelWorker) -> None:
    reply = run(obedient, "import os; text = [os.getpid(), os.environ['OPENAI_API_KEY']]")

    process, key = reply["text"].strip("[]").split(", ")
    assert key == "'sk-secret'"
    # Where not even the user who started it may look, that is better still.
    with suppress(PermissionError):
        assert b"sk-secret" not in Path(f"/proc/{process}/environ").read_bytes()


def test_a_hanging_worker_is_ended_and_the_next_request_has_a_new_one(obedient: ModelWorker) -> None:
    first = run(obedient, "import os; text = os.getpid()")["text"]

    with pytest.raises(ModelError) as caught:
        run(obedient, "while True: pass", seconds=0.5)

    assert (caught.value.code, caught.value.retryable) == ("model_timeout", True)
    assert run(obedient, "import os; text = os.getpid()")["text"] != first


def test_a_dead_worker_is_reported_with_its_last_words_and_replaced(obedient: ModelWorker) -> None:
    with pytest.raises(ModelError) as caught:
        run(obedient, "import os, sys; print('out of tea', file=sys.stderr, flush=True); os._exit(7)")

    assert (caught.value.code, caught.value.retryable) == ("model_worker_died", True)
    assert "ended with status 7" in caught.value.message
    assert "out of tea" in caught.value.message
    assert run(obedient, "text = 'alive'")["text"] == "alive"


def test_a_worker_that_crashed_between_two_requests_is_replaced(obedient: ModelWorker) -> None:
    later = "import os, threading; threading.Timer(0.1, os._exit, [3]).start(); text = os.getpid()"
    worker = int(run(obedient, later)["text"])
    until(lambda: has_ended(worker))

    with pytest.raises(ModelError) as caught:
        run(obedient, "text = 'lost'")

    assert caught.value.code == "model_worker_died"
    assert run(obedient, "text = 'alive'")["text"] == "alive"


def test_a_litellm_that_cannot_be_loaded_is_a_lasting_fault(tmp_path: Path, obedient: ModelWorker) -> None:
    (tmp_path / "packages" / "litellm.py").write_text("raise RuntimeError('no tea today')")

    with pytest.raises(ModelError) as caught:
        run(obedient, "text = 'x'")

    assert (caught.value.code, caught.value.retryable) == ("model_worker_failed", False)
    assert "no tea today" in caught.value.message


def test_starting_does_not_wait(obedient: ModelWorker, tmp_path: Path) -> None:
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(tmp_path / 'go')!r}).exists(): time.sleep(0.01)\n"
    (tmp_path / "packages" / "litellm.py").write_text(wait + OBEDIENT)

    obedient.start()

    (tmp_path / "go").touch()
    obedient.close()
    (tmp_path / "packages" / "litellm.py").write_text(OBEDIENT)
    assert run(obedient, "text = 'ready'")["text"] == "ready"


def test_closing_ends_the_process_and_may_be_done_twice(obedient: ModelWorker) -> None:
    process = int(run(obedient, "import os; text = os.getpid()")["text"])

    obedient.close()
    obedient.close()

    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("is_warm", [True, False])
def test_no_answer_is_taken_for_that_of_the_next_request_wherever_one_is_interrupted(
    obedient: ModelWorker, is_warm: bool
) -> None:
    asked = 0

    def look() -> None:
        nonlocal asked
        asked += 1
        assert run(obedient, f"text = 'answer {asked}'", seconds=60)["text"] == f"answer {asked}"
        if not is_warm:
            obedient.close()

    look()
    every = 5 if is_warm else 11 if NIGHTLY else 31  # each starts a process anew
    assert at_each_line((client, process), lambda: run(obedient, "text = 'broken off'"), look, every) >= 5


# --- what the worker is given

KEYS = {
    "OPENAI_API_KEY": "a",
    "OPENAI_API_BASE": "https://eu.api.openai.com/v1",
    "ANTHROPIC_API_KEY": "b",
    "AZURE_API_VERSION": "c",
    "AWS_SECRET_ACCESS_KEY": "d",
    "GOOGLE_APPLICATION_CREDENTIALS": "e",
    "VERTEXAI_PROJECT": "f",
    "GEMINI_API_KEY": "g",
    "OLLAMA_API_BASE": "http://box:4000",
    "TOGETHERAI_API_KEY": "h",
    "NVIDIA_NIM_API_KEY": "i",
}
COMMON = {"HTTPS_PROXY": "http://proxy:3128", "no_proxy": "localhost", "SSL_CERT_FILE": "j"}
OTHERS = {
    "HOME": "/root",
    "GITHUB_TOKEN": "t",
    "PYTHONPATH": "p",
    "DATABASE_URL": "u",
    "API_KEYS": "v",
    "OPENAI_X": "w",
}


@pytest.mark.parametrize(
    ("model", "names"),
    [
        ("openai/gpt-4o", {"OPENAI_API_KEY", "OPENAI_API_BASE"}),
        ("gpt-4o", {"OPENAI_API_KEY", "OPENAI_API_BASE"}),
        ("claude-sonnet-4-5", {"ANTHROPIC_API_KEY"}),
        ("bedrock/anthropic.claude-v2", {"AWS_SECRET_ACCESS_KEY"}),
        ("vertex_ai/gemini-pro", {"VERTEXAI_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS"}),
        ("gemini/gemini-pro", {"GEMINI_API_KEY"}),
        ("ollama/llama3", {"OLLAMA_API_BASE"}),
        ("together_ai/x", {"TOGETHERAI_API_KEY"}),
        ("nvidia_nim/x", {"NVIDIA_NIM_API_KEY"}),
        ("hosted_vllm/x", set()),
        ("nonsense", set()),
    ],
)
def test_a_worker_is_given_the_keys_of_its_own_provider(model: str, names: set[str]) -> None:
    assert environment_for([model], {**KEYS, **COMMON, **OTHERS}).keys() == names | COMMON.keys()


@pytest.mark.parametrize(
    ("model", "api_base", "environment", "allowed"),
    [
        ("openai/gpt-4o", "", {}, "api.openai.com:443"),
        ("openai/x", "http://127.0.0.1:8080/v1", {}, "127.0.0.1:8080"),
        ("openai/x", "https://models.example.org/v1", {}, "models.example.org:443"),
        ("openai/x", "http://[::1]/v1", {}, "::1:80"),
        ("ollama/llama3", "", {}, "localhost:11434 127.0.0.1:11434"),
        ("ollama/llama3", "", {"OLLAMA_API_BASE": "http://box:4000"}, "box:4000 localhost:11434 127.0.0.1:11434"),
        ("openai/x", "", {"HTTPS_PROXY": "http://proxy:3128", "no_proxy": "x"}, "proxy:3128 api.openai.com:443"),
        ("openai/x", "", {"OPENAI_API_BASE": "http://[broken"}, "api.openai.com:443"),
        ("unheard_of/x", "", {}, "any public host:443"),
    ],
)
def test_a_worker_is_connected_to_its_provider(
    model: str, api_base: str, environment: dict[str, str], allowed: str
) -> None:
    assert " ".join(map(str, addresses_for(model, api_base, environment))) == allowed


@pytest.mark.parametrize(
    ("address", "host", "port", "covered"),
    [
        (Address("api.openai.com", 443), "API.openai.com.", 443, True),
        (Address("api.openai.com", 443), "api.openai.com", 80, False),
        (Address("api.openai.com", 443), "api.openai.com.evil.example", 443, False),
        (Address("*.amazonaws.com", 443), "bedrock.eu.amazonaws.com", 443, True),
        (Address("*.amazonaws.com", 443), "evilamazonaws.com", 443, False),
        (Address(ANY, 443), "anything.example", 443, True),
    ],
)
def test_an_address_covers_what_it_names(address: Address, host: str, port: int, covered: bool) -> None:
    assert address.covers(host, port) == covered


def test_a_provider_nobody_knows_is_looked_for_on_the_internet_alone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connector = Connector([Address(ANY, server.getsockname()[1])])
        connector.theirs.sendall(json.dumps(["127.0.0.1", server.getsockname()[1]]).encode() + b"\n")

        assert connector.serve()

        assert b"no host of the internet" in connector.theirs.recv(1000)
        connector.close()


@pytest.mark.parametrize(
    "nonsense", [b"x\n", b"[]\n", b'["h"]\n', b'["h", "p"]\n', b"[[[[\n", b"9" * 5000, b'["h", 1]\n["h"']
)
def test_a_worker_that_asks_nonsense_is_heard_no_more(nonsense: bytes) -> None:
    connector = Connector([])
    connector.theirs.sendall(nonsense)

    assert not connector.serve() or not connector.serve()
    connector.close()
