"""What moves on a terminal, and for whom nothing does."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from curator.cli import console
from curator.cli.console import CommonOptions


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, last: str = "oolong.md", **environment: str) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for name in ("NO_COLOR", "CURATOR_PLAIN", "ACCESSIBLE", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with console.progress(CommonOptions(None, False)) as say:
        say("tea.md …")
        say("")
        say(f"{last} …")
    return terminal.getvalue()


@pytest.mark.parametrize(
    "environment", [{"TERM": "dumb"}, {"TERM": ""}, {"CURATOR_PLAIN": "1"}, {"ACCESSIBLE": "1"}, {"CI": "true"}]
)
def test_nothing_moves_where_nothing_may(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    assert shown(monkeypatch, **environment) == "tea.md …\noolong.md …\n"


@pytest.mark.parametrize("environment", [{}, {"CURATOR_PLAIN": "0"}, {"CI": "false"}])
def test_elsewhere_one_line_is_drawn_anew(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    assert "\x1b[2K" in shown(monkeypatch, **environment)


def test_on_a_narrow_terminal_what_moves_is_one_line_still(monkeypatch: pytest.MonkeyPatch) -> None:
    said = shown(monkeypatch, "2 of 20, less than a minute left: oolong.md", COLUMNS="30")

    assert "…" in said.split("tea.md")[-1]
    assert "oolong" not in said
    assert "\x1b[1A\x1b[2K\x1b[1A" not in said  # two lines up


def test_there_is_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[3" in shown(monkeypatch)
    assert "\x1b[3" not in shown(monkeypatch, NO_COLOR="1")


def test_a_terminal_without_typography_is_spoken_to_in_ascii() -> None:
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    said = f"print({'tea.md … “quoted” – Grüner Tee'!a})"
    code = f"import click; from curator.cli import console; console.main(click.Command('x', callback=lambda: {said}))"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)

    assert done.stdout == b'tea.md ... "quoted" - Gr\\xfcner Tee\n'
