"""``curate mcp``: the wiki and the packs in reach as tools for an agent, over the Model Context Protocol."""

from __future__ import annotations

import os

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, model_options, reported
from curator.errors import ConfigError


@click.command()
@model_options
@common_options
@reported
def mcp(common: CommonOptions, /, **flags: str | None) -> Report:
    if common.json:
        raise ConfigError("usage", "--json is not for curate mcp: its stdout is the protocol's", "leave it out")
    from curator.cli.mcp import server  # it brings in what all its tools need
    from curator.cli.mcp.tools import ServedWiki

    settings = console.settings(common, flags)
    settings.repository.__exit__()  # what is wrong with the wiki is said before anybody connects
    server.serve_stdio(ServedWiki(settings.root.resolve(), dict(os.environ), flags))
    return Report()
