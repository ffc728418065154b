"""How a command imports what it needs: packages of an extra, and modules that stay loaded."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from curator.errors import ConfigError


@contextmanager
def needs(extra: str, command: str) -> Iterator[None]:
    """Imports of what ``command`` needs of the extra. Raises ConfigError where a package is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = f"pip install 'curate-wiki[{extra}]'"
        raise ConfigError("extra_missing", f"{command} needs the package {error.name!r}", hint) from error


@contextmanager
def keeping() -> Iterator[None]:
    """What is loaded inside stays: Python does not search it for garbage, which would take a tenth of a start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
