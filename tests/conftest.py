"""Real git, real files, fixed names and dates; no language model is reached by accident."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.cli.commands import init
from curator.repository.repository import Repository

sys.modules["litellm"] = None  # type: ignore[assignment]
"""litellm belongs into the sandbox's process; in this one importing it is an error."""


@pytest.fixture(autouse=True)
def _own_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No configuration of the machine's user, of git or of curator, reaches a test."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "CURATOR_")):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
    monkeypatch.setenv("GIT_PYTHON_REFRESH", "quiet")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A new wiki, as ``curate init`` makes it."""
    init.run(tmp_path / "wiki", "Tea")
    return tmp_path / "wiki"


@pytest.fixture
def repository(root: Path) -> Iterator[Repository]:
    with Repository(root) as opened:
        yield opened
