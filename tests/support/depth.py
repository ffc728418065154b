"""How deep the tests go: as on every push, or as at night (``make nightly``, and before a release).

At night nothing is left out: every example, every sample, every mode, and the real litellm everywhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from support.places import PROJECT, TESTS

NIGHTLY = os.environ.get("TEST_DEPTH") == "nightly"
T = TypeVar("T")
STAND_INS = TESTS / "support" / "stand_ins"


def of_this_commit(choices: Iterable[T], shares: int = 3) -> list[T]:
    """One in so many ``choices``, beginning where the commit says, so that a few commits try them all; at night, all."""
    number = None if NIGHTLY else _number()
    return list(choices) if number is None else list(choices)[number % shares :: shares]


@cache
def _number() -> int | None:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, text=True, check=False)
    return None if done.returncode else int(done.stdout[:8], 16)


@contextmanager
def light_litellm() -> Iterator[None]:
    """Model workers that this process starts meanwhile have the stand-in for litellm; at night they have the real one."""
    if NIGHTLY:
        yield
        return
    sys.path.insert(0, str(STAND_INS))
    try:
        yield
    finally:
        sys.path.remove(str(STAND_INS))


def with_light_litellm() -> dict[str, str]:
    """What a process has in its environment so that its model workers have the stand-in; nothing at night."""
    return {} if NIGHTLY else {"PYTHONPATH": str(STAND_INS)}
