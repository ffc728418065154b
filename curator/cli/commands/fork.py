"""``curate fork``: the wiki as it is now, copied to a new root with a life of its own."""

from __future__ import annotations

import os
from pathlib import Path

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FOLDER, common_options, dry_run_option, reported
from curator.edits.fork import ForkedFiles, files_of_fork, make_fork
from curator.repository.settings import Settings, check_path
from curator.system.filenames import printable


@click.command()
@click.argument("dest", type=FOLDER)
@click.option("--title", help="The fork's title; else the wiki's.")
@dry_run_option
@common_options
@reported
def fork(common: CommonOptions, dest: Path, title: str | None, dry_run: bool) -> Report:
    return run(console.settings(common), dest, title, dry_run)


def run(settings: Settings, folder: Path, title: str | None, dry_run: bool) -> Report:
    """Fork the newest commit into ``folder``. Raises ConfigError when something is there."""
    check_path(folder)
    folder = Path(os.path.realpath(folder))
    with settings.repository as repository:
        files = files_of_fork(repository, folder, title, settings.now())
        return _told(files, folder, None if dry_run else make_fork(files, folder))


def _told(files: ForkedFiles, folder: Path, commit: str | None) -> Report:
    snapshot = files.snapshot
    pages = snapshot.catalogue.count()
    registered = snapshot.manifest().sources
    absent = sorted(path for path in registered if path not in files)
    data = {
        "wiki": str(folder),
        "parent": {"wiki": str(snapshot.repository.root), "commit": snapshot.base},
        "commit": commit,
        "pages": pages,
        "sources": len(registered) - len(absent),
        "absent": absent,
        "left_out": files.others,
    }
    lines = [
        f"{'would fork' if commit is None else 'forked    '} {pages} pages into {printable(folder)}",
        *([f"commit     {commit[:12]}"] if commit else []),
    ]
    if absent:
        lines.append(f"absent     {len(absent)} sources that are not committed: copy them to prove what cites them")
    if files.others:
        lines.append(f"left out   {printable(', '.join(files.others))}: symbolic links and submodules are not copied")
    return Report(data, tuple(lines))
