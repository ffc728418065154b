"""The command line: ``curate`` and all its commands. Each module says what a group of them takes, and who does it.

Heavy modules are imported by the command that needs them, so that ``curate --help`` is instant.
"""

from __future__ import annotations

from curator.cli import checking, console, reading, service, sources, writing
from curator.cli.options import cli

__all__ = ["cli", "main"]

COMMANDS = (
    writing.init,
    writing.ingest,
    writing.estimate,
    writing.undo,
    writing.rename,
    writing.remove,
    writing.fork,
    writing.approve,
    reading.search,
    reading.ask,
    reading.index,
    reading.status,
    reading.log,
    reading.manifest,
    reading.config,
    sources.sources,
    checking.lint,
    checking.validate,
    checking.doctor,
    service.watch,
    service.stream,
    service.retry,
    service.skip,
    service.service,
)

for _command in COMMANDS:
    cli.add_command(_command)


def main() -> None:
    """The ``curate`` command."""
    console.main(cli)
