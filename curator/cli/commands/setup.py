"""``curate setup``: which models are there, one of them tried, what an ingest will cost, and the settings written."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from curator.cli import console
from curator.cli.commands import config as config_command
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.money import known_prices
from curator.cli.options import common_options, reported
from curator.config import Config
from curator.errors import ConfigError
from curator.models.endpoint import discovery, model_list
from curator.models.endpoint.check import EndpointCheck
from curator.models.endpoint.discovery import (
    ENOUGH_ROOM,
    LEAST_ROOM,
    SERVERS,
    USUAL_ROOM,
    FoundModel,
    LocalServer,
)
from curator.models.endpoint.providers import OLLAMA
from curator.models.llm.prompts import Prompt, fresh_nonce
from curator.models.llm.provider import Provider
from curator.models.sandbox.addresses import provider_of
from curator.repository.settings import Settings

_USUAL = {
    "anthropic": "claude-haiku-4-5",
    "deepseek": "deepseek-chat",
    "gemini": "gemini-2.5-flash",
    "groq": "llama-3.3-70b-versatile",
    "mistral": "mistral-small-latest",
    "openai": "gpt-4o-mini",
    "openrouter": "openai/gpt-4o-mini",
    "xai": "grok-3-mini",
}
"""A model of each provider that is cheap and good enough to begin with."""
_SENT, _RECEIVED = 7_000, 1_500
"""Tokens that a source of three pages takes, about."""
_QUESTION = "Answer with the one word: ready"


@dataclass(frozen=True)
class SetupOptions:
    """What was said on the command line."""

    model: str = ""
    api_base: str = ""
    user: bool = False
    yes: bool = False
    tries: bool = True


@click.command()
@click.option("--model", default="", help="This one, by litellm's name or by that which its server gives it.")
@click.option("--api-base", default="", help="Address of an OpenAI-compatible server.")
@click.option("--user", is_flag=True, help="For all wikis of yours: in ~/.config/curator/config.toml.")
@click.option("--yes", is_flag=True, help="Ask nothing: the model named, else the first that is there.")
@click.option("--no-try", is_flag=True, help="Do not put a question to the model.")
@common_options
@reported
def setup(common: CommonOptions, /, model: str, api_base: str, user: bool, yes: bool, no_try: bool) -> Report:
    with console.progress(common) as say:
        is_asked = not (yes or common.json) and console.asked(common, say) is not None
        options = SetupOptions(model, api_base, user, not is_asked, not no_try)
        return run(console.settings(common), options, say, write=yes or is_asked)


def run(
    settings: Settings, options: SetupOptions, say: Say, servers: Sequence[LocalServer] = SERVERS, write: bool = True
) -> Report:
    """Look, choose, try, write. Without ``write`` it only says what is there; status 1 where none is chosen by that."""
    say("looking for models …")
    found, keys = discovery.found_models(servers), discovery.found_keys(settings.environment)
    say("")
    choices = [*found, *(FoundModel(f"{p}/{_USUAL[p]}", name, "") for name, p in keys.items() if p in _USUAL)]
    there = [*_told_of_servers(found), *(f"{name} is set: models of {provider}" for name, provider in keys.items())]
    data: dict[str, Any] = {"models": [vars(each) for each in found], "keys": keys}
    if not choices and not options.model:
        return Report({**data, "model": None}, ("no model is there", *_HOW), 1)
    if not (write or options.model):
        return Report(
            {**data, "model": None}, (*there, "nothing was written; choose one: curate setup --model NAME --yes"), 1
        )
    chosen = _chosen(options, choices, there)
    values = _values(chosen)
    config = _with(settings, values)
    lines = [*there, f"model      {chosen.name}" + (f" at {chosen.api_base}" if chosen.api_base else "")]
    check = EndpointCheck(config, settings.environment)
    if (fault := check.fault) is not None:
        raise fault
    if chosen.api_base and not chosen.server:
        values = _values(discovery.at_address(chosen, check.place.is_local, check.listing))
        config = _with(settings, values)
    if options.tries:
        say(f"asking {chosen.name} …")
        tried = _tried(config, settings)
        say("")
        data["tried"] = tried
        lines.append(f"tried      it answers, in {tried['seconds']:.1f} s")
    cost = known_prices(config).dollars(_SENT, _RECEIVED)
    data |= {"model": chosen.name, "settings": values, "cost_of_a_source": cost}
    price = f"about {cost:.4f} USD" if cost else "no money" if _is_local(chosen) else "at a price that is not known"
    lines.append(f"a source   of three pages takes about {_SENT:,} tokens in and {_RECEIVED:,} out, {price}")
    if not write:
        return Report(data, (*lines, "nothing was written: add --yes"))
    written = config_command.change(settings, values, options.user)
    lines += [
        *(line for line in written.lines if not line.endswith(" is unset")),
        "next: curate ingest FILE; curate spend says what it has cost",
    ]
    return Report({**data, "file": written.data["file"]}, tuple(lines), notes=written.notes)


_HOW = (
    "  a local one: install Ollama, run `ollama pull qwen2.5:7b`, then curate setup",
    "  a hosted one: export OPENAI_API_KEY=... (or ANTHROPIC_API_KEY, GEMINI_API_KEY, ...), then curate setup",
    "  none: curate ingest works without a model, too; it tells less of a source",
)


def _told_of_servers(found: Sequence[FoundModel]) -> Iterator[str]:
    for server in dict.fromkeys((each.server, each.api_base) for each in found):
        names = [each.name for each in found if (each.server, each.api_base) == server]
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        yield f"{server[0]} at {server[1]}: {', '.join(names[:8])}{more}"


def _chosen(options: SetupOptions, choices: Sequence[FoundModel], there: Sequence[str]) -> FoundModel:
    """The model that is wanted, with what its server told of it."""
    wanted = options.model
    if not wanted and not options.yes:
        for line in there:
            console.note(line)
        for number, each in enumerate(choices, start=1):
            console.note(f"  {number}  {each.name}")
        wanted = click.prompt("Which model? Its number, or any name", default="1", err=True)
    if not wanted:
        return choices[0]
    if wanted.isdigit():
        if not 1 <= int(wanted) <= len(choices):
            raise ConfigError("usage", f"there is no number {wanted}", f"choose from 1 to {len(choices)}")
        return choices[int(wanted) - 1]
    own = FoundModel(wanted, "", options.api_base)
    if options.api_base:
        return own
    same = (each for each in choices if wanted in (each.name, each.name.partition("/")[2]))
    return next(same, own)


def _values(chosen: FoundModel) -> dict[str, Any]:
    """The settings for a model; small local ones are asked in plain text, and for no more than they can read."""
    values: dict[str, Any] = {"model": chosen.name, "api_base": chosen.api_base or None}
    room = chosen.context_tokens
    if provider_of(chosen.name) in OLLAMA and chosen.api_base:
        room = min(discovery.ollama_context(chosen), USUAL_ROOM)
    if not _is_local(chosen):
        room = _count(model_list.about(chosen.name).get("max_input_tokens"))
    values["context_tokens"] = max(room, LEAST_ROOM) if 0 < room < ENOUGH_ROOM else None
    values["reply_format"] = "blocks" if _is_local(chosen) else None
    return values


def _with(settings: Settings, values: Mapping[str, Any]) -> Config:
    """The settings as they would be."""
    defaults = Config()
    flags = {key: getattr(defaults, key) if value is None else value for key, value in values.items()}
    return Config.load(settings.config_files, settings.environment, flags)


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _is_local(chosen: FoundModel) -> bool:
    return bool(chosen.server and chosen.api_base)


def _tried(config: Config, settings: Settings) -> Mapping[str, Any]:
    """The answer to one small question, asked the way every other is. Raises ModelError."""
    nonce = fresh_nonce()
    prompt = Prompt(({"role": "user", "content": f"{_QUESTION} ({nonce})"},), nonce, source="(setup)")
    small = config.model_copy(update={"max_output_tokens": 256, "max_attempts": 1})
    with settings.repository as repository, Provider(small, os.environ, repository.runtime) as provider:
        provider.known()  # waits for litellm, so that the model's own time is told
        began = time.monotonic()
        completion = provider.complete(prompt)
    tokens = {"prompt": completion.usage.prompt, "completion": completion.usage.completion}
    return {"seconds": time.monotonic() - began, "answer": completion.text[:200], "tokens": tokens}
