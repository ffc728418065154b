"""Whose page is seen where several layers have the same path (layers of views; ``<page>.md.whiteout``).

- A page of a higher layer stands for that of the same path below; a new path is added.
- ``<page>.md.whiteout`` in a layer hides the page from the layers below it.
- The pages of a constraint "may be added to, never softened, shadowed or removed by a view above".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from curator.wiki.workspace.chain import Notice
from curator.wiki.workspace.constraints import CONSTRAINT_CONFLICT
from curator.wiki.workspace.manifest import KnowledgeManifest

WHITEOUT = ".whiteout"
TOMBSTONE_BLOCKED = "knowledge_tombstone_blocked"


@dataclass(frozen=True)
class Layer:
    """One manifest's pages and whiteouts, as paths from its own folder."""

    at: str
    files: frozenset[str]
    is_constraint: bool = False


@dataclass(frozen=True)
class Overlay:
    """Where each page is read from, and what was not done."""

    pages: dict[str, str] = field(default_factory=dict)
    """The manifest whose layer has it, by the page's path."""
    notices: tuple[Notice, ...] = ()


def lay(layers: Iterable[Layer]) -> Overlay:
    """The layers over each other, the root's first."""
    pages: dict[str, str] = {}
    fixed: set[str] = set()
    notices: list[Notice] = []
    for layer in layers:
        for path in sorted(path.removesuffix(WHITEOUT) for path in layer.files if path.endswith(f".md{WHITEOUT}")):
            if path in fixed:
                message = f"{path}{WHITEOUT}: {pages[path]} is a constraint, its page stays"
                notices.append(Notice(TOMBSTONE_BLOCKED, message, layer.at))
            else:
                pages.pop(path, None)
        for path in sorted(path for path in layer.files if path.endswith(".md")):
            if path in fixed:
                message = f"{path}: {pages[path]} is a constraint, its page is the one that is seen"
                notices.append(Notice(CONSTRAINT_CONFLICT, message, layer.at))
            else:
                pages[path] = layer.at
                fixed |= {path} if layer.is_constraint else set()
    return Overlay(pages, tuple(notices))


def refused_by_constraints(
    manifests: Sequence[KnowledgeManifest], files_of: Callable[[str], frozenset[str]]
) -> tuple[Notice, ...]:
    """What pages and whiteouts of views cannot do to those of a constraint below them; ``files_of``: those of a folder."""
    if not any(each.is_constraint for each in manifests[:-1]):
        return ()  # nobody walks through the pages of a big wiki for nothing
    return lay(
        Layer(each.path, files_of(each.path.rpartition("/")[0]), each.is_constraint) for each in manifests
    ).notices
