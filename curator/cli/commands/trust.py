"""``curate trust``: the settings that a repository brings with it count from now on, or no more."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.options import FOLDER, common_options, dry_run_option, reported
from curator.errors import ConfigError
from curator.repository.git import Git
from curator.repository.settings import check_git, check_path
from curator.system import trusted_folders
from curator.system.filenames import printable


@click.command()
@click.argument("folder", type=FOLDER, required=False)
@click.option("--forget", is_flag=True, help="Trust it no more.")
@dry_run_option
@common_options
@reported
def trust(common: CommonOptions, folder: Path | None, forget: bool, dry_run: bool) -> Report:
    return run(folder or common.wiki or Path(), forget, dry_run)


def run(folder: Path, forget: bool = False, dry_run: bool = False) -> Report:
    """Write it down in the user's own configuration. Raises ConfigError."""
    check_git()
    check_path(folder)
    with closing(Git(folder.resolve(), trusts=True)) as git:
        directory = git.identity
        found = git.questionable()
        if (settings := git.runtime / "curator.toml").is_file():
            found.append(str(settings))
    try:
        if dry_run:
            pass
        elif forget:
            trusted_folders.distrust(directory, os.environ)
        else:
            trusted_folders.trust(directory, os.environ)
    except OSError as error:
        said = f"it cannot be written down: {error.strerror}"
        hint = f"name it in the variable {trusted_folders.VARIABLE}"
        raise ConfigError("trust_unwritable", said, hint) from error
    counts = ("would count" if dry_run else "counts") + (" no more" if forget else " from now on")
    lines = [f"  {counts}: {each}" for each in found] or ["  it brings no settings that could run a program"]
    trusted = trusted_folders.is_trusted(directory, os.environ)
    head = f"{'trusted' if trusted else 'not trusted'}: {printable(directory)}"
    return Report({"repository": str(directory), "trusted": trusted, "settings": found}, (head, *lines))
