"""A machine that lacks something is told what, in one line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support.places import PROJECT

TOOLS = ("sh", "make", "git", "grep", "awk")

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


@pytest.mark.parametrize(
    ("missing", "python", "said"),
    [
        ("", "", "there is no python3 (on Debian: apt install python3 python3-venv)"),
        ("", 'case "$*" in *version_info*) exit 1;; *) echo Python 3.9.2;; esac', "this is Python 3.9.2"),
        ("", 'case "$*" in *ensurepip*) echo no module >&2; exit 1;; esac', "(on Debian: apt install python3-venv)"),
        ("git", "exit 0", "curator needs git (on Debian: apt install git)"),
    ],
    ids=["no python", "an old python", "no venv", "no git"],
)
def test_make_says_what_is_missing(tmp_path: Path, missing: str, python: str, said: str) -> None:
    programs, copy = tmp_path / "bin", tmp_path / "curator"
    programs.mkdir()
    copy.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(PROJECT / name, copy)
    for name in TOOLS:
        if name != missing and (found := shutil.which(name)):
            (programs / name).symlink_to(found)
    if python:
        (programs / "python3").write_text(f"#!/bin/sh\n{python}\n")
        (programs / "python3").chmod(0o755)

    done = subprocess.run(
        ["make", "demo"], cwd=copy, env={"PATH": str(programs)}, capture_output=True, text=True, check=False
    )

    first, *rest = done.stderr.strip().split("\n")
    assert done.returncode != 0
    assert said in first
    assert all(line.startswith("make") for line in rest)
    assert not (copy / ".venv").exists()
