"""The command line: which commands there are, what each takes, and the function that does it.

Heavy modules are imported by the command that needs them, so that ``curate --help`` is instant.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curator import __version__, console
from curator.console import Options
from curator.errors import ConfigError

if TYPE_CHECKING:
    from curator.report import Report


class _File(click.Path):
    """A path; an empty one, as an unset variable of a shell leaves it, is not taken for the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("a file's name is empty", param, ctx)
        return super().convert(value, param, ctx)


_FOLDER = click.Path(path_type=Path)
_COUNT = click.IntRange(min=1)
_AUTHORITY = click.Choice(["primary", "secondary", "rumour"])


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--wiki", type=_FOLDER, envvar="CURATOR_WIKI", help="The wiki's folder; found upwards when not given.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.version_option(__version__, prog_name="curate")
@click.pass_context
def cli(context: click.Context, wiki: Path | None, as_json: bool) -> None:
    """Keep a wiki with a language model: one source in, one proven git commit out."""
    context.obj = Options(wiki, as_json)


def _common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--wiki`` and ``--json`` behind the command's name, where people type them."""

    def keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value and parameter.name is not None:
            setattr(context.obj, parameter.name, value)

    for option in (
        click.option("--json", is_flag=True, expose_value=False, callback=keep, help="One JSON object on stdout."),
        click.option("--wiki", type=_FOLDER, expose_value=False, callback=keep, help="The wiki's folder."),
    ):
        command = option(command)
    return command


_view_option = click.option("--view", metavar="VIEW", help="Look through this view: its name in views, or its path.")


def _model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--model", help="litellm's name of a model, as in openai/gpt-4o; none: the built-in curator."),
        click.option("--api-base", help="Address of an OpenAI-compatible server."),
        _view_option,
    ):
        command = option(command)
    return command


_everywhere = click.option("--all", "everywhere", is_flag=True, help="Pages of all types, whatever queryHints.scopeTo.")
_dry_run = click.option("--dry-run", is_flag=True, help="Show the diffs, write nothing.")


@cli.command()
@click.argument("folder", type=_FOLDER, required=False)
@click.option("--title", help="The wiki's title; else made from the folder's name.")
@_common_options
@click.option("--dry-run", is_flag=True, help="Say what would be made, make nothing.")
@click.pass_obj
def init(options: Options, folder: Path | None, title: str | None, dry_run: bool) -> int:
    """Make a new wiki: KNOWLEDGE.md, AGENTS.md, folders, git."""
    from curator.commands import init as command

    return console.run(options, "init", lambda: command.run(folder or options.wiki or Path(), title, dry_run))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=_File())
@click.option("--dry-run", is_flag=True, help="Show the diffs, write nothing.")
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option("--authority", type=_AUTHORITY, help="What the sources are; else sources.authorityDefault.")
@click.option("--supersedes", multiple=True, metavar="SOURCE", help="A source that this one replaces: its path or id.")
@_model_options
@_common_options
@click.pass_obj
def ingest(
    options: Options,
    /,
    files: tuple[Path, ...],
    dry_run: bool,
    ask_again: bool,
    authority: str | None,
    supersedes: tuple[str, ...],
    **flags: str | None,
) -> int:
    """Take sources in, one commit each."""

    def run() -> Report:
        from curator.commands import ingest as command
        from curator.source import Remarks

        with console.progress(options) as say:
            remarks = Remarks(authority or "", supersedes)
            return command.run(console.settings(options, flags), files, dry_run, ask_again, say, remarks)

    return console.run(options, "ingest", run)


@cli.command(hidden=True)
@_model_options
@_common_options
@click.pass_obj
def stream(options: Options, /, **flags: str | None) -> int:
    """Take in what stdin names, line by line: how the service has it done."""

    def run() -> Report:
        from curator.commands import stream as command

        return command.run(console.settings(options, flags), sys.stdin, console.print_line)

    return console.run(options, "stream", run)


@cli.command()
@click.argument("folders", nargs=-1, type=_FOLDER)
@click.option(
    "--log", "log_format", type=click.Choice(["text", "json"]), default="text", help="How it logs, to stderr."
)
@click.option("--once", is_flag=True, help="Take in what is there, then end.")
@_model_options
@_common_options
@click.pass_obj
def watch(options: Options, /, folders: tuple[Path, ...], log_format: str, once: bool, **flags: str | None) -> int:
    """The service: take in whatever is put into sources/, of one wiki or of several."""

    def run() -> Report:
        from curator.commands import watch as command

        wikis = folders or ((options.wiki,) if options.wiki else (None,))
        return command.run([console.settings(replace(options, wiki=wiki), flags) for wiki in wikis], log_format, once)

    return console.run(options, "watch", run)


