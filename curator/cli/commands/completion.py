"""``curate completion``: what a shell needs to complete commands, options, pages and sources."""

from __future__ import annotations

import os
from pathlib import PurePath

import click
from click.shell_completion import get_completion_class

from curator.cli.console import COMPLETING, CommonOptions, Report
from curator.cli.options import common_options, reported
from curator.errors import ConfigError

_INSTALL = {
    "bash": "mkdir -p ~/.local/share/bash-completion/completions && "
    "curate completion bash > ~/.local/share/bash-completion/completions/curate",
    "zsh": "echo 'eval \"$(curate completion zsh)\"' >> ~/.zshrc",
    "fish": "curate completion fish > ~/.config/fish/completions/curate.fish",
}

_MENDED = (
    (
        "COMPREPLY+=($value)",
        'if [[ ${COMP_WORDS[COMP_CWORD]} != [\\"\\\']* ]]; then value=$(printf %q "$value"); fi; COMPREPLY+=("$value")',
    ),
    ('(string split "," $completion)', '(string split --max 1 "," $completion)'),
)
"""What click's scripts have wrong: bash makes two words of a name with a blank, fish cuts summaries off at a comma."""


@click.command()
@click.argument("shell", type=click.Choice(list(_INSTALL)), required=False)
@common_options
@reported
def completion(common: CommonOptions, shell: str | None) -> Report:
    shell = shell or PurePath(os.environ.get("SHELL", "")).name
    if shell not in _INSTALL:
        raise ConfigError("usage", "which shell?", f"one of: curate completion {' | '.join(_INSTALL)}")
    made = get_completion_class(shell)
    assert made is not None  # noqa: S101 (click has all three)
    script = _mended(made(click.Command("curate"), {}, "curate", COMPLETING).source())
    hint = f"to have it in every {shell} from now on: {_INSTALL[shell]}"
    return Report({"shell": shell, "script": script, "install": _INSTALL[shell]}, (script.rstrip("\n"),), 0, (hint,))


def _mended(script: str) -> str:
    for wrong, right in _MENDED:
        script = script.replace(wrong, right)
    return script
