"""What the service of one wiki is made from, whoever keeps it running: systemd, launchd, cron or a container."""

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
    """A wiki, and the machine it is kept on."""

    root: Path
    """The real path of the wiki: however it is named, it has one service."""
    writable: tuple[Path, ...]
    """All that the service writes to: the wiki, and what of its git directory lies elsewhere."""
    python: str
    """The interpreter that curator is installed for; not resolved, for a virtual environment is known by its link."""
    config: Path
    """The user's folder of settings, ``~/.config`` unless XDG_CONFIG_HOME says otherwise."""
    moved_config: bool = False
    """True when XDG_CONFIG_HOME does say otherwise, which the service has to be told."""
    git: str = "/usr/bin/git"

    @property
    def name(self) -> str:
        """Unique and stable, in letters that systemd, launchd and file systems leave as they are."""
        return name_of(self.root)

    @property
    def secrets(self) -> Path:
        """The file with the keys of models, which its owner writes and we never do."""
        return self.config / "curator" / "environment"

    @property
    def environment(self) -> dict[str, str]:
        """What the service needs and nobody's shell is there to say."""
        own = str(Path(self.git).parent)
        path = STANDARD_PATH if own in STANDARD_PATH else (own, *STANDARD_PATH)
        # The safe path: a folder named curator, wherever the service is started, is none of its own code.
        found = {"PATH": ":".join(path), "PYTHONSAFEPATH": "1"}
        return found | ({"XDG_CONFIG_HOME": str(self.config)} if self.moved_config else {})

    @property
    def watch(self) -> tuple[str, ...]:
        """The command that is the service."""
        return (*self._curate, "watch", "--log", "text")

    @property
    def lint(self) -> tuple[str, ...]:
        """The command of every night."""
        return (*self._curate, "lint")

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
    """What one manager of services is to be given."""

    format: str
    files: Mapping[Path, str] = field(default_factory=dict)
    """The whole text of each file that would be written."""
    text: str = ""
    """What is for a person to put where it belongs; it is only ever printed."""
    probe: Command = ()
    """Exits with 0 where the manager can be spoken to."""
    settled: tuple[Command, ...] = ()
    """All of them exit with 0 when nothing is left to start; for a manager that calls it a fault to start a thing twice."""
    start: tuple[Command, ...] = ()
    restart: tuple[Command, ...] = ()
    """Instead of ``start`` when what may be running was changed."""
    stop: tuple[Command, ...] = ()
    """Before the files are removed; what has been stopped already is no fault."""
    after: tuple[Command, ...] = ()
    """After they have been."""
    logs: str = ""
    """The command that shows what the service says."""
    notes: tuple[str, ...] = ()
