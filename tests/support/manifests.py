"""What tests of composition share: manifests by their paths, and what they come to."""

from __future__ import annotations

from typing import Any

import yaml

from curator.finding import Finding
from curator.wiki.workspace import effective
from curator.wiki.workspace.effective import Effective, Host, Refusal

LEAF = "/views/leaf/KNOWLEDGE.md"
ROOT = "/wiki/KNOWLEDGE.md"
TO_ROOT = "../../wiki/KNOWLEDGE.md"


def text(name: str, **fields: Any) -> str:
    head = {
        "schema": "knowledge.workspace/v1",
        "name": name,
        "title": name.capitalize(),
        "description": f"About {name}.",
        "version": "1.0.0",
    }
    return f"---\n{yaml.safe_dump({**head, **fields}, sort_keys=False)}---\n"


def lint(name: str = "cited", **fields: Any) -> dict[str, Any]:
    return {"id": name, "kind": "require-source", "appliesTo": "*", "severity": "error", **fields}


def policy(**views: Any) -> str:
    return yaml.safe_dump({"metadata": {"curator": {"views": views}}})


def compose(files: dict[str, str], host: Host | None = None, path: str = LEAF) -> Effective | Refusal:
    return effective.compose(files[path], path, files.get, host)


def composed(files: dict[str, str], host: Host | None = None, path: str = LEAF) -> Effective:
    found = compose(files, host, path)
    assert isinstance(found, Effective), found
    return found


def refused(files: dict[str, str], host: Host | None = None) -> tuple[Finding, ...]:
    found = compose(files, host)
    assert isinstance(found, Refusal)
    return found.findings


def pair(root: dict[str, Any], leaf: dict[str, Any], **more: str) -> dict[str, str]:
    """A root and a view on it; ``more`` are files of the root's folder."""
    files = {ROOT: text("root", **root), LEAF: text("leaf", extends=TO_ROOT, **leaf)}
    return {**files, **{f"/wiki/{name}.yaml": written for name, written in more.items()}}


def told(found: Effective) -> list[tuple[str, str]]:
    """The code and the place of every notice."""
    return [(notice.code, notice.at) for notice in found.notices]
