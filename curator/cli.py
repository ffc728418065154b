"""The command line: arguments in, exit code out. The one place that prints and that reads the environment.

Heavy modules are imported by the command that needs them, so that ``curate --help`` is instant.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curator import __version__
from curator.errors import ConfigError, CuratorError

if TYPE_CHECKING:
    from curator.report import Report
    from curator.settings import Settings


@dataclass
class Options:
    """What every command has; it may stand before the command's name or behind it."""

    wiki: Path | None
    json: bool


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


def _model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--model", help="litellm's name of a model, as in openai/gpt-4o; none: the built-in curator."),
        click.option("--api-base", help="Address of an OpenAI-compatible server."),
    ):
        command = option(command)
    return command


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

    return _run(options, "init", lambda: command.run(folder or options.wiki or Path(), title, dry_run))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=_File())
@click.option("--dry-run", is_flag=True, help="Show the diffs, write nothing.")
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@_model_options
@_common_options
@click.pass_obj
def ingest(options: Options, /, files: tuple[Path, ...], dry_run: bool, ask_again: bool, **flags: str | None) -> int:
    """Take sources in, one commit each."""

    def run() -> Report:
        from curator.commands import ingest as command

        with _progress(options) as say:
            return command.run(_settings(options, flags), files, dry_run, ask_again, say)

    return _run(options, "ingest", run)


@cli.command(hidden=True)
@_model_options
@_common_options
@click.pass_obj
def stream(options: Options, /, **flags: str | None) -> int:
    """Take in what stdin names, line by line: how the service has it done."""

    def run() -> Report:
        from curator.commands import stream as command

        return command.run(_settings(options, flags), sys.stdin, lambda answer: print(json.dumps(answer), flush=True))

    return _run(options, "stream", run)


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
        return command.run([_settings(replace(options, wiki=wiki), flags) for wiki in wikis], log_format, once)

    return _run(options, "watch", run)


@cli.command()
@_model_options
@_common_options
@click.pass_obj
def config(options: Options, /, **flags: str | None) -> int:
    """The settings that hold here, and where each was set."""
    from curator.commands import config as command

    return _run(options, "config", lambda: command.run(_settings(options, flags)))


@cli.command()
@click.argument("sources", nargs=-1, type=_File())
@click.option("--all", "all_of_them", is_flag=True, help="Everything that waits, is parked or was put aside.")
@_common_options
@click.pass_obj
def retry(options: Options, sources: tuple[Path, ...], all_of_them: bool) -> int:
    """Have the service try sources again that are parked, wait, or were put aside."""
    from curator.commands import queue as command

    return _run(options, "retry", lambda: command.retry(_settings(options), sources, all_of_them))


@cli.command()
@click.argument("sources", nargs=-1, required=True, type=_File())
@_common_options
@click.pass_obj
def skip(options: Options, sources: tuple[Path, ...]) -> int:
    """Put sources aside: the service leaves them alone until they change, or until curate retry."""
    from curator.commands import queue as command

    return _run(options, "skip", lambda: command.skip(_settings(options), sources))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=_File())
@_model_options
@_common_options
@click.pass_obj
def estimate(options: Options, /, files: tuple[Path, ...], **flags: str | None) -> int:
    """What taking sources in would take of the model, before anything is asked or paid."""

    def run() -> Report:
        from curator.commands import estimate as command

        with _progress(options) as say:
            return command.run(_settings(options, flags), files, say)

    return _run(options, "estimate", run)


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
        return live.run(_settings(options)) if watch else status.run(_settings(options))

    return _run(options, "status", run)


@cli.command()
@click.option("-n", "--limit", type=_COUNT, default=20, show_default=True, help="How many, newest first.")
@click.option("--page", metavar="SLUG", help="Which ingest brought which line of this page.")
@_common_options
@click.pass_obj
def log(options: Options, limit: int, page: str | None) -> int:
    """What each ingest did, from git; or where each line of a page comes from."""
    from curator.commands import log as command

    if page is not None:
        return _run(options, "log", lambda: command.run_page(_settings(options), page))
    return _run(options, "log", lambda: command.run(_settings(options), limit))


@cli.command()
@click.argument("ids", nargs=-1, required=True)
@_dry_run
@_common_options
@click.pass_obj
def undo(options: Options, ids: tuple[str, ...], dry_run: bool) -> int:
    """Take ingests back, in a new commit; what came later stays. IDs are those of curate log, or paths of sources."""
    from curator.commands import manual as command

    return _run(options, "undo", lambda: command.take_back(_settings(options), ids, dry_run))


