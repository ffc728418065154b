"""Each worker collects the same tests, but begins with other files: pytest's rewritten ones are cached, so each file is
rewritten by one of them, and read by the others when they come to it. A clean checkout has none yet.

What is collected stays to the end: garbage is not looked for meanwhile, nor in it afterwards.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from support.places import TESTS


def pytest_configure(config: pytest.Config) -> None:
    worker = getattr(config, "workerinput", None)
    if worker is not None and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        files = sorted(map(str, TESTS.rglob("test_*.py")))
        first = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
        config.args = files[first:] + files[:first]


def pytest_sessionstart(session: pytest.Session) -> None:
    gc.disable()
    for plugin in session.config.pluginmanager.get_plugins():
        if hasattr(plugin, "sendevent"):  # xdist's in a worker
            plugin.sendevent = partial(_send, plugin.sendevent)


def _send(send: Callable[..., None], name: str, **told: Any) -> None:
    """Tell the first process what it shows: neither that a test begins is of that, nor that it is set up well. There are
    six messages of each test, and these two of ten thousand take 6 s of a processor."""
    report = told.get("data", {})
    if name != "logstart" and (report.get("when"), report.get("outcome")) != ("setup", "passed"):
        send(name, **told)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
