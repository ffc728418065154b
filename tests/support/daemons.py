"""``curate watch`` as a process: started, measured, ended in every way; and what git says of the sources it took in."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from scripts.soak import git
from support.curates import curate_words
from support.model_server import ModelServer
from support.places import TESTS
from support.waiting import PATIENCE, until

PATIENT = (sys.executable, "-m", "curator")
"""``curate`` as its users run it."""
IMPATIENT = (sys.executable, "-P", str(TESTS / "support" / "impatient.py"))
"""The same for tests that are not about how long it waits."""
_TICKS = os.sysconf("SC_CLK_TCK")


def surroundings(home: Path, model: ModelServer | None = None, **settings: object) -> dict[str, str]:
    """An environment with nothing of the machine's user in it; ``settings`` are curator's."""
    found = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CURATOR_", "XDG_"))}
    found |= {"HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    if model is not None:
        found |= {"CURATOR_MODEL": "openai/test", "CURATOR_API_BASE": model.url, "OPENAI_API_KEY": "none"}
    return found | {f"CURATOR_{name.upper()}": str(value) for name, value in settings.items()}


def made(root: Path, environment: Mapping[str, str]) -> Path:
    """A new wiki."""
    curate(environment, "init", str(root))
    return root


def curate(environment: Mapping[str, str], *arguments: str) -> str:
    command = [*curate_words(), *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def status(root: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """What ``curate status`` says."""
    found: dict[str, Any] = json.loads(curate(environment, "--wiki", str(root), "--json", "status"))
    return found


class Daemon:
    """One ``curate watch`` over one wiki. What it logs goes to ``log``, and is read from there."""

    def __init__(self, root: Path, environment: Mapping[str, str], log: Path, program: Sequence[str] = PATIENT) -> None:
        self.root, self.log = root, log
        self._skip = log.stat().st_size if log.exists() else 0
        command = [*program, "watch", "--log", "json", str(root)]
        with log.open("ab") as file:
            self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=file)
        self._hired: set[tuple[int, str]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill(with_children=True)
        self.clear_up()

    @property
    def pid(self) -> int:
        return self.process.pid

    def events(self, name: str = "") -> list[dict[str, Any]]:
        """What it has logged since it started, all or those of one name."""
        with self.log.open("rb") as file:
            file.seek(self._skip)
            lines = file.read().decode("utf-8", "replace").splitlines()
        found = []
        for line in lines:
            with suppress(ValueError):
                found.append(json.loads(line))
        return [event for event in found if isinstance(event, dict) and name in ("", event.get("event"))]

    def wait_ready(self) -> None:
        until(lambda: self.events("watching") or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise AssertionError(f"it ended with {self.process.returncode}: {self.log.read_text('utf-8')[-500:]}")

    # -- ends ----------------------------------------------------------------------------------------------------

    def kill(self, *, with_children: bool) -> None:
        """As by ``kill -9``: it alone, or with every process that it has started, and what those have started."""
        family = list(descendants(self.pid))
        self._hired |= set(family)
        self.process.kill()
        if with_children:
            _kill(family)
        self.process.wait()

    def stop(self, seconds: float = PATIENCE) -> float:
        """End it by SIGTERM; how long that took."""
        self._hired |= set(descendants(self.pid))
        started = time.monotonic()
        self.process.terminate()
        self.process.wait(seconds)
        return time.monotonic() - started

    def orphans(self) -> list[int]:
        """Which of the processes it had started when it was ended are still there."""
        return [pid for pid, born in self._hired if _born(pid) == born]

    def clear_up(self) -> None:
        """End what it has left behind."""
        _kill(self._hired)

    # -- gauges --------------------------------------------------------------------------------------------------

    def sample(self) -> dict[str, float]:
        """Memory in MB, descriptors, threads and processor seconds of the service itself; how many children it has."""
        return {**gauged(self.pid), "children": len(list(descendants(self.pid)))}


def gauged(pid: int) -> dict[str, float]:
    folder = Path("/proc") / str(pid)
    fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
    rollup = (folder / "smaps_rollup").read_text().splitlines()[1:]
    shares = {name: int(size.split()[0]) for name, size in (line.split(":", 1) for line in rollup)}
    return {
        "rss_mb": round(int(fields["VmRSS"].split()[0]) / 1024, 1),
        "pss_mb": round(shares["Pss"] / 1024, 1),
        "descriptors": len(list((folder / "fd").iterdir())),
        "threads": int(fields["Threads"]),
        "cpu_seconds": cpu_seconds(pid),
    }


def cpu_seconds(pid: int) -> float:
    """Processor time of the process and of those of its children that have ended."""
    words = _stat(pid)
    return sum(int(word) for word in words[11:15]) / _TICKS


def mapped(pid: int) -> set[str]:
    """The files it has in memory or open."""
    folder = Path("/proc") / str(pid)
    found = {line.split(maxsplit=5)[5] for line in (folder / "maps").read_text().splitlines() if line.count("/")}
    for link in (folder / "fd").iterdir():
        with suppress(OSError):
            found.add(str(link.readlink()))
    return found


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """Every process below ``pid``, with when it was born: numbers are used again."""
    for task in _listed(Path("/proc") / str(pid) / "task"):
        with suppress(OSError):
            for child in map(int, (task / "children").read_text().split()):
                yield child, _born(child)
                yield from descendants(child)


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _stat(pid: int) -> list[str]:
    """What the kernel says of a process, from its state on: a name may have spaces."""
    return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()


def _born(pid: int) -> str:
    """Empty when it is not there any more, or has ended and is only not buried yet."""
    try:
        words = _stat(pid)
    except OSError:
        return ""
    return "" if words[0] == "Z" else words[19]


def _kill(family: Iterator[tuple[int, str]] | list[tuple[int, str]] | set[tuple[int, str]]) -> None:
    for pid, born in family:
        if born and _born(pid) == born:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


# -- the books -----------------------------------------------------------------------------------------------------


def ingests(root: Path) -> Counter[tuple[str, str]]:
    """How often each source is in with which bytes, by the trailers of git's history."""
    folder = root / ".git" if (root / ".git").exists() else root
    try:
        tip = (folder / "refs" / "heads" / "main").read_text()
    except OSError:  # it is packed
        tip = git(root, "rev-parse", "main")
    return _ingests_until(root, tip).copy()


@cache
def _ingests_until(root: Path, tip: str) -> Counter[tuple[str, str]]:
    """Who waits for an ingest asks again and again."""
    said = git(root, "log", "--format=%(trailers:key=Curator-Source,valueonly)", tip.strip()).split("\n")
    return Counter((line.rpartition(" ")[0], line.rpartition(" ")[2]) for line in said if line)


def on_disk(root: Path, *names: str) -> set[tuple[str, str]]:
    """Path and digest of the files that are to be in: those named, or all below ``sources/`` that are no hidden ones."""
    files = [root / "sources" / name for name in names] or [
        file for file in (root / "sources").rglob("*") if file.is_file() and not file.name.startswith(".")
    ]
    return {(file.relative_to(root).as_posix(), digest(file)) for file in files}


def digest(file: Path) -> str:
    with file.open("rb") as stream:
        return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
