"""Sockets in the file system whose names are too long for one: the kernel takes 107 bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def short_name(place: Path) -> Iterator[str]:
    """A short name for ``place``, good within the block, on Linux. Raises OSError when its folder is not there."""
    folder = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{place.name}"
    finally:
        os.close(folder)
