"""A wiki without a fault, for the tests of the handshake, and the ways to put one in."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import yaml

from curator.repository.repository import Repository
from curator.wiki import index
from curator.wiki.sources.registry import SourceManifest
from support.wikis import NOW, drop, git

CLOCK = {"SOURCE_DATE_EPOCH": str(int(NOW.timestamp()))}
TEA = "Oolong is partly oxidised.\n"


def page(root: Path, slug: str, body: str = "", **fields: object) -> Path:
    """Write a page without a fault, but for ``fields``; those that are None are left out."""
    head = {
        "schema": "knowledge/v1",
        "slug": slug,
        "kind": "concept",
        "title": slug.capitalize(),
        "sources": ["sources/tea.txt"],
        "confidence": 0.7,
        "updated_at": "2026-04-30T12:00:00Z",
        **fields,
    }
    file = root / "concepts" / f"{slug}.md"
    said = f'{body or "See [[oolong]]."} [^a]\n\n[^a]: sources/tea.txt#L1 "Oolong is partly oxidised."\n'
    kept = {name: value for name, value in head.items() if value is not None}
    file.write_text(f"---\n{yaml.safe_dump(kept, sort_keys=False)}---\n\n# {slug}\n\n{said}", "utf-8")
    return file


def commit(root: Path) -> None:
    """Commit all, with an index that is as it should be."""
    git(root, "add", "-A")
    git(root, "commit", "-qm", "by hand", "--allow-empty")
    with Repository(root) as repository:
        (root / index.PATH).write_text(index.of(repository.view().wiki), "utf-8")
    git(root, "commit", "-qam", "the index", "--allow-empty")


def register(root: Path, name: str = "tea.txt", said: str = TEA) -> None:
    drop(root, name, said)
    digest = hashlib.sha256(said.encode()).hexdigest()
    (root / "_manifest.json").write_text(
        SourceManifest().with_source(f"sources/{name}", f"sha256:{digest}", []).dumps()
    )


def conforming(root: Path) -> Path:
    """A wiki with two pages that lead to each other, and their source."""
    page(root, "oolong", "See [[green]].")
    page(root, "green")
    register(root)
    shutil.rmtree(root / ".git")  # all of it came into one commit, so that nothing asks for the ingests
    git(root, "init", "-q", "-b", "main")
    commit(root)
    return root


def with_manifest(root: Path, old: str, new: str) -> None:
    """Write KNOWLEDGE.md with ``new`` instead of ``old``."""
    file = root / "KNOWLEDGE.md"
    assert old in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")
