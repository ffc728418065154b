"""Real git, real files, fixed names and dates; no language model is reached by accident."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from curator.checks.doctor import machine
from curator.checks.doctor.machine import Machine
from curator.cli.commands import init
from curator.repository.repository import Repository
from support.wikis import git

sys.modules["litellm"] = None  # type: ignore[assignment]
"""litellm belongs into the sandbox's process; in this one importing it is an error."""


pytest_plugins = ["support.slowest"]


def _of_nobody(environment: pytest.MonkeyPatch, home: Path) -> None:
    """No configuration of the machine's user, of git or of curator, is in the environment."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "CURATOR_")):
            environment.delenv(name)
    environment.setenv("HOME", str(home))
    environment.setenv("XDG_CONFIG_HOME", str(home / "config"))
    environment.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    environment.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        environment.setenv(f"GIT_{role}_NAME", "Ada")
        environment.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
    environment.setenv("GIT_PYTHON_REFRESH", "quiet")


@pytest.fixture(autouse=True)
def _own_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    _of_nobody(monkeypatch, tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def new_wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``curate init`` makes, once for all tests of a worker; they have copies of it."""
    with pytest.MonkeyPatch.context() as environment:
        _of_nobody(environment, tmp_path_factory.mktemp("home"))
        folder = tmp_path_factory.mktemp("template") / "wiki"
        init.run(folder, "Tea")
    return folder


@pytest.fixture(scope="session")
def _machine() -> Callable[[], Machine]:
    return cache(machine.examine_machine)


@pytest.fixture(autouse=True)
def _known_machine(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, _machine: Callable[[], Machine]
) -> None:
    """The machine is proven by trial once for all tests of a worker, but in those that are about it."""
    if request.node.get_closest_marker("examines_machine") is None:
        monkeypatch.setattr(machine, "examine_machine", _machine)


@pytest.fixture
def root(tmp_path: Path, new_wiki: Path) -> Path:
    """A new wiki, as ``curate init`` makes it."""
    copy = Path(shutil.copytree(new_wiki, tmp_path / "wiki", symlinks=True))
    git(copy, "update-index", "-q", "--refresh")  # the index knows files by their inodes, which are new
    return copy


@pytest.fixture
def repository(root: Path) -> Iterator[Repository]:
    with Repository(root) as opened:
        yield opened
