"""A long life in short: thousands of ingests into one wiki, hundreds of them killed, and then the books are checked.

    python tests/scripts/soak.py [--ingests 2000] [--kills 200] [--loop 300] [--json FILE] [--seed N]

Real ``curate ingest`` processes with the built-in curator take generated sources in, several at a time; some are ended by
SIGKILL at a random moment, alone or with all their children, and the next command follows at once. At the end each source
is in exactly once, by git's history and by the manifest, the audit finds nothing amiss, and nothing has piled up in
curator's own folder. Then one process takes ``--loop`` more in, and must not grow.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench.wikis import WORDS
from curator.cli.commands import ingest
from curator.repository.settings import Settings
from scripts.audit import audit

THINGS = [f"{one} {other}" for one in WORDS[:25] for other in WORDS[25:50]]
_BATCH = 13
_REPORT_EVERY = 20


@dataclass
class Soak:
    """What was done, what was found, and how curator's own folder grew."""

    ingested: int = 0
    commands: int = 0
    kills: int = 0
    kills_late: int = 0
    """Kills that came after the process had ended by itself."""
    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    leftovers: list[dict[str, Any]] = field(default_factory=list)
    loop: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "statuses": dict(self.statuses)}


class Wiki:
    """The one wiki, its sources, and the processes that take them in."""

    def __init__(self, root: Path, chance: random.Random, soak: Soak) -> None:
        self.root, self.chance, self.soak = root, chance, soak
        self.written = 0
        self._pace = 0.4
        """Seconds that a source takes."""

    def run(self, ingests: int, kills: int) -> None:
        """Batch after batch; the kills are spread over all of them."""
        begun = time.monotonic()
        while self.written < ingests:
            batch = self._drop(min(self.chance.randint(1, _BATCH), ingests - self.written))
            while self.chance.random() < self._share_of_kills(ingests, kills):
                self._curate(batch, dies=True)
            self._curate(batch, dies=False)
            if self.soak.commands % _REPORT_EVERY < 2:
                self._say(ingests, begun)
        self.soak.seconds = round(time.monotonic() - begun, 1)

    def _share_of_kills(self, ingests: int, kills: int) -> float:
        """The chance of a kill that brings about as many as are wanted by the end; a batch may be killed several times."""
        left = max(kills - (self.soak.kills - self.soak.kills_late), 0)
        batches = max((ingests - self.written) / (_BATCH / 2 + 0.5), 0) + 1
        wanted = left / batches
        return wanted / (1 + wanted)

    def _drop(self, count: int) -> list[Path]:
        files = []
        for _ in range(count):
            file = self.root / "sources" / f"notes-{self.written}.md"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text(self.written), "utf-8")
            files.append(file)
            self.written += 1
        return files

    def _curate(self, batch: list[Path], *, dies: bool) -> None:
        command = [sys.executable, "-m", "curator", "--wiki", str(self.root), "--json", "ingest", *map(str, batch)]
        begun = time.monotonic()
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )
        self.soak.commands += 1
        if dies:
            self._kill(process, 0.3 + self.chance.random() * self._pace * len(batch))
            return
        said, _ = process.communicate()
        self._pace += ((time.monotonic() - begun - 0.3) / len(batch) - self._pace) / 10
        if process.returncode != 0:
            self.soak.faults.append(f"curate ended with {process.returncode}: {said[-500:]}")
        with suppress(ValueError):
            self.soak.statuses.update(result["status"] for result in json.loads(said)["results"])

    def _kill(self, process: subprocess.Popen[str], seconds: float) -> None:
        """Alone, so that its git goes on without it, or with all its process group."""
        self.soak.kills += 1
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            self.soak.kills_late += 1
        with suppress(ProcessLookupError):
            if self.chance.random() < 0.5:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.communicate()

    def _say(self, ingests: int, begun: float) -> None:
        left = leftovers(self.root)
        self.soak.leftovers.append({"sources": self.written, **left})
        pace = (time.monotonic() - begun) / self.written
        shown = ", ".join(f"{name} {files}/{size:,}" for name, (files, size) in sorted(left.items()))
        print(
            f"{self.written:>6,} of {ingests:,}, {self.soak.kills:>4} kills, {pace:.2f} s a source; {shown}", flush=True
        )

    # -- the books -----------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Each source in once, nothing stuck, the repository sound, the audit content, nothing piled up."""
        faults = self.soak.faults
        taken = Counter(
            git(self.root, "log", "--format=%(trailers:key=Curator-Source,valueonly,separator=%x00)").split()
        )
        names = {name: count for name, count in taken.items() if name.startswith("sources/")}
        manifest = json.loads((self.root / "_manifest.json").read_text("utf-8"))["sources"]
        wanted = {f"sources/notes-{number}.md" for number in range(self.written)}
        self.soak.ingested = len(names)
        faults += [f"{name}: {names.get(name, 0)} commits" for name in sorted(wanted) if names.get(name) != 1]
        faults += [f"{name}: not in the manifest" for name in sorted(wanted - set(manifest))]
        faults += [f"{name}: nobody wrote it" for name in sorted({*names, *manifest} - wanted)]
        logged = (self.root / "_log.md").read_text("utf-8").count("] ingest | ")
        faults += [f"the log has {logged} ingests"] if logged != len(wanted) else []
        faults += [f"git fsck: {said}" for said in [git(self.root, "fsck", "--strict", "--no-dangling")] if said]
        faults += audit(self.root).faults
        self._check_leftovers()

    def _check_leftovers(self) -> None:
        """The next command drops what killed processes left behind; an hour is not waited for."""
        time.sleep(2.1)
        before = leftovers(self.root)
        an_hour_ago = time.time() - 3_700
        for path in (self.root / ".git" / "curator").rglob("*"):
            if path.parent.name == "spool":
                os.utime(path, (an_hour_ago, an_hour_ago))
        curate(self.root, "status")
        left = leftovers(self.root)
        self.soak.leftovers += [{"sources": self.written, **before}, {"sources": self.written, "swept": True, **left}]
        allowed = {"lock", "landing", "index", "catalogue", "rescue.told"}
        self.soak.faults += [
            f"left in curator's folder: {files} files, {size:,} bytes of {name}"
            for name, (files, size) in sorted(left.items())
            if name not in allowed
        ]
        stray = [*self.root.glob("**/.curator-*"), *(self.root / ".git").glob("*.lock")]
        self.soak.faults += [f"left behind: {path}" for path in stray]


