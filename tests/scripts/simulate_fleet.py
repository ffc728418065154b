"""10,000 wikis and 1,000,000 sources a day, simulated: what fills up first, how long a source takes, what it costs.

    python tests/scripts/simulate_fleet.py [--hours 2] [--wikis 10000] [--a-day 1000000] [--seed 1] [--json FILE]

A discrete-event model by simpy, fed with what was measured on the real thing (``Measured``; docs/scale.md says how). It
covers the busiest hours of a day. What is a guess about others' machines is in ``Fleet`` and can be changed.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import json
import math
import random
import statistics
import sys
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import simpy

_PEAK = 1.8
"""How much busier the busiest hours are than the average of a day."""
_TURN_PAUSE = 0.05
_LONGEST_PAUSE = 2.0

Events = Generator[simpy.Event, Any, Any]


@dataclass(frozen=True)
class Measured:
    """Of one source, on the machine of docs/scale.md; seconds, unless it says otherwise."""

    asking_cpu: float = 0.6
    """A processor's, for reading, the prompt and the checks, with a child's start shared by the ten sources of a turn."""
    landing_cpu: float = 0.5
    """A processor's, for one try of fetch, commit and push. Both together were measured, how they share it is a guess."""
    fetch: float = 0.15
    push: float = 0.25
    transactions: int = 53
    transaction: float = 0.002
    tokens: int = 12_500
    """Question and answer, repairs included."""


@dataclass(frozen=True)
class Fleet:
    """What there is of everything."""

    name: str = "as planned"
    machines: int = 12
    cores: int = 8
    hands: int = 64
    """Sources at once, of one machine."""
    model_seconds: float = 25.0
    tokens_a_minute: float = 30_000_000
    git_pushes: int = 200
    """Fetches and pushes that the git hosts serve at once."""
    databases: int = 1
    database_connections: int = 64
    wiki_parallel: int = 4
    skew: float = 0.6
    """How unevenly sources are spread: Zipf's exponent. With 1 the biggest of 10,000 wikis gets a tenth of all."""
    batch: int = 1
    """Sources that one commit and push brings in; 1 is what curator does, more is not built."""
    machine_price: float = 0.25
    """US dollars an hour, as are all prices but the next."""
    token_price: float = 0.5e-6
    database_price: float = 2.0
    git_price: float = 1.0


@dataclass
class Seen:
    """What happened."""

    arrived: int = 0
    landed: int = 0
    tries: int = 0
    seconds: list[float] = field(default_factory=list)
    busy: dict[str, float] = field(default_factory=dict)
    """Seconds that each kind of place was taken."""


@dataclass(frozen=True)
class Outcome:
    """What is told of a run."""

    name: str
    arrived: int
    landed: int
    backlog: int
    median: float
    p95: float
    tries: float
    use: dict[str, float]
    """The share of each that was in use; 1 is full."""
    dollars_a_source: float

    @property
    def fullest(self) -> str:
        return max(self.use, key=lambda name: self.use[name])


