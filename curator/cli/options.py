"""What the commands share: options, types of arguments, and how a command's report is printed."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.errors import ConfigError
from curator.system.filenames import printable

_Arguments = ParamSpec("_Arguments")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class _File(click.Path):
    """A path. An empty one, as from an unset shell variable, is an error and not the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("a file's name is empty", param, ctx)
        return super().convert(value, param, ctx)


class _Source(_File):
    """A path, or the address of a page, which stays a string: as a path it would lose a slash."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value.lower().startswith(("https://", "http://")):
            return value
        if isinstance(value, str) and _SCHEME.match(value) and not Path(value).exists():
            self.fail(f"{value!r}: pages are fetched by https and http; a file is named by its path", param, ctx)
        return super().convert(value, param, ctx)


def check_quoted(files: Sequence[Path | str]) -> None:
    """Raises ConfigError for a name with spaces that the shell has cut up, because nobody put it in quotes."""
    words = [f"{file}" for file in files]
    for at in range(len(words) - 1):
        for end in range(at + 2, len(words) + 1):
            whole = " ".join(words[at:end])
            if not os.path.lexists(words[at]) and os.path.lexists(whole):
                message = f"there is no {printable(words[at])!r}, but there is {printable(whole)!r}"
                raise ConfigError(
                    "usage", message, f"put a name with spaces in quotes: {shlex.quote(printable(whole))}"
                )


FILE = _File()
SOURCE = _Source()
FOLDER = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)


def common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--wiki`` and ``--json`` behind the command's name, where people type them."""

    def keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value and parameter.name is not None:
            setattr(context.obj, parameter.name, value)

    for option in (
        click.option("--json", is_flag=True, expose_value=False, callback=keep, help="One JSON object on stdout."),
        click.option("--wiki", type=FOLDER, expose_value=False, callback=keep, help="The wiki's folder."),
    ):
        command = option(command)
    return command


view_option = click.option("--view", metavar="VIEW", help="Look through this view: its name in views, or its path.")


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--view``, and which model is asked: the flags that go before environment and files."""
    for option in (
        click.option("--model", help="litellm's name of a model, as in openai/gpt-4o; none: the built-in curator."),
        click.option("--api-base", help="Address of an OpenAI-compatible server."),
        view_option,
    ):
        command = option(command)
    return command


all_types_option = click.option(
    "--all", "everywhere", is_flag=True, help="Pages of all types, whatever queryHints.scopeTo."
)
worktree_option = click.option("--worktree", is_flag=True, help="Look at the files as they lie, not as committed.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would change, write nothing.")


def reported(command: Callable[Concatenate[CommonOptions, _Arguments], Report]) -> Callable[_Arguments, int]:
    """The command whose report, or error, is printed under its name; ``packs_check__run`` is ``packs check-run``."""
    name = command.__name__.replace("__", "-").replace("_", " ")

    @click.pass_obj
    @wraps(command)
    def run(common: CommonOptions, /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> int:
        return console.run(common, name, partial(command, common, *args, **kwargs))

    return run
