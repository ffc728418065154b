"""``curate mcp``: the wiki and the packs in reach as tools for an agent, over the Model Context Protocol."""

from __future__ import annotations

import os
from pathlib import Path

import click

from curator.cli import console, loopback
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FILE, common_options, model_options, reported
from curator.cli.pack_options import confirm_option
from curator.errors import ConfigError
from curator.system.filenames import printable


@click.command()
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    help="Serve on this port of loopback, with the token in CURATOR_MCP_TOKEN, or one that is made and told on stderr.",
)
@click.option("--allow-ingest", is_flag=True, help="Let agents take in what lies in sources/.")
@click.option("--root", "roots", type=FILE, multiple=True, help="A pack, or a folder with packs; before all others.")
@confirm_option
@model_options
@common_options
@reported
def mcp(
    common: CommonOptions,
    /,
    port: int | None,
    allow_ingest: bool,
    roots: tuple[Path, ...],
    confirmed: tuple[str, ...],
    **flags: str | None,
) -> Report:
    if common.json:
        raise ConfigError("usage", "--json is not for curate mcp: its stdout is the protocol's", "leave it out")
    from curator.cli.mcp import http, server  # they bring in what all the tools need
    from curator.cli.mcp.served import ServedWiki

    token, is_new = http.token_of(os.environ) if port is not None else ("", False)
    os.environ.pop(http.TOKEN, None)  # nobody who is started from here has business with it
    settings = console.settings(common, flags)
    with settings.repository as repository:
        repository.view().workspace(settings.view)  # what is wrong with the wiki is said before anybody connects
    wiki = ServedWiki(
        settings.root.resolve(),
        dict(os.environ),
        flags,
        allow_ingest,
        tuple(root.resolve() for root in roots),
        confirmed,
        session=None if port is not None else {},
    )
    if port is None:
        server.serve_stdio(wiki)
        return Report()
    listener = loopback.listening(port)
    told = f"the token: {token}" if is_new else f"the token is that of {http.TOKEN}"
    address = f"http://{loopback.HOST}:{listener.getsockname()[1]}{http.PATH}"
    console.note(f"serving {printable(wiki.root)} at {address}; {told}")
    http.http_server(wiki, listener, token).run(sockets=[listener])
    return Report()
