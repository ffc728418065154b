"""What ``curate open`` takes as a server: from the start of the process to the first view, then view by view."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import CookieJar
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from curator.cli.web.app import VENDOR
from support.browser import CHROMIUM, chromium

Run = tuple[float, float]
"""Seconds, and megabytes at the most."""

_VIEWS = {
    "home": "",
    "page": "/page/page-1",
    "proof": "/proof/page-1.json",
    "search as typed": "/search?q=kettle+har",
    "graph's data": "/graph.json",
}
_GOALS = {"page": 0.15, "search as typed": 0.1}
"""Seconds that the later views of 10,000 pages may take."""


class ViewRow(NamedTuple):
    """A row of the bench."""

    operation: str
    runs: list[Run]
    note: str
    processor: float
    """Seconds of a processor; on a machine that others use, walls say little."""


def measured(root: Path, repeats: int) -> Iterator[ViewRow]:
    """The first view, and the median of each view's later ones; the memory is the server's.

    The notes say what 10,000 pages may take.
    """
    firsts: list[float] = []
    busy: list[float] = []
    drawn: list[tuple[float, float]] = []
    cpu: dict[str, list[float]] = {name: [] for name in _VIEWS}
    views: dict[str, list[float]] = {name: [] for name in _VIEWS}
    memory = 0.0
    for _ in range(repeats):
        command = [sys.executable, "-m", "curator", "--wiki", str(root), "open", "--no-browser"]
        with subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True) as process:
            started = time.perf_counter()
            address = _address_of(process)
            asking = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
            home = f"{address.partition('/?')[0]}/{root.name}"
            _asked(asking, address)
            firsts.append(time.perf_counter() - started)
            busy.append(_processor(process.pid))
            for name, view in _VIEWS.items():
                _asked(asking, home + view)
                used = _processor(process.pid)
                for _ in range(repeats):
                    before = time.perf_counter()
                    _asked(asking, home + view)
                    views[name].append(time.perf_counter() - before)
                cpu[name].append((_processor(process.pid) - used) / repeats)
            if CHROMIUM and VENDOR.is_dir() and find_spec("playwright"):
                drawn.append(_graph_drawn(address, f"{home}/graph"))
            process.terminate()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            memory = max(memory, usage.ru_maxrss / 1024)
    first = [(seconds, memory) for seconds in firsts]
    yield ViewRow("open: start to the first view", first, "goal 1 s, 120 MB", statistics.median(busy))
    for name, took in views.items():
        goal = f"goal {_GOALS[name]:g} s" if name in _GOALS else ""
        yield ViewRow(f"open: {name}, warm", [(statistics.median(took), memory)], goal, statistics.median(cpu[name]))
    if drawn:
        used = statistics.median(used for _, used in drawn)
        note = "goal 3 s; drawn without a graphics card"
        yield ViewRow("open: graph can be used, in a browser", [(seconds, memory) for seconds, _ in drawn], note, used)


def _processor(pid: int) -> float:
    """Seconds that a process, and what it started and waited for, has had of processors."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _graph_drawn(address: str, graph: str) -> tuple[float, float]:
    """Seconds until the graph of a browser that was let in can be used, and of a processor that all of the browser had."""
    with chromium() as browser:
        page = browser.new_page()
        page.goto(address)
        before, used = time.perf_counter(), _browsers()
        page.goto(graph)
        page.wait_for_selector("body[data-drawn]")
        return time.perf_counter() - before, _browsers() - used


def _browsers() -> float:
    """Seconds of a processor that the browsers below this process have had."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            name, _, fields = (folder / "stat").read_text().rpartition(")")
            parents[int(folder.name)], names[int(folder.name)] = int(fields.split()[1]), name

    def is_below(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return sum(_processor(pid) for pid, name in names.items() if "chrom" in name and is_below(pid))


def _address_of(process: subprocess.Popen[str]) -> str:
    """The address with the token in it, which the server prints when it is about to listen."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise SystemExit("curate open ended before it served")


def _asked(asking: urllib.request.OpenerDirector, address: str) -> bytes:
    with asking.open(address) as answer:
        return bytes(answer.read())
