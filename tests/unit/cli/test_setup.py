"""A model in a minute: servers on the loopback are found, one is tried, and the settings are written with care."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands import config, init, setup
from curator.cli.commands.setup import SetupOptions
from curator.config import Config
from curator.errors import ConfigError, ModelError
from curator.models.endpoint.discovery import LocalServer, with_room
from curator.repository.settings import Settings
from curator.repository.settings_file import parsed
from support.depth import light_litellm
from support.endpoint import Endpoint

MODELS = {"data": [{"id": "llama-3.1-8b", "owned_by": "vllm", "max_model_len": 8192}, {"id": "nomic-embed"}]}
KEY = "sk-not-to-be-shown"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init.run(tmp_path / "tea", "Tea")
    return tmp_path / "tea"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with light_litellm(), Endpoint(lambda request: "ready") as served:
        served.listing = lambda path, headers: (200, MODELS) if path == "/v1/models" else None
        yield served


def server(endpoint: Endpoint) -> LocalServer:
    return LocalServer("vLLM", endpoint.url.removesuffix("/v1"), "/v1/models", "openai/")


def file_of(root: Path) -> Path:
    return root / ".git" / "curator" / "curator.toml"


def run(root: Path, options: SetupOptions, *servers: LocalServer, write: bool = True, **environment: str) -> Any:
    return setup.run(Settings(root, environment, {}), options, lambda text: None, servers, write)


def test_a_small_local_model_is_found_tried_and_written_with_what_it_can_read(root: Path, endpoint: Endpoint) -> None:
    report = run(root, SetupOptions(yes=True), server(endpoint))

    assert report.data["tried"]["answer"] == "ready"
    assert report.data["model"] == "openai/llama-3.1-8b"
    assert [each["name"] for each in report.data["models"]] == ["openai/llama-3.1-8b"]
    held = Config.load([file_of(root)], {}, {})
    assert (held.model, held.api_base, held.reply_format) == ("openai/llama-3.1-8b", endpoint.url, "blocks")
    assert held.context_tokens == 8192
    assert held.max_output_tokens + 1.3 * (held.window_tokens + held.page_tokens + held.line_tokens + 2400) <= 8192
    assert any(line.startswith("a source   of three pages") and "no money" in line for line in report.lines)


def test_keys_are_told_by_name_alone_and_nothing_is_written_unasked(root: Path) -> None:
    report = run(root, SetupOptions(yes=True), write=False, GROQ_API_KEY=KEY)

    assert report.exit_status == 1
    assert "GROQ_API_KEY is set: models of groq" in report.lines
    assert KEY not in str(report)
    assert not file_of(root).exists()


def test_where_there_is_none_it_says_how_to_get_one(root: Path) -> None:
    report = run(root, SetupOptions(yes=True))

    assert report.lines[0] == "no model is there"
    assert "ollama pull" in report.lines[1]


def test_a_model_named_as_its_server_names_it_is_known_by_it(root: Path, endpoint: Endpoint) -> None:
    report = run(root, SetupOptions("llama-3.1-8b", yes=True, tries=False), server(endpoint))

    assert report.data["settings"]["model"] == "openai/llama-3.1-8b"


def test_an_address_of_ones_own_tells_what_its_model_reads(root: Path, endpoint: Endpoint) -> None:
    report = run(root, SetupOptions("openai/llama-3.1-8b", endpoint.url, yes=True, tries=False))

    assert report.data["settings"]["context_tokens"] == 8192


def test_a_model_that_is_not_there_is_refused_before_anything_is_written(root: Path, endpoint: Endpoint) -> None:
    with pytest.raises(ModelError) as caught:
        run(root, SetupOptions("openai/mistral", endpoint.url, yes=True))

    assert "it has llama-3.1-8b" in caught.value.message
    assert not file_of(root).exists()


def test_what_nobody_has_set_is_asked_of_a_server_on_this_machine(root: Path, endpoint: Endpoint) -> None:
    flags = {"model": "openai/llama-3.1-8b", "api_base": endpoint.url}

    assert with_room(Settings(root, {}, flags)).config.context_tokens == 8192
    assert with_room(Settings(root, {}, {**flags, "context_tokens": 9000})).config.context_tokens == 9000
    assert with_room(Settings(root, {}, {**flags, "model": "openai/other"})).config.context_tokens == 0
    assert with_room(Settings(root, {}, {"model": "openai/gpt-4o"})).config.context_tokens == 0


# -- curate config


def test_comments_and_tables_stay_where_a_setting_is_written(root: Path) -> None:
    file_of(root).write_text('# mine\nparallel = 2 # two cores\n\n[views]\n# one\nx = "../x"\n')
    settings = Settings(root, {}, {})

    config.change(settings, {"parallel": 3, "model": "openai/x", "views.y": "../y"}, user=False)

    expected = '# mine\nparallel = 3 # two cores\nmodel = "openai/x"\n\n[views]\n# one\nx = "../x"\ny = "../y"\n'
    assert file_of(root).read_text().replace("\n\n\n", "\n\n") == expected
    report = config.change(Settings(root, {}, {}), {"parallel": None}, user=False)
    assert report.lines[0] == "parallel is unset"
    assert Config.load([file_of(root)], {}, {}).parallel == 4


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("review", "maybe", "'auto', 'flagged' or 'always'"),
        ("parallel", "0", "greater than or equal to 1"),
        ("parallel", "many", "integer"),
        ("context_tokens", "10", "less than 6000 tokens"),
        ("revew", "auto", "did you mean 'review'?"),
        ("views", "x", "there is no setting 'views'"),
        ("viewss", "x", "did you mean 'views'?"),
    ],
)
def test_a_bad_value_is_refused_with_what_is_allowed(key: str, value: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parsed(key, value)

    assert words in caught.value.message


def test_values_are_written_as_what_they_are() -> None:
    assert parsed("push", "yes") is True
    assert parsed("dollars_per_day", "1.5") == 1.5
    assert parsed("dimensions", "region/fr unit/x") == ["region/fr", "unit/x"]
    assert parsed("views.mine", "../v") == "../v"


def test_what_is_no_setting_cannot_be_unset_but_where_it_stands(root: Path) -> None:
    settings = Settings(root, {}, {})
    file_of(root).write_text('modle = "openai/x"\n')

    config.change(settings, {"modle": None}, user=False)

    assert file_of(root).read_text() == ""
    with pytest.raises(ConfigError, match="no setting 'modle'; did you mean 'model'"):
        config.change(settings, {"modle": None}, user=False)


def test_a_stronger_place_is_named(root: Path) -> None:
    report = config.change(Settings(root, {"CURATOR_PARALLEL": "9"}, {}), {"parallel": 3}, user=False)

    assert report.notes == ("parallel is also set by CURATOR_PARALLEL, which goes before this file",)
