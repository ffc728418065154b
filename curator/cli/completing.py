"""What the shell offers where a page or a source is to be named: read from the wiki's own files, so that it is instant."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

_ENTRY = re.compile(r"^[-*] \[\[([^\]|#]+)", re.MULTILINE)
_MOST = 500
"""More is no help in choosing."""


def pages(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The slugs that begin so, as ``_index.md`` lists them."""
    return _beginning(begun, _slugs(context))


def sources(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The files in ``sources/`` that begin so."""
    return _beginning(begun, _sources(context))


def pages_and_sources(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Both, for what takes either."""
    return _beginning(begun, chain(_slugs(context), _sources(context)))


def settings(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The settings that begin so."""
    from curator.config import Config

    return [name for name in Config.model_fields if name.startswith(begun)]


def _beginning(begun: str, names: Iterator[str]) -> list[str]:
    found = sorted({name for name in names if name.startswith(begun) and name.isprintable()})
    return found[:_MOST]


def _slugs(context: click.Context) -> Iterator[str]:
    root = _root(context)
    if root is not None:
        try:
            yield from _ENTRY.findall((root / "_index.md").read_text("utf-8", errors="replace"))
        except OSError:
            return


def _sources(context: click.Context) -> Iterator[str]:
    root = _root(context)
    for folder, _, names in os.walk(root / "sources") if root is not None else ():
        below = Path(folder).relative_to(root or folder).as_posix()
        yield from (f"{below}/{name}" for name in names if not name.startswith("."))


def _root(context: click.Context) -> Path | None:
    named = context.find_root().params.get("wiki")
    here = Path(named) if named else Path.cwd()
    return next((at for at in (here, *here.parents) if (at / "KNOWLEDGE.md").is_file()), None)
