"""The service: run by hand, told what to try again or to leave alone, and kept running by the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curator.cli import console
from curator.cli.console import Options
from curator.cli.options import FILE, FOLDER, cli, common_options, model_options, reported

if TYPE_CHECKING:
    from curator.cli.report import Report


@click.command()
@click.argument("folders", nargs=-1, type=FOLDER)
@click.option(
    "--log", "log_format", type=click.Choice(["text", "json"]), default="text", help="How it logs, to stderr."
)
@click.option("--once", is_flag=True, help="Take in what is there, then end.")
@model_options
@common_options
@reported
def watch(options: Options, /, folders: tuple[Path, ...], log_format: str, once: bool, **flags: str | None) -> Report:
    """The service: take in whatever is put into sources/, of one wiki or of several."""
    from curator.cli.commands import watch as command

    wikis = folders or ((options.wiki,) if options.wiki else (None,))
    return command.run([console.settings(replace(options, wiki=wiki), flags) for wiki in wikis], log_format, once)


@click.command(hidden=True)
@model_options
@common_options
@reported
def stream(options: Options, /, **flags: str | None) -> Report:
    """Take in what stdin names, line by line: how the service has it done."""
    from curator.cli.commands import stream as command

    return command.run(console.settings(options, flags), sys.stdin, console.print_line)


@click.command()
@click.argument("sources", nargs=-1, type=FILE)
@click.option("--all", "all_of_them", is_flag=True, help="Everything that waits, is parked or was put aside.")
@common_options
@reported
def retry(options: Options, sources: tuple[Path, ...], all_of_them: bool) -> Report:
    """Have the service try sources again that are parked, wait, or were put aside."""
    from curator.cli.commands import retry_skip as command

    return command.retry(console.settings(options), sources, all_of_them)


@click.command()
@click.argument("sources", nargs=-1, required=True, type=FILE)
@common_options
@reported
def skip(options: Options, sources: tuple[Path, ...]) -> Report:
    """Put sources aside: the service leaves them alone until they change, or until curate retry."""
    from curator.cli.commands import retry_skip as command

    return command.skip(console.settings(options), sources)


@click.group()
def service() -> None:
    """Keep curate watch running: units for systemd or launchd, lines for cron, a compose file."""


def _service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    formats = click.Choice(["systemd", "launchd", "cron", "container"])
    about = "Who keeps it running; else what this machine has."
    return common_options(click.option("--format", "kind", type=formats, help=about)(command))


@service.command("show")
@_service_options
@reported
def service_show(options: Options, kind: str | None) -> Report:
    """What install would write; nothing is."""
    from curator.cli.commands import service as command

    return command.show(options.wiki, kind, os.environ, "lint" in cli.commands)


@service.command("install")
@click.option("--force", is_flag=True, help="Overwrite files that were changed by hand.")
@click.option("--dry-run", is_flag=True, help="Say what would be written and run.")
@_service_options
@reported
def service_install(options: Options, kind: str | None, force: bool, dry_run: bool) -> Report:
    """Write the service's files and start it; again to bring them up to date."""
    from curator.cli.commands import service as command

    return command.install(options.wiki, kind, os.environ, "lint" in cli.commands, force, dry_run)


@service.command("uninstall")
@click.option("--force", is_flag=True, help="Remove files that were changed by hand, too.")
@click.option("--dry-run", is_flag=True, help="Say what would be stopped and removed.")
@_service_options
@reported
def service_uninstall(options: Options, kind: str | None, force: bool, dry_run: bool) -> Report:
    """Stop the service and remove its files. A wiki named with --wiki need not be there any more."""
    from curator.cli.commands import service as command

    return command.uninstall(options.wiki, kind, os.environ, force, dry_run)
