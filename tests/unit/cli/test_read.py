"""``curate read``: what curator reads of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands.read import report
from curator.config import Config
from curator.errors import SourceError


def test_text_head_anchors_and_what_was_left_out_are_told(tmp_path: Path) -> None:
    file = tmp_path / "tea.md"
    file.write_text("---\ntitle: Tea\nauthor: Ann\n---\nTea is a dr\u200bink.\n", "utf-8")

    said = report(file, Config().source_limits)

    assert said.data == {
        "text": "---\ntitle: Tea\nauthor: Ann\n---\nTea is a drink.",
        "head": {"title": "Tea", "authors": ["Ann"]},
        "anchors": ["L1", "L2", "L3", "L4", "L5"],
        "left_out": [{"what": "invisible characters", "count": 1, "hidden": True}],
        "ocr_pages": [],
    }
    assert said.lines[:3] == ("title: Tea", "authors: Ann", "")
    assert said.lines[-3:] == (
        "L5  Tea is a drink.",
        "",
        "left out: invisible characters: 1, which nobody sees who opens the file",
    )


def test_what_cannot_be_read_is_refused_with_what_would_help(tmp_path: Path) -> None:
    file = tmp_path / "tea.png"
    file.write_bytes(b"\x89PNG")

    with pytest.raises(SourceError) as caught:
        report(file, Config().source_limits)

    assert caught.value.code == "format_unknown"
    assert "picture" in caught.value.hint


def test_a_refusal_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "tea.txt"
    file.touch()

    with pytest.raises(SourceError) as caught:
        report(file, Config().source_limits)

    assert str(caught.value) == f"{file}: it is empty"
