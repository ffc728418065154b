"""Why a model cannot be asked, found quickly and before litellm is loaded.

Only what is certain is a fault: a key that is not set, a port that nobody listens on, a key that is refused, an address
whose list of models lacks this one. Where nothing can be told, the model is asked, and says itself what is wrong.
"""

from __future__ import annotations

import difflib
import http.client
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from curator.config import Config
from curator.errors import ModelError
from curator.models.endpoint import model_list
from curator.models.endpoint.http import Look, get
from curator.models.endpoint.providers import OLLAMA, Place
from curator.models.sandbox.addresses import provider_of

_SECONDS = 1.2
_SHOWN = 6
"""Models that a message names."""
_ANY_NAME = ("llamacpp",)
"""Servers, as their lists name them, that answer to any model's name."""
_SETUP = "`curate setup` lists the models that are there"


@dataclass
class EndpointCheck:
    """The look at the model of ``config``, made once and only when it is wanted."""

    config: Config
    environment: Mapping[str, str]
    chosen: str = "with --model"
    """How a person chooses another one."""

    @cached_property
    def place(self) -> Place:
        return Place.of(self.config, self.environment)

    @cached_property
    def fault_at_hand(self) -> ModelError | None:
        """What is known without a connection, or by one to this machine."""
        found = _of_name(self.config) or _of_key(self.config.model, self.place)
        return found or (self.fault_there if self.place.is_local else None)

    @cached_property
    def fault(self) -> ModelError | None:
        return self.fault_at_hand or self.fault_there

    @cached_property
    def fault_there(self) -> ModelError | None:
        """What the endpoint itself tells."""
        place = self.place
        if not self.config.look_first or not place.base or place.is_behind(self.environment):
            return None
        look = self.listing
        if look.trouble:
            return _of_connection(look, place)
        if look.status == http.client.UNAUTHORIZED:
            return _of_refusal(look, place)
        if look.entries is None:
            return _of_address(place)
        return _of_list(look.entries, self.config.model, place, self.chosen)

    @cached_property
    def listing(self) -> Look:
        """The endpoint's list of models."""
        place = self.place
        return get(place.base + place.list_path, place.headers, _SECONDS)


_BUILT_IN = frozenset(("builtin", "built-in", "built_in", "extractive", "none"))
"""What the curator that needs no model is called by who asks for it."""


def _of_name(config: Config) -> ModelError | None:
    """A name that litellm cannot read."""
    model, models, providers = config.model, model_list.known_models(), model_list.known_providers()
    prefix, slash, rest = model.partition("/")
    if not models or not providers or model in models or model.startswith("ft:"):
        return None
    if not slash and model.casefold() in _BUILT_IN:
        hint = "the built-in curator works where none is set: curate ingest --model '' FILE"
        return _unknown(f"{model!r} is no language model", hint)
    if not slash:
        if config.api_base:
            hint = f"for an OpenAI-compatible server: openai/{model}; for Ollama: ollama_chat/{model}"
        else:
            chat = [name for name, about in models.items() if about.get("mode") == "chat" and _is_plain(name)]
            alike = _alike(model, chat)
            hint = f"like {' or '.join(map(_with_provider, alike))}" if alike else _SETUP
        return _unknown(f"{model!r} does not say whose model it is", f"name it as provider/model: {hint}")
    if prefix in providers or not rest:
        return None
    alike = difflib.get_close_matches(prefix, providers, n=1)
    hint = f"did you mean {alike[0]}/{rest}?" if alike else f"for an OpenAI-compatible server: openai/{model}"
    return _unknown(f"there is no provider {prefix!r}, as in {model}", hint)


def _is_plain(name: str) -> bool:
    return "/" not in name and "." not in name.partition("-")[0]


def _with_provider(name: str) -> str:
    return f"{provider_of(name) or model_list.about(name).get('litellm_provider', 'openai')}/{name}"


def _of_key(model: str, place: Place) -> ModelError | None:
    if place.key or place.is_named or not place.key_names:
        return None
    others = f" (nor {', '.join(place.key_names[1:])})" if len(place.key_names) > 1 else ""
    return ModelError(
        "model_key_missing",
        f"{model} needs a key, and {place.key_names[0]} is not set{others}",
        f"export {place.key_names[0]}=..., or choose another model: {_SETUP}",
        retryable=False,
    )


