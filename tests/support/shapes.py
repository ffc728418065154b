"""What the tests of git's many shapes share: a commit that lands cleanly, or one that is refused and changes nothing."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from curator.errors import CuratorError
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.wikis import MORE, OOLONG, drop, git, take_in

PAGE = "concepts/tea.md"
NEW = "concepts/oolong.md"
TEXT = "# Oolong\n\nBetween green and black.\n"
FIVE = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
Files = Mapping[str, str | None]


def add(root: Path, *paths: str, message: str = "by hand") -> None:
    """The user's own commit of ``paths``, everything when none is named."""
    git(root, "add", "-A", *paths)
    git(root, "commit", "-qm", message)


def everything(folder: Path) -> dict[str, tuple[int, str]]:
    """Mode and hash of every file, those of git too, but for loose objects nobody points to and curator's own state."""
    found = {}
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("objects", "curator") or ".git" not in Path(above).parts]
        for path in [Path(above, name) for name in (*names, *folders)]:
            mode = path.lstat().st_mode
            link = str(path.readlink()).encode() if stat.S_ISLNK(mode) else b""
            content = path.read_bytes() if stat.S_ISREG(mode) else link
            found[str(path.relative_to(folder))] = (mode, hashlib.sha256(content).hexdigest())
    return found


def land(root: Path, files: Files) -> str:
    with Repository(root) as repository:
        return repository.begin().commit(files, None, "manual: test\n")


def lands(root: Path, files: Files, status: str = "") -> str:
    """Commit ``files``; git finds nothing to complain about and no change but ``status``, which the user had."""
    commit = land(root, files)

    assert git(root, "rev-parse", "HEAD") == commit
    assert whole(root, status) == commit
    for path, text in files.items():
        assert (root / path).exists() == (text is not None)
    return commit


def takes_in_two(root: Path, status: str = "") -> None:
    """Two whole ingests, the second of which changes a page of the first."""
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        take_in(drop(root, "brewing.txt", FIVE), repository, ScriptedModel((MORE,)))

    assert "five brews" in (root / NEW).read_text()
    whole(root, status)


def whole(root: Path, status: str = "") -> str:
    """What HEAD names, after a look at all there is."""
    os.utime(root / "_index.md")  # the index may not answer from what it remembers of the file's time
    assert git(root, "status", "--porcelain") == status
    assert git(root, "fsck", "--strict", "--no-dangling") == ""
    assert not list(root.rglob(".curator-*"))
    folder = Path(git(root, "rev-parse", "--absolute-git-dir"))
    assert not (folder / "index.lock").exists()
    return git(root, "rev-parse", "HEAD")


def refused(root: Path, files: Files, watched: Path | None = None) -> CuratorError:
    """The reason why ``files`` are not committed, and nothing at all has changed in ``watched`` (else ``root``)."""
    before = everything(watched or root)

    with pytest.raises(CuratorError) as caught:
        land(root, files)

    assert everything(watched or root) == before
    assert caught.value.hint
    return caught.value


def said(error: CuratorError) -> tuple[str, str]:
    return error.code, error.message


def stage(root: Path, path: str, mode: str, oid: str) -> None:
    """Put an entry into the index, whatever the work tree has."""
    git(root, "update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")


def feed(root: Path, stdin: str, *arguments: str) -> str:
    """git with something on its standard input."""
    done = subprocess.run(["git", *arguments], cwd=root, input=stdin, check=True, capture_output=True, text=True)
    return done.stdout.strip()
