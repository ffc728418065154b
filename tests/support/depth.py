"""How deep the tests go: as on every push, or as at night (``make nightly``, and before a release).

At night nothing is left out: every example, every sample, every mode, and the real litellm everywhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from support.places import TESTS

NIGHTLY = os.environ.get("TEST_DEPTH") == "nightly"
STAND_INS = TESTS / "support" / "stand_ins"


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
