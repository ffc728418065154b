"""Half an hour in the life of the service: files come in every way, the model has its moods, processes are killed.

    python tests/scripts/soak_service.py [--minutes 30] [--kills 30] [--calm 0.4] [--big-copy] [--json FILE]
        [--seed N] [--keep DIR]

The first part is rough: ``curate watch`` gets its kills (``kill -9`` of it alone or of it and everything below it, now and
then a SIGTERM, which has 5 s) and is started again, sometimes after more files have come. The rest, ``--calm`` of the time,
is one stretch of one process, whose memory, descriptors and threads must not grow. All the while the model is slow, wrong,
limited, hanging, failing, down, and well in between. A source that a wrong answer has set aside is mended by its owner, who
adds to the file. At the end the model is well, the queue drains, and the books are checked:

- each file is in with the bytes it has, and no bytes of a file are in twice, by the trailers of git's history;
- nothing was set aside but for a wrong answer;
- no question was paid for twice. An answer is safe once curator has written it down. Whoever is killed with all children
  within a second after the model has sent an answer may lose that one answer on its way through two processes to the disk;
  it is asked again, and counted as ``answers_lost``, not as paid twice. A kill of the service alone excuses nothing: what
  it has started goes on and has to keep what it gets. An answer that nobody was there to take is not counted as sent;
- ``git fsck``, ``git status``, ``audit.py`` and curator's own folder are clean, and no process is left.

``--big-copy``: only this, instead: 200 MB copied slowly with pauses are refused once, when all is there; 25 MB copied
slowly, with the limits raised, are taken in whole.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from scripts.audit import audit
from scripts.soak import git, leftovers, text
from support.arrivals import Arrivals, copy
from support.daemons import Daemon, digest, ingests, made, on_disk, status, surroundings
from support.model_server import ModelServer, Mood
from support.waiting import until

_TICK = 0.25
_SAMPLE_EVERY = 30.0
_TO_END = 5.0
_BACKLOG = 40
"""With so many on their way no more are dropped: the model is down for a third of the time."""
_DRAINED_WITHIN = 900.0
_STUCK_AFTER = 330.0
"""Seconds in which nothing was asked and nothing came in; the longest pause of the service is 300."""
_GROWTH = {"rss_mb": 4.0, "descriptors": 3, "threads": 2}
"""What the service may grow by over the calm stretch, from the median of its first third to that of its last."""
_WRONG = {"reply_not_blocks", "reply_not_json"}
_PASSES_WITHIN = 120.0
"""Seconds after which somebody's work in progress, or the model's bad mood, must have passed."""
_OWN = {"lock", "index", "catalogue", "rescue.told", "daemon", "queue"}
"""What curator's own folder holds when nothing is going on; of anything else that is in it, there are no more than"""
_FEW = 2


@dataclass
class Soak:
    """What was done, and what was found."""

    minutes: float = 0.0
    seed: int = 0
    files: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    moods: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    terms: list[float] = field(default_factory=list)
    """Seconds from SIGTERM to the end."""
    kills: list[float] = field(default_factory=list)
    """When everything below the service was killed too."""
    mended: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    asked_while_limited: int = 0
    """Calls that came before the time that a 429 had named, whichever source they were for."""
    answers_lost: int = 0
    commits: int = 0
    drained_seconds: float = 0.0
    samples: list[dict[str, Any]] = field(default_factory=list)
    leftovers: dict[str, tuple[int, int]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in found.items()}


