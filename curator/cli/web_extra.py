"""The packages of the extra ``web``, and what is said where they are missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from curator.errors import ConfigError


@contextmanager
def needs_web(command: str) -> Iterator[None]:
    """Imports of what ``command`` needs. Raises ConfigError where a package is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = "pip install 'curate-wiki[web]'"
        raise ConfigError("extra_missing", f"{command} needs the package {error.name!r}", hint) from error
