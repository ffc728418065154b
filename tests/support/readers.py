"""The process that forks readers of sources, one for all that a test worker reads; it ends with the worker."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache

from curator.cli.commands.ingest import _readers
from curator.models.sandbox.reader_forks import ReaderForks

_open = ExitStack()
"""Never closed: the process ends when nobody has the line to it."""


@cache
def shared_readers() -> ReaderForks | None:
    """None where ``curate ingest`` has none either."""
    return _readers(_open)
