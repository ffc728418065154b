"""A workspace, or a view, as its KNOWLEDGE.md defines it: checked and merged, or refused with everything that is wrong.

``define_knowledge_workspace`` is that of AIP-10's host. It is pure: other manifests, and who there is, are given to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from curator.finding import Finding
from curator.wiki.validation import Failure, KnowledgeError, composed
from curator.wiki.workspace import effective, refs
from curator.wiki.workspace.effective import Effective, Host, Refusal


def define_knowledge_workspace(
    manifest: str | Mapping[str, Any],
    path: str = "/KNOWLEDGE.md",
    *,
    read: Callable[[str], str | None] = lambda path: None,
    consumers: Collection[str] = (),
    dimensions: Collection[str] = (),
) -> Effective:
    """The workspace or view that a KNOWLEDGE.md (its text, or its fields) defines, merged with all it extends.

    ``read`` gives the text at an absolute path, for parents and policies. ``consumers`` are the ``appliesTo`` refs that
    exist: ``ws://operators/research``, or a folder's absolute path. A broken chain is told in ``notices`` and stops
    nothing (AIP-10, Composition semantics). Raises KnowledgeError.
    """
    name = "define_knowledge_workspace"
    written = manifest if isinstance(manifest, str) else composed(name, path, manifest)
    host = Host(lambda ref, at: _written(ref) in consumers, frozenset(dimensions))
    found = effective.compose(written, path, read, host)
    if isinstance(found, Refusal):
        raise KnowledgeError(name, path, map(of_manifest, found.findings))
    return found


def of_manifest(finding: Finding) -> Failure:
    """A finding on a manifest, which begins with the field, as a failure."""
    where = re.match(r"([a-zA-Z][\w.\[\]-]*): ", finding.message)
    name = where[1] if where else ""
    return Failure(
        finding.code, finding.path, finding.message, finding.line, finding.severity, finding.hint, field=name
    )


def _written(ref: refs.Consumer | refs.Folder) -> str:
    return ref.path if isinstance(ref, refs.Folder) else f"ws://{ref.kind}/{ref.slug}"
