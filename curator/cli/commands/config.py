"""``curate config``: the settings that hold, and where each was set; get, set, unset and edit them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curator.cli import completing, console
from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.options import common_options, dry_run_option, model_options, reported
from curator.config import Config
from curator.errors import ConfigError, meant
from curator.repository.settings import Settings
from curator.repository.settings_file import SettingsFile, parsed
from curator.wiki.pages import diff

_user = click.option("--user", is_flag=True, help="In ~/.config/curator/config.toml, for all wikis of yours.")


@click.group(cls=CommandGroup, invoke_without_command=True)
@model_options
@common_options
@click.pass_context
def config(context: click.Context, /, **flags: str | None) -> int | None:
    if context.invoked_subcommand is not None:
        return None
    return console.run(context.obj, "config", lambda: run(console.settings(context.obj, flags)))


def run(settings: Settings) -> Report:
    """All of them."""
    files, values, places = _held(settings)
    width = max(map(len, values))
    lines = [
        f"{key:<{width}}  {_shown(value)}" + (f"  ({places[key]})" if key in places else "")
        for key, value in values.items()
    ]
    data = {"settings": values, "places": places, "files": [str(file) for file in files]}
    there = [str(file) for file in files if file.is_file()]
    source = (
        f"read from {' and '.join(there)}" if there else "no file of settings is there yet: curate config set KEY VALUE"
    )
    return Report(data, (*lines, source))


@config.command("get")
@click.argument("key", shell_complete=completing.settings)
@common_options
@reported
def config_get(common: CommonOptions, /, key: str) -> Report:
    """One setting, as it holds here."""
    _, values, places = _held(console.settings(common))
    if key not in values:
        hint = "`curate config` lists all settings"
        raise ConfigError("config_unknown_key", f"there is no setting {key!r}{meant(key, values)}", hint)
    return Report({"key": key, "value": values[key], "place": places.get(key)}, (_shown(values[key]),))


@config.command("set")
@click.argument("key", shell_complete=completing.settings)
@click.argument("value")
@_user
@dry_run_option
@common_options
@reported
def config_set(common: CommonOptions, /, key: str, value: str, user: bool, dry_run: bool) -> Report:
    """Write one setting; comments in the file stay. views.NAME sets a view."""
    return change(console.settings(common), {key: parsed(key, value)}, user, dry_run)


@config.command("unset")
@click.argument("key", shell_complete=completing.settings)
@_user
@dry_run_option
@common_options
@reported
def config_unset(common: CommonOptions, /, key: str, user: bool, dry_run: bool) -> Report:
    """Take one setting out of the file: its default holds again."""
    return change(console.settings(common), {key: None}, user, dry_run)


@config.command("edit")
@_user
@common_options
@reported
def config_edit(common: CommonOptions, /, user: bool) -> Report:
    """Open the file in your editor; what cannot be read again is not written."""
    settings = console.settings(common)
    with settings.repository:
        file = SettingsFile(_path(settings, user))
    text = file.text()
    while True:
        edited = click.edit(text or _EMPTY, extension=".toml")
        if edited is None or edited == file.text():
            return Report({"file": str(file.path), "changed": False}, ("nothing was changed",))
        try:
            file.check(edited)
        except ConfigError as error:
            console.note(f"{error.message}\n  {error.hint}")
            if not click.confirm("Edit it again? Otherwise nothing is written", default=True, err=True):
                raise
            text = edited
            continue
        file.write(edited)
        return Report({"file": str(file.path), "changed": True}, (f"wrote {file.path}",))


_EMPTY = """# The settings of curator; docs/configuration.md, and `curate config`, list them all.
# model = "ollama_chat/qwen2.5:7b"
"""


def change(settings: Settings, values: dict[str, Any], user: bool, dry_run: bool = False) -> Report:
    """Write ``values`` to the wiki's file, or the user's; a stronger place that has another value is named."""
    with settings.repository:
        file = SettingsFile(_path(settings, user))
        text = file.changed(values)
        if dry_run:
            shown = diff.between(file.path.name, file.text(), text)
            return Report({"file": str(file.path), "diff": shown}, (f"would write {file.path}", shown))
        file.write(text)
    _, held, places = _held(settings)
    data = {"file": str(file.path), "settings": {key: held.get(key.partition(".")[0]) for key in values}}
    lines = [f"{key} = {_shown(value)}" if value is not None else f"{key} is unset" for key, value in values.items()]
    notes = [
        f"{key} is also set by {place}, which goes before this file"
        for key in values
        if (place := places.get(key, str(file.path))) != str(file.path) and values[key] != held.get(key)
    ]
    return Report(data, (*lines, f"wrote {file.path}"), notes=tuple(notes))


def _path(settings: Settings, user: bool) -> Path:
    """The file to write. Raises ConfigError where there is none, NotTrusted for one that may be a stranger's."""
    files = settings.config_files
    if not user:
        return files[-1]
    if len(files) == 1:
        raise ConfigError("no_home", "there is no home folder for settings of yours", "leave --user out, or set HOME")
    return files[0]


def _held(settings: Settings) -> tuple[list[Path], dict[str, Any], dict[str, str]]:
    with settings.repository:
        files = settings.config_files
        config, places = Config.load_with_places(files, settings.environment, settings.flags)
    return files, config.model_dump(mode="json"), places


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "(none)"
    return str(value).lower() if isinstance(value, bool) else str(value) if value not in ("", {}) else "(none)"
