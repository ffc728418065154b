"""The Python API of a host of AIP-10: ``define_knowledge_workspace``, ``define_entry``, ``define_source``, ``validate``;
and ``apply``, by which a ``Batch`` of entries, renames and deletions lands in one transaction."""

from __future__ import annotations

from pathlib import Path

from curator.checks.conformance import Verdict
from curator.checks.conformance.judge import judge
from curator.edits.apply import Applied, apply
from curator.edits.batch import Batch
from curator.wiki.define_entry import define_entry
from curator.wiki.sources.define import SourceRecord, define_source
from curator.wiki.validation import KnowledgeError
from curator.wiki.workspace.define import define_knowledge_workspace

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
