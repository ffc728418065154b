"""What stopped processes left behind: a journal, locks, temporary files, and what fills the runtime folder.

What is known to be a copy, or can be made again, is removed; bytes nobody knows are moved to ``rescue/``.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from curator.checks.diagnosis import Diagnosis, Remove, Rescue, fixable, found, place, quoted
from curator.checks.doctor.cache import databases
from curator.checks.doctor.filesystem import PROBE
from curator.checks.examined_wiki import ExaminedWiki
from curator.errors import Conflict, WikiError
from curator.repository.git import Git
from curator.repository.proposals import Proposals
from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction.recovery import has_open
from curator.repository.transaction.worktree import TEMPORARY
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest

STALE_LOCK_SECONDS = 600
"""A lock that is older, and that no process has open, was left behind."""
_AT_WORK_SECONDS = 60
_SCRATCH_SECONDS = 3_600
_SCRATCH = ("blobs-*", "smudged-*", "staged-*", "index.init", "index.new.lock")
"""What a transaction makes in the runtime folder and takes away itself; copies, all of them."""
_UNFINISHED = re.compile(r"\..+\.\d+([-.]\d+)?")
"""The name of a file that ``atomic.write`` has not put in its place yet."""


def locks(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """index.lock and its like: git makes no commit while one is there."""
    git, runtime = wiki.repository.git, wiki.repository.runtime
    if runtime.journal.exists():
        return  # index.lock belongs to the journal
    for lock in _lock_files(git):
        with suppress(FileNotFoundError):
            yield _lock(lock, _is_our_token(lock, runtime), wiki.root)


def _lock(lock: Path, ours: bool, root: Path) -> Diagnosis:
    """Whose it is, and whether it may go."""
    shown, about = place(lock, root), f"{_age(lock)} old"
    if ours:
        message = f"{about}, and curator's own: it was left behind by a crash"
        return fixable("error", "lock_left", shown, message, Remove((lock,), "curator's own lock"), "removes it")
    holders = holders_of(lock)
    if holders:
        message = f"{about}, and held open by {', '.join(holders)}"
        return found("warn", "lock_held", shown, message, "wait for that process to end, or end it")
    if _seconds_old(lock) < STALE_LOCK_SECONDS:
        message = f"{about}; no process that can be seen has it open: a git command may be at work, or was ended"
        return found("warn", "lock_held", shown, message, f"when no git is running here: rm {quoted(shown)}")
    message = f"{about}, and no process has it open: a git command was ended before it could take it away"
    fix = Rescue(lock, "a lock of git that was left behind")
    return fixable("error", "lock_left", shown, message, fix, "moves it to rescue/, if it is still so then")


def _lock_files(git: Git) -> Iterator[Path]:
    """The locks a commit needs: the index, HEAD, the branch, the packed refs, the configuration."""
    common = git.directory
    with suppress(OSError):
        common = (git.directory / (git.directory / "commondir").read_text().strip()).resolve()
    names = [
        git.directory / "index.lock",
        git.directory / "HEAD.lock",
        common / "packed-refs.lock",
        common / "config.lock",
    ]
    branch = git.branch()
    if branch is not None:
        names.append(common / f"{branch}.lock")
    yield from (lock for lock in names if os.path.lexists(lock))


def _is_our_token(lock: Path, runtime: Runtime) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(lock.lstat(), runtime.token.lstat())
    return False


def holders_of(file: Path) -> list[str]:
    """The processes that have ``file`` open, as far as this user may see them: ``git (1234)``."""
    wanted, found = file.stat(), []
    for process in Path("/proc").glob("[0-9]*"):
        if process.name != str(os.getpid()) and has_open(process, wanted):
            with suppress(OSError):
                found.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
    return found


def temporaries(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Temporary files of ours beside pages and sources, and folders that file systems were tried in."""
    git = wiki.repository.git
    for file in _dot_files(wiki.root):
        with suppress(FileNotFoundError):
            if _seconds_old(file) < _AT_WORK_SECONDS:
                continue
            shown, about = place(file, wiki.root), f"a temporary file of curator's, {_age(file)} old"
            if file.name.startswith(PROBE):
                message = "a folder in which the file system was tried out"
                fix: Remove | Rescue = Remove((file,), "nothing of anybody's is in it")
                yield fixable("warn", "temporary_left", shown, message, fix, "removes it")
            elif _is_known(git, file):
                message = f"{about}: git has these bytes"
                fix = Remove((file,), "git has these bytes")
                yield fixable("warn", "temporary_left", shown, message, fix, "removes it")
            else:
                message = f"{about}: its bytes are in no commit"
                fix = Rescue(file, "found beside a page by curate doctor")
                yield fixable("warn", "temporary_left", shown, message, fix, "moves it to rescue/")


