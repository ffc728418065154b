"""Killed at any moment of an ingest, the wiki is as before or as after once the next command has run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from curator.repository.repository import Repository
from faults.crash import DIES
from faults.torture import shim
from support.depth import NIGHTLY
from support.fakes import ScriptedModel
from support.wikis import MORE, OOLONG, drop, git, take_in

CRASH = Path(__file__).resolve().parent / "crash.py"
STEP = 1 if NIGHTLY else 4
"""Every how many acts one is tried."""
pytestmark = pytest.mark.skipif(
    shim.missing() is None and not NIGHTLY, reason="the torture kills at each system call, git's too"
)


@dataclass(frozen=True)
class State:
    """All that a user could see."""

    head: str
    tree: str
    files: dict[str, bytes]


def state(root: Path) -> State:
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
    return State(git(root, "log", "-1", "--format=%s"), git(root, "rev-parse", "HEAD^{tree}"), files)


@pytest.fixture
def ready(root: Path) -> Path:
    """A wiki with a page, and a second source that will add to it."""
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
    return root


def run(root: Path, act: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CRASH), str(root), str(root / "sources" / "brewing.txt"), str(act)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def assert_sound(root: Path, before: State, after: State, act: int) -> bool:
    """True when the ingest had landed."""
    with Repository(root):
        pass
    now = state(root)
    landed = now.tree == after.tree

    assert now.files == (after.files if landed else before.files), f"act {act}"
    assert landed or now.tree == before.tree, f"act {act}"
    assert not (root / ".git" / "index.lock").exists(), f"act {act}"
    waits = [f"?? {path}" for path in before.files if path.startswith("sources/brewing")]
    assert git(root, "status", "--porcelain") == ("" if landed else "\n".join(waits)), f"act {act}"
    assert git(root, "fsck", "--no-dangling") == "", f"act {act}"
    return landed


@pytest.mark.parametrize(("signed", "step"), [(False, STEP), (True, 10 * STEP)])
def test_killed_before_any_act_an_ingest_is_wholly_there_or_not_at_all(
    ready: Path, tmp_path: Path, signed: bool, step: int
) -> None:
    if signed:
        drop(ready, "brewing.txt.sig", "A signature, as far as the transaction is concerned.\n")
    before = state(ready)
    whole = tmp_path / "whole"
    shutil.copytree(ready, whole, symlinks=True)
    acts = int(run(whole, 0).stdout)
    after = state(whole)
    outcomes = set()

    for act in range(1, acts + 1, step):
        copy = tmp_path / f"copy-{act}"
        shutil.copytree(ready, copy, symlinks=True)
        died = run(copy, act)
        assert died.returncode == DIES, died.stderr
        landed = assert_sound(copy, before, after, act)
        outcomes.add(landed)
        if not landed:
            with Repository(copy) as repository:
                take_in(copy / "sources" / "brewing.txt", repository, ScriptedModel((MORE,)))
            assert state(copy).tree == after.tree, f"act {act}: taken in again"
        shutil.rmtree(copy)

    assert outcomes == {True, False}
