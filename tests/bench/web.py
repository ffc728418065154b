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
from http.cookiejar import CookieJar
from importlib.util import find_spec
from pathlib import Path

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


def measured(root: Path, repeats: int) -> Iterator[tuple[str, list[Run], str]]:
    """Rows of the bench: the first view, and the median of each view's later ones; the memory is the whole server's.

    The notes say how much a processor had to do: on a machine that others use, walls say little.
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
    yield "open: start to the first view", [(seconds, memory) for seconds in firsts], _of_a_processor(busy)
    for name, took in views.items():
        yield f"open: {name}, warm", [(statistics.median(took), memory)], _of_a_processor(cpu[name])
    if drawn:
        note = _of_a_processor([used for _, used in drawn])
        yield "open: graph can be used, in a browser", [(seconds, memory) for seconds, _ in drawn], note


def _of_a_processor(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.3f} s of a processor"


def _processor(pid: int) -> float:
    """Seconds that a process, and what it started and waited for, has had of processors."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _graph_drawn(address: str, graph: str) -> tuple[float, float]:
    """Seconds until the graph of a browser that was let in can be used, and what its own thread had to do."""
    with chromium() as browser:
        page = browser.new_page()
        page.goto(address)
        told = page.context.new_cdp_session(page)
        told.send("Performance.enable")
        before = time.perf_counter()
        page.goto(graph)
        page.wait_for_selector("body[data-drawn]")
        took = time.perf_counter() - before
        metrics = {each["name"]: each["value"] for each in told.send("Performance.getMetrics")["metrics"]}
        return took, metrics["TaskDuration"]


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
