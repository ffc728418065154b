"""What is installed as a service and by which commands, for every manager: systemd, launchd, cron or a container."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from curator.wiki.pages.slug import slugify

STANDARD_PATH = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")
_LONGEST_NAME = 40


@dataclass(frozen=True)
class InstallTarget:
    """A wiki and the machine that runs its service."""

    root: Path
    """The real path of the wiki: it has one service, whichever path leads to it."""
    writable: tuple[Path, ...]
    """The folders the service writes to: the wiki, and its git directory where that lies elsewhere."""
    python: str
    """The interpreter that curator is installed for; not resolved, because a virtual environment is found by its link."""
    config: Path
    """The user's folder of settings, ``~/.config`` unless XDG_CONFIG_HOME says otherwise."""
    moved_config: bool = False
    """True when XDG_CONFIG_HOME is set, which the service has to be given too."""
    git: str = "/usr/bin/git"

    @property
    def name(self) -> str:
        """The name of the service: unique and stable, in letters that systemd, launchd and file systems take."""
        return name_of(self.root)

    @property
    def secrets(self) -> Path:
        """The file with the keys of models; its owner writes it, curator never does."""
        return self.config / "curator" / "environment"

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of the service, which no shell sets."""
        own = str(Path(self.git).parent)
        path = STANDARD_PATH if own in STANDARD_PATH else (own, *STANDARD_PATH)
        # The safe path: a folder named curator, wherever the service is started, is none of its own code.
        found = {"PATH": ":".join(path), "PYTHONSAFEPATH": "1"}
        return found | ({"XDG_CONFIG_HOME": str(self.config)} if self.moved_config else {})

    @property
    def watch(self) -> tuple[str, ...]:
        """The command of the service."""
        return (*self._curate, "watch", "--log", "text")

    @property
    def lint(self) -> tuple[str, ...]:
        """The command that runs every night."""
        return (*self._curate, "lint")

    @property
    def fetch(self) -> tuple[str, ...]:
        """The command that runs every hour, for who has a reading list."""
        return (*self._curate, "fetch", "--quiet")

    @property
    def _curate(self) -> tuple[str, ...]:
        return (self.python, "-P", "-m", "curator", "--wiki", str(self.root))


def name_of(root: Path) -> str:
    """The service's name: ``tea-1f0e9c2b`` for a folder ``Tea``. The path need not exist any more."""
    real = os.path.realpath(root)
    digest = hashlib.sha256(os.fsencode(real)).hexdigest()[:8]
    slug = slugify(os.path.basename(real))[:_LONGEST_NAME].strip("-")  # noqa: PTH119 (a string is wanted)
    return f"{slug or 'wiki'}-{digest}"


Command = tuple[str, ...]


@dataclass(frozen=True)
class InstallPlan:
    """What one manager of services gets: files, commands, or a text for a person."""

    format: str
    files: Mapping[Path, str] = field(default_factory=dict)
    """The whole text of each file that would be written."""
    text: str = ""
    """A text that a person has to put in its place; it is only printed."""
    probe: Command = ()
    """A command that exits with 0 where the manager can be reached."""
    settled: tuple[Command, ...] = ()
    """Commands that all exit with 0 when everything runs; for a manager that fails when a thing is started twice."""
    start: tuple[Command, ...] = ()
    restart: tuple[Command, ...] = ()
    """Run instead of ``start`` when a file of a running service was changed."""
    stop: tuple[Command, ...] = ()
    """Run before the files are removed; may fail for what has stopped already."""
    after: tuple[Command, ...] = ()
    """Run after the files are removed."""
    logs: str = ""
    """The command that shows the log of the service."""
    notes: tuple[str, ...] = ()
