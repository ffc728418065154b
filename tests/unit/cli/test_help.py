"""Help and flags are what scripts and people know: every page of help, byte for byte as it was written down.

A page that is to change: ``python tests/unit/cli/test_help.py`` writes it down anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from curator.cli import COMMANDS, cli

FILE = Path(__file__).parents[2] / "fixtures" / "help.txt"


def pages() -> Iterator[str]:
    yield from _pages(cli, [])


def _pages(command: click.Command, path: list[str]) -> Iterator[str]:
    shown = CliRunner().invoke(cli, [*path, "--help"], prog_name="curate", terminal_width=78)
    assert shown.exit_code == 0
    yield f"$ {' '.join(['curate', *path, '--help'])}\n{shown.output}"
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.resolve_command(context, [name])[1]
            assert below is not None
            yield from _pages(below, [*path, name])


def test_the_help_of_every_command_is_as_it_was_written_down() -> None:
    assert "\n".join(pages()) == FILE.read_text("utf-8")


def test_a_command_is_named_once() -> None:
    assert len({name for name, _, _ in COMMANDS}) == len(COMMANDS)


if __name__ == "__main__":
    FILE.write_text("\n".join(pages()), "utf-8")
