"""curator keeps a wiki with a language model, and proves every claim it writes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from curator.version import __version__

if TYPE_CHECKING:
    from curator.api import Batch as Batch
    from curator.api import apply as apply
    from curator.api import define_entry as define_entry
    from curator.api import define_knowledge_workspace as define_knowledge_workspace
    from curator.api import define_source as define_source
    from curator.api import validate as validate

__all__ = ["Batch", "__version__", "apply", "define_entry", "define_knowledge_workspace", "define_source", "validate"]


def __getattr__(name: str) -> object:
    """The API, loaded when it is first asked for: importing curator does nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'curator' has no attribute {name!r}")
    return getattr(import_module("curator.api"), name)
