"""What writes: a wiki made, sources taken in, pages changed by hand, ingests taken back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from curator.cli import console
from curator.cli.console import Options
from curator.cli.options import AUTHORITY, FILE, FOLDER, common_options, dry_run_option, model_options, reported

if TYPE_CHECKING:
    from curator.cli.report import Report


@click.command()
@click.argument("folder", type=FOLDER, required=False)
@click.option("--title", help="The wiki's title; else made from the folder's name.")
@common_options
@click.option("--dry-run", is_flag=True, help="Say what would be made, make nothing.")
@reported
def init(options: Options, folder: Path | None, title: str | None, dry_run: bool) -> Report:
    """Make a new wiki: KNOWLEDGE.md, AGENTS.md, folders, git."""
    from curator.cli.commands import init as command

    return command.run(folder or options.wiki or Path(), title, dry_run)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@dry_run_option
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option("--authority", type=AUTHORITY, help="What the sources are; else sources.authorityDefault.")
@click.option("--supersedes", multiple=True, metavar="SOURCE", help="A source that this one replaces: its path or id.")
@model_options
@common_options
@reported
def ingest(
    options: Options,
    /,
    files: tuple[Path, ...],
    dry_run: bool,
    ask_again: bool,
    authority: str | None,
    supersedes: tuple[str, ...],
    **flags: str | None,
) -> Report:
    """Take sources in, one commit each."""
    from curator.cli.commands import ingest as command
    from curator.wiki.sources.source import SourceRemarks

    with console.progress(options) as say:
        remarks = SourceRemarks(authority or "", supersedes)
        return command.run(console.settings(options, flags), files, dry_run, ask_again, say, remarks)


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@model_options
@common_options
@reported
def estimate(options: Options, /, files: tuple[Path, ...], **flags: str | None) -> Report:
    """What taking sources in would take of the model, before anything is asked or paid."""
    from curator.cli.commands import estimate as command

    with console.progress(options) as say:
        return command.run(console.settings(options, flags), files, say)


@click.command()
@click.argument("ids", nargs=-1, required=True)
@dry_run_option
@common_options
@reported
def undo(options: Options, ids: tuple[str, ...], dry_run: bool) -> Report:
    """Take ingests back, in a new commit; what came later stays. IDs are those of curate log, or paths of sources."""
    from curator.cli.commands import edit as command

    return command.take_back(console.settings(options), ids, dry_run)


@click.command()
@click.argument("old")
@click.argument("new")
@dry_run_option
@common_options
@reported
def rename(options: Options, old: str, new: str, dry_run: bool) -> Report:
    """Give the page OLD another slug, or another title; every link to it follows."""
    from curator.cli.commands import edit as command

    return command.rename(console.settings(options), old, new, dry_run)


@click.command()
@click.argument("name", metavar="SLUG")
@click.option("--why", required=True, help="The reason, for the log.")
@dry_run_option
@common_options
@reported
def remove(options: Options, name: str, why: str, dry_run: bool) -> Report:
    """Remove a page; links to it become words. For sources/FILE, once deleted: what its ingests brought."""
    from curator.cli.commands import edit as command

    return command.remove(console.settings(options), name, why, dry_run)


@click.command()
@click.argument("dest", type=FOLDER)
@click.option("--title", help="The fork's title; else the wiki's.")
@dry_run_option
@common_options
@reported
def fork(options: Options, dest: Path, title: str | None, dry_run: bool) -> Report:
    """Copy the wiki as committed to a new folder, with a log and a history of its own that name their parent."""
    from curator.cli.commands import fork as command

    return command.run(console.settings(options), dest, title, dry_run)


@click.command()
@click.option("--why", default="", metavar="REASON", help="For the log.")
@dry_run_option
@common_options
@reported
def approve(options: Options, why: str, dry_run: bool) -> Report:
    """Accept a change of KNOWLEDGE.md or AGENTS.md: until then sources wait. curate status shows it."""
    from curator.cli.commands import approve as command

    return command.run(console.settings(options), why, dry_run)
