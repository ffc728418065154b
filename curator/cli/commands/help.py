"""``curate help``: the help of a command, a topic from the docs, or a manual page; nothing of a wiki is needed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.docs_folder import DOCS
from curator.cli.man_page import man_page
from curator.cli.options import FOLDER, common_options, reported
from curator.errors import ConfigError, meant
from curator.system import atomic
from curator.version import __version__

TOPICS = {
    "install": ("install", "how to install and upgrade it, and what it runs on"),
    "configuration": ("configuration", "every setting, and where it is set"),
    "models": ("models", "how to get a language model, and what it may take"),
    "vault": ("vault", "a wiki for a folder of notes"),
    "sources": ("sources", "what the registry says of each source, and how long sources are kept"),
    "fetch": ("fetch", "feeds and a reading list, and what web clippers save"),
    "formats": ("formats", "which files are read, and what is left out of them"),
    "proofs": ("support", "how a claim is judged by its quotes, and what a pass means"),
    "second-reader": ("verify", "a language model that reads the claims once more"),
    "wall": ("wall", "the rules that a change must keep"),
    "review": ("review", "proposals that wait for a person"),
    "ask": ("ask", "questions and their proven answers"),
    "lint": ("lint", "the maintenance pass, code by code"),
    "confidence": ("confidence", "how sure a page is"),
    "packs": ("packs", "knowledge packs: found, gated, selected from"),
    "views": ("views", "one wiki for several readers"),
    "service": ("service", "curate watch without a terminal"),
    "open": ("open", "the wiki in the browser"),
    "mcp": ("mcp", "the wiki as tools of an agent"),
    "api": ("api", "the Python functions"),
}
"""Each with its page in docs/ and what it is about."""


@click.command()
@click.argument("words", nargs=-1, metavar="[TOPIC | COMMAND...]", shell_complete=lambda *a: _completed(a[2]))
@click.option("--man", is_flag=True, help="As a manual page: curate help --man ingest | man -l -")
@click.option("--to", "folder", type=FOLDER, help="With --man: write the pages of all commands into this folder.")
@common_options
@reported
def help(common: CommonOptions, /, words: tuple[str, ...], man: bool, folder: Path | None) -> Report:
    root = click.get_current_context().find_root()
    if folder is not None:
        return _written(root, folder) if man else _unusable("--to goes with --man")
    if man:
        page = man_page(_context(root, words), __version__)
        return Report({"man": page}, (page.rstrip("\n"),))
    found = list(_texts(root, words)) if words else [_overview(root)]
    text = "\n\n".join(found)
    if not common.json and sys.stdout.isatty() and text.count("\n") >= shutil.get_terminal_size().lines:
        click.echo_via_pager(text + "\n")
        return Report()
    return Report({"topic": " ".join(words), "text": text}, (text,))


def _overview(root: click.Context) -> str:
    lines = [root.get_help(), "", "Topics (curate help TOPIC):"]
    with_space = max(map(len, TOPICS)) + 2
    return "\n".join([*lines, *(f"  {name:<{with_space}}{about}" for name, (_, about) in TOPICS.items())])


def _texts(root: click.Context, words: tuple[str, ...]) -> Iterator[str]:
    """The help of a command, and the page of a topic of the same name."""
    assert isinstance(root.command, click.Group)  # noqa: S101
    topic = words[0].lower() if len(words) == 1 else ""
    is_command = words[0] in root.command.commands
    if is_command:
        yield _context(root, words).get_help()
    if topic in TOPICS:
        yield (DOCS / f"{TOPICS[topic][0]}.md").read_text("utf-8").rstrip("\n")
    elif not is_command:
        known = (*TOPICS, *root.command.commands)
        said = f"there is no command and no topic {' '.join(words)!r}{meant(topic, known)}"
        raise ConfigError("topic_unknown", said, f"curate help lists them; topics are: {', '.join(TOPICS)}")


def _context(root: click.Context, words: tuple[str, ...]) -> click.Context:
    """The context of the command that ``words`` name, as in packs validate. Raises click.UsageError."""
    context, rest = root, list(words)
    while rest and isinstance(context.command, click.Group):
        name, command, rest = context.command.resolve_command(context, rest)
        assert command is not None  # noqa: S101 (else click has said so)
        context = click.Context(command, info_name=name, parent=context)
    return context


def _written(root: click.Context, folder: Path) -> Report:
    """The pages of curate and of each of its commands."""
    assert isinstance(root.command, click.Group)  # noqa: S101
    atomic.make_folder(folder)
    shown = [name for name, command in root.command.commands.items() if not command.hidden]
    made = []
    for context in (root, *(_context(root, (name,)) for name in shown)):
        file = folder / f"{context.command_path.replace(' ', '-')}.1"
        atomic.write(file, man_page(context, __version__).encode())
        made.append(file.name)
    return Report({"written": made}, (f"{len(made)} pages in {folder}; man -M finds them in a folder man1",))


def _unusable(why: str) -> Report:
    raise ConfigError("usage", why, "curate help --man --to DIR")


def _completed(begun: str) -> list[str]:
    from curator.cli import COMMANDS

    return sorted({name for name in (*TOPICS, *(each[0] for each in COMMANDS)) if name.startswith(begun)})
