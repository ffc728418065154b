"""Each worker collects the same tests, but begins with other files: pytest's rewritten ones are cached, so each file is
rewritten by one of them, and read by the others when they come to it. A clean checkout has none yet.

What is collected stays to the end: garbage is not looked for meanwhile, nor in it afterwards.
"""

from __future__ import annotations

import gc

import pytest

from support.places import TESTS


def pytest_configure(config: pytest.Config) -> None:
    worker = getattr(config, "workerinput", None)
    if worker is not None and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        files = sorted(map(str, TESTS.rglob("test_*.py")))
        first = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
        config.args = files[first:] + files[:first]


def pytest_sessionstart() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
