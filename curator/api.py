"""The Python API of a host of AIP-10: ``define_knowledge_workspace``, ``define_entry``, ``define_source``, ``validate``;
and ``apply``, by which a ``Batch`` of entries, renames and deletions lands in one transaction."""

from __future__ import annotations

from pathlib import Path

from curator.applying import Applied, apply
from curator.batch import Batch
from curator.commands.validate import judge
from curator.entry import define_entry
from curator.failure import KnowledgeError
from curator.handshake import Verdict
from curator.knowledge_manifest import define_knowledge_workspace
from curator.source_record import SourceRecord, define_source

__all__ = [
    "Applied",
    "Batch",
    "KnowledgeError",
    "SourceRecord",
    "Verdict",
    "apply",
    "define_entry",
    "define_knowledge_workspace",
    "define_source",
    "validate",
]


def validate(wiki_root: str | Path, *, staged: bool = False) -> Verdict:
    """Is the wiki, or the view, in the folder ``wiki_root`` conforming? Everything that is found, the first failure first.

    A wiki in a git repository is judged as committed, or as ``staged``; one in a plain folder as its files lie. Raises
    ConfigError where there is nothing to look at.
    """
    return judge(Path(wiki_root), {}, everything=True, staged=staged)
