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
from pathlib import Path

Run = tuple[float, float]
"""Seconds, and megabytes at the most."""

_VIEWS = {
    "home": "",
    "page": "/page/page-1",
    "proof": "/proof/page-1.json",
    "search as typed": "/search?q=kettle+har",
    "graph's data": "/graph.json",
}


def measured(root: Path, repeats: int) -> Iterator[tuple[str, list[Run]]]:
    """Rows of the bench: the first view, and the median of each view's later ones; the memory is the whole server's."""
    firsts: list[float] = []
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
            for name, view in _VIEWS.items():
                _asked(asking, home + view)
                for _ in range(repeats):
                    before = time.perf_counter()
                    _asked(asking, home + view)
                    views[name].append(time.perf_counter() - before)
            process.terminate()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            memory = max(memory, usage.ru_maxrss / 1024)
    yield "open: start to the first view", [(seconds, memory) for seconds in firsts]
    for name, took in views.items():
        yield f"open: {name}, warm", [(statistics.median(took), memory)]


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
