"""``curate export``: the wiki for others, in another form."""

from __future__ import annotations

import os
from pathlib import Path

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.imports import needs
from curator.cli.options import FOLDER, common_options, dry_run_option, reported
from curator.packs.exporting import export_folder
from curator.repository.settings import Settings


@click.group(cls=CommandGroup)
def export() -> None:
    pass


@export.command("site")
@click.argument("folder", type=FOLDER, metavar="DIR")
@dry_run_option
@common_options
@reported
def export_site(common: CommonOptions, /, folder: Path, dry_run: bool) -> Report:
    """The pages as files with their proofs, for any web space. What did not change is not written again."""
    return run(console.settings(common), folder, dry_run)


def run(settings: Settings, folder: Path, dry_run: bool) -> Report:
    with needs("web", "curate export site"):
        from curator.cli.web.served import ShownWiki
        from curator.cli.web.site import site_of
    with ShownWiki(settings.root.resolve().name, settings.root, settings.environment, settings.flags).opened() as wiki:
        site = site_of(wiki)
        change = export_folder.change_of(site, folder, settings.root.resolve())
    if not dry_run:
        export_folder.write(site, folder, change)
    done = "would write" if dry_run else "exported"
    told = f"{done} {site.name}: {len(site.files)} files, {len(change.written)} written, {len(change.removed)} removed"
    data = {"folder": os.path.realpath(folder), "files": len(site.files), "written": list(change.written)}
    return Report({**data, "removed": list(change.removed)}, (told,))
