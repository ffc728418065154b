"""The sample wiki is what the built-in curator makes of its sources, and the demo shows the main job on it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts import sample
from scripts.audit import audit
from support.curates import curate_words
from support.lints import examined, wrong
from support.places import SAMPLE, TESTS
from support.wikis import git


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def test_the_sample_wiki_is_up_to_date_and_sound(tmp_path: Path) -> None:
    wiki = tmp_path / "wiki"
    sample.make(wiki, curate_words())

    assert files(wiki) == files(SAMPLE), "run: python tests/scripts/sample.py"
    git(wiki, "clean", "-qf")  # the source that waits
    assert audit(wiki).faults == []
    assert wrong(examined(wiki), but=("contradiction_unresolved",)) == []


def test_the_demo_shows_a_commit_and_one_proven_claim(tmp_path: Path) -> None:
    demo = TESTS / "scripts" / "demo.py"

    done = subprocess.run(
        [sys.executable, str(demo), str(tmp_path / "demo")], capture_output=True, text=True, check=True
    )

    assert "the commit:" in done.stdout
    assert "no language model" in done.stdout
    assert '"' in done.stdout.rsplit("one claim of", 1)[1]
