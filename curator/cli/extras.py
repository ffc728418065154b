"""The packages that a command needs and that come with an extra; what is said where they are missing."""

from __future__ import annotations

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