class Stage:
    """The wiki, the model, the arrivals, and the service that is ended again and again."""

    def __init__(self, folder: Path, model: ModelServer, chance: random.Random, soak: Soak) -> None:
        self.model, self.chance, self.soak = model, chance, soak
        # An answer has to come within 8 s, so that one that never comes is given up while the soak goes on.
        self.environment = surroundings(folder, model, parallel=3, answer_seconds=8, max_attempts=2, retry_seconds=0.5)
        self.root = made(folder / "wiki", self.environment)
        self.log = folder / "log"
        self.arrivals = Arrivals(self.root, chance)
        self.daemon = self._started()
        self.left: list[Daemon] = []
        """Those that were ended; what they had started is looked for at the end."""
        self._parked_since: dict[str, float] = {}

    def _started(self) -> Daemon:
        return Daemon(self.root, self.environment, self.log)

    def backlog(self) -> int:
        return len(on_disk(self.root) - ingests(self.root).keys())

    # -- what happens --------------------------------------------------------------------------------------------

    def drop(self) -> None:
        if self.backlog() < _BACKLOG:
            self.soak.ways[self.arrivals.some()] += 1

    def change_mood(self) -> float:
        """Another mood; how many seconds it lasts."""
        self.model.up()
        moods: list[tuple[str, Callable[[], None], float]] = [
            ("well", lambda: self._be(Mood(delay=0.2)), 20),
            ("well", lambda: self._be(Mood(delay=1.0)), 15),
            ("slow", lambda: self._be(Mood(delay=5.0)), 15),
            ("wrong", lambda: self._be(Mood(delay=0.2, is_wrong=True)), 5),
            ("limited", self._limit, 10),
            ("hanging", lambda: self._be(Mood(hangs=True)), 10),
            ("failing", lambda: self._be(Mood(status=500)), 6),
            ("down", self.model.down, 12),
        ]
        name, begin, seconds = self.chance.choice(moods)
        begin()
        self.soak.moods[name] += 1
        return seconds * self.chance.uniform(0.6, 1.4)

    def _be(self, mood: Mood) -> None:
        self.model.mood = mood

    def _limit(self) -> None:
        self._be(Mood(delay=0.2))
        self.model.limit(calls=self.chance.randint(1, 4), seconds=self.chance.choice([1.0, 3.0, 6.0]))

    def end(self) -> None:
        """End the service in one way or another, and start it again."""
        self._check_alive()
        way = self.chance.choice(["alone", "alone", "with children", "with children", "SIGTERM"])
        if way == "SIGTERM":
            seconds = self.daemon.stop()
            self.soak.terms.append(round(seconds, 2))
            if seconds > _TO_END:
                self.soak.faults.append(f"SIGTERM took {seconds:.1f} s")
            if self.daemon.process.returncode:
                self.soak.faults.append(f"SIGTERM ended it with {self.daemon.process.returncode}")
            time.sleep(0.5)
            if left := self.daemon.orphans():
                self.soak.faults.append(f"{len(left)} processes were left after a SIGTERM")
        else:
            self.daemon.kill(with_children=way == "with children")
            self.soak.kills += [time.time()] if way == "with children" else []
        self.soak.ends[way] += 1
        self.left.append(self.daemon)
        if self.chance.random() < 0.4:
            self.soak.ways[f"{self.arrivals.some()} while down"] += 1
            time.sleep(self.chance.uniform(0, 2))
        self.daemon = self._started()

    def sample(self, began: float, stretch: str) -> None:
        found = self.daemon.sample()
        left = {name: list(sizes) for name, sizes in leftovers(self.root).items()}
        self.soak.samples.append({"at": round(time.time() - began, 1), "stretch": stretch, **found, "folder": left})
        print(
            f"{time.time() - began:>6.0f} s {stretch:<5} {len(self.arrivals.files):>4} files, {self.backlog():>3} to come, "
            f"{sum(self.soak.ends.values()):>3} ends; {found['rss_mb']} MB, {found['descriptors']} descriptors, "
            f"{found['threads']} threads, {found['children']} children",
            flush=True,
        )

    def _check_alive(self) -> None:
        if self.daemon.process.poll() is not None:
            said = self.log.read_text("utf-8", "replace")[-800:]
            self.soak.faults.append(f"the service ended by itself with {self.daemon.process.returncode}: {said}")
            self.daemon = self._started()

    # -- the course of things ------------------------------------------------------------------------------------

    def run(self, seconds: float, kills: int, calm: float) -> None:
        began = time.time()
        rough = seconds * (1 - calm)
        ends = sorted(began + self.chance.uniform(0.02, 1) * rough for _ in range(kills))
        next_drop = next_mood = next_sample = next_mend = began
        stretch = "rough"
        while (now := time.time()) < began + seconds:
            if now >= next_drop:
                self.drop()
                next_drop = now + self.chance.uniform(1, 7)
            if now >= next_mood:
                next_mood = now + self.change_mood()
            if now >= next_mend:
                self._mend()
                next_mend = now + 45
            if ends and now >= ends[0]:
                ends.pop(0)
                self.end()
            if stretch == "rough" and not ends and now >= began + rough:
                self.end()
                stretch = "calm"
            if now >= next_sample:
                self._check_alive()
                self.sample(began, stretch)
                next_sample = now + min(_SAMPLE_EVERY, seconds / 20)
            time.sleep(_TICK)
        self.drain(began)
        self._stop()

    def drain(self, began: float) -> None:
        """The model is well; wait until all is in. What was set aside for a wrong answer is mended by its owner."""
        self.model.up()
        self.model.limit(0, 0)
        self._be(Mood(delay=0.2))
        self.arrivals.wait()
        started = progress = time.time()
        next_look, done = 0.0, (0, 0)
        while self.backlog() and time.time() < min(started + _DRAINED_WITHIN, progress + _STUCK_AFTER):
            if done != (now_done := (sum(ingests(self.root).values()), len(self.model.calls))):
                done, progress = now_done, time.time()
            if time.time() >= next_look:
                self._mend()
                self.sample(began, "end")
                next_look = time.time() + 15
            self._check_alive()
            time.sleep(1)
        self.soak.drained_seconds = round(time.time() - started, 1)
        # The hands are let go after 20 s without work: what is open then is the service's own.
        time.sleep(25)
        self.sample(began, "idle")

    def _mend(self) -> None:
        """The owner looks at what was set aside. A wrong answer is the model's fault; nothing else may stay for long."""
        for item in status(self.root, self.environment)["parked"]:
            source, codes = item["source"], {item["code"], *(finding["code"] for finding in item["findings"])}
            since = self._parked_since.setdefault(source, time.time())
            if codes & _WRONG:
                self.soak.mended += 1
            elif time.time() - since > _PASSES_WITHIN:
                self.soak.faults.append(f"set aside: {source}: {item['code']}: {item['reason']}")
            else:
                continue
            del self._parked_since[source]
            self.arrivals.add_to(self.root / source)

    def _stop(self) -> None:
        self.soak.terms.append(round(self.daemon.stop(), 2))
        self.left.append(self.daemon)

    # -- the books -----------------------------------------------------------------------------------------------

    def check(self) -> None:
        soak, faults = self.soak, self.soak.faults
        found, wanted = ingests(self.root), on_disk(self.root)
        soak.files, soak.commits = len(self.arrivals.files), sum(found.values())
        faults += [f"lost: {path}" for path, _ in sorted(wanted - found.keys())]
        faults += [f"{count} times in: {path} {known[:15]}" for (path, known), count in found.items() if count > 1]
        missing = {file for file in self.arrivals.files if not file.exists()}
        faults += [f"its file is gone: {file.name}" for file in sorted(missing)]
        faults += [f"paid twice: {said}" for said in self.model.paid_twice(soak.kills)]
        soak.answers_lost = self.model.lost(soak.kills)
        soak.calls = Counter(f"{call.status} {call.outcome}" for call in self.model.calls)
        soak.asked_while_limited = len(list(_too_early(self.model)))
        faults += [f"git fsck: {said}" for said in [git(self.root, "fsck", "--strict", "--no-dangling")] if said]
        faults += [f"git status: {said}" for said in [git(self.root, "status", "--porcelain")] if said]
        faults += [f"audit: {said}" for said in audit(self.root).faults]
        faults += [f"still parked: {item}" for item in status(self.root, self.environment)["parked"]]
        orphans = [pid for daemon in self.left for pid in daemon.orphans()]
        faults += [f"{len(orphans)} processes are left"] if orphans else []
        self._check_folder()
        faults += list(_grown(soak.samples))

    def _check_folder(self) -> None:
        """The next command drops what killed processes have left; the hour that it gives them is not waited for."""
        runtime = self.root / ".git" / "curator"
        an_hour_ago = time.time() - 3_700
        for path in runtime.glob("spool/*"):
            os.utime(path, (an_hour_ago, an_hour_ago))
        status(self.root, self.environment)
        left = leftovers(self.root)
        self.soak.leftovers = left
        self.soak.faults += [
            f"left in curator's folder: {files} files, {size:,} bytes of {name}"
            for name, (files, size) in sorted(left.items())
            if name not in _OWN and files > _FEW
        ]
        half = [path for path in runtime.rglob(".*") if re.fullmatch(r"\..+\.\d+", path.name)]
        stray = [*half, *self.root.glob("**/.curator-*"), *(self.root / ".git").glob("*.lock")]
        self.soak.faults += [f"left behind: {path.relative_to(self.root)}" for path in stray]

    def clear_up(self) -> None:
        for daemon in (*self.left, self.daemon):
            daemon.__exit__(None, None, None)


