"""The Python API of a host of AIP-10: ``define_knowledge_workspace``, ``define_entry``, ``define_source``, ``validate``."""

from __future__ import annotations

from pathlib import Path

from curator.commands.validate import judge
from curator.define import KnowledgeError, SourceRecord, define_entry, define_knowledge_workspace, define_source
from curator.handshake import Verdict

__all__ = [
    "KnowledgeError",
    "SourceRecord",
    "Verdict",
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
