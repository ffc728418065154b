"""``curate config``: the settings that hold, and where each was set."""

from __future__ import annotations

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, model_options, reported
from curator.config import Config
from curator.repository.settings import Settings


@click.command()
@model_options
@common_options
@reported
def config(common: CommonOptions, /, **flags: str | None) -> Report:
    return run(console.settings(common, flags))


def run(settings: Settings) -> Report:
    with settings.repository:
        files = settings.config_files
        config, places = Config.load_with_places(files, settings.environment, settings.flags)
    values = config.model_dump(mode="json")
    width = max(map(len, values))
    lines = [
        f"{key:<{width}}  {value if value != '' else '(none)'}" + (f"  ({places[key]})" if key in places else "")
        for key, value in values.items()
    ]
    data = {"settings": values, "places": places, "files": [str(file) for file in files]}
    return Report(data, (*lines, f"read from {' and '.join(map(str, files))}"))
