"""Configuration: flags over ``CURATOR_*`` over curator.toml in the git directory over ~/.config/curator/config.toml.

Never from the wiki's tracked files: those are instructions an attacker could write.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from curator.errors import ConfigError, meant
from curator.system.spending import Limits
from curator.system.written_settings import gathered
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.workspace import refs

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class Config(BaseModel):
    """Every setting, with what holds when nobody sets it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = ""
    """litellm's name of a model; empty: the built-in extractive curator."""
    api_base: str = ""
    """Another address to ask, for OpenAI-compatible servers."""
    look_first: bool = True
    """Whether the model's endpoint is looked at before it is asked (its key, its address, its list of models), so that a
    mistake shows at once; false for a server that answers to names which it does not list."""
    verify: Literal["code", "model"] = "code"
    """Who judges whether a quote bears its claim out: code; or code, then a second reader, a model that sees the claims and
    what they quote, and can only take claims away (docs/verify.md)."""
    review: Literal["auto", "flagged", "always"] = "auto"
    """Whether a proposal waits for a person before it is committed: never; where code has found a reason for a look; or
    always (docs/review.md)."""
    verify_model: str = ""
    """litellm's name of the second reader; empty: the same model as `model`."""
    verify_api_base: str = ""
    """The second reader's address; empty: `api_base`, where it is of the same provider."""
    verify_form: Literal["list", "pair"] = "list"
    """How it is asked: about up to 20 claims at once, answered in JSON; or about one document and one claim at a time,
    answered yes or no, as small checkers such as MiniCheck are trained."""
    embedding_model: str = ""
    """litellm's name of a model of embeddings, such as `ollama/nomic-embed-text`: `curate ask` ranks passages by meaning,
    too, and `curate search` pages. Empty: words and a table of meanings rank, nobody is asked (docs/embeddings.md)."""
    embedding_api_base: str = ""
    """Its address; empty: `api_base`, where it is of the same provider."""
    embedding_dollars_per_million: float = Field(default=0, ge=0)
    """The price of what is sent to it; litellm's where this is 0."""
    reply_format: Literal["auto", "json", "blocks"] = "auto"
    """json: the provider enforces the schema; blocks: plain text; auto: by what litellm knows of the model."""
    answer_seconds: float = Field(default=180, gt=0, le=3600)
    """How long one answer may take."""
    max_attempts: int = Field(default=4, ge=1, le=20)
    """How often a passing fault of the provider is waited out."""
    retry_seconds: float = Field(default=1, gt=0, le=60)
    """The first wait; it doubles, with jitter, up to a minute. A provider's Retry-After goes before it."""
    max_output_tokens: int = Field(default=8000, ge=256)
    """How long an answer may be."""
    context_tokens: int = Field(default=0, ge=0)
    """How much the model reads at once, question and answer together: for small models. Prompts, windows and answers are
    made to fit; 0: as much as the settings below ask for."""
    window_tokens: int = Field(default=24_000, ge=1000)
    """A longer source is read in windows of this size."""
    page_tokens: int = Field(default=1600, ge=0)
    """How much of the wiki a prompt shows: the passages that the source touches."""
    line_tokens: int = Field(default=700, ge=0)
    """How much of it by the names of pages alone."""
    max_source_bytes: int = Field(default=20_000_000, ge=1)
    """A larger file is refused before it is read."""
    max_source_chars: int = Field(default=5_000_000, ge=1)
    """A longer text is refused rather than read in part: half a source is no source."""
    allow_weak_sandbox: bool = False
    """True: PDF and office files, which libraries take apart, are read even where the sandbox is weak (`curate doctor`)."""
    on_dirty: Literal["park", "merge", "snapshot"] = "merge"
    """A page with uncommitted edits: the source waits; or the edits stay uncommitted on top of the ingest, where the two
    merge cleanly; or all edits of pages that are not staged are first committed as the user's own (docs/vault.md)."""
    notes: str = ""
    """The folder of notes that the wiki stands in, as a path from the wiki: `..` beside them, `.` among them; `curate init`
    writes it. What is ingested from there keeps its folders in `sources/` (docs/vault.md)."""
    fetch_hosts: tuple[str, ...] = ()
    """Hosts of this machine, or of a network of one's own, that pages may be fetched from (`curate ingest https://...`,
    `curate fetch`)."""
    reading_list: str = ""
    """The file with the addresses of feeds and pages that `curate fetch` asks, as a path from the wiki, or from / or ~ on.
    `curate fetch --add` makes it and sets this; a list that came with a wiki counts only once it is set (docs/fetch.md)."""
    fetch_at_once: int = Field(default=20, ge=1, le=1000)
    """How many new pages one `curate fetch` brings; what is left comes in the next."""
    commit_sources: bool = True
    """False: the source itself is not committed; the user's own rules for sources/ hold."""
    allowed_signers: str = ""
    """The file of allowed signers that `ssh-keygen -Y verify` goes by, where KNOWLEDGE.md asks for signatures of sources;
    outside of the wiki."""
    tokens_per_ingest: int = Field(default=0, ge=0)
    """How many tokens one source may take, questions and answers together; 0: no limit, as with all of these."""
    tokens_per_day: int = Field(default=0, ge=0)
    """The same for a day, in local time. A question that may go past it waits for the next day."""
    tokens_per_month: int = Field(default=0, ge=0)
    """The same for a month."""
    dollars_per_ingest: float = Field(default=0, ge=0)
    """What one source may cost, in US dollars."""
    dollars_per_day: float = Field(default=0, ge=0)
    """The same for a day."""
    dollars_per_month: float = Field(default=0, ge=0)
    """The same for a month."""
    dollars_per_million_in: float = Field(default=0, ge=0)
    """The price of what is sent to the model, or the second reader; litellm's where this is 0."""
    dollars_per_million_out: float = Field(default=0, ge=0)
    """The price of its answers, likewise."""
    ask_from_tokens: int = Field(default=300_000, ge=0)
    """`curate ingest` says what it will take, and asks on a terminal, where it is expected to take more; 0: never."""
    ask_from_dollars: float = Field(default=1, ge=0)
    """The same in US dollars, where the price is known."""
    parallel: int = Field(default=4, ge=1, le=64)
    """How many sources the service works on at once, or asks a model about: there, a quarter more are checked and committed
    meanwhile."""
    source_seconds: float = Field(default=10_800, gt=0, le=604_800)
    """How long the service works on one source; then the work is ended, and the source is parked."""
    provider_parallel: int = Field(default=16, ge=1, le=256)
    """How many sources a service with several wikis asks one provider about at once."""
    watch: Literal["auto", "events", "polling"] = "auto"
    """How the service hears of new files: from the system; by looking every few seconds; auto: by looking where the system
    tells nothing, as on network mounts."""
    push: bool = False
    """True: the service pushes the branch to its upstream after commits; never with force."""
    view: str = ""
    """A view that ingest, lint and search go through: its name in `views`, or the path of its KNOWLEDGE.md or folder."""
    views: dict[str, str] = Field(default_factory=dict)
    """Views by name, each with its path from the wiki: `views.research = "../operators/research"`. `curate validate`
    looks at all of them."""
    knowledge_roots: tuple[str, ...] = ()
    """The folders with the organization's knowledge packs: `curate packs` trusts what lies there."""
    dimensions: tuple[str, ...] = ()
    """The dimension refs that are true here, such as `region/fr`, for views that apply to one."""
    governance: Literal["approve", "trust"] = "approve"
    """approve: after a change of KNOWLEDGE.md or AGENTS.md sources wait until `curate approve`; trust: they do not."""
    notify: str = ""
    """A command that the service runs for each event, without a shell; the event is JSON on its standard input."""

    @property
    def reader(self) -> Config:
        """The same settings for requests to the second reader."""
        model = self.verify_model or self.model
        same_provider = model.partition("/")[0] == self.model.partition("/")[0]
        base = self.verify_api_base or (self.api_base if same_provider else "")
        return self.model_copy(update={"model": model, "api_base": base})

    @property
    def embedder(self) -> Config:
        """The same settings for requests to the model of embeddings, whose answers have no tokens."""
        model = self.embedding_model
        if model.startswith("ollama_chat/"):  # litellm's other name of the same server, which is for chats alone
            model = f"ollama/{model.partition('/')[2]}"
        same_provider = model.partition("/")[0].removesuffix("_chat") == self.model.partition("/")[0].removesuffix(
            "_chat"
        )
        base = self.embedding_api_base or (self.api_base if same_provider else "")
        price = self.embedding_dollars_per_million
        prices = {"dollars_per_million_in": price, "dollars_per_million_out": price}
        return self.model_copy(update={"model": model, "api_base": base, "max_output_tokens": 0, **prices})

    @property
    def fitted(self) -> Config:
        """The same settings, with no prompt and no answer longer than a model with ``context_tokens`` takes."""
        if not self.context_tokens:
            return self
        most = self.context_tokens
        output = min(self.max_output_tokens, max(256, most // 5))
        pages, lines = min(self.page_tokens, most // 16), min(self.line_tokens, most // 32)
        window = max(1000, int((most - output) / _COUNTED_SHORT) - _INSTRUCTIONS - pages - lines)
        fitting = {"max_output_tokens": output, "page_tokens": pages, "line_tokens": lines}
        return self.model_copy(update={**fitting, "window_tokens": min(self.window_tokens, window)})

    @property
    def source_limits(self) -> SourceLimits:
        return SourceLimits(self.max_source_bytes, self.max_source_chars, self.allow_weak_sandbox)

    @property
    def limits(self) -> Limits:
        return Limits.of(vars(self))

    @field_validator("dimensions", "fetch_hosts", "knowledge_roots", mode="before")
    @classmethod
    def _are_words(cls, value: object) -> object:
        """A variable of the environment holds them with spaces between."""
        return tuple(value.split()) if isinstance(value, str) else value

    @field_validator("context_tokens")
    @classmethod
    def _is_room_enough(cls, value: int) -> int:
        if 0 < value < _LEAST_CONTEXT:
            raise ValueError(f"a model that reads less than {_LEAST_CONTEXT} tokens cannot curate; 0 means no limit")
        return value

    @field_validator("dimensions")
    @classmethod
    def _are_dimensions(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for written in value:
            if not isinstance(refs.consumer(written, "/"), refs.Dimension):
                raise ValueError(f"{written!r} is no dimension, which is written like region/fr")
        return value

    @field_validator("fetch_hosts")
    @classmethod
    def _are_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for host in value:
            if host.count(":") == 1 or {*host} & {*"/@[]"}:
                raise ValueError(f"{host!r} is no host, which is written like wiki.intranet or 10.0.0.7, and no more")
        return value

    @field_validator("views")
    @classmethod
    def _are_no_settings(cls, value: dict[str, str]) -> dict[str, str]:
        if swallowed := [name for name, path in value.items() if name in cls.model_fields and path in value]:
            name = swallowed[0]
            raise ValueError(f"{name} = {value[name]!r} stands below [views] and so is a view: put it above that line")
        return value

    @field_validator("allowed_signers")
    @classmethod
    def _is_a_full_path(cls, value: str) -> str:
        if value and not value.startswith(("/", "~")):
            raise ValueError("it has to be a path from / or ~ on")
        return value

    @field_validator("api_base", "verify_api_base", "embedding_api_base")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("it has to begin with http:// or https://")
        return value

    @classmethod
    def checked(cls, values: Mapping[str, Any], place: str) -> Config:
        """The settings of one place. Raises ConfigError, which names it."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise _explained(error, dict.fromkeys(values, place)) from error

    @classmethod
    def load(cls, files: list[Path], environment: Mapping[str, str], flags: Mapping[str, Any]) -> Config:
        """Read ``files`` (weakest first), then CURATOR_* variables, then flags that are set. Raises ConfigError."""
        return cls.load_with_places(files, environment, flags)[0]

    @classmethod
    def load_with_places(
        cls, files: list[Path], environment: Mapping[str, str], flags: Mapping[str, Any]
    ) -> tuple[Config, dict[str, str]]:
        """As ``load``; beside it, where each setting that is no default was set."""
        values, places = gathered(files, environment, flags)
        try:
            return cls.model_validate(values).fitted, places
        except ValidationError as error:
            raise _explained(error, places) from error


_LEAST_CONTEXT = 6000
_COUNTED_SHORT = 1.3
"""By what factor our count of tokens may be below a model's."""

_INSTRUCTIONS = 2400
"""Tokens of a prompt without source and pages, about."""

_IN_WORDS = {
    "dict_type": "it has to be a table of curator.toml, such as views.research = '../operators/research'",
    "tuple_type": "it has to be a list of words",
}
"""What pydantic says in words of Python."""


def _explained(error: ValidationError, places: Mapping[str, str]) -> ConfigError:
    """Every problem: where it was set, the key, the value, what is wrong with it."""
    problems = error.errors(include_url=False, include_context=False)
    unknown = [str(problem["loc"][0]) for problem in problems if problem["type"] == "extra_forbidden"]
    said = [_said(str(problem["loc"][0]), problem, places) for problem in problems]
    message = said[0] if len(said) == 1 else "the configuration has several faults:\n  " + "\n  ".join(said)
    if unknown:
        return ConfigError("config_unknown_key", message, "`curate config` lists all settings")
    return ConfigError("config_invalid", message, "mend it there, or take it out: every key has a default")


def _said(key: str, problem: ErrorDetails, places: Mapping[str, str]) -> str:
    if problem["type"] != "extra_forbidden":
        wrong = _IN_WORDS.get(problem["type"], problem["msg"].removeprefix("Value error, "))
        name = ".".join(map(str, problem["loc"]))
        return f"{places[key]}: {name} = {problem['input']!r}: {wrong[:1].lower()}{wrong[1:]}"
    return f"{places[key]}: unknown key {key!r}{meant(key, Config.model_fields)}"
