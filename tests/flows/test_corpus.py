"""A whole field of real documents into a new wiki, audited by code that shares nothing with curator.

The documents are those of the corpus beside the project where it is there, else the sources of the sample wiki; at night
those of both.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.audit import audit
from support.curates import curate_words
from support.depth import NIGHTLY, of_this_commit
from support.places import SAMPLE, SHARED

_FEW = 4
"""Documents of which no third is drawn."""
CORPUS = SHARED / "corpus" / "peps"
_CORPORA = [folder for folder in (CORPUS, SAMPLE / "sources") if folder.is_dir()]
FOLDERS = _CORPORA if NIGHTLY else _CORPORA[:1]


def curate(*arguments: str) -> dict[str, object]:
    done = subprocess.run(
        [*curate_words(), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.stdout, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_every_source_is_one_proven_commit_and_a_second_run_is_none(folder: Path, tmp_path: Path) -> None:
    every = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    sources = of_this_commit(every) if len(every) > _FEW else every
    given = tmp_path / "given"
    given.mkdir()
    for source in sources:
        shutil.copyfile(source, given / source.name)
    root = tmp_path / "wiki"
    curate("--json", "init", str(root))

    first = curate("--wiki", str(root), "--json", "ingest", str(given))
    found = audit(root)
    second = curate("--wiki", str(root), "--json", "ingest", str(given))

    assert first["ok"] and second["ok"]
    assert found.faults == []
    assert found.commits == len(sources)
    assert found.quotes > 10 * len(sources)
    assert {result["status"] for result in second["results"]} == {"skipped"}  # type: ignore[attr-defined]
    assert audit(root).commits == found.commits