@cli.command()
@click.argument("old")
@click.argument("new")
@_dry_run
@_common_options
@click.pass_obj
def rename(options: Options, old: str, new: str, dry_run: bool) -> int:
    """Give the page OLD another slug, or another title; every link to it follows."""
    from curator.commands import manual as command

    return _run(options, "rename", lambda: command.rename(_settings(options), old, new, dry_run))


@cli.command()
@click.argument("name", metavar="SLUG")
@click.option("--why", required=True, help="The reason, for the log.")
@_dry_run
@_common_options
@click.pass_obj
def remove(options: Options, name: str, why: str, dry_run: bool) -> int:
    """Remove a page; links to it become words. For sources/FILE, once deleted: what its ingests brought."""
    from curator.commands import manual as command

    return _run(options, "remove", lambda: command.remove(_settings(options), name, why, dry_run))


@cli.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", type=_COUNT, default=10, show_default=True, help="How many pages.")
@_common_options
@click.pass_obj
def search(options: Options, words: tuple[str, ...], limit: int) -> int:
    """The pages that match, best first; no model."""
    from curator.commands import search as command

    return _run(options, "search", lambda: command.run(_settings(options), " ".join(words), limit))


@cli.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended, in one commit.")
@click.option("--dry-run", is_flag=True, help="With --repair: say what would be done, and show the diffs.")
@_common_options
@click.pass_obj
def doctor(options: Options, repair: bool, dry_run: bool) -> int:
    """What this machine offers, proven; what is wrong and what to do. Exit status 1 when something is wrong."""

    def run() -> Report:
        from curator.commands import doctor as command

        with _progress(options) as say:
            return command.run(lambda: _settings(options), options.wiki, repair, dry_run, say)

    return _run(options, "doctor", run)


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
    return _run(options, "service show", lambda: command.show(options.wiki, kind, os.environ, has_lint))


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
    return _run(options, "service install", run)


@service.command("uninstall")
@click.option("--force", is_flag=True, help="Remove files that were changed by hand, too.")
@click.option("--dry-run", is_flag=True, help="Say what would be stopped and removed.")
@_service_options
@click.pass_obj
def service_uninstall(options: Options, kind: str | None, force: bool, dry_run: bool) -> int:
    """Stop the service and remove its files. A wiki named with --wiki need not be there any more."""
    from curator.commands import service as command

    run = partial(command.uninstall, options.wiki, kind, os.environ, force, dry_run)
    return _run(options, "service uninstall", run)


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

    return _run(
        options, "manifest", lambda: command.run(lambda: _settings(options), path, explain, dimensions, worktree)
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
@_common_options
@click.pass_obj
def lint(
    options: Options, fail_on: str, only: tuple[str, ...], fix: bool, no_log: bool, form: str | None, dry_run: bool
) -> int:
    """The maintenance pass: orphans, stale claims, contradictions, broken links, and all else that went wrong in pages."""

    def run() -> Report:
        from curator.commands import lint as command

        if form and options.json:
            raise ConfigError("usage", f"--json and --{form} are two forms of one output", "choose one of them")
        printed = form or ("json" if options.json else "text")
        wish = command.Wish(fail_on, command.codes(only), fix, not no_log, dry_run, printed)
        with _progress(options) as say:
            return command.run(_settings(options), wish, say)

    return _run(options, "lint", run)


@cli.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=_File())
@click.option("--all", "everything", is_flag=True, help="All failures, and warnings; else the first failure.")
@click.option("--staged", is_flag=True, help="What is staged, as a hook of git's sees it; else what is committed.")
@_common_options
@click.pass_obj
def validate(options: Options, paths: tuple[Path, ...], everything: bool, staged: bool) -> int:
    """Is the wiki conforming? PATH is its folder, a file in it, or a view's folder. Exit status 1 when it is not."""
    from curator.commands import validate as command

    return _run(
        options,
        "validate",
        lambda: command.run(
            options.wiki, paths, os.environ, everything=everything, staged=staged, index=_INDEX_OF_THE_HOOK
        ),
    )


_INDEX_OF_THE_HOOK = os.environ.get("GIT_INDEX_FILE", "")
"""``git commit -a`` and ``git commit FILE`` prepare their commit in another index; taken before ``main`` forgets it."""


