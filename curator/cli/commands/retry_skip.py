"""``curate retry`` and ``curate skip``: a person's word about sources, for the service that runs or the next one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from curator.cli import completing, console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FILE, common_options, dry_run_option, reported
from curator.errors import ConfigError, meant_path
from curator.repository import source_files
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.service import instance_lock
from curator.system.filenames import printable


@click.command()
@click.argument("sources", nargs=-1, type=FILE, shell_complete=completing.sources)
@click.option("--all", "all_of_them", is_flag=True, help="Everything that waits, is parked or was put aside.")
@dry_run_option
@common_options
@reported
def retry(common: CommonOptions, sources: tuple[Path, ...], all_of_them: bool, dry_run: bool) -> Report:
    return retry_sources(console.settings(common), sources, all_of_them, dry_run)


@click.command()
@click.argument("sources", nargs=-1, required=True, type=FILE, shell_complete=completing.sources)
@dry_run_option
@common_options
@reported
def skip(common: CommonOptions, sources: tuple[Path, ...], dry_run: bool) -> Report:
    return skip_sources(console.settings(common), sources, dry_run)


def retry_sources(settings: Settings, files: Sequence[Path], all_of_them: bool, dry_run: bool = False) -> Report:
    """The service tries ``files`` again, as if they had just come; with ``all_of_them`` whatever does not go on."""
    if bool(files) == all_of_them:
        raise ConfigError("usage", "name sources, or --all", "curate retry sources/FILE; curate retry --all")
    with settings.repository as repository:
        runtime, paths = repository.runtime, [_place(file, repository) for file in files]
        for path in () if dry_run else paths or runtime.skipped():
            runtime.unskip(path)
        for path in () if dry_run else paths or [""]:
            runtime.order("retry", path)
        by = instance_lock.running(runtime.folder)
    what = [printable(path) for path in paths] or ["all that does not go on"]
    when = (
        f"the service ({by}) tries it again"
        if by
        else "no service runs: it is tried when one does, or by curate ingest"
    )
    return Report(
        {"sources": paths, "service": by}, tuple(f"{_does('retry', dry_run)} {name}: {when}" for name in what)
    )


def skip_sources(settings: Settings, files: Sequence[Path], dry_run: bool = False) -> Report:
    """The service leaves ``files`` alone, as long as they have the bytes they have now."""
    with settings.repository as repository:
        runtime, algorithm = repository.runtime, repository.view().manifest().hash_algorithm
        paths = [_place(file, repository) for file in files]
        for path in () if dry_run else paths:
            root, most = repository.root, settings.config.max_source_bytes
            spooled = runtime.spool(root / path, algorithm, most, root)
            runtime.drop_spool(spooled)
            runtime.skip(path, spooled.digest)
            runtime.unpark(path)
            runtime.order("skip", path)
    lines = (
        f"{_does('skip', dry_run)} {printable(path)}: left alone until its bytes change; curate retry brings it back"
        for path in paths
    )
    return Report({"sources": paths}, tuple(lines))


def _does(word: str, dry_run: bool) -> str:
    return f"would {word}" if dry_run else f"{word:<10}"


def _place(file: Path, repository: Repository) -> str:
    """The path of a source from the wiki's root; a name that is none from here may be one from there."""
    for candidate in (file, repository.root / file):
        place = source_files.place_of(candidate, repository.root)
        if place is not None and place.startswith("sources/") and os.path.lexists(repository.root / place):
            return place
    there = (path.relative_to(repository.root).as_posix() for path in (repository.root / "sources").rglob("*"))
    raise ConfigError(
        "not_a_source",
        f"there is no {printable(str(file))!r} in sources/{meant_path(str(file), there)}",
        "curate status shows what waits, by its path",
    )
