"""What stands in the way of a model is said in our words, by real HTTP on the loopback, and no worker is started for it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from curator.config import Config
from curator.errors import ModelError
from curator.models.endpoint import model_list
from curator.models.endpoint.check import EndpointCheck
from support.endpoint import Endpoint

MODELS = {"data": [{"id": "qwen2.5-7b-instruct", "owned_by": "vllm"}, {"id": "llama-3.1-8b", "owned_by": "vllm"}]}
KNOWN = {
    "gpt-4o": {"mode": "chat", "litellm_provider": "openai"},
    "claude-sonnet-4-5": {"mode": "chat", "litellm_provider": "anthropic"},
}


@pytest.fixture(scope="module")
def server() -> Iterator[Endpoint]:
    with Endpoint(lambda request: "ok") as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """What litellm lists, whichever of its versions is installed."""
    monkeypatch.setattr(model_list, "known_models", lambda: KNOWN)
    providers = frozenset({"openai", "anthropic", "ollama_chat", "groq", "hosted_vllm"})
    monkeypatch.setattr(model_list, "known_providers", lambda: providers)


def fault(model: str, api_base: str = "", **environment: str) -> ModelError | None:
    return EndpointCheck(Config(model=model, api_base=api_base), environment).fault


def said(model: str, api_base: str = "", **environment: str) -> tuple[str, str]:
    found = fault(model, api_base, **environment)
    assert found is not None
    return found.code, f"{found.message}; {found.hint}"


def only(path: str, answer: Any, status: int = 200) -> Any:
    return lambda asked, headers: (status, answer) if asked == path else None


def test_a_missing_key_is_named() -> None:
    code, words = said("groq/llama-3.1-8b-instant")

    assert code == "model_key_missing"
    assert "groq/llama-3.1-8b-instant needs a key, and GROQ_API_KEY is not set; export GROQ_API_KEY=..." in words


def test_an_empty_key_is_missing() -> None:
    assert said("openai/gpt-4o", OPENAI_API_KEY="  ")[0] == "model_key_missing"


@pytest.mark.parametrize(
    ("model", "api_base", "words"),
    [
        ("claude", "", "like anthropic/claude-sonnet-4-5"),
        (
            "builtin",
            "",
            "'builtin' is no language model; the built-in curator works where none is set: curate ingest --model ''",
        ),
        ("opnai/gpt-4o", "", "did you mean openai/gpt-4o?"),
        ("qwen2.5:7b", "http://127.0.0.1:9/v1", "openai/qwen2.5:7b; for Ollama: ollama_chat/qwen2.5:7b"),
        ("mine/qwen", "", "for an OpenAI-compatible server: openai/mine/qwen"),
    ],
)
def test_a_name_without_its_provider_gets_one_proposed(model: str, api_base: str, words: str) -> None:
    code, told = said(model, api_base, ANTHROPIC_API_KEY="x", OPENAI_API_KEY="x")

    assert code == "model_not_found"
    assert words in told


def test_a_closed_port_is_said_at_once() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{bound.getsockname()[1]}/v1"

        code, words = said("openai/x", base)

    assert code == "model_unavailable"
    assert f"nothing listens at {base}; start the model's server, or correct api_base" in words


def test_a_key_that_is_refused_is_named_and_not_shown(server: Endpoint) -> None:
    server.listing = only("/v1/models", {"error": {"message": "Incorrect API key"}}, 401)

    code, words = said("openai/x", server.url, OPENAI_API_KEY="sk-secret")

    assert code == "model_key_refused"
    assert f"{server.url} refuses the key in OPENAI_API_KEY (HTTP 401)" in words
    assert "sk-secret" not in words


def test_a_server_that_wants_a_key_says_which(server: Endpoint) -> None:
    server.listing = only("/v1/models", {}, 401)

    code, words = said("openai/x", server.url)

    assert code == "model_key_missing"
    assert "OPENAI_API_KEY is not set" in words


def test_a_key_that_may_not_list_models_may_still_ask(server: Endpoint) -> None:
    server.listing = only("/v1/models", {"error": {"message": "Missing scopes: api.model.read"}}, 401)

    assert fault("openai/x", server.url, OPENAI_API_KEY="k") is None


def test_the_models_that_are_there_are_named(server: Endpoint) -> None:
    server.listing = only("/v1/models", MODELS)

    code, words = said("openai/qwen2.5-7b-instuct", server.url)

    assert code == "model_not_found"
    assert "has no model 'qwen2.5-7b-instuct'; it has llama-3.1-8b, qwen2.5-7b-instruct" in words
    assert "did you mean qwen2.5-7b-instruct?" in words


def test_a_forgotten_v1_is_put_right(server: Endpoint) -> None:
    server.listing = only("/v1/models", MODELS)
    base = server.url.removesuffix("/v1")

    code, words = said("openai/llama-3.1-8b", base)

    assert code == "model_not_found"
    assert f"they are at {server.url}: /v1 is missing at its end; set api_base to {server.url}" in words


def test_ollama_has_no_v1_and_says_what_to_pull(server: Endpoint) -> None:
    server.listing = only("/api/tags", {"models": [{"name": "qwen2.5:7b"}]})
    base = server.url.removesuffix("/v1")

    assert fault("ollama_chat/qwen2.5:7b", base) is None
    assert "did you mean qwen2.5:7b?" in said("ollama_chat/qwen2.5", base)[1]
    assert "/v1 does not belong there" in said("ollama_chat/qwen2.5", server.url)[1]
    assert "`ollama pull mistral`, or choose one of these" in said("ollama_chat/mistral", base)[1]
    server.listing = only("/api/tags", {"models": []})
    assert "has no model yet" in said("ollama_chat/mistral", base)[1]


@pytest.mark.parametrize(
    "answer",
    [
        MODELS,
        {"data": [{"id": "gpt-3.5-turbo", "owned_by": "llamacpp"}]},
        {"data": [{"id": "openai/*"}]},
        {"data": []},
        {"error": "Unexpected endpoint"},
        [1],
    ],
)
def test_what_cannot_be_told_is_left_to_the_model(server: Endpoint, answer: Any) -> None:
    server.listing = only("/v1/models", answer)

    assert fault("openai/llama-3.1-8b", server.url) is None


def test_nothing_is_looked_at_where_that_is_not_wanted(server: Endpoint) -> None:
    server.listing = only("/v1/models", MODELS)
    config = Config(model="openai/any-name", api_base=server.url, look_first=False)

    assert EndpointCheck(config, {}).fault is None


def test_the_lists_of_the_installed_litellm_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for kept in (model_list._folder, model_list.known_models, model_list.known_providers):
        kept.cache_clear()  # an earlier test may have looked while the stand-in for litellm was in its place

    assert model_list.about("openai/gpt-4o")["max_input_tokens"] > 100_000
    assert {"openai", "ollama_chat", "lm_studio"} <= model_list.known_providers()
