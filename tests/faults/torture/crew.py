"""The workers: processes with the shim in them, each with a folder of its own, fed with jobs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from faults.torture.shim import Call
from faults.torture.worker import Job, Result
from support.places import PROJECT, TESTS

_WHO = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2026-05-01T12:00:00Z"}


class Crew:
    """Use it as a context manager."""

    def __init__(self, scratch: Path, library: Path, workers: int) -> None:
        self._templates = scratch / "templates"
        self._prepared: set[str] = set()
        home = scratch / "home"
        home.mkdir()
        self._workers = [
            self._start(scratch / f"worker-{number}", _environment(home, library)) for number in range(workers)
        ]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
            worker.wait()

    def calls(self, plan: str, *, reads: bool) -> list[Call]:
        """The calls of a plan when nothing goes wrong."""
        if plan not in self._prepared:
            self._prepared.add(plan)
            self._ask(self._workers[0], Job("prepare", plan))
        return [Call(**call) for call in self._ask(self._workers[0], Job("count", plan, every=0 if reads else 1))]

    def results(self, work: Iterable[Job]) -> Iterator[Result]:
        """What comes of the jobs, as it comes."""
        waiting, done = SimpleQueue[Job](), SimpleQueue[list[Result] | Exception]()
        for job in work:
            waiting.put(job)
        count = waiting.qsize()
        for worker in self._workers:
            Thread(target=self._work, args=(worker, waiting, done), daemon=True).start()
        for _ in range(count):
            found = done.get()
            if isinstance(found, Exception):
                raise found
            yield from found

    def _work(
        self, worker: subprocess.Popen[str], waiting: SimpleQueue[Job], done: SimpleQueue[list[Result] | Exception]
    ) -> None:
        try:
            while True:
                done.put([Result(**result) for result in self._ask(worker, waiting.get_nowait())])
        except Empty:
            return
        except Exception as error:  # to be raised where the results are waited for
            done.put(error)

    def _start(self, folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
        folder.mkdir()
        return subprocess.Popen(
            [sys.executable, "-m", "faults.torture.worker", str(self._templates), str(folder)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _ask(self, worker: subprocess.Popen[str], job: Job) -> list[dict[str, Any]]:
        if worker.stdin is None or worker.stdout is None:
            raise RuntimeError("a worker without pipes")
        worker.stdin.write(json.dumps(asdict(job)) + "\n")
        worker.stdin.flush()
        answer = worker.stdout.readline()
        if not answer:
            raise RuntimeError(f"a worker died of {job}")
        found: list[dict[str, Any]] = json.loads(answer)
        return found


def _environment(home: Path, library: Path) -> dict[str, str]:
    """Nothing of the machine's user; names and dates fixed, so that a commit has the same id every time."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CURATOR_", "TORTURE_"))}
    return {
        **kept,
        **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _WHO.items()},
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PYTHON_REFRESH": "quiet",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": f"{TESTS}{os.pathsep}{PROJECT}",
        "LD_PRELOAD": str(library),
    }
