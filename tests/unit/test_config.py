"""Where settings come from, which one counts, and what is said of a wrong one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from curator.config import Config
from curator.errors import ConfigError
from curator.repository.settings import Settings


def load(tmp_path: Path, *texts: str, env: Mapping[str, str] | None = None, **flags: Any) -> Config:
    files = [tmp_path / f"{number}.toml" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
    return Config.load(files, env or {}, flags)


def problem(tmp_path: Path, *texts: str, env: Mapping[str, str] | None = None, **flags: Any) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, *texts, env=env, **flags)
    assert caught.value.hint
    return caught.value


def test_without_any_setting_the_built_in_curator_is_chosen(tmp_path: Path) -> None:
    config = Config.load([tmp_path / "nowhere.toml", tmp_path / "no" / "folder.toml"], {}, {})

    assert config == Config()
    assert config.model == ""


def test_a_flag_counts_more_than_the_environment_and_that_more_than_the_files(tmp_path: Path) -> None:
    files = ('model = "a"\nmax_attempts = 1', 'model = "b"\nmax_attempts = 2\nline_tokens = 2')
    env = {"CURATOR_MODEL": "c", "CURATOR_MAX_ATTEMPTS": "3", "HOME": "/"}

    config = load(tmp_path, *files, env=env, model="d", api_base=None)

    assert (config.model, config.max_attempts, config.line_tokens, config.api_base) == ("d", 3, 2, "")


def test_an_empty_variable_switches_the_model_off(tmp_path: Path) -> None:
    assert load(tmp_path, 'model = "a"', env={"CURATOR_MODEL": ""}).model == ""


@pytest.mark.parametrize("name", ["CURATOR_WIKI", "CURATOR_NOW"])
def test_a_variable_that_is_no_setting_is_left_alone(tmp_path: Path, name: str) -> None:
    assert load(tmp_path, env={name: "x"}) == Config()


def test_a_setting_below_the_table_of_views_is_no_view(tmp_path: Path) -> None:
    found = problem(tmp_path, '[views]\nresearch = "../lab"\nview = "research"\n')

    assert "put it above that line" in found.message


def test_an_unknown_key_is_named_with_its_place_and_the_one_that_was_meant(tmp_path: Path) -> None:
    error = problem(tmp_path, 'modle = "a"')

    assert error.code == "config_unknown_key"
    assert error.message == f"{tmp_path / '0.toml'}: unknown key 'modle'; did you mean 'model'?"
    assert error.hint == "`curate config` lists all settings"


def test_an_unknown_variable_is_named_as_it_was_written(tmp_path: Path) -> None:
    assert problem(tmp_path, env={"CURATOR_XYZZY": "1"}).message == "CURATOR_XYZZY: unknown key 'xyzzy'"


def test_a_table_is_an_unknown_key(tmp_path: Path) -> None:
    assert problem(tmp_path, '[zzz]\nmodel = "a"').message.endswith("unknown key 'zzz'")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_attempts", "0"),
        ("max_attempts", "many"),
        ("answer_seconds", "0"),
        ("answer_seconds", "inf"),
        ("answer_seconds", "nan"),
        ("retry_seconds", "-1"),
        ("max_output_tokens", "1"),
        ("max_source_bytes", "0"),
        ("commit_sources", "maybe"),
        ("reply_format", "xml"),
        ("api_base", "localhost:8080"),
    ],
)
def test_a_value_that_cannot_be_is_quoted_with_its_place(tmp_path: Path, key: str, value: str) -> None:
    error = problem(tmp_path, env={f"CURATOR_{key.upper()}": value})

    assert error.code == "config_invalid"
    assert error.message.startswith(f"CURATOR_{key.upper()}: {key} = {value!r}: ")


@pytest.mark.parametrize("value", ["http://wiki.intranet", "wiki.intranet:8080", "wiki.intranet/start", "[::1]"])
def test_a_host_is_no_address(tmp_path: Path, value: str) -> None:
    assert f"{value!r} is no host" in problem(tmp_path, env={"CURATOR_FETCH_HOSTS": f"10.0.0.7 ::1 {value}"}).message
    assert Config.load([], {"CURATOR_FETCH_HOSTS": "10.0.0.7 ::1"}, {}).fetch_hosts == ("10.0.0.7", "::1")


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    error = problem(tmp_path, "max_attempts = 0\nzzz = 1", env={"CURATOR_PAGE_TOKENS": "few"}, api_base="ftp://x")

    assert error.code == "config_unknown_key"
    lines = error.message.split("\n")
    assert len(lines) == 5
    assert any("--api-base: api_base = 'ftp://x': it has to begin with http" in line for line in lines)


@pytest.mark.parametrize(
    ("content", "seen"),
    [(b"model = x", "is not TOML: Invalid value (at line 1"), (b'model = "\xff"', "is not UTF-8")],
)
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes, seen: str) -> None:
    file = tmp_path / "curator.toml"
    file.write_bytes(content)

    with pytest.raises(ConfigError) as caught:
        Config.load([file], {}, {})

    assert caught.value.code == "config_unreadable"
    assert f"{file} {seen}" in caught.value.message


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Is a directory"):
        Config.load([tmp_path], {}, {})


def test_the_wikis_own_file_counts_more_than_the_users(root: Path, tmp_path: Path) -> None:
    users = tmp_path / "config" / "curator" / "config.toml"
    users.parent.mkdir(parents=True)
    users.write_text("line_tokens = 1\npage_tokens = 1\n")
    settings = Settings.gather(root, {"XDG_CONFIG_HOME": str(tmp_path / "config")}, {})

    with settings.repository as repository:
        repository.runtime.config.write_text("page_tokens = 2\n")

        assert (settings.config.line_tokens, settings.config.page_tokens) == (1, 2)


def test_a_file_in_the_wiki_is_not_read(root: Path) -> None:
    (root / "curator.toml").write_text('model = "openai/evil"\n')

    settings = Settings.gather(root, {}, {})

    with settings.repository:
        assert settings.config.model == ""


def test_no_home_is_no_fault(root: Path) -> None:
    settings = Settings.gather(root, {"HOME": ""}, {})

    with settings.repository:
        assert settings.config == Config()


def test_the_wiki_is_found_from_a_folder_in_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "sources")

    assert Settings.gather(None, {}, {}).root == root


def test_the_clock_can_be_fixed(root: Path) -> None:
    settings = Settings(root, {"SOURCE_DATE_EPOCH": "1777636800"}, {})

    assert settings.now().isoformat() == "2026-05-01T12:00:00+00:00"


@pytest.mark.parametrize("value", ["soon", "-1e9", "99999999999999999", "²"])
def test_a_fixed_clock_that_is_no_time_is_refused(root: Path, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Settings(root, {"SOURCE_DATE_EPOCH": value}, {}).now()

    assert repr(value) in caught.value.message


@pytest.mark.parametrize("name", ["line\nbreak", "not-utf-8-\udcff"])
def test_a_wiki_whose_path_is_not_one_line_of_utf_8_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "KNOWLEDGE.md").write_text("")

    with pytest.raises(ConfigError) as caught:
        _ = Settings.gather(tmp_path / name, {}, {}).repository

    assert caught.value.code == "path_unusable"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("views = 3", "views = 3: it has to be a table of curator.toml, such as views.research"),
        ("views = {a = 1}", "views.a = 1: input should be a valid string"),
        ("dimensions = 3", "dimensions = 3: it has to be a list of words"),
    ],
)
def test_views_of_another_shape_are_told_in_words(tmp_path: Path, written: str, said: str) -> None:
    file = tmp_path / "curator.toml"
    file.write_text(written)

    with pytest.raises(ConfigError, match=re.escape(said)):
        Config.load([file], {}, {})
