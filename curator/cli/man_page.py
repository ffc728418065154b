"""A manual page of a command, made from the help that it has anyway."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click


def man_page(context: click.Context, version: str) -> str:
    """The page of the command of ``context``, in the macros of man(7)."""
    return "\n".join(_lines(context, version)) + "\n"


def _lines(context: click.Context, version: str) -> Iterator[str]:
    command = context.command
    name = context.command_path.replace(" ", "-")
    yield f'.TH "{name.upper()}" "1" "" "curate {version}" "curate manual"'
    yield '.SH "NAME"'
    yield f"{name} \\- {_plain(command.get_short_help_str(10_000).rstrip('.'))}"
    yield '.SH "SYNOPSIS"'
    yield f"\\fB{_plain(context.command_path)}\\fR {_plain(' '.join(command.collect_usage_pieces(context)))}"
    yield '.SH "DESCRIPTION"'
    for paragraph in (command.help or "").split("\n\n"):
        yield from (".PP", _plain(" ".join(paragraph.split())))
    records = (each.get_help_record(context) for each in command.get_params(context))
    options = [record for record in records if record is not None and record[1]]
    if options:
        yield '.SH "OPTIONS"'
    for written, said in options:
        yield from (".TP", f"\\fB{_plain(written)}\\fR", _plain(said))
    if isinstance(command, click.Group):
        yield '.SH "COMMANDS"'
        for below in command.list_commands(context):
            listed = command.get_command(context, below)
            if listed is not None and not listed.hidden:
                yield from (".TP", f"\\fB{_plain(below)}\\fR", _plain(listed.get_short_help_str(10_000)))
    if context.parent is not None:
        yield from ('.SH "SEE ALSO"', "curate(1), and curate help TOPIC")


def _plain(text: str) -> str:
    """Text that the macros take for text."""
    escaped = re.sub(r"-", r"\\-", text.replace("\\", r"\e"))
    return re.sub(r"^([.'])", r"\\&\1", escaped)
