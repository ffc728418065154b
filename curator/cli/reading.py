"""What reads: answers from the pages, what happened, what waits, and which rules and settings hold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curator.cli import console
from curator.cli.console import Options
from curator.cli.options import FILE, all_types_option, common_options, model_options, reported, view_option
from curator.errors import ConfigError

if TYPE_CHECKING:
    from curator.cli.report import Report

_COUNT = click.IntRange(min=1)


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", type=_COUNT, default=10, show_default=True, help="How many pages.")
@all_types_option
@view_option
@common_options
@reported
def search(options: Options, /, words: tuple[str, ...], limit: int, everywhere: bool, **flags: str | None) -> Report:
    """The pages that match, best first; no model."""
    from curator.cli.commands import search as command

    return command.run(console.settings(options, flags), " ".join(words), limit, everywhere)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--save", is_flag=True, help="File the answer as a page, in one commit.")
@click.option("--title", default="", help="Of that page; else made of the question.")
@all_types_option
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option("--dry-run", is_flag=True, help="With --save: show the page, write nothing.")
@model_options
@common_options
@reported
def ask(
    options: Options,
    /,
    question: tuple[str, ...],
    save: bool,
    title: str,
    everywhere: bool,
    ask_again: bool,
    dry_run: bool,
    **flags: str | None,
) -> Report:
    """An answer from the pages, each statement proven by them and with its sources."""
    from curator.cli.commands import ask as command

    with console.progress(options) as say:
        wish = command.AskRequest(save, title, everywhere, dry_run, ask_again)
        return command.run(console.settings(options, flags), " ".join(question), wish, say)


@click.command()
@all_types_option
@view_option
@common_options
@reported
def index(options: Options, /, everywhere: bool, **flags: str | None) -> Report:
    """The pages as the manifest groups them, or a view of it; _index.md stays as it is."""
    from curator.cli.commands import index as command

    return command.run(console.settings(options, flags), everywhere)


@click.command()
@click.option("--watch", is_flag=True, help="Go on showing it, until Ctrl-C.")
@common_options
@reported
def status(options: Options, watch: bool) -> Report:
    """What the wiki holds, what the service is at, and what waits and why."""
    from curator.cli.commands import live, status

    if watch and (options.json or not sys.stdout.isatty()):
        raise ConfigError("usage", "--watch shows a live view on a terminal", "leave --watch out for scripts")
    return live.run(console.settings(options)) if watch else status.run(console.settings(options))


@click.command()
@click.option("-n", "--limit", type=_COUNT, default=20, show_default=True, help="How many, newest first.")
@click.option("--page", metavar="SLUG", help="Which ingest brought which line of this page.")
@common_options
@reported
def log(options: Options, limit: int, page: str | None) -> Report:
    """What each ingest did, from git; or where each line of a page comes from."""
    from curator.cli.commands import log as command

    if page is not None:
        return command.run_page(console.settings(options), page)
    return command.run(console.settings(options), limit)


@click.command()
@click.argument("path", type=FILE, required=False)
@click.option("--explain", metavar="FIELD", help="Which file set this field, and which were overridden or refused.")
@click.option("--dimension", "dimensions", metavar="NAME/VALUE", multiple=True, help="True here, as in region/fr.")
@click.option("--worktree", is_flag=True, help="Read the files as they lie, not as committed.")
@common_options
@reported
def manifest(
    options: Options, path: Path | None, explain: str | None, dimensions: tuple[str, ...], worktree: bool
) -> Report:
    """The KNOWLEDGE.md that holds, merged with all it extends. PATH is a view or its folder; else the wiki's own."""
    from curator.cli.commands import manifest as command

    return command.run(lambda: console.settings(options), path, explain, dimensions, worktree)


@click.command()
@model_options
@common_options
@reported
def config(options: Options, /, **flags: str | None) -> Report:
    """The settings that hold here, and where each was set."""
    from curator.cli.commands import config as command

    return command.run(console.settings(options, flags))
