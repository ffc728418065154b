"""What models there are, on the usual ports of this machine and by keys in the environment, and how much they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from curator.models.endpoint.check import EndpointCheck
from curator.models.endpoint.http import Look, all_within, get
from curator.models.endpoint.providers import KEYS, OLLAMA
from curator.repository.settings import Settings

_SECONDS = 0.3
ENOUGH_ROOM = 48_000
"""A model that reads so many tokens at once needs no prompts of a size of their own."""
LEAST_ROOM, USUAL_ROOM = 6_000, 16_384
"""Of a local model; more than the usual takes much memory, whatever the model could read."""


@dataclass(frozen=True)
class LocalServer:
    """A kind of server, where it usually listens, and what goes before the names of its models."""

    name: str
    base: str
    list_path: str
    prefix: str
    about_path: str = ""
    """Where it tells how much its models read, when not in the list."""


SERVERS = (
    LocalServer("Ollama", "http://127.0.0.1:11434", "/api/tags", "ollama_chat/"),
    LocalServer("llama.cpp", "http://127.0.0.1:8080", "/v1/models", "openai/", "/props"),
    LocalServer("LM Studio", "http://127.0.0.1:1234", "/v1/models", "openai/", "/api/v0/models"),
    LocalServer("vLLM", "http://127.0.0.1:8000", "/v1/models", "openai/"),
)


@dataclass(frozen=True)
class FoundModel:
    """A model that a server has."""

    name: str
    """litellm's name of it."""
    server: str
    api_base: str
    context_tokens: int = 0
    """How much it reads at once; 0 where that is not told."""


def found_models(servers: Sequence[LocalServer] = SERVERS) -> list[FoundModel]:
    """The models of every server that answers within a moment."""
    looks = all_within(_SECONDS * 2 + 0.1, [partial(_models_of, server) for server in servers])
    return [model for models in looks for model in models or ()]


def found_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that hold a key, each with its provider; the keys themselves are not told."""
    return {
        name: provider
        for provider, names in KEYS.items()
        for name in names
        if environment.get(name, "").strip() and provider != "cohere_chat"
    }


def at_address(model: FoundModel, is_local: bool, listing: Look) -> FoundModel:
    """A model at an address of the user's own, with what the list there tells of it."""
    name = model.name.partition("/")[2]
    entry = next((each for each in listing.entries or () if name in (each.get("id"), each.get("name"))), {})
    return replace(model, server="own" if is_local else "", context_tokens=_context(entry, name, None))


def ollama_context(model: FoundModel) -> int:
    """How much a model of Ollama's can read; 0 where it does not tell."""
    asked = {"model": model.name.partition("/")[2]}
    data = get(f"{model.api_base}/api/show", {}, 1.0, asked).data
    about = data.get("model_info") if isinstance(data, dict) else None
    counts = [v for key, v in about.items() if key.endswith(".context_length")] if isinstance(about, dict) else []
    return _count(counts[0]) if counts else 0


def with_room(settings: Settings) -> Settings:
    """``settings`` with prompts that fit the model; as they are where it is far away, or does not tell."""
    with settings.repository:
        config = settings.config
    if not config.model or config.context_tokens or not config.look_first:
        return settings
    check = EndpointCheck(config, settings.environment)
    if not check.place.is_local or check.fault_at_hand is not None:
        return settings
    model = at_address(FoundModel(config.model, "", check.place.base), True, check.listing)
    is_ollama = check.place.provider in OLLAMA
    room = min(ollama_context(model), USUAL_ROOM) if is_ollama else model.context_tokens
    if not 0 < room < ENOUGH_ROOM:
        return settings
    return replace(settings, flags={**settings.flags, "context_tokens": max(room, LEAST_ROOM)})


def _models_of(server: LocalServer) -> list[FoundModel]:
    look = get(server.base + server.list_path, {}, _SECONDS)
    about = get(server.base + server.about_path, {}, _SECONDS) if look.entries and server.about_path else None
    base = server.base if server.list_path.startswith("/api") else f"{server.base}/v1"
    return [
        FoundModel(f"{server.prefix}{name}", server.name, base, _context(entry, name, about))
        for entry in look.entries or ()
        if (name := str(entry.get("id") or entry.get("name") or "")) and "embed" not in name
    ]


def _context(entry: Mapping[str, Any], name: str, about: Look | None) -> int:
    if told := _count(entry.get("max_model_len")):
        return told
    if about is None or not isinstance(about.data, dict):
        return 0
    settings = about.data.get("default_generation_settings")
    if isinstance(settings, dict):
        return _count(settings.get("n_ctx"))
    same = next((each for each in about.entries or () if each.get("id") == name), {})
    return _count(same.get("loaded_context_length")) or _count(same.get("max_context_length"))


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
