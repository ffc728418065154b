"""One browser for all the tests of a module: each has tabs of its own, and a start takes its time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from support.browser import chromium  # which wants the extra web

    with chromium() as started:
        yield started