class Gauge:
    """Measures this process at the start, in the middle and at the end of a loop of ingests."""

    def __init__(self, soak: Soak, count: int) -> None:
        self.soak, self.count, self.seen = soak, count, 0

    def say(self, line: str) -> None:
        """``ingest`` says a line for each source that it begins with."""
        if not line.endswith("…"):
            return
        self.seen += 1
        # Not at the very start: what is imported and cached once is no leak.
        if self.seen in (self.count // 10, self.count // 2, self.count):
            self.soak.loop.append({"sources": self.seen, **measured()})
            print(f"in one process: {self.soak.loop[-1]}", flush=True)


def loop(wiki: Wiki, count: int, soak: Soak) -> None:
    """One process, one command, ``count`` sources; then as many commands in this process as are a tenth of that."""
    files = wiki._drop(count)
    ingest.run(Settings(wiki.root, {}, {}), files, False, False, Gauge(soak, count).say)
    for _ in range(max(count // 10, 1)):
        ingest.run(Settings(wiki.root, {}, {}), wiki._drop(1), False, False, lambda line: None)
    soak.loop.append({"sources": "after more commands", **measured()})
    print(f"in one process: {soak.loop[-1]}", flush=True)
    first, last = soak.loop[0], soak.loop[-1]
    for name, most in (("rss_mb", 8.0), ("descriptors", 3), ("threads", 0), ("children", 0)):
        if last[name] - first[name] > most:
            soak.faults.append(f"{name} grew from {first[name]} to {last[name]} in one process")


def measured() -> dict[str, float]:
    """Resident memory, open files, threads and children of this process."""
    status = Path("/proc/self/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    children = [
        child for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return {
        "rss_mb": round(int(fields["VmRSS"].split()[0]) / 1024, 1),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "threads": int(fields["Threads"]),
        "children": len(children),
    }


def leftovers(root: Path) -> dict[str, tuple[int, int]]:
    """Files and bytes in curator's own folder, by what they are."""
    found: dict[str, tuple[int, int]] = {}
    runtime = root / ".git" / "curator"
    for path in runtime.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                first = path.relative_to(runtime).parts[0]
                name = first if first.startswith("rescue") else re.split(r"[-.]", first.lstrip("."))[0]
                files, size = found.get(name, (0, 0))
                found[name] = files + 1, size + path.stat().st_size
    return found


def text(number: int) -> str:
    """Some facts about things that other sources speak of too."""
    chance = random.Random(number)
    one, two, three = chance.sample(THINGS, 3)
    return (
        f"# Workshop notes {number}\n\n"
        f"A {one} is a tool that is kept beside the {two}. The {two} is a vessel of number {number} in the list of the "
        f"guild. A {three} is used for mending the {one} since the year {1200 + number % 700}.\n\n"
        f"The {three} is a thing of the {one} and of the {two}.\n"
    )


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def curate(*arguments: str | Path) -> None:
    root, *rest = arguments
    command = [sys.executable, "-m", "curator", "--wiki", str(root), *map(str, rest)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ingests", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--loop", type=int, default=300)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    soak = Soak()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", HOME=folder)
        root = Path(folder) / "wiki"
        subprocess.run([sys.executable, "-m", "curator", "init", str(root)], check=True, stdout=subprocess.DEVNULL)
        wiki = Wiki(root, random.Random(chosen.seed), soak)
        wiki.run(chosen.ingests, chosen.kills)
        wiki.check()
        if chosen.loop:
            loop(wiki, chosen.loop, soak)
            wiki.check()
    if chosen.json:
        chosen.json.write_text(json.dumps(soak.as_json(), indent=2) + "\n")
    print(
        f"{soak.ingested:,} sources in, {soak.commands:,} commands, {soak.kills} kills ({soak.kills_late} too late), "
        f"{soak.seconds:,.0f} s; {dict(soak.statuses)}"
    )
    print("\n".join(dict.fromkeys(soak.faults)) or "nothing amiss")
    return bool(soak.faults)


if __name__ == "__main__":
    sys.exit(main())