def _too_early(model: ModelServer) -> Iterator[float]:
    """By how many seconds the calls were too early that came while a 429 still held."""
    until_then = 0.0
    for call in sorted(model.calls, key=lambda call: call.at):
        if call.at < until_then - 0.1 and call.status != 429:
            yield until_then - call.at
        if call.status == 429:
            until_then = call.ended + call.retry_after


def _grown(samples: list[dict[str, Any]]) -> Iterator[str]:
    """Between 10 % and 100 % of the calm stretch the service holds still; in half a minute it has hired its hands."""
    calm = [sample for sample in samples if sample["stretch"] == "calm"]
    begun = max(calm[0]["at"] + 30, calm[len(calm) // 10]["at"]) if calm else 0.0
    calm = [sample for sample in calm if sample["at"] > begun]
    third = len(calm) // 3
    if not third:
        return
    for name, most in _GROWTH.items():
        first = statistics.median(sample[name] for sample in calm[:third])
        last = statistics.median(sample[name] for sample in calm[-third:])
        if last - first > most:
            yield f"{name} grew from {first} to {last} in the calm stretch"


# -- big copies --------------------------------------------------------------------------------------------------------


def big_copies(folder: Path, soak: Soak) -> None:
    """A file that is too large is noticed when it is complete; one that is not is taken in whole."""
    environment = surroundings(folder)
    root = made(folder / "wiki", environment)
    with Daemon(root, environment, folder / "log") as daemon:
        daemon.wait_ready()
        size = _slowly(root / "sources" / "huge.txt", 200_000_000, {30_000_000: 4.0, 120_000_000: 6.0}, soak)
        early = [event for event in daemon.events() if event.get("source")]
        until(lambda: daemon.events("result"), 60)
        time.sleep(15)
        said = [event for event in daemon.events() if event.get("source")]
    soak.faults += [f"noticed before it was complete: {event}" for event in early]
    results = [event for event in said if event["event"] != "queued"]
    if len(results) != 1 or f"{size:,}" not in results[0].get("reason", ""):
        soak.faults.append(f"200 MB: {results}")
    print(f"200 MB: {results}", flush=True)
    with ModelServer() as model:
        _large(folder / "large", model, soak)


def _large(folder: Path, model: ModelServer, soak: Soak) -> None:
    folder.mkdir()
    limits = {"max_source_bytes": 30_000_000, "max_source_chars": 30_000_000, "window_tokens": 400_000}
    environment = surroundings(folder, model, **limits)
    root = made(folder / "wiki", environment)
    file = root / "sources" / "large.txt"
    with Daemon(root, environment, folder / "log") as daemon:
        daemon.wait_ready()
        # Below 20 MB a file is settled after 2 s, above after 10 s.
        _slowly(file, 25_000_000, {12_500_000: 1.2, 22_000_000: 6.0}, soak)
        early = [event for event in daemon.events() if event.get("source")]
        until(lambda: daemon.events("result"), 600)
        time.sleep(12)
        results = daemon.events("result")
    soak.faults += [f"noticed before it was complete: {event}" for event in early]
    found = ingests(root)
    if found != Counter({("sources/large.txt", digest(file)): 1}):
        soak.faults.append(f"25 MB: {found}, {results}")
    soak.faults += [f"paid twice: {said}" for said in model.paid_twice()]
    print(f"25 MB: {results}, {len(model.calls)} questions", flush=True)


def _slowly(file: Path, size: int, pauses: dict[int, float], soak: Soak) -> int:
    """Copy a text of at least so many bytes in pieces of a megabyte; ``pauses``: seconds of rest after so many bytes."""

    def pieces() -> Iterator[bytes]:
        written = number = 0
        left = sorted(pauses.items())
        while written < size:
            piece = "".join(text(number + turn) + "\n" for turn in range(2500)).encode()
            number += 2500
            written += len(piece)
            yield piece
            if left and written >= left[0][0]:
                time.sleep(left.pop(0)[1])

    began = time.monotonic()
    copy(file, pieces(), 0.1)
    soak.ways[f"{file.stat().st_size:,} bytes in {time.monotonic() - began:.0f} s"] += 1
    return file.stat().st_size


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--calm", type=float, default=0.4)
    parser.add_argument("--big-copy", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", type=Path, help="copy the wiki, the log and the calls here at the end")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started ends too
    soak = Soak(chosen.minutes, chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.big_copy:
            big_copies(folder, soak)
        else:
            with ModelServer() as model:
                stage = Stage(folder, model, random.Random(chosen.seed), soak)
                try:
                    stage.run(60 * chosen.minutes, chosen.kills, chosen.calm)
                    stage.check()
                finally:
                    stage.clear_up()
                    if chosen.keep:
                        (folder / "calls.json").write_text(json.dumps(model.as_json(), indent=1))
                        shutil.copytree(folder, chosen.keep, dirs_exist_ok=True, symlinks=True)
    print(
        f"{soak.files} files, {soak.commits} commits, {sum(soak.ends.values())} ends {dict(soak.ends)}, "
        f"SIGTERM {max(soak.terms, default=0):.1f} s at most, {soak.mended} mended, calls {dict(soak.calls)}, "
        f"{soak.answers_lost} answers lost to kills, {soak.asked_while_limited} calls while limited, "
        f"drained in {soak.drained_seconds:.0f} s"
    )
    print("\n".join(dict.fromkeys(soak.faults)) or "nothing amiss")
    if chosen.json:
        chosen.json.write_text(json.dumps(soak.as_json(), indent=2) + "\n")
    return bool(soak.faults)


if __name__ == "__main__":
    sys.exit(main())
