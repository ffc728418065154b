"""A fleet for tests: bare repositories, workers as processes, and what git says of the sources in the end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from curator.fleet.database import Database, migrate
from curator.fleet.records import FleetWiki
from curator.fleet.store import FleetStore
from support.daemons import descendants, ingests
from support.waiting import PATIENCE
from support.wikis import git

_REFUSES = "#!/bin/sh\necho 'the server is being mended' >&2\nexit 1\n"


@dataclass
class GitServer:
    """Bare repositories in a folder; pushing is refused for as long as somebody says so."""

    folder: Path

    def add(self, name: str, wiki: Path) -> FleetWiki:
        """A repository of that name with what ``wiki`` has committed."""
        bare = self.folder / f"{name}.git"
        git(wiki, "clone", "--quiet", "--bare", str(wiki), str(bare))
        return FleetWiki(name, str(bare))

    def refuse(self, name: str) -> None:
        hook = self.folder / f"{name}.git" / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(_REFUSES)
        hook.chmod(0o755)

    def accept(self, name: str) -> None:
        (self.folder / f"{name}.git" / "hooks" / "pre-receive").unlink(missing_ok=True)

    def clone(self, name: str, place: Path) -> Path:
        """What the server has, looked at afresh."""
        shutil.rmtree(place, ignore_errors=True)
        git(self.folder, "clone", "--quiet", str(self.folder / f"{name}.git"), str(place))
        return place

    def ingests(self, name: str) -> Counter[str]:
        """How many commits took each source in."""
        return Counter({path: count for (path, _), count in ingests(self.folder / f"{name}.git").items()})


@dataclass
class FleetProcess:
    """One ``curate fleet worker``; its log is in ``folder``."""

    folder: Path
    environment: Mapping[str, str]
    arguments: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.start()

    def start(self) -> None:
        words = ("fleet", "worker", "--folder", str(self.folder / "clones"), "--log", "json", *self.arguments)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "curator", *words], env=self.environment, stderr=log, stdout=log
            )

    def kill(self, *, with_children: bool) -> None:
        """As a machine dies, or with its children left to end by themselves."""
        family = [self.process.pid]
        if with_children:
            family += [pid for pid, _ in descendants(self.process.pid)]
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def stop(self, seconds: float = PATIENCE) -> int:
        """SIGTERM, and the exit status."""
        self.process.terminate()
        return self.process.wait(seconds)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")


def new_store(address: str) -> FleetStore:
    """A store on an empty database, with its tables made."""
    store = FleetStore(Database(address))
    migrate(store.database)
    return store
