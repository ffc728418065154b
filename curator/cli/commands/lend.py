"""``curate lend``, a child of the service: has litellm loaded once, and lends model workers by a socket."""

from __future__ import annotations

import socket
import sys

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, model_options, reported


@click.command()
@click.option("--socket", "descriptor", type=int, required=True, help="The descriptor of a socket that listens.")
@model_options
@common_options
@reported
def lend(common: CommonOptions, /, descriptor: int, **flags: str | None) -> Report:
    from curator.models.sandbox import lending
    from curator.models.sandbox.addresses import rights_of

    settings = console.settings(common, flags)
    with socket.socket(fileno=descriptor) as listening:
        rights = rights_of(settings.config, settings.environment)
        lending.lend(listening, *rights, settings.config.model, until=sys.stdin.fileno())
    return Report()