# -- printing ------------------------------------------------------------------------------------------------------


def _run(options: Options, name: str, command: Callable[[], Report]) -> int:
    """Run one command and print its report, or its error, in the form that was asked for."""
    try:
        report = command()
    except CuratorError as error:
        return _print_error(options.json, name, error)
    except KeyboardInterrupt:
        return _print_error(options.json, name, _Interrupted())
    except OSError as error:
        if error.errno not in _OF_THE_SYSTEM:
            raise
        return _print_error(options.json, name, _of_the_system(error))
    try:
        if options.json:
            _print_json({"ok": report.ok, "command": name, **report.data})
        elif report.lines:
            print("\n".join(report.lines))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; what was done is done all the same.
        _give_up_stdout()
    return report.exit_status


class _Interrupted(CuratorError):
    """Ctrl-C."""

    exit_status = 130

    def __init__(self) -> None:
        super().__init__("interrupted", "interrupted; nothing is half done", "'curate log' shows what was taken in")


_OF_THE_SYSTEM = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENXIO),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EBUSY, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EAGAIN),
}
"""What no code of ours can be the reason for: a full disk, missing rights, a folder that is a file."""


def _of_the_system(error: OSError) -> ConfigError:
    file = f": {str(error.filename)!r}" if error.filename else ""
    return ConfigError("system", f"the system says: {error.strerror}{file}", "see to that, then run the command again")


def _print_error(as_json: bool, name: str | None, error: CuratorError) -> int:
    if as_json:
        problem = {"code": error.code, "message": error.message, "hint": error.hint}
        _print_json({"ok": False, "command": name, "error": problem})
    else:
        print(f"curate {name}: {error.message}" if name else f"curate: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"  {error.hint}", file=sys.stderr)
    return error.exit_status


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def _progress(options: Options) -> Iterator[Callable[[str], None]]:
    """Says what is being done: a line that moves on a terminal, plain lines elsewhere, nothing beside JSON."""
    if options.json:
        yield lambda _: None
    elif not sys.stderr.isatty():
        yield lambda text: print(text, file=sys.stderr)
    else:
        from rich.console import Console
        from rich.text import Text

        with Console(stderr=True).status("") as spinner:
            # As plain text: a file's name may look like rich's markup.
            yield lambda text: spinner.update(Text(text))


def _settings(options: Options, flags: dict[str, Any] | None = None) -> Settings:
    from curator.settings import Settings

    return Settings.gather(options.wiki, os.environ, flags or {})


def main() -> None:
    """The ``curate`` command."""
    sys.stdout, sys.stderr = (stream or Path(os.devnull).open("w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    as_json = "--json" in sys.argv[1:]
    try:
        sys.exit(_ran())
    except click.ClickException as error:
        sys.exit(_print_usage(as_json, error))
    except (click.exceptions.Abort, KeyboardInterrupt):
        sys.exit(_print_error(as_json, None, _Interrupted()))
    except OSError as error:
        # Nobody but the printing is left to say this: the report cannot be written.
        _give_up_stdout()
        if error.errno in _OF_THE_SYSTEM:
            sys.exit(_print_error(False, None, _of_the_system(error)))
        _crash(error)
        sys.exit(3)
    except Exception as error:
        _crash(error)
        sys.exit(3)


def _ran() -> int:
    from curator.git import scrub_environment

    scrub_environment()
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # looking for plugins takes 25 ms, and none has business here
    return int(cli.main(prog_name="curate", standalone_mode=False) or 0)


def _print_usage(as_json: bool, error: click.ClickException) -> int:
    if not as_json:
        error.show()
        return 2
    context = error.ctx if isinstance(error, click.UsageError) else None
    name = context.info_name if context is not None and context.parent is not None else None
    return _print_error(True, name, ConfigError("usage", error.format_message(), "run 'curate --help'"))


def _give_up_stdout() -> None:
    """Nobody reads what we print: what is still in the buffer must not be tried again at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _crash(error: Exception) -> None:
    """A fault of curator's own: say so in a line, and keep what a developer needs."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="curate-crash-", suffix=".log", delete=False) as file:
        traceback.print_exception(error, file=file)
    print(f"curate: this is a fault of curator itself: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"  nothing is half done; please report it with {file.name}", file=sys.stderr)