def _dot_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        yield from (Path(folder, name) for name in folders if name.startswith(PROBE))
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        yield from (Path(folder, name) for name in sorted(names) if name.startswith(TEMPORARY) and name.endswith("~"))


def _is_known(git: Git, file: Path) -> bool:
    """True for an empty file, and for bytes that are a blob in git."""
    if file.is_symlink() or not file.is_file():
        return False
    if file.stat().st_size == 0:
        return True
    oid = git.text("hash-object", "--no-filters", "--stdin", stdin=file.read_bytes())
    return git.run("cat-file", "-e", oid)[0] == 0


def kept(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """What was somebody's and is kept for him; scratch that nobody takes away; a curate that is at work."""
    runtime = wiki.repository.runtime
    rescued = _files(runtime.rescued.files)
    if rescued:
        first = place(rescued[0], wiki.root)
        message = f"{len(rescued)} file(s) with text that was in no commit are kept here, {first} the first"
        repair = "look at them ('curate status' says why each is there), take over what you need, then remove them"
        yield found("info", "rescued", place(runtime.rescued.files, wiki.root), message, repair)
    scratch = tuple(file for file in _scratch(runtime) if _seconds_old(file) > _SCRATCH_SECONDS)
    if scratch:
        message = f"{len(scratch)} leftover(s) of ended transactions, {scratch[0].name} the first"
        fix = Remove(scratch, "copies made by a transaction")
        yield fixable("warn", "scratch_left", place(runtime.shared, wiki.root), message, fix, "removes them")
    try:
        with runtime.lock(seconds=0):
            pass
    except Conflict:
        message = "another curate is writing to this wiki right now: what is found here may be its work"
        yield found("info", "curate_at_work", place(runtime.shared / "lock", wiki.root), message, "run it again later")


def texts(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Texts read out of sources that are gone, or have other bytes now; none of a proposal that waits."""
    repository = wiki.repository
    try:
        known = SourceManifest.parse((wiki.data(registry.PATH) or b"").decode("utf-8", "replace"))
    except WikiError:  # which is told elsewhere
        return
    digests = {known.digest(path) for path in known.sources} | {held.digest for held in Proposals(repository).all()}
    left = [file for file in repository.runtime.texts.of_others(digests) if _seconds_old(file) > _SCRATCH_SECONDS]
    if left:
        message = f"{len(left)} extracted text(s) of bytes that no source has any more, {left[0].name} the first"
        fix = Remove(tuple(left), "texts of sources that are gone")
        where = place(repository.runtime.texts.folder, wiki.root)
        yield fixable("info", "texts_left", where, message, fix, "removes them")


def _scratch(runtime: Runtime) -> list[Path]:
    found = [file for pattern in _SCRATCH for file in runtime.shared.glob(pattern)]
    files = {
        file for top in (runtime.shared, runtime.folder) for file in top.rglob(".*") if _UNFINISHED.fullmatch(file.name)
    }
    return sorted({*found, *files})


def as_json(runtime: Runtime) -> dict[str, Any]:
    """What the runtime folder holds: how many files of each kind, and their bytes."""
    found = {}
    common = {"displaced": runtime.displaced, "rescue": runtime.rescued.files}
    for name in ("replies", "spool", "displaced", "rescue", "parked", "texts"):
        files = _files(common.get(name, runtime.folder / name))
        found[name] = {"files": len(files), "bytes": sum(_size(file) for file in files)}
    caches = [*databases(runtime), *runtime.shared.glob("index*")]
    return {"folder": str(runtime.folder), **found, "caches": {"files": len(caches), "bytes": sum(map(_size, caches))}}


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if not file.is_dir()) if folder.is_dir() else []


def _size(file: Path) -> int:
    with suppress(OSError):
        return file.lstat().st_size
    return 0


def _seconds_old(file: Path) -> float:
    """0 for a file that has just gone."""
    with suppress(OSError):
        return time.time() - file.lstat().st_mtime
    return 0.0


def _age(file: Path) -> str:
    seconds = max(0, int(_seconds_old(file)))
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds} seconds"