@cli.command()
@_model_options
@_common_options
@click.pass_obj
def config(options: Options, /, **flags: str | None) -> int:
    """The settings that hold here, and where each was set."""
    from curator.commands import config as command

    return console.run(options, "config", lambda: command.run(console.settings(options, flags)))


@cli.command()
@click.argument("sources", nargs=-1, type=_File())
@click.option("--all", "all_of_them", is_flag=True, help="Everything that waits, is parked or was put aside.")
@_common_options
@click.pass_obj
def retry(options: Options, sources: tuple[Path, ...], all_of_them: bool) -> int:
    """Have the service try sources again that are parked, wait, or were put aside."""
    from curator.commands import queue as command

    return console.run(options, "retry", lambda: command.retry(console.settings(options), sources, all_of_them))


@cli.command()
@click.argument("sources", nargs=-1, required=True, type=_File())
@_common_options
@click.pass_obj
def skip(options: Options, sources: tuple[Path, ...]) -> int:
    """Put sources aside: the service leaves them alone until they change, or until curate retry."""
    from curator.commands import queue as command

    return console.run(options, "skip", lambda: command.skip(console.settings(options), sources))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=_File())
@_model_options
@_common_options
@click.pass_obj
def estimate(options: Options, /, files: tuple[Path, ...], **flags: str | None) -> int:
    """What taking sources in would take of the model, before anything is asked or paid."""

    def run() -> Report:
        from curator.commands import estimate as command

        with console.progress(options) as say:
            return command.run(console.settings(options, flags), files, say)

    return console.run(options, "estimate", run)


@cli.command()
@click.option("--watch", is_flag=True, help="Go on showing it, until Ctrl-C.")
@_common_options
@click.pass_obj
def status(options: Options, watch: bool) -> int:
    """What the wiki holds, what the service is at, and what waits and why."""

    def run() -> Report:
        from curator.commands import live, status

        if watch and (options.json or not sys.stdout.isatty()):
            raise ConfigError("usage", "--watch shows a live view on a terminal", "leave --watch out for scripts")
        return live.run(console.settings(options)) if watch else status.run(console.settings(options))

    return console.run(options, "status", run)


@cli.command()
@click.option("-n", "--limit", type=_COUNT, default=20, show_default=True, help="How many, newest first.")
@click.option("--page", metavar="SLUG", help="Which ingest brought which line of this page.")
@_common_options
@click.pass_obj
def log(options: Options, limit: int, page: str | None) -> int:
    """What each ingest did, from git; or where each line of a page comes from."""
    from curator.commands import log as command

    if page is not None:
        return console.run(options, "log", lambda: command.run_page(console.settings(options), page))
    return console.run(options, "log", lambda: command.run(console.settings(options), limit))


@cli.command()
@click.argument("ids", nargs=-1, required=True)
@_dry_run
@_common_options
@click.pass_obj
def undo(options: Options, ids: tuple[str, ...], dry_run: bool) -> int:
    """Take ingests back, in a new commit; what came later stays. IDs are those of curate log, or paths of sources."""
    from curator.commands import manual as command

    return console.run(options, "undo", lambda: command.take_back(console.settings(options), ids, dry_run))


@cli.command()
@click.argument("old")
@click.argument("new")
@_dry_run
@_common_options
@click.pass_obj
def rename(options: Options, old: str, new: str, dry_run: bool) -> int:
    """Give the page OLD another slug, or another title; every link to it follows."""
    from curator.commands import manual as command

    return console.run(options, "rename", lambda: command.rename(console.settings(options), old, new, dry_run))


@cli.command()
@click.argument("name", metavar="SLUG")
@click.option("--why", required=True, help="The reason, for the log.")
@_dry_run
@_common_options
@click.pass_obj
def remove(options: Options, name: str, why: str, dry_run: bool) -> int:
    """Remove a page; links to it become words. For sources/FILE, once deleted: what its ingests brought."""
    from curator.commands import manual as command

    return console.run(options, "remove", lambda: command.remove(console.settings(options), name, why, dry_run))


