"""Knowledge packs for agents: found, gated, and the least that serves a request, fenced as data.

``find`` and ``read`` give packs, ``gate`` says which may be loaded, ``select`` chooses from those, ``wrap`` fences what was
chosen, ``record`` writes it down. ``PackLibrary`` does the first three for the places that a user has.
"""

from curator.packs.catalog import catalog_xml, guide
from curator.packs.discovery import PackRoot, find
from curator.packs.evals import evaluate
from curator.packs.exporting import export
from curator.packs.library import PackLibrary, read
from curator.packs.loading import LoadingPolicy, gate
from curator.packs.records import record, rehydrated
from curator.packs.resolver import ActivePack, ContextRequest, select
from curator.packs.shapes import check_file
from curator.packs.wrapper import fitted, wrap

__all__ = [
    "ActivePack",
    "ContextRequest",
    "LoadingPolicy",
    "PackLibrary",
    "PackRoot",
    "catalog_xml",
    "check_file",
    "evaluate",
    "export",
    "find",
    "fitted",
    "gate",
    "guide",
    "read",
    "record",
    "rehydrated",
    "select",
    "wrap",
]
