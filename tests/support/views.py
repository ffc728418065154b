"""A view beside a wiki, for the tests that look through it."""

from __future__ import annotations

from pathlib import Path

from curator.repository.views import View

HEAD = "schema: knowledge.workspace/v1\nname: lab-lens\ntitle: Lab\ndescription: For the lab.\nversion: 1.0.0\n"


def view(root: Path, text: str = "", extends: str = "../wiki/KNOWLEDGE.md") -> View:
    """A view in a plain folder beside the wiki."""
    folder = root.parent / "lab"
    folder.mkdir(exist_ok=True)
    (folder / "KNOWLEDGE.md").write_text(f"---\n{HEAD}extends: {extends}\n{text}---\n\n# Lab\n")
    return View(str(folder.resolve() / "KNOWLEDGE.md"))
