"""Several curates at once on one wiki: every source comes in once, nobody crashes, nothing is mixed up."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from scripts.audit import audit
from support.curates import curate_words
from support.waiting import PATIENCE
from support.wikis import drop, git

THINGS = ("kettle", "teapot", "caddy", "strainer")


def text(thing: str) -> str:
    return f"About the {thing}\n\nA {thing} is a vessel that is used for tea. The {thing} is kept dry and warm.\n"


def curate(root: Path, *files: Path) -> subprocess.Popen[str]:
    command = [*curate_words(), "--wiki", str(root), "--json", "ingest", *map(str, files)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def statuses(process: subprocess.Popen[str]) -> list[str]:
    said, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said + complaints
    return [result["status"] for result in json.loads(said)["results"]]


def test_different_sources_all_land(root: Path) -> None:
    files = [drop(root, f"{thing}.txt", text(thing)) for thing in THINGS]

    found = [statuses(process) for process in [curate(root, file) for file in files]]

    assert found == [["ingested"]] * len(THINGS)
    assert audit(root).faults == []
    assert audit(root).commits == len(THINGS)
    assert git(root, "fsck", "--no-dangling") == ""


def test_one_source_named_by_several_lands_once(root: Path) -> None:
    file = drop(root, "kettle.txt", text("kettle"))

    found = [status for process in [curate(root, file) for _ in range(3)] for status in statuses(process)]

    assert sorted(found) == ["ingested", "skipped", "skipped"]
    assert audit(root).commits == 1
