"""``curate status --watch``: the same, on a terminal, for as long as somebody looks."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from curator.cli.commands import status
from curator.cli.report import Report
from curator.repository.settings import Settings
from curator.service.status import ServiceStatus, row

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_EVERY = 0.5
_ALL_EVERY = 5.0
"""Seconds between two looks at git, which takes more than a look at what the service tells."""
_LEAST = 3
"""Sources of the queue that are shown on the smallest of screens."""


def run(settings: Settings, console: Console | None = None, looks: int | None = None) -> Report:
    """Show it until Ctrl-C, or ``looks`` times."""
    from rich.live import Live

    with settings.repository as repository:
        runtime = repository.runtime
    (data, service), at = status.look(settings), time.monotonic()
    # Ctrl-C is how one stops looking.
    with suppress(KeyboardInterrupt), Live(console=console, auto_refresh=False, screen=console is None) as live:
        while True:
            live.update(_shown(data, service, live.console.height), refresh=True)
            looks = None if looks is None else looks - 1
            if looks == 0:
                break
            time.sleep(_EVERY)
            service = ServiceStatus.of(runtime)
            if time.monotonic() - at > _ALL_EVERY:
                # Without what the last look has opened and read.
                anew = Settings(settings.root, settings.environment, settings.flags)
                (data, service), at = status.look(anew), time.monotonic()
    return Report()


def _shown(data: Mapping[str, Any], service: ServiceStatus, height: int) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    head = [*status.about_wiki(data), *service.headlines()]
    tail = status.about_sources(data)
    queue = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("source", "state", "for", "why"):
        queue.add_column(column, overflow="ellipsis", no_wrap=True)
    for item in service.waiting[: max(_LEAST, height - len(head) - len(tail) - 2)]:
        queue.add_row(*(Text(cell) for cell in row(item)))  # as plain text: a name may look like rich's markup
    return Group(Text("\n".join(head)), queue, Text("\n".join(tail)))
