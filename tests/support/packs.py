"""Knowledge packs for tests: small folders, written as they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curator.packs.context.resolver import ActivePack
from curator.packs.discovery.scan import read_head
from curator.packs.pack import KnowledgePack, Place
from curator.packs.pack_library import PackLibrary
from curator.packs.reader import FolderFiles
from curator.wiki.pages import frontmatter

HEAD: Mapping[str, Any] = {
    "name": "acme-product-brief",
    "description": "Product facts, approved positioning, pricing boundaries and support language for Acme Widget.",
    "type": "brand-product",
    "status": "ready",
    "profile": "document-first",
    "version": "0.7.2",
    "metadata": {"primaryDocument": "documents/product-brief.md"},
}
FACTS = """# Facts

- Acme Widget works offline for 72 hours. [source: sources/product-one-pager.md#L12]
- Acme Widget weighs 140 grams. [source: sources/product-one-pager.md#L13]
"""
POSITIONING = """# Positioning

## For field teams

Acme Widget is for teams that work where there is no network. [source: sources/product-one-pager.md#L3]

## Pricing

Acme Widget is sold by the seat, never by the device. [source: sources/price-list.md#L2]
"""
ONE_PAGER = "\n".join(
    ["Acme Widget", *[f"Line {n}" for n in range(2, 12)], "Works offline for 72 hours.", "Weighs 140 g."]
)
FILES: Mapping[str, str] = {
    "compiled/facts.md": FACTS,
    "compiled/splits/product-brief/positioning.md": POSITIONING,
    "documents/product-brief.md": "# Product brief\n\nThe warranty of Acme Widget lasts three years.\n",
    "sources/product-one-pager.md": ONE_PAGER,
    "indexes/source-map.json": '{"claims": []}',
}


def pack(
    folder: Path, files: Mapping[str, str] = FILES, body: str = "# Acme\n\nStart with the facts.\n", **head: Any
) -> Path:
    """A pack in ``folder``; of its head, fields that are None are left out."""
    fields = {**HEAD, "name": folder.name, **head}
    said = {key: value for key, value in fields.items() if value is not None}
    for path, text in {"KNOWLEDGE.md": frontmatter.compose(said, body), **files}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def known(folder: Path, place: Place = "user") -> KnowledgePack:
    """The pack in ``folder``, which is one."""
    found, findings = read_head(str(folder.resolve()), place)
    assert found is not None, findings
    return found


def active(folder: Path, place: Place = "user") -> ActivePack:
    return ActivePack(known(folder, place), FolderFiles(str(folder)))


def library(tmp_path: Path, *explicit: Path, **more: Any) -> PackLibrary:
    """What is within reach of a user whose home and project are below ``tmp_path``."""
    environment = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    return PackLibrary.of(explicit, project=tmp_path / "project", environment=environment, **more)
