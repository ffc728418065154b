"""Terminals of every kind: slow, narrow, without colour, heard rather than seen. docs/terminals.md has the table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from support.curates import REAL, curate_words
from support.terminal import Seen, typed

TOOL = "# Tool {0}\n\nTool {0} is a device that is used in workshop {0}.\nTool {0} weighs {0} kilograms.\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminals")
    seen(folder, "init", "wiki")
    for number in (1, 2):
        (folder / f"tööl{number}.md").write_text(TOOL.format(number), "utf-8")
    return folder / "wiki"


def seen(
    folder: Path, *words: str, environment: dict[str, str] | None = None, start: tuple[str, ...] = (), **how: Any
) -> Seen:
    told = {
        **os.environ,
        "TERM": "xterm",
        "HOME": str(folder),
        "PYTHONPATH": str(Path.cwd()),
        "LC_ALL": "C.UTF-8",
    }
    for name in ("NO_COLOR", "CURATOR_PLAIN", "ACCESSIBLE", "CI"):
        told.pop(name, None)
    return typed([*(start or curate_words()), *words], folder, told | (environment or {}), **how)


def test_on_a_terminal_it_stays_who_answered_and_what_is_not_in_it_comes_first(root: Path) -> None:
    seen(root, "ingest", "../tööl1.md")
    (page,) = root.glob("*/tool*.md")
    page.write_text(page.read_text("utf-8") + "\n\nMy own words.\n", "utf-8")

    answer = seen(root, "ask", "What is Tool 1?")

    text = "\n".join(line for line in answer.lines)
    assert answer.moves > 0
    assert "answered by built-in extractive curator (no language model)\n" in text
    assert text.index("1 uncommitted edit") < text.index("Tool 1 is a device")


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"ACCESSIBLE": "1"}, {"CI": "true"}])
def test_what_is_heard_or_kept_does_not_move(root: Path, environment: dict[str, str]) -> None:
    result = seen(root, "ingest", "--dry-run", "../tööl2.md", environment=environment)

    assert (result.status, result.moves, result.colours) == (0, 0, 0)
    assert "tööl2.md …" in result.lines


def test_a_line_that_tells_how_slow_it_is_does_not_move(root: Path) -> None:
    result = seen(root, "ingest", "--dry-run", "../tööl2.md", baud=1200)

    assert (result.status, result.moves, result.colours) == (0, 0, 0)
    assert len(result.written) < 1200


def test_a_session_of_questions_ends_by_the_words_people_type(root: Path) -> None:
    result = seen(root, "ask", keys=[("? ", b"exit\n")])

    assert result.status == 0


def test_a_terminal_without_typography_gets_all_of_it_in_ascii(root: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    for words in (
        ("ingest", "--dry-run", "../tööl2.md"),
        ("ask", "What is Tool 1?"),
        ("doctor",),
        ("lint", "--no-log"),
    ):
        result = seen(root, *words, environment=plain, start=REAL)

        assert result.status in (0, 1)
        assert [byte for byte in result.written if byte > 127] == [], words
