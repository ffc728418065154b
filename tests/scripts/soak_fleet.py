"""A fleet's bad days in short: three workers, many wikis, everything fails now and then, and then the books are checked.

    python tests/scripts/soak_fleet.py [--wikis 50] [--sources 2000] [--workers 3] [--hands 2] [--kills 20] [--calm]
                                       [--delay 0.5] [--json FILE] [--seed N]

A real PostgreSQL, real git repositories and a model on the loopback that counts what it is paid for. Workers are killed at
random, alone or with all their children; the database is restarted; the git server refuses for a while; all workers share
all wikis, two sources of one at once. At the end every source is in its wiki by exactly one commit, no answer was paid for
twice that could be kept, and git and the audit find nothing amiss. ``--calm``: nothing fails, for the throughput alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from curator.fleet import figures
from curator.fleet.store import FleetStore
from scripts.audit import audit
from scripts.soak import git, text
from support.daemons import made, surroundings
from support.fleets import FleetProcess, GitServer, new_store
from support.model_server import ModelServer, Mood
from support.postgres import Postgres

_DATABASE_RESTARTS = 3
_REFUSALS = 6
_REFUSED_SECONDS = 8.0


@dataclass
class FleetSoak:
    """What was done and what was found."""

    wikis: int
    sources: int
    workers: int
    hands: int
    delay: float
    seconds: float = 0.0
    kills: int = 0
    restarts: int = 0
    refusals: int = 0
    calls: int = 0
    transactions: int = 0
    """Of the database, all in all; with the questions of this script."""
    processor_seconds: float = 0.0
    """Of the workers and their children, those left out that were killed."""
    lost_on_the_way: int = 0
    """Answers that were asked for again because a kill met the first on its way to the disk."""
    events: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        ideal = self.sources * self.delay / (self.workers * self.hands)
        return {**vars(self), "events": dict(self.events), "states": dict(self.states), "ideal_seconds": ideal}


class Fleet:
    """The fleet and its troubles."""

    def __init__(
        self, folder: Path, server: Postgres, model: ModelServer, soak: FleetSoak, chance: random.Random
    ) -> None:
        self.folder, self.server, self.model, self.soak, self.chance = folder, server, model, soak, chance
        self.address = server.new_database("fleet")
        self.store: FleetStore = new_store(self.address)
        self.git = GitServer(folder / "git")
        self.git.folder.mkdir()
        self.killed: list[float] = []
        home = folder / "home"
        home.mkdir()
        self.environment = surroundings(home, model, fleet_database=self.address)
        self.workers: list[FleetProcess] = []

    def fill(self) -> None:
        """Make the wikis and hand the sources in."""
        wiki = made(self.folder / "wiki", self.environment)
        for number in range(self.soak.wikis):
            self.store.put_wiki(replace(self.git.add(f"wiki-{number:02}", wiki), parallel=2))
        self.store.put_tenant(replace(self.store.tenant("default"), parallel=1000))
        for number in range(self.soak.sources):
            content = text(number).encode()
            digest = hashlib.sha256(content).hexdigest()
            self.store.hand_in(f"wiki-{number % self.soak.wikis:02}", f"sources/{number:05}.md", digest, content)

    def run(self, kills: int, calm: bool) -> None:
        began = time.time()
        for number in range(self.soak.workers):
            words = ("--hands", str(self.soak.hands))
            self.workers.append(FleetProcess(self.folder / f"machine-{number}", self.environment, words))
        troubles = [] if calm else self._troubles(kills)
        while (left := self._left()) and time.time() - began < 3600:
            done = 1 - left / self.soak.sources
            while troubles and done >= troubles[0][0]:
                self._trouble(troubles.pop(0)[1])
            self._say(left, began)
            time.sleep(1.0)
        self.soak.seconds = round(time.time() - began, 1)
        counted = self.store.database.one("SELECT xact_commit AS n FROM pg_stat_database WHERE datname = 'fleet'")
        self.soak.transactions = counted["n"] if counted else 0
        for worker in self.workers:
            if (status := worker.stop()) != 0:
                self.soak.faults.append(f"a worker ended with {status}")
        times = os.times()
        self.soak.processor_seconds = round(times.children_user + times.children_system, 1)

    def _troubles(self, kills: int) -> list[tuple[float, str]]:
        """What happens when which part of the sources is done."""
        kinds = ["kill"] * kills + ["database"] * _DATABASE_RESTARTS + ["refuse"] * _REFUSALS
        return sorted((self.chance.uniform(0.02, 0.95), kind) for kind in kinds)

    def _trouble(self, kind: str) -> None:
        if kind == "kill":
            worker = self.chance.choice(self.workers)
            worker.kill(with_children=self.chance.random() < 0.5)
            self.killed.append(time.time())
            self.soak.kills += 1
            worker.start()
        elif kind == "database":
            self.server.stop()
            time.sleep(2.0)
            self.server.start()
            self.soak.restarts += 1
        else:
            names = self.chance.sample(range(self.soak.wikis), min(5, self.soak.wikis))
            for number in names:
                self.git.refuse(f"wiki-{number:02}")
            time.sleep(_REFUSED_SECONDS)
            for number in names:
                self.git.accept(f"wiki-{number:02}")
            self.soak.refusals += 1

    def _left(self) -> int:
        rows = figures.wikis(self.store.database)
        return sum(row["queued"] + row["working"] for row in rows)

    def _say(self, left: int, began: float) -> None:
        told = f"{time.time() - began:6.0f} s: {left} left, {self.soak.kills} kills, {len(self.model.calls)} questions"
        print(f"\r{told}", end="", flush=True)

    # -- the books -----------------------------------------------------------------------------------------------

    def check(self) -> None:
        soak = self.soak
        rows = figures.wikis(self.store.database)
        soak.states = Counter(
            {state: sum(row[state] for row in rows) for state in ("queued", "working", "parked", "done")}
        )
        if soak.states["done"] != soak.sources:
            soak.faults.append(f"not all are done: {dict(soak.states)}")
        for number in range(soak.wikis):
            self._check_wiki(f"wiki-{number:02}", range(number, soak.sources, soak.wikis))
        soak.calls = len(self.model.calls)
        soak.faults += self.model.paid_twice(self.killed)
        soak.lost_on_the_way = self.model.lost(self.killed)
        for worker in self.workers:
            for line in worker.log.splitlines():
                soak.events[str(json.loads(line).get("event")) if line.startswith("{") else "no event"] += 1

    def _check_wiki(self, name: str, numbers: range) -> None:
        found = self.git.ingests(name)
        for number in numbers:
            if (times := found.pop(f"sources/{number:05}.md", 0)) != 1:
                self.soak.faults.append(f"{name}: sources/{number:05}.md is in {times} times")
        self.soak.faults += [f"{name}: {path} is no source of it" for path in found]
        clone = self.git.clone(name, self.folder / "looked-at")
        git(clone, "fsck", "--strict", "--no-dangling")
        self.soak.faults += [f"{name}: {fault}" for fault in audit(clone).faults]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, usual in (("wikis", 50), ("sources", 2000), ("workers", 3), ("hands", 2), ("kills", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--calm", action="store_true")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    soak = FleetSoak(chosen.wikis, chosen.sources, chosen.workers, chosen.hands, chosen.delay)
    with tempfile.TemporaryDirectory() as folder, ModelServer(Mood(delay=chosen.delay)) as model:
        server = Postgres.made(Path(folder, "postgres"))
        if server is None:
            print("PostgreSQL is not installed")
            return 2
        try:
            fleet = Fleet(Path(folder), server, model, soak, random.Random(chosen.seed))
            fleet.fill()
            fleet.run(chosen.kills, chosen.calm)
            fleet.check()
        finally:
            server.stop()
    print(f"\n{json.dumps(soak.as_json(), indent=1)}")
    if chosen.json:
        chosen.json.write_text(json.dumps(soak.as_json(), indent=1))
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