@cli.command()
@click.argument("dest", type=_FOLDER)
@click.option("--title", help="The fork's title; else the wiki's.")
@_dry_run
@_common_options
@click.pass_obj
def fork(options: Options, dest: Path, title: str | None, dry_run: bool) -> int:
    """Copy the wiki as committed to a new folder, with a log and a history of its own that name their parent."""
    from curator.commands import fork as command

    return console.run(options, "fork", lambda: command.run(console.settings(options), dest, title, dry_run))


@cli.command()
@click.option("--why", default="", metavar="REASON", help="For the log.")
@_dry_run
@_common_options
@click.pass_obj
def approve(options: Options, why: str, dry_run: bool) -> int:
    """Accept a change of KNOWLEDGE.md or AGENTS.md: until then sources wait. curate status shows it."""
    from curator.commands import approve as command

    return console.run(options, "approve", lambda: command.run(console.settings(options), why, dry_run))


@cli.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", type=_COUNT, default=10, show_default=True, help="How many pages.")
@_everywhere
@_view_option
@_common_options
@click.pass_obj
def search(options: Options, /, words: tuple[str, ...], limit: int, everywhere: bool, **flags: str | None) -> int:
    """The pages that match, best first; no model."""
    from curator.commands import search as command

    def run() -> Report:
        return command.run(console.settings(options, flags), " ".join(words), limit, everywhere)

    return console.run(options, "search", run)


@cli.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--save", is_flag=True, help="File the answer as a page, in one commit.")
@click.option("--title", default="", help="Of that page; else made of the question.")
@_everywhere
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option("--dry-run", is_flag=True, help="With --save: show the page, write nothing.")
@_model_options
@_common_options
@click.pass_obj
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
) -> int:
    """An answer from the pages, each statement proven by them and with its sources."""

    def run() -> Report:
        from curator.commands import ask as command

        with console.progress(options) as say:
            wish = command.Wish(save, title, everywhere, dry_run, ask_again)
            return command.run(console.settings(options, flags), " ".join(question), wish, say)

    return console.run(options, "ask", run)


@cli.command()
@_everywhere
@_view_option
@_common_options
@click.pass_obj
def index(options: Options, /, everywhere: bool, **flags: str | None) -> int:
    """The pages as the manifest groups them, or a view of it; _index.md stays as it is."""
    from curator.commands import index as command

    return console.run(options, "index", lambda: command.run(console.settings(options, flags), everywhere))


@cli.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended, in one commit.")
@click.option("--dry-run", is_flag=True, help="With --repair: say what would be done, and show the diffs.")
@_common_options
@click.pass_obj
def doctor(options: Options, repair: bool, dry_run: bool) -> int:
    """What this machine offers, proven; what is wrong and what to do. Exit status 1 when something is wrong."""

    def run() -> Report:
        from curator.commands import doctor as command

        with console.progress(options) as say:
            return command.run(lambda: console.settings(options), options.wiki, repair, dry_run, say)

    return console.run(options, "doctor", run)


@cli.group(invoke_without_command=True)
@_common_options
@click.pass_context
def sources(context: click.Context) -> int | None:
    """The registry: every source that is in, as knowledge.source/v1 has it; show tells of one, set says something of it."""
    if context.invoked_subcommand is not None:
        return None
    from curator.commands import sources as command

    return console.run(context.obj, "sources", lambda: command.run(console.settings(context.obj)))


@sources.command("show")
@click.argument("name", metavar="SOURCE")
@_common_options
@click.pass_obj
def sources_show(options: Options, name: str) -> int:
    """What the registry says of one source, named by its path or id."""
    from curator.commands import sources as command

    return console.run(options, "sources show", lambda: command.show(console.settings(options), name))


@sources.command("set")
@click.argument("name", metavar="SOURCE")
@click.option("--authority", type=click.Choice([*_AUTHORITY.choices, ""]), help="Empty: sources.authorityDefault.")
@click.option("--superseded-by", metavar="SOURCE", help="The source that replaces it: its path or id.")
@click.option("--title", help="What people call it.")
@click.option("--language", metavar="CODE", help="As en, or en-GB.")
@click.option("--tag", "tags", multiple=True, help="Its tags are those given, and no others.")
@click.option("--by", "captured_by", metavar="NAME", help="Who brought it.")
@click.option("--why", default="", help="The reason, for the log.")
@_dry_run
@_common_options
@click.pass_obj
def sources_set(
    options: Options, /, name: str, tags: tuple[str, ...], why: str, dry_run: bool, **said: str | None
) -> int:
    """Say something of a source, in one commit. An empty value takes back what was said."""

    def run() -> Report:
        from curator.commands import sources as command
        from curator.registry import Wish

        wish = Wish(tags=tags or None, **said)
        return command.describe(console.settings(options), name, wish, why, dry_run)

    return console.run(options, "sources set", run)