def _of_connection(look: Look, place: Place) -> ModelError | None:
    if look.trouble == "refused":
        start = "start it: `ollama serve`" if place.provider in OLLAMA else "start the model's server"
        said, hint = f"nothing listens at {place.base}", f"{start}, or correct api_base; {_SETUP}"
    elif look.trouble == "unknown_host" and place.is_named:
        said, hint = f"no host is known for {place.base}", "correct api_base, or see to the network"
    else:
        return None  # slow, or of another kind than a list can be had from
    return ModelError("model_unavailable", said, hint, retryable=True)


def _of_refusal(look: Look, place: Place) -> ModelError | None:
    if re.search(r"scope|permission", str(look.data), re.IGNORECASE):
        return None  # a key may be good for questions and not for the list
    if not place.key:
        name = place.key_names[0] if place.key_names else "its variable"
        said = f"{place.base} wants a key, and {name} is not set"
        return ModelError("model_key_missing", said, f"export {name}=...", retryable=False)
    name = next(iter(place.key_names))
    said = f"{place.base} refuses the key in {name} (HTTP 401)"
    return ModelError(
        "model_key_refused", said, f"check {name}: it may be of another provider, or withdrawn", retryable=False
    )


def _of_address(place: Place) -> ModelError | None:
    """An address that lacks /v1, or has it where Ollama's own has none: told by trying the other one."""
    if place.provider in OLLAMA:
        other, wrong = place.base.removesuffix("/v1"), "/v1 does not belong there"
    else:
        other, wrong = f"{place.base}/v1", "/v1 is missing at its end"
    if not place.is_named or other == place.base or (re.search(r"/v\d\w*$", place.base) and other.endswith("/v1")):
        return None
    if get(other + place.list_path, place.headers, _SECONDS / 2).entries is None:
        return None
    return ModelError(
        "model_not_found",
        f"no models are at {place.base}, but they are at {other}: {wrong}",
        f"set api_base to {other}: curate config set api_base {other}",
        retryable=False,
    )


def _of_list(entries: Sequence[dict[str, Any]], model: str, place: Place, chosen: str) -> ModelError | None:
    """A model that the endpoint's list does not have, and that nobody else knows as this provider's."""
    wanted = model.partition("/")[2] or model
    names = sorted(name for each in entries if (name := str(each.get("id") or each.get("name") or "")))
    if not names or any("*" in name for name in names) or any(each.get("owned_by") in _ANY_NAME for each in entries):
        if entries or place.provider not in OLLAMA:
            return None
        return _unknown(f"Ollama at {place.base} has no model yet", "pull one first, as with `ollama pull qwen2.5:7b`")
    if any(name in (wanted, f"{wanted}:latest") for name in names):
        return None
    is_hosted = not place.is_named and place.provider not in OLLAMA
    if is_hosted and (model_list.about(model) or any(name.startswith(wanted) for name in names)):
        return None  # lists leave aliases out
    alike = _alike(wanted, names)
    meant = f"did you mean {' or '.join(alike)}? " if alike else ""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    pull = f"`ollama pull {wanted}`, or " if place.provider in OLLAMA else ""
    any_name = "; set look_first = false for a server that takes any name" if place.is_named else ""
    return _unknown(
        f"{place.base} has no model {wanted!r}; it has {', '.join(names[:_SHOWN])}{more}",
        f"{meant}{pull}choose one of these {chosen} {model.partition('/')[0]}/NAME{any_name}",
    )


def _alike(seen: str, known: Sequence[str]) -> list[str]:
    """Up to three of ``known``: those that begin like it, the newest names first, or are spelled much like it."""
    beginning = sorted((name for name in known if name.startswith(seen)), reverse=True)
    return (difflib.get_close_matches(seen, known, n=3, cutoff=0.5) or beginning)[:3]


def _unknown(said: str, hint: str) -> ModelError:
    return ModelError("model_not_found", said, hint, retryable=False)
