"""Knowledge packs for agents: found, gated, and the least that serves a request, fenced as data.

``find`` and ``read`` give packs, ``gate`` says which may be loaded, ``select`` chooses from those, ``wrap`` fences what was
chosen, ``record`` writes it down. ``PackLibrary`` does the first three for the places that a user has.
"""

from curator.packs.context.records import record, rehydrated
from curator.packs.context.resolver import ActivePack, ContextRequest, select
from curator.packs.context.wrapper import fitted, wrap
from curator.packs.discovery.catalog import catalog_xml, guide
from curator.packs.discovery.evals import evaluate
from curator.packs.discovery.loading import LoadingPolicy, gate
from curator.packs.discovery.scan import PackRoot, find
from curator.packs.exporting.pack_export import export
from curator.packs.json_shapes import check_file
from curator.packs.pack_library import PackLibrary, read

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
