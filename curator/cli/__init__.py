"""The command line, ``curate``: every command by its name, the module it stands in, and its help.

A module is loaded when its command is called for: ``curate --help`` knows this table only, and so is instant.
"""

from __future__ import annotations

import atexit
import gc
from importlib import import_module
from pathlib import Path

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.imports import keeping
from curator.cli.options import FOLDER
from curator.cli.terminal import ensure_utf8_names
from curator.version import __version__

__all__ = ["cli", "main"]

COMMANDS = (
    ("init", "init", "Make a new wiki: KNOWLEDGE.md, AGENTS.md, folders, git."),
    ("ingest", "ingest", "Take sources in, one commit each."),
    ("fetch", "fetch", "Ask the feeds and pages of a reading list what is new, and take it in: by hand, or from cron."),
    ("estimate", "estimate", "What taking sources in would take of the model, before anything is asked or paid."),
    (
        "undo",
        "edit",
        "Take ingests back, in a new commit; what came later stays. IDs are those of curate log, or paths of sources.",
    ),
    ("rename", "edit", "Give the page OLD another slug, or another title; every link to it follows."),
    ("merge", "edit", "Make OTHER part of PAGE: its statements with their proofs, its names, every link to it."),
    ("split", "edit", "Make a new page TITLE of a section, or of statements, of PAGE."),
    (
        "settle",
        "edit",
        "Of two contradicting statements of PAGE, the one with these WORDS stands; the other stays as outweighed.",
    ),
    (
        "remove",
        "edit",
        "Remove a page; links to it become words. For sources/FILE, once deleted: what its ingests brought.",
    ),
    (
        "fork",
        "fork",
        "Copy the wiki as committed to a new folder, with a log and a history of its own that name their parent.",
    ),
    (
        "approve",
        "approve",
        "Accept a change of KNOWLEDGE.md or AGENTS.md: until then sources wait. curate status shows it.",
    ),
    (
        "review",
        "review",
        "Proposals that wait for a person: list, show, approve, reject or edit them. The setting review says which wait.",
    ),
    (
        "trust",
        "trust",
        "Let the settings count that a repository brings with it: programs it names for git, its curator.toml.",
    ),
    ("search", "search", "The pages that match, best first; no model."),
    ("ask", "ask", "An answer from the pages, each statement proven by them and with its sources."),
    (
        "packs",
        "packs",
        "Knowledge packs, this wiki or any other: found, gated, and the least that serves a request, fenced as data.",
    ),
    ("open", "open", "The wiki in the browser, on this machine only: each claim shows the words that it rests on."),
    ("export", "export", "The wiki for others: site, its pages as files with their proofs, for any web space."),
    (
        "mcp",
        "mcp",
        "Serve the wiki to an agent by the Model Context Protocol, on stdin and stdout: search, pages, answers, packs.",
    ),
    ("prove", "prove", "Does the source say what the claim says, read where the quotes stand? No wiki is needed."),
    ("read", "read", "What curator reads of a file: text with anchors, head, what was left out. No wiki is needed."),
    ("index", "index", "The pages as the manifest groups them, or a view of it; _index.md stays as it is."),
    ("status", "status", "What the wiki holds, what the service is at, and what waits and why."),
    ("log", "log", "What each ingest did, from git; or where each line of a page comes from."),
    (
        "manifest",
        "manifest",
        "The KNOWLEDGE.md that holds, merged with all it extends. PATH is a view or its folder; else the wiki's own.",
    ),
    (
        "setup",
        "setup",
        "A language model in a minute: which are there, one of them tried, what an ingest will cost, the settings written.",
    ),
    ("spend", "spend", "What models have cost here: by day, source and model, also for answers that did not land."),
    ("config", "config", "The settings that hold here, and where each was set; get, set, unset and edit them."),
    (
        "sources",
        "sources",
        "The registry: every source that is in, as knowledge.source/v1 has it; show tells of one, set says something of"
        " it.",
    ),
    (
        "lint",
        "lint",
        "The maintenance pass: orphans, stale claims, contradictions, broken links, and all else that went wrong in pages.",
    ),
    (
        "validate",
        "validate",
        "Is the wiki conforming? PATH is its folder, a file in it, or a view's folder. Exit status 1 when it is not.",
    ),
    (
        "doctor",
        "doctor",
        "What this machine offers, proven; what is wrong and what to do. Exit status 1 when something is wrong.",
    ),
    (
        "fleet",
        "fleet",
        "Many wikis on many machines: sources handed in or pushed, workers, limits by tenant, by a PostgreSQL database.",
    ),
    ("watch", "watch", "The service: take in whatever is put into sources/, of one wiki or of several."),
    ("lend", "lend", "Lend model workers by a socket: how the service has litellm loaded once."),
    ("stream", "stream", "Take in what stdin names, line by line: how the service has it done."),
    ("retry", "retry_skip", "Have the service try sources again that are parked, wait, or were put aside."),
    (
        "skip",
        "retry_skip",
        "Put sources aside: the service leaves them alone until they change, or until curate retry.",
    ),
    ("help", "help", "Help on a command or a topic: curate help sources, curate help packs validate."),
    (
        "completion",
        "completion",
        "Print what bash, zsh or fish needs to complete commands, options, pages and sources.",
    ),
    (
        "service",
        "service",
        "Keep curate watch running: units for systemd or launchd, lines for cron, a compose file.",
    ),
)
"""The name, the module in ``commands``, and the help, whose first sentence ``curate --help`` shows."""

_HIDDEN = ("lend", "stream")
_MODULES = {name: module for name, module, _ in COMMANDS}


class _Commands(CommandGroup):
    """Knows names and help; the command itself is loaded when it is to be called, or asked for its own help."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, listed, rest = super().resolve_command(ctx, args)
        if name is None or listed is None:
            return name, listed, rest
        with keeping():
            module = import_module(f"curator.cli.commands.{_MODULES[name]}")
        command: click.Command = getattr(module, name)
        command.help = listed.help
        return name, command, rest


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        report = Report({"version": __version__}, (f"curate, version {__version__}",))
        context.exit(console.run(CommonOptions(None, console.asks_for_json()), "version", lambda: report))


_version_option = click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)


@click.group(
    cls=_Commands,
    commands=[click.Command(name, help=text, hidden=name in _HIDDEN) for name, _, text in COMMANDS],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.option("--wiki", type=FOLDER, envvar="CURATOR_WIKI", help="The wiki's folder; found upwards when not given.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@_version_option
@click.pass_context
def cli(context: click.Context, wiki: Path | None, as_json: bool) -> int:
    """Keep a wiki with a language model: one source in, one proven git commit out."""
    context.obj = common = CommonOptions(wiki, as_json)
    if context.invoked_subcommand is not None:
        return 0
    from curator.cli.commands import overview

    return console.run(common, console.BARE, lambda: overview.overview(common))


def main() -> None:
    """The ``curate`` command."""
    ensure_utf8_names()
    atexit.register(gc.freeze)  # Python looks through all that there is before it ends: a tenth of a short command
    console.main(cli)