@cli.group()
def service() -> None:
    """Keep curate watch running: units for systemd or launchd, lines for cron, a compose file."""


def _service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    formats = click.Choice(["systemd", "launchd", "cron", "container"])
    about = "Who keeps it running; else what this machine has."
    return _common_options(click.option("--format", "kind", type=formats, help=about)(command))


@service.command("show")
@_service_options
@click.pass_obj
def service_show(options: Options, kind: str | None) -> int:
    """What install would write; nothing is."""
    from curator.commands import service as command

    has_lint = "lint" in cli.commands
    return console.run(options, "service show", lambda: command.show(options.wiki, kind, os.environ, has_lint))


@service.command("install")
@click.option("--force", is_flag=True, help="Overwrite files that were changed by hand.")
@click.option("--dry-run", is_flag=True, help="Say what would be written and run.")
@_service_options
@click.pass_obj
def service_install(options: Options, kind: str | None, force: bool, dry_run: bool) -> int:
    """Write the service's files and start it; again to bring them up to date."""
    from curator.commands import service as command

    has_lint = "lint" in cli.commands
    run = partial(command.install, options.wiki, kind, os.environ, has_lint, force, dry_run)
    return console.run(options, "service install", run)


@service.command("uninstall")
@click.option("--force", is_flag=True, help="Remove files that were changed by hand, too.")
@click.option("--dry-run", is_flag=True, help="Say what would be stopped and removed.")
@_service_options
@click.pass_obj
def service_uninstall(options: Options, kind: str | None, force: bool, dry_run: bool) -> int:
    """Stop the service and remove its files. A wiki named with --wiki need not be there any more."""
    from curator.commands import service as command

    run = partial(command.uninstall, options.wiki, kind, os.environ, force, dry_run)
    return console.run(options, "service uninstall", run)


@cli.command()
@click.argument("path", type=_File(), required=False)
@click.option("--explain", metavar="FIELD", help="Which file set this field, and which were overridden or refused.")
@click.option("--dimension", "dimensions", metavar="NAME/VALUE", multiple=True, help="True here, as in region/fr.")
@click.option("--worktree", is_flag=True, help="Read the files as they lie, not as committed.")
@_common_options
@click.pass_obj
def manifest(
    options: Options, path: Path | None, explain: str | None, dimensions: tuple[str, ...], worktree: bool
) -> int:
    """The KNOWLEDGE.md that holds, merged with all it extends. PATH is a view or its folder; else the wiki's own."""
    from curator.commands import manifest as command

    return console.run(
        options, "manifest", lambda: command.run(lambda: console.settings(options), path, explain, dimensions, worktree)
    )


@cli.command()
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
@_view_option
@_common_options
@click.pass_obj
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
) -> int:
    """The maintenance pass: orphans, stale claims, contradictions, broken links, and all else that went wrong in pages."""

    def run() -> Report:
        from curator.commands import lint as command

        if form and options.json:
            raise ConfigError("usage", f"--json and --{form} are two forms of one output", "choose one of them")
        printed = form or ("json" if options.json else "text")
        wish = command.Wish(fail_on, command.codes(only), fix, not no_log, dry_run, printed)
        with console.progress(options) as say:
            return command.run(console.settings(options, flags), wish, say)

    return console.run(options, "lint", run)


@cli.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=_File())
@click.option("--all", "everything", is_flag=True, help="All failures, and warnings; else the first failure.")
@click.option("--staged", is_flag=True, help="What is staged, as a hook of git's sees it; else what is committed.")
@_common_options
@click.pass_obj
def validate(options: Options, paths: tuple[Path, ...], everything: bool, staged: bool) -> int:
    """Is the wiki conforming? PATH is its folder, a file in it, or a view's folder. Exit status 1 when it is not."""
    from curator.commands import validate as command

    return console.run(
        options,
        "validate",
        lambda: command.run(
            options.wiki, paths, os.environ, everything=everything, staged=staged, index=_INDEX_OF_THE_HOOK
        ),
    )


_INDEX_OF_THE_HOOK = os.environ.get("GIT_INDEX_FILE", "")
"""``git commit -a`` and ``git commit FILE`` prepare their commit in another index; taken before ``main`` forgets it."""


def main() -> None:
    """The ``curate`` command."""
    console.main(cli)
