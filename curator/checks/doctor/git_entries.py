"""What git has at the wiki's paths: links, submodules, names that collide, flags of the index, what is not committed."""

from __future__ import annotations

import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from curator.checks.diagnosis import Diagnosis, found, quoted
from curator.checks.examined_wiki import ExaminedWiki
from curator.finding import Severity
from curator.repository.git import Git, is_inside_repository
from curator.wiki import index, log
from curator.wiki.pages.names import plain
from curator.wiki.pages.page import is_page, is_page_path
from curator.wiki.sources import registry

CONTRACT = ("KNOWLEDGE.md", "AGENTS.md")
GENERATED = (index.PATH, log.PATH, registry.PATH)
_UNMERGED = {"DD", "AU", "UD", "UA", "DU", "AA", "UU"}


def lost_contract(folders: Iterable[Path]) -> Iterator[Diagnosis]:
    """The first of ``folders`` whose KNOWLEDGE.md is committed, and is not on the disk any more: no command finds it."""
    for folder in folders:
        if any((folder / name).is_file() for name in GENERATED) and is_inside_repository(folder):
            with closing(Git(folder)) as git:
                is_committed = git.run("cat-file", "-e", f"HEAD:./{CONTRACT[0]}")[0] == 0
            if is_committed:
                shown = (folder / CONTRACT[0]).as_posix()
                repair = f"git -C {quoted(folder)} checkout HEAD -- {CONTRACT[0]}"
                yield found("error", "knowledge_missing", shown, "it is committed, and is not there any more", repair)
                return


def in_tree(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Of the newest commit: what is no plain file, and names that some file systems cannot tell apart."""
    twins: dict[str, list[str]] = defaultdict(list)
    for blob in wiki.blobs:
        twins[plain(blob.path)].append(blob.path)
        if blob.mode == "160000" and _is_the_wikis(f"{blob.path}/page.md"):
            message = "a submodule: its files are another repository's, and no page can be written there"
            yield found("warn", "path_is_a_submodule", blob.path, message, f"git rm --cached {quoted(blob.path)}")
        elif blob.mode == "120000" and _is_the_wikis(blob.path):
            message = "a symbolic link: it is not followed, and is no page"
            repair = f"put the file itself in its place, then: git add {quoted(blob.path)} && git commit"
            yield found("warn", "page_is_a_link", blob.path, message, repair)
    for paths in twins.values():
        if len(paths) > 1:
            first, *others = sorted(paths)
            message = f"on some file systems this is the same as {', '.join(others)}"
            yield found("warn", "path_collides", first, message, f"git mv {quoted(first)} ANOTHER-NAME")


def folders(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Folders of the wiki that are links or no folders on the disk: nothing is written through them."""
    seen = {parent for blob in wiki.blobs for parent in Path(blob.path).parents} | {Path("sources")}
    for folder in sorted(seen - {Path()}):
        try:
            mode = (wiki.root / folder).lstat().st_mode
        except OSError:
            continue
        if not stat.S_ISDIR(mode):
            what = "a symbolic link" if stat.S_ISLNK(mode) else "no folder"
            message = f"{folder.as_posix()} is {what}: nothing is written through it"
            repair = f"put the folder itself there, then: git checkout HEAD -- {quoted(folder.as_posix())}"
            yield found("error", "folder_is_a_link", folder.as_posix(), message, repair)


def in_index(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Entries of the user's index that hide what is on the disk."""
    out = wiki.repository.git.output("ls-files", "-v", "-z", "--", ".").decode("utf-8", "surrogateescape")
    for record in out.split("\0")[:-1]:
        tag, path = record[0], record[2:]
        if not _is_the_wikis(path):
            continue
        if tag.upper() == "S":
            message = "it is left out of the work tree (sparse checkout or skip-worktree): no ingest can change it"
            folder = quoted(path.rpartition("/")[0] or ".")
            repair = f"git sparse-checkout add {folder}, or: git update-index --no-skip-worktree -- {quoted(path)}"
            yield found("warn", "page_not_checked_out", path, message, repair)
        elif tag.islower():
            message = "git was told not to look for changes of it: an ingest that changes it waits"
            repair = f"git update-index --no-assume-unchanged -- {quoted(path)}"
            yield found("warn", "page_assumed_unchanged", path, message, repair)


def in_work_tree(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """What the user has not committed: his own business, but an ingest waits for it."""
    for path, letters in sorted(wiki.uncommitted.items()):
        if _is_the_wikis(path) and not _is_others(wiki.root / path, path):
            severity, code, message, repair = _status(path, letters)
            yield found(severity, code, path, message, repair)


def _status(path: str, letters: str) -> tuple[Severity, str, str, str]:
    """What two letters of ``git status`` come to."""
    name = quoted(path)
    committed = f"git add {name} && git commit -m 'Add {name}' -- {name}"
    if letters in _UNMERGED:
        repair = f"mend it, then: git add {name} && git commit"
        return "warn", "page_unmerged", "it has an unfinished merge: an ingest that changes it waits", repair
    if letters == " A":
        return (
            "warn",
            "page_to_be_added",
            "it is marked to be added (git add -N), and git has none of its text",
            committed,
        )
    if letters == "??" and path in (CONTRACT[0], *GENERATED):
        return "error", "not_committed", "it is not committed, and curator reads what is committed", committed
    if letters == "??":
        return "info", "not_committed", "it is not committed, so curator does not see it", committed
    what = "staged" if letters[0] != " " else "uncommitted"
    where = f"git diff HEAD -- {name}"
    waits = "an ingest that changes it waits" if path not in CONTRACT else "curator goes by what is committed"
    return "info", f"page_{what}", f"it has {what} changes: {waits}", f"commit or undo them: {where}"


def _is_the_wikis(path: str) -> bool:
    """True for pages, the contract and the generated files; sources are looked at by ``sources``."""
    return path in CONTRACT or path in GENERATED or is_page_path(path)


def _is_others(file: Path, path: str) -> bool:
    """True for a file in the work tree that could be a page, and by what it says is none."""
    try:
        text = file.read_text("utf-8", "replace") if is_page_path(path) and file.is_file() else None
    except OSError:
        return False
    return text is not None and not is_page(path, text)
