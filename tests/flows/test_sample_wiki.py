"""The sample wiki is what the built-in curator makes of its sources, and the demo shows the main job on it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts import sample
from support.places import SAMPLE, TESTS


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def test_the_sample_wiki_is_up_to_date(tmp_path: Path) -> None:
    sample.make(tmp_path / "wiki")

    assert files(tmp_path / "wiki") == files(SAMPLE), "run: python tests/scripts/sample.py"


def test_the_demo_shows_a_commit_and_one_proven_claim(tmp_path: Path) -> None:
    demo = TESTS / "scripts" / "demo.py"

    done = subprocess.run(
        [sys.executable, str(demo), str(tmp_path / "demo")], capture_output=True, text=True, check=True
    )

    assert "the commit:" in done.stdout
    assert "no language model" in done.stdout
    assert '"' in done.stdout.rsplit("one claim of", 1)[1]
