"""``curate open``: the wiki in the browser, where each claim shows what it rests on."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import click

from curator.cli import console, loopback
from curator.cli.console import CommonOptions, Report
from curator.cli.imports import keeping, needs
from curator.cli.options import FOLDER, common_options, model_options, reported
from curator.errors import ConfigError
from curator.repository.settings import find_root


@click.command("open")
@click.argument("folders", nargs=-1, type=FOLDER, metavar="[DIR]...")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, help="The port of loopback; otherwise any that is free."
)
@click.option(
    "--write", "writes", is_flag=True, help="Let the page change the wiki: answers saved, proposals decided, ..."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@model_options
@common_options
@reported
def open(
    common: CommonOptions,
    /,
    folders: tuple[Path, ...],
    port: int,
    writes: bool,
    no_browser: bool,
    **flags: str | None,
) -> Report:
    if common.json:
        raise ConfigError("usage", "--json is not for curate open: it serves a browser", "leave it out")
    with keeping():
        with needs("web", "curate open"):
            from curator.cli.web import app, served, server
        roots = [find_root(folder).resolve() for folder in folders] or [console.settings(common, flags).root.resolve()]
        wikis = served.named(roots, dict(os.environ), flags, writes=writes)
        for wiki in wikis:
            with wiki.opened() as opened:
                opened.snapshot.workspace(opened.settings.view)  # what is wrong is said before a browser opens

    def opened_at(address: str) -> None:
        console.note(f"open {address} (Ctrl-C ends it)")
        if not no_browser:
            webbrowser.open(address)

    if not app.VENDOR.is_dir():
        console.note("graph and PDF pages need scripts that are not here: make web, in a checkout, fetches them")
    try:
        server.serve(wikis, loopback.listening(port), opened_at)
    except KeyboardInterrupt:
        return Report(notes=("closed",), exit_status=130)
    return Report()
