"""What checks: the pages, the wiki's conformance, the machine; and mends what can be mended."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from curator.cli import console
from curator.cli.console import Options
from curator.cli.options import FILE, common_options, reported, view_option
from curator.errors import ConfigError

if TYPE_CHECKING:
    from curator.cli.report import Report

_INDEX_OF_THE_HOOK = os.environ.get("GIT_INDEX_FILE", "")
"""``git commit -a`` and ``git commit FILE`` prepare their commit in another index; taken before ``main`` forgets it."""


@click.command()
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warn", "info", "never"]),
    default="error",
    show_default=True,
    help="Exit status 1 for findings of this severity, or a worse one.",
)
@click.option("--only", multiple=True, metavar="CODES", help="Only findings of these codes; nothing goes to the log.")
@click.option("--fix", is_flag=True, help="Fix what is mechanical, in one commit.")
@click.option("--no-log", is_flag=True, help="Append nothing to the log.")
@click.option("--sarif", "form", flag_value="sarif", help="SARIF 2.1.0 on stdout.")
@click.option("--github", "form", flag_value="github", help="Annotations for GitHub Actions on stdout.")
@click.option("--dry-run", is_flag=True, help="Write nothing; with --fix: show the diffs.")
@view_option
@common_options
@reported
def lint(
    options: Options,
    /,
    fail_on: str,
    only: tuple[str, ...],
    fix: bool,
    no_log: bool,
    form: str | None,
    dry_run: bool,
    **flags: str | None,
) -> Report:
    """The maintenance pass: orphans, stale claims, contradictions, broken links, and all else that went wrong in pages."""
    from curator.cli.commands import lint as command

    if form and options.json:
        raise ConfigError("usage", f"--json and --{form} are two forms of one output", "choose one of them")
    printed = form or ("json" if options.json else "text")
    wish = command.LintOptions(fail_on, command.codes(only), fix, not no_log, dry_run, printed)
    with console.progress(options) as say:
        return command.run(console.settings(options, flags), wish, say)


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)
@click.option("--all", "everything", is_flag=True, help="All failures, and warnings; else the first failure.")
@click.option("--staged", is_flag=True, help="What is staged, as a hook of git's sees it; else what is committed.")
@common_options
@reported
def validate(options: Options, paths: tuple[Path, ...], everything: bool, staged: bool) -> Report:
    """Is the wiki conforming? PATH is its folder, a file in it, or a view's folder. Exit status 1 when it is not."""
    from curator.cli.commands import validate as command

    return command.run(options.wiki, paths, os.environ, everything=everything, staged=staged, index=_INDEX_OF_THE_HOOK)


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended, in one commit.")
@click.option("--dry-run", is_flag=True, help="With --repair: say what would be done, and show the diffs.")
@common_options
@reported
def doctor(options: Options, repair: bool, dry_run: bool) -> Report:
    """What this machine offers, proven; what is wrong and what to do. Exit status 1 when something is wrong."""
    from curator.cli.commands import doctor as command

    with console.progress(options) as say:
        return command.run(lambda: console.settings(options), options.wiki, repair, dry_run, say)
