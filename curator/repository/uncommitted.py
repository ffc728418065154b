"""The wiki's files that differ from the commit, by git status; it takes long, so commands start it first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from curator.repository.git import NO_SUBMODULES, Git, records
from curator.repository.untracked import UntrackedFiles

_OWN = ("_index.md", "_log.md", "_manifest.json")
_HEAD = 10_000
"""Bytes of a file in which its head is looked for."""


def uncommitted(git: Git, prefix: str, last: UntrackedFiles | None = None) -> Iterator[str]:
    """The wiki's files that are not as committed, by path from its root: pages, manifests and what curator writes.

    Sources are not among them, nor are notes of a folder that the wiki stands in. Nothing is written, not even the index.
    ``last``: where new files need not be looked for that were found last time.
    """
    begun, new = time.time_ns(), last.found() if last is not None else None
    untracked = "all" if new is None else "no"
    options = ("--porcelain=v1", "-z", f"--untracked-files={untracked}", "--no-renames", NO_SUBMODULES)
    # git looks at each file: those of sources/ may be as many as the pages.
    paths = (f":(top,literal){prefix}" if prefix else ":(top)", f":(top,exclude,literal){prefix}sources")
    asked = ("--no-literal-pathspecs", "status", *options, "--", *paths)
    found = [*records(git.output(*asked, folder=git.top)), *(new or ())]
    if last is not None and new is None:
        last.keep([record for record in found if record.startswith("??")], begun)
    for record in found:
        path = record[3:].removeprefix(prefix)
        is_new = record[:2] == "??"
        if _is_the_wikis(path) and not (is_new and is_a_note(git.top / record[3:], path)):
            yield path


def _is_the_wikis(path: str) -> bool:
    from curator.wiki.pages.page import CONTRACT, is_page_path  # git is at work before this is there

    is_manifest = path.rpartition("/")[2] in CONTRACT and not path.startswith("sources/")
    return is_manifest or is_page_path(path) or path in _OWN


def is_a_note(file: Path, path: str) -> bool:
    """True for a file in no folder of the wiki's that does not say that it is a page."""
    from curator.repository import note_folder

    return note_folder.is_note(path) and not _says_page(file, path)


def _says_page(file: Path, path: str) -> bool:
    """True for a file that has a page's head: in another folder than those of pages, all else are notes."""
    from curator.wiki.pages.page import is_page

    try:
        with file.open("rb") as stream:
            return is_page(path, stream.read(_HEAD).decode("utf-8", "replace"))
    except OSError:
        return False
