"""``curate sources``: what the registry says of the sources that are in, and what people say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from curator.cli import console
from curator.cli.console import Options
from curator.cli.options import AUTHORITY, common_options, dry_run_option, reported

if TYPE_CHECKING:
    from curator.cli.report import Report


@click.group(invoke_without_command=True)
@common_options
@click.pass_context
def sources(context: click.Context) -> int | None:
    """The registry: every source that is in, as knowledge.source/v1 has it; show tells of one, set says something of it."""
    if context.invoked_subcommand is not None:
        return None
    from curator.cli.commands import sources as command

    return console.run(context.obj, "sources", lambda: command.run(console.settings(context.obj)))


@sources.command("show")
@click.argument("name", metavar="SOURCE")
@common_options
@reported
def sources_show(options: Options, name: str) -> Report:
    """What the registry says of one source, named by its path or id."""
    from curator.cli.commands import sources as command

    return command.show(console.settings(options), name)


@sources.command("set")
@click.argument("name", metavar="SOURCE")
@click.option("--authority", type=click.Choice([*AUTHORITY.choices, ""]), help="Empty: sources.authorityDefault.")
@click.option("--superseded-by", metavar="SOURCE", help="The source that replaces it: its path or id.")
@click.option("--title", help="What people call it.")
@click.option("--language", metavar="CODE", help="As en, or en-GB.")
@click.option("--tag", "tags", multiple=True, help="Its tags are those given, and no others.")
@click.option("--by", "captured_by", metavar="NAME", help="Who brought it.")
@click.option("--why", default="", help="The reason, for the log.")
@dry_run_option
@common_options
@reported
def sources_set(
    options: Options, /, name: str, tags: tuple[str, ...], why: str, dry_run: bool, **said: str | None
) -> Report:
    """Say something of a source, in one commit. An empty value takes back what was said."""
    from curator.cli.commands import sources as command
    from curator.wiki.sources.records import RecordUpdate

    wish = RecordUpdate(tags=tags or None, **said)
    return command.describe(console.settings(options), name, wish, why, dry_run)
