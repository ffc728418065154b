"""What this machine has for a service: its paths, its manager, and the files that are there already."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curator.errors import ConfigError, Conflict
from curator.repository.settings import check_git, check_path
from curator.service.install import container, cron, launchd, systemd
from curator.service.install.checksum import State, state_of
from curator.service.install.plan import InstallPlan, InstallTarget
from curator.system.git_environment import EXPLICITLY


@dataclass(frozen=True)
class InstallFile:
    """A file of a plan, and what is in its place."""

    path: Path
    text: str
    state: State

    def as_json(self) -> dict[str, str]:
        return {"path": str(self.path), "text": self.text, "state": self.state}


def usual_format(environment: Mapping[str, str]) -> str:
    """The manager of services that this machine has."""
    if sys.platform == "darwin":
        return "launchd"
    return "systemd" if shutil.which("systemctl", path=environment.get("PATH")) else "cron"


def target_of(root: Path, environment: Mapping[str, str]) -> InstallTarget:
    """The target for the wiki in ``root``. Raises ConfigError where no service can run for it."""
    check_git()
    check_path(root)
    root = Path(os.path.realpath(root))
    return target_at(root, environment, _writable(root))


def target_at(root: Path, environment: Mapping[str, str], writable: tuple[Path, ...]) -> InstallTarget:
    """The target for a wiki that need not exist any more. Raises ConfigError."""
    home = environment.get("HOME")
    if not home:
        raise ConfigError("no_home", "HOME is not set, and a service belongs to a user", "set HOME to your folder")
    usual = Path(home, ".config")
    config = Path(environment.get("XDG_CONFIG_HOME") or usual)
    for path in (*writable, Path(sys.executable), config):
        _check_characters(path)
    git = shutil.which("git", path=environment.get("PATH")) or "/usr/bin/git"
    return InstallTarget(root, writable, sys.executable, config, config != usual, git)


def _check_characters(path: Path) -> None:
    """Raises ConfigError for what would end a line of a unit, and what XML has no way to say."""
    check_path(path)
    if any(unicodedata.category(c) == "Cc" for c in str(path)):
        said = f"the path {str(path)!r} has control characters, which a service cannot be told"
        raise ConfigError("path_unusable", said, "rename the folder")


def _writable(root: Path) -> tuple[Path, ...]:
    """The wiki, and its git directory, common directory and runtime folder where they lie elsewhere."""
    asked = ("--absolute-git-dir", "--git-common-dir", "--git-path", "curator")
    command = ["git", "-C", str(root), *EXPLICITLY, "rev-parse", *asked]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = " ".join(done.stderr.split())
        raise ConfigError("not_git", f"git cannot use {str(root)!r}: {said}", "fix that, or run 'git init' in the wiki")
    found: list[Path] = [root]
    for line in done.stdout.rstrip("\n").split("\n"):
        path = Path(os.path.realpath(root / line))
        if not any(path.is_relative_to(other) for other in found):
            found = [*(other for other in found if not other.is_relative_to(path) or other == root), path]
    return tuple(found)


def plan_for(target: InstallTarget, format: str, environment: Mapping[str, str]) -> InstallPlan:
    """The plan for one manager of services."""
    match format:
        case "systemd":
            return systemd.plan(target)
        case "launchd":
            return launchd.plan(target, Path(environment["HOME"]), os.getuid())
        case "cron":
            return cron.plan(target)
        case _:
            return container.plan(target, f"{os.getuid()}:{os.getgid()}")


def files_of(plan: InstallPlan) -> list[InstallFile]:
    """The plan's files, each beside what is there now."""
    return [InstallFile(path, text, state_of(_text_of(path), text)) for path, text in plan.files.items()]


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def check_unchanged(files: Sequence[InstallFile], hint: str) -> None:
    """Raises Conflict for a file that somebody has changed, or that was never ours."""
    for file in files:
        if file.state == "changed":
            raise Conflict("unit_changed", f"{str(file.path)!r} was changed since curator wrote it", hint)
        if file.state == "foreign":
            raise Conflict("unit_foreign", f"{str(file.path)!r} is there and was not written by curator", hint)


def check_installed(target: InstallTarget) -> None:
    """Raises ConfigError where the service would not find its own code, as from a checkout that was never installed."""
    kept = {"PATH": target.environment["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*target.watch[:4], "--version"]
    done = subprocess.run(command, cwd="/", env=kept, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise ConfigError(
            "not_installed", f"{target.python} cannot run curator by itself: {said}", "install it: pip install ."
        )
