"""A real PostgreSQL for the tests: the system's own, with a folder and a socket of its own, no port."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

_USERS = ("postgres", "nobody")
"""Whom it runs as where the tests are root's: it refuses to be root."""


def programs() -> Path | None:
    """The folder with initdb and postgres; None where they are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    return found[0].parent if found else Path(on_path).parent if on_path else None


@dataclass
class Postgres:
    """One server; ``folder`` has its data and its socket, and is the user's that runs it."""

    folder: Path
    programs: Path
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @classmethod
    def made(cls, folder: Path) -> Postgres | None:
        """A new server, running; None where PostgreSQL is not installed."""
        if (there := programs()) is None:
            return None
        folder.mkdir(mode=0o700)
        server = cls(folder, there)
        if os.geteuid() == 0:
            shutil.chown(folder, _user())
            for above in folder.parents:  # pytest's folders are for their owner alone
                if above.stat().st_mode & 0o001 == 0:
                    above.chmod(above.stat().st_mode | 0o011)
        server._run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "test", "--no-sync", "-E", "UTF8")
        server.start()
        return server

    @property
    def socket(self) -> str:
        return str(self.folder)

    def address(self, database: str = "postgres") -> str:
        return f"host={self.socket} user=test dbname={database}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [f"unix_socket_directories={self.socket}", "listen_addresses=", "fsync=off", "shared_buffers=16MB"]
        options = [word for setting in settings for word in ("-c", setting)]
        self._process = subprocess.Popen(
            [str(self.programs / "postgres"), "-D", str(self.folder / "data"), *options],
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            **_as_user(),
        )
        self._run("pg_isready", "-h", self.socket, "-t", "60", until_well=True)

    def stop(self) -> None:
        """End it at once, whoever is connected."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def new_database(self, name: str) -> str:
        """The address of an empty database."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.address(name)

    def _run(self, program: str, *words: str, until_well: bool = False) -> None:
        command = [str(self.programs / program), *words]
        while True:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, **_as_user())
            if done.returncode == 0:
                return
            ended = self._process is not None and self._process.poll() is not None
            if not until_well or ended:
                raise RuntimeError(f"{program}: {done.stderr.decode()}")


def _user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in _USERS if name in known)


def _as_user() -> dict[str, Any]:
    return {"user": _user(), "extra_groups": []} if os.geteuid() == 0 else {}
