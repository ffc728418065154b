"""What the commands of ``curate packs`` share: where packs are looked for, and the form of what they report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import COUNT, FILE, common_options, reported
from curator.errors import ConfigError
from curator.finding import Finding
from curator.packs.pack_library import NotLoaded, PackLibrary
from curator.repository.settings import Settings, find_root, users_file
from curator.system import atomic
from curator.system.filenames import printable


@dataclass(frozen=True)
class PackOptions:
    """What the commands share."""

    roots: tuple[Path, ...] = ()
    output: Path | None = None
    limit: int | None = None
    confirmed: tuple[str, ...] = ()


def _pack_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--limit", type=COUNT, help="At most so many."),
        click.option("--output", type=FILE, help="Write what would be on stdout into this file."),
        click.option(
            "--root", "roots", type=FILE, multiple=True, help="A pack, or a folder with packs; before all others."
        ),
    ):
        command = option(command)
    return command


def pack_command(command: Callable[..., Report]) -> Callable[..., int]:
    """The verb ``command(common, options, ...)`` with the options that all verbs have, and its report printed."""
    shared = [field.name for field in fields(PackOptions)]

    @wraps(command)
    def with_options(common: CommonOptions, /, **given: Any) -> Report:
        options = PackOptions(**{name: given.pop(name) for name in shared if name in given})
        return command(common, options, **given)

    return _pack_options(common_options(reported(with_options)))


confirm_option = click.option(
    "--confirm",
    "confirmed",
    metavar="NAME",
    multiple=True,
    help="Use this pack although it is draft, disputed or archived.",
)


def library_of(common: CommonOptions, options: PackOptions, *names: str) -> PackLibrary:
    """The packs within reach; those that are named by a path, and the wiki that is named, before all others."""
    explicit = [*options.roots, *([common.wiki] if common.wiki else [])]
    explicit += [Path(name) for name in names if os.sep in name or (Path(name) / "KNOWLEDGE.md").is_file()]
    library = PackLibrary.of(
        explicit,
        wiki=_wiki_around(),
        environment=os.environ,
        organization=organization_roots(os.environ),
        confirmed=options.confirmed,
    )
    if context := click.get_current_context(silent=True):
        context.call_on_close(library.close)
    return library


def _wiki_around() -> Path | None:
    """The wiki that the current folder is in."""
    try:
        return find_root(None)
    except ConfigError:
        return None


def refusal(error: NotLoaded, name: str | None, options: PackOptions) -> Report:
    """The report of what may not be loaded: why, and what to do about it."""
    return report(options, envelope("refused", name, error.findings), (), list(map(told, error.findings)), 1)


def organization_roots(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The organization's roots, where the user's settings name any."""
    files = users_file(environment)
    if "CURATOR_KNOWLEDGE_ROOTS" not in environment and not any(file.is_file() for file in files):
        return ()
    from curator.config import Config  # it takes a tenth of a second to load

    return Config.load(files, environment, {}).knowledge_roots


def wiki_at_hand(common: CommonOptions) -> Path:
    return console.settings(common).root


def envelope(status: str, pack: str | None, findings: Iterable[Finding]) -> dict[str, Any]:
    return {"status": status, "pack": pack, "findings": [finding.as_json() for finding in findings]}


def report(
    options: PackOptions, data: dict[str, Any], lines: Sequence[str], notes: Sequence[str], status: int = 0
) -> Report:
    if options.output is not None:
        text = "".join(f"{line}\n" for line in lines)
        try:
            atomic.write(options.output, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            said = f"{printable(options.output)} cannot be written: {error.strerror}"
            raise ConfigError("output_unwritable", said, "name a file in a folder that is there") from error
        lines = ()
    return Report(data, tuple(lines), status, tuple(notes))


def told(finding: Finding) -> str:
    """On one line, with what to do about it."""
    return f"{finding.severity}: {printable(str(finding))}{f' ({finding.hint})' if finding.hint else ''}"


def now() -> datetime:
    """The time, or SOURCE_DATE_EPOCH."""
    return Settings(Path(), os.environ, {}).now()
