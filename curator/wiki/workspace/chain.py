"""The manifests a view extends, from the workspace root to the view (AIP-10, "Composition semantics").

- "Walk the parent chain": parents are loaded until one has no ``extends``; at most eight manifests, the view among them.
- "Hosts MUST detect cycles by tracking visited absolute paths".
- "Treat both depth overflow and cycle detection as warnings", "Tolerate a missing parent": the view still loads, from
  the local manifest only. A parent that is no manifest is treated the same way.

Nothing is left out silently: the warning names what the view would have been merged with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from curator.finding import Finding
from curator.wiki.workspace import manifest, refs
from curator.wiki.workspace.manifest import KnowledgeManifest

MOST = 8
"""Manifests in a chain: "Maximum chain depth is eight"."""

CYCLE = "knowledge_extends_cycle"
TOO_DEEP = "knowledge_extends_depth_exceeded"
MISSING = "knowledge_extends_missing"

Read = Callable[[str], str | None]
"""The text at an absolute path; None when there is none."""


@dataclass(frozen=True)
class Notice:
    """Something a reviewer should see; it stops nothing."""

    code: str
    message: str
    at: str
    """The manifest it is about, as an absolute path."""


@dataclass(frozen=True)
class Chain:
    """What is merged, the root first, and why it is not more."""

    manifests: tuple[KnowledgeManifest, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def leaf(self) -> KnowledgeManifest:
        return self.manifests[-1]


def resolve(leaf: KnowledgeManifest, read: Read) -> Chain:
    """The chain of ``leaf``; of ``leaf`` alone, with a notice, when any part of it is broken."""
    found = [leaf]
    while (written := found[-1].extends) is not None:
        at = found[-1].path
        path = refs.beside(at, written)
        if path in (visited.path for visited in found):
            return _broken(found, CYCLE, f"{at} extends {path}, which is in the chain already")
        if len(found) == MOST:
            return _broken(
                found, TOO_DEEP, f"{at} extends {path}, which would be manifest {MOST + 1} of at most {MOST}"
            )
        text = read(path)
        if text is None:
            return _broken(found, MISSING, f"{at} extends {path}, which is not there")
        parent = manifest.parse(text, path)
        if not isinstance(parent, KnowledgeManifest):
            return _broken(found, manifest.INVALID, f"{at} extends {path}, which is no manifest: {_first(parent)}")
        found.append(parent)
    return Chain(tuple(reversed(found)))


def _broken(found: list[KnowledgeManifest], code: str, why: str) -> Chain:
    leaf, *parents = found
    lost = ", ".join(f"{parent.path}{' (a constraint)' * parent.is_constraint}" for parent in parents)
    message = f"{why}; {leaf.path} is used alone" + (f", left out: {lost}" if lost else "")
    return Chain((leaf,), (Notice(code, message, found[-1].path),))


def _first(findings: tuple[Finding, ...]) -> str:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return findings[0].message + more
