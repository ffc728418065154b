"""What a revision has at some paths and at the folders above them, whatever stands there."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from curator.repository.git import Git
from support.wikis import git

FILES = ("a.md", "concepts/tea.md", "concepts/deep/er/tea.md", "[x]/*.md", "é/ü.md")


@pytest.mark.parametrize(
    "paths",
    [
        (),
        ("a.md",),
        ("concepts/tea.md", "concepts/none.md", "a.md"),
        ("concepts", "concepts/deep/er/tea.md", "concepts/tea.md"),
        ("concepts/deep", "concepts/deep/none/x.md"),
        ("a.md/x.md", "concepts/tea.md/deep/x.md"),
        ("none/x.md", "none/deep/y.md", "[x]/*.md", "é/ü.md", "é/none.md"),
    ],
)
def test_what_stands_at_paths_and_above_them_is_found(root: Path, paths: tuple[str, ...]) -> None:
    for path in FILES:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path, "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "shapes")
    with closing(Git(root)) as known:
        every = {file.relative_to(root).as_posix(): file for file in root.rglob("*") if ".git" not in file.parts}
        asked = {"/".join(path.split("/")[:end]) for path in paths for end in range(1, path.count("/") + 2)}

        found = known.entries_at("HEAD", paths)

    assert {path: entry.mode for path, entry in found.items()} == {
        path: "040000" if every[path].is_dir() else "100644" for path in asked & every.keys()
    }