class Simulation:
    """One run."""

    def __init__(
        self, measured: Measured, fleet: Fleet, wikis: int, a_second: float, seconds: float, seed: int
    ) -> None:
        self.measured, self.fleet, self.seconds, self.a_second = measured, fleet, seconds, a_second
        self.chance = random.Random(seed)
        self.clock = clock = simpy.Environment()
        self.places = {
            "hands": simpy.Resource(clock, fleet.machines * fleet.hands),
            "processors": simpy.Resource(clock, fleet.machines * fleet.cores),
            "git": simpy.Resource(clock, fleet.git_pushes),
            "database": simpy.Resource(clock, fleet.databases * fleet.database_connections),
        }
        # The quota as that many questions at once: tokens a minute, by how long a question takes.
        quota = fleet.tokens_a_minute / 60 * fleet.model_seconds / measured.tokens
        self.places["model"] = simpy.Resource(clock, max(1, int(quota)))
        self.wikis = [simpy.Resource(clock, fleet.wiki_parallel) for _ in range(wikis)]
        self.versions = [0] * wikis
        self.shares = list(itertools.accumulate(1 / rank**fleet.skew for rank in range(1, wikis + 1)))
        self.seen = Seen(busy=dict.fromkeys([*self.places, "biggest wiki"], 0.0))

    def run(self) -> Outcome:
        self.clock.process(self._arrivals())
        self.clock.run(until=self.seconds)
        seen, fleet = self.seen, self.fleet
        use = {name: seen.busy[name] / (place.capacity * self.seconds) for name, place in self.places.items()}
        use["biggest wiki"] = seen.busy["biggest wiki"] / self.seconds
        times = sorted(seen.seconds) or [math.inf]
        hourly = fleet.machines * fleet.machine_price + fleet.databases * fleet.database_price + fleet.git_price
        return Outcome(
            fleet.name,
            seen.arrived,
            seen.landed,
            seen.arrived - seen.landed,
            round(statistics.median(times), 1),
            round(times[int(len(times) * 0.95)] if len(times) > 1 else times[0], 1),
            round(seen.tries / max(seen.landed, 1), 2),
            {name: round(share, 3) for name, share in use.items()},
            round(self.measured.tokens * fleet.token_price + hourly * self.seconds / 3600 / max(seen.landed, 1), 5),
        )

    def _arrivals(self) -> Events:
        while True:
            yield self.clock.timeout(self.chance.expovariate(self.a_second))
            self.seen.arrived += 1
            wiki = bisect.bisect_left(self.shares, self.chance.random() * self.shares[-1])
            self.clock.process(self._source(wiki))

    def _source(self, wiki: int) -> Events:
        came = self.clock.now
        with self.wikis[wiki].request() as slot:
            yield slot
            with self.places["hands"].request() as hand:
                yield hand
                began = self.clock.now
                yield from self._database(self.measured.transactions // 2)
                yield from self._use("git", self.measured.fetch)
                yield from self._use("processors", self.measured.asking_cpu)
                yield from self._use("model", self.fleet.model_seconds * self.chance.lognormvariate(0, 0.4))
                yield from self._landing(wiki)
                yield from self._database(self.measured.transactions // 2)
                self.seen.busy["hands"] += self.clock.now - began
        self.seen.landed += 1
        self.seen.seconds.append(self.clock.now - came)

    def _landing(self, wiki: int) -> Events:
        """Fetch, commit, push: again when somebody else has pushed in between."""
        for attempt in itertools.count():
            began, version = self.clock.now, self.versions[wiki]
            yield from self._use("git", self.measured.fetch)
            yield from self._use("processors", self.measured.landing_cpu / self.fleet.batch)
            yield from self._use("git", self.measured.push / self.fleet.batch)
            self.seen.tries += 1
            if self.versions[wiki] == version or self.fleet.batch > 1:
                self.versions[wiki] += 1
                if wiki == 0:
                    self.seen.busy["biggest wiki"] += (self.clock.now - began) / self.fleet.batch
                return
            yield self.clock.timeout(self.chance.uniform(0, min(_LONGEST_PAUSE, _TURN_PAUSE * 2**attempt)))

    def _database(self, transactions: int) -> Events:
        yield from self._use("database", transactions * self.measured.transaction)

    def _use(self, name: str, seconds: float) -> Events:
        with self.places[name].request() as place:
            yield place
            yield self.clock.timeout(seconds)
            if name != "hands":
                self.seen.busy[name] += seconds


def scenarios() -> Iterator[Fleet]:
    """The plan, and the plan with one thing scarcer or spread otherwise."""
    plan = Fleet()
    yield plan
    yield replace(plan, name="half the machines", machines=plan.machines // 2)
    yield replace(plan, name="a quarter of the model's quota", tokens_a_minute=plan.tokens_a_minute / 4)
    yield replace(plan, name="git hosts serve 10 at once", git_pushes=10)
    yield replace(plan, name="a database of 2 connections", database_connections=2)
    yield replace(plan, name="one wiki has a tenth of all", skew=1.0)
    yield replace(plan, name="the same, 16 at once in a wiki", skew=1.0, wiki_parallel=16)
    yield replace(plan, name="the same, 20 sources a commit (not built)", skew=1.0, wiki_parallel=64, batch=20)


def table(outcomes: list[Outcome]) -> Iterator[str]:
    yield "| fleet | landed of arrived | median | 95 % | tries | fullest | US dollars a source |"
    yield "|---|---|---|---|---|---|---|"
    for each in outcomes:
        full = f"{each.fullest} {each.use[each.fullest]:.0%}"
        yield (
            f"| {each.name} | {each.landed:,} of {each.arrived:,} | {each.median:,.0f} s | {each.p95:,.0f} s"
            f" | {each.tries:.2f} | {full} | {each.dollars_a_source:.4f} |"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--wikis", type=int, default=10_000)
    parser.add_argument("--a-day", type=float, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    a_second = chosen.a_day / 86_400 * _PEAK
    outcomes = []
    for fleet in scenarios():
        run = Simulation(Measured(), fleet, chosen.wikis, a_second, chosen.hours * 3600, chosen.seed)
        outcomes.append(run.run())
    print("\n".join(table(outcomes)))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(each) for each in outcomes], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
