"""The command line: arguments in, exit code out. The one place that prints and that reads the environment.

Heavy modules are imported by the command that needs them, so that ``curate --help`` is instant.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curator import __version__
from curator.errors import CuratorError

if TYPE_CHECKING:
    from curator.report import Report
    from curator.settings import Settings


@dataclass
class Options:
    """What stands before the command's name."""

    wiki: Path | None
    json: bool


_FOLDER = click.Path(path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--wiki", type=_FOLDER, envvar="CURATOR_WIKI", help="The wiki's folder; found upwards when not given.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.version_option(__version__, prog_name="curate")
@click.pass_context
def cli(context: click.Context, wiki: Path | None, as_json: bool) -> None:
    """Keep a wiki with a language model: one source in, one proven git commit out."""
    context.obj = Options(wiki, as_json)


def _model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--model", help="litellm's name of a model, as in openai/gpt-4o; none: the built-in curator."),
        click.option("--api-base", help="Address of an OpenAI-compatible server."),
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("folder", type=_FOLDER, default=Path())
@click.option("--title", help="The wiki's title; else made from the folder's name.")
@click.pass_obj
def init(options: Options, folder: Path, title: str | None) -> int:
    """Make a new wiki: KNOWLEDGE.md, AGENTS.md, folders, git."""
    from curator.commands import init as command

    return _run(options, "init", lambda: command.run(options.wiki or folder, title))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=_FOLDER)
@click.option("--dry-run", is_flag=True, help="Show the diffs, write nothing.")
@_model_options
@click.pass_obj
def ingest(options: Options, files: tuple[Path, ...], dry_run: bool, model: str | None, api_base: str | None) -> int:
    """Take sources in, one commit each."""
    from curator.commands import ingest as command

    flags = {"model": model, "api_base": api_base}
    return _run(options, "ingest", lambda: command.run(_settings(options, flags), files, dry_run, _progress(options)))


@cli.command()
@click.pass_obj
def status(options: Options) -> int:
    """What the wiki holds, and what waits and why."""
    from curator.commands import status as command

    return _run(options, "status", lambda: command.run(_settings(options)))


@cli.command()
@click.option("-n", "--limit", default=20, show_default=True, help="How many, newest first.")
@click.pass_obj
def log(options: Options, limit: int) -> int:
    """What each ingest did, from git."""
    from curator.commands import log as command

    return _run(options, "log", lambda: command.run(_settings(options), limit))


@cli.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", default=10, show_default=True, help="How many pages.")
@click.pass_obj
def search(options: Options, words: tuple[str, ...], limit: int) -> int:
    """The pages that match, best first; no model."""
    from curator.commands import search as command

    return _run(options, "search", lambda: command.run(_settings(options), " ".join(words), limit))


# -- printing ------------------------------------------------------------------------------------------------------


def _run(options: Options, name: str, command: Callable[[], Report]) -> int:
    """Run one command and print its report, or its error, in the form that was asked for."""
    try:
        report = command()
    except CuratorError as error:
        return _print_error(options, name, error)
    if options.json:
        _print_json({"ok": report.ok, "command": name, **report.data})
    elif report.lines:
        print("\n".join(report.lines))
    return report.exit_status


def _print_error(options: Options, name: str, error: CuratorError) -> int:
    if options.json:
        problem = {"code": error.code, "message": error.message, "hint": error.hint}
        _print_json({"ok": False, "command": name, "error": problem})
    else:
        print(f"curate {name}: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"  {error.hint}", file=sys.stderr)
    return error.exit_status


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _progress(options: Options) -> Callable[[str], None]:
    """Says what is being done: a line that moves on a terminal, plain lines elsewhere, nothing beside JSON."""
    if options.json:
        return lambda _: None
    if not sys.stderr.isatty():
        return lambda text: print(text, file=sys.stderr)
    from rich.console import Console

    console = Console(stderr=True)
    spinner = console.status("")
    spinner.start()
    return lambda text: spinner.update(text) if text else spinner.stop()


def _settings(options: Options, flags: dict[str, Any] | None = None) -> Settings:
    from curator.settings import Settings

    return Settings.gather(options.wiki, os.environ, flags or {})


def main() -> None:
    """The ``curate`` command."""
    from curator.git import scrub_environment

    scrub_environment()
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # looking for plugins takes 25 ms, and none has business here
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.exit(cli.main(standalone_mode=False))
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except KeyboardInterrupt:
        print("curate: interrupted; nothing is half done", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        _crash(error)
        sys.exit(3)


def _crash(error: Exception) -> None:
    """A fault of curator's own: say so in a line, and keep what a developer needs."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="curate-crash-", suffix=".log", delete=False) as file:
        traceback.print_exception(error, file=file)
    print(f"curate: this is a fault of curator itself: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"  nothing was committed; please report it with {file.name}", file=sys.stderr)
