"""The user's own git, run while curator commits: add, commit, checkout, stash, amend, rebase, reset, gc."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from faults.races.editor import Editor, tokens
from faults.races.opponent import Report

_EXPECTED = re.compile(
    r"index\.lock|cannot lock ref|Another git process|could not write index|unable to write new.index|refresh the index"
    r"|nothing to commit|nothing added to commit|no changes added|No local changes|No stash entries|unstaged changes"
    r"|uncommitted changes|would be overwritten|could not detach HEAD|CONFLICT|needs merge|did not match any"
    r"|already a rebase-merge|stash entry is kept"
    r"|Cannot save the current|no rebase in progress|could not update|Unable to create|has no changes|pathspec",
    re.IGNORECASE,
)
"""What git may say: somebody else holds a lock, there is nothing to do, or the user's own edits are in the way."""
REWRITES = ("--amend", "rebase", "reset")
"""Words of commands that replace commits of the branch, curator's too: the user's right."""


def git(root: Path, report: Report, *arguments: str) -> bool:
    """Run it, and note what it said; True when it did what it should."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    said = f"{done.stdout} {done.stderr}"
    report.said.append((" ".join(arguments), done.returncode, "" if done.returncode == 0 else said))
    return done.returncode == 0


def is_expected(command: str, said: str) -> bool:
    """True for git's own reasons; ``git stash`` gives none when somebody else holds the lock of the index."""
    return bool(_EXPECTED.search(said)) or (command == "stash" and not said.strip())


def save(editor: Editor, report: Report, pages: Sequence[Path]) -> Path:
    """Save one of the pages."""
    page = editor.chance.choice(pages)
    editor.touched.add(str(page))
    editor.chance.choice((editor.rename, editor.in_place, editor.append))(page)
    return page


def deed(editor: Editor, report: Report, pages: Sequence[Path], root: Path) -> None:
    """One of the things users do, with an edit before it or without."""
    editor.chance.choice(_DEEDS)(root, editor, report, pages)


def deeds(root: Path) -> Callable[[Editor, Report, Sequence[Path]], None]:
    return partial(deed, root=root)


def _status(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    git(root, report, "status", "--porcelain")


def _add(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    git(root, report, "add", "--", str(save(editor, report, pages)))


def _commit_all(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    save(editor, report, pages)
    git(root, report, "commit", "-q", "-a", "-m", "all I did")


def _commit_one(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    git(root, report, "commit", "-q", "-m", "one page", "--", str(save(editor, report, pages)))


def _checkout(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    page = save(editor, report, pages)
    dropped = tokens(page.read_bytes()) if page.exists() else set()
    if git(root, report, "checkout", "-q", "--", str(page)):
        editor.ledger.gone |= dropped


def _stash(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    """A pop that meets a conflict keeps the stash, and an older one may be popped later: any page may be touched."""
    save(editor, report, pages)
    if git(root, report, "stash") and not git(root, report, "stash", "pop"):
        editor.touched.update(str(path) for path in root.glob("*/*.md"))


def _amend(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    git(root, report, "commit", "-q", "--amend", "--no-edit", "--allow-empty")


def _rebase(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    git(root, report, "rebase", "-q", "--force-rebase", "HEAD~2")


def _reset(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    if git(root, report, "reset", "--soft", "HEAD~1") and editor.chance.random() < 0.7:
        git(root, report, "commit", "-q", "-m", "again")


def _gc(root: Path, editor: Editor, report: Report, pages: Sequence[Path]) -> None:
    git(root, report, "gc", "-q")


_DEEDS = (_status, _add, _commit_all, _commit_one, _checkout, _stash, _amend, _rebase, _reset, _add, _commit_all, _gc)
