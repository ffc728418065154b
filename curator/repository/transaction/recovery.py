"""Recovery: what a transaction left behind is taken back or carried through, before anything else is done.

With the journal at hand (research rules R1 to R5):

- The branch is not at the new commit, nor past it: nothing was visible. Our lock, index and journal go.
- It is: the work tree is brought along file by file, then the index, the lock and the journal go. A file whose text is
  neither the old nor the new one is the user's, and stays; one the user committed on top is not touched.
- Temporary files that hold nothing but what we wrote go; all others move to ``rescue/``.
- A lock of the branch or of HEAD that a killed git left behind goes when it is proven to be this transaction's: this
  user's, younger than the journal, open in no process, and holding nothing or the beginning of the new commit's id.
- A journal that cannot be read is not acted upon: the user is told.

The end of an undisturbed transaction runs through here too, so the path that repairs a crash is the one always taken.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from curator.errors import Conflict, GitError
from curator.repository.git import Blob, Git
from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction.contents import Content
from curator.repository.transaction.disk_checks import no_links
from curator.repository.transaction.journal import Journal, Written
from curator.repository.transaction.worktree import WorkTree
from curator.system import atomic

_A_WHILE = 0.3
_PATIENCE = 1.0
"""Seconds that git's index.lock is waited for."""


@dataclass(frozen=True)
class PathContents:
    """What the work tree holds at each path before and after a commit; None where there is no file."""

    before: Mapping[str, Content | None]
    after: Mapping[str, Content | None]


def recover(git: Git, runtime: Runtime, known: PathContents | None = None) -> None:
    """Finish or take back what the journal says. The caller holds the flock. Raises JournalUnreadable (rule R5).

    ``known`` spares git the question when the transaction itself has just been made, by this very process: then its git
    has not been killed, so that a lock of the branch is somebody's.
    """
    if not runtime.journal.exists():
        return
    journal = Journal.parse(runtime.journal.read_text("utf-8", "replace"))
    if known is None:
        _drop_ref_locks(git, runtime, journal)
    if git.contains(journal.ref, journal.new):
        _carry_through(git, runtime, journal, known)
    _drop_lock(git, runtime)
    atomic.remove(runtime.journal)
    runtime.token.unlink(missing_ok=True)


def _carry_through(git: Git, runtime: Runtime, journal: Journal, known: PathContents | None) -> None:
    files = list(journal.files) if known else _still_current(git, journal)
    texts = known or _texts(git, files)
    tree = WorkTree(git.top, runtime.displaced)
    if known is None:
        settle_temporaries(tree, runtime, files, texts)
    with tree.synced_at_once() as tree:
        for written in files:
            before, after = texts.before.get(written.path), texts.after.get(written.path)
            if known is None and isinstance(before, bytes):
                before = _as_it_is(git, written, before)
            expected = before if written.ours else None
            try:
                placed = tree.remove(written.path, before) if after is None else tree.put(written.path, after, expected)
            except Conflict:  # a link or a file where a folder was: the user's doing, since the last look
                placed = "kept"
            if placed == "kept" and written.ours:
                runtime.rescued.note_kept(written.path)
    _swap_index(git, runtime, journal, files)


def _still_current(git: Git, journal: Journal) -> list[Written]:
    """The files whose blob on the branch is still the one we committed: what the user changed since is the user's."""
    now = {blob.path: blob.oid for blob in git.blobs_at(journal.ref, [file.path for file in journal.files]).values()}
    return [written for written in journal.files if now.get(written.path) == written.new]


def _texts(git: Git, files: Sequence[Written]) -> PathContents:
    old = [Blob(written.path, "100644", written.old) for written in files if written.old]
    new = [Blob(written.path, "100644", written.new) for written in files if written.new]
    edited = {written.path: git.blob(written.edited) for written in files if written.edited}
    mixed = {written.path: git.blob(written.mixed) for written in files if written.mixed}
    return PathContents({**git.smudged(old), **edited}, {**git.smudged(new), **mixed})


def _as_it_is(git: Git, written: Written, before: bytes) -> bytes:
    """The file's own bytes where git takes them for the old text: an editor may have saved it with other line ends."""
    file = git.top / written.path
    with suppress(OSError, GitError):
        if not file.is_symlink() and (now := file.read_bytes()) != before:
            return now if git.cleaned(file, written.path, keep=False) == written.old else before
    return before


def _swap_index(git: Git, runtime: Runtime, journal: Journal, files: Sequence[Written]) -> None:
    """Let the user's index show our files. Lock held all the time: the prepared index takes its place.

    Lock taken away by the user meanwhile: we take it anew, and of his index only what is still old changes.
    """
    live = git.directory / "index"
    if not _lock_is_ours(git, runtime):
        if not _stale(git, files):
            return
        atomic.remove(runtime.next_index)  # made from an index that may have changed since
        take_lock(git, runtime)
    if not runtime.next_index.exists():
        stale = _stale(git, files)
        if not stale:
            return
        blobs = git.blobs_at(journal.new, [written.path for written in stale if written.new])
        # Under another name until it is whole: were we killed, the next recovery would take it for the prepared one.
        build_index(git, _unfinished(runtime), blobs.values(), [file.path for file in stale if file.new is None])
        _unfinished(runtime).replace(runtime.next_index)
    runtime.next_index.replace(live)
    atomic.sync_folder(live.parent)


def _stale(git: Git, files: Sequence[Written]) -> list[Written]:
    """The files that the user's index still has as they were."""
    staged = git.staged([written.path for written in files])
    return [written for written in files if staged.get(written.path) == written.old != written.new]


def take_lock(git: Git, runtime: Runtime) -> None:
    """Take git's own lock of the index, after a short wait: the user's ``git add`` is over in a moment. Raises Conflict."""
    lock, until = git.index_lock, time.monotonic() + _PATIENCE
    while True:
        try:
            return os.link(runtime.token, lock)
        except FileExistsError:
            if time.monotonic() > until:
                hint = f"wait for it to end; if none is running, remove {str(lock)!r}"
                raise Conflict("index_locked", "another git command holds index.lock", hint) from None
            time.sleep(0.05)
        except OSError as error:
            raise no_links(lock.parent, error) from error


def build_index(git: Git, index: Path, blobs: Iterable[Blob], gone: Iterable[str]) -> None:
    """The user's index with our entries in it, as a file ``index`` beside the live one.

    Once between two packings what earlier commits of ours have put into it is held against the files that were written.
    """
    live = git.directory / "index"
    for leftover in (index, index.with_name(index.name + ".lock")):
        leftover.unlink(missing_ok=True)
    if live.exists():
        shutil.copyfile(live, index)
    git.put_into(index, blobs, gone)
    if git.has_packed_since(live):
        git.refresh(index)
    atomic.sync_file(index)
    atomic.sync_folder(index.parent)  # git has put another file under its name


def prepare_index(git: Git, index: Path, blobs: Iterable[Blob], gone: Iterable[str]) -> object:
    """The same before the lock is ours; what the live one is then, for ``index_is_still``."""
    made_from = _identity(git.directory / "index")
    build_index(git, index, blobs, gone)
    return made_from


def index_is_still(git: Git, made_from: object) -> bool:
    """True where nobody has put another index in the place of the live one."""
    return _identity(git.directory / "index") == made_from


def _identity(file: Path) -> object:
    with suppress(FileNotFoundError):
        about = file.lstat()
        return about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns
    return None


def _unfinished(runtime: Runtime) -> Path:
    return runtime.next_index.with_name("index.again")


def _lock_is_ours(git: Git, runtime: Runtime) -> bool:
    """True when index.lock is the very file our token is."""
    try:
        return os.path.samestat(git.index_lock.lstat(), runtime.token.lstat())
    except FileNotFoundError:
        return False


def _drop_lock(git: Git, runtime: Runtime) -> None:
    for index in (runtime.next_index, _unfinished(runtime)):
        for leftover in (index, index.with_name(index.name + ".lock")):
            leftover.unlink(missing_ok=True)
    if _lock_is_ours(git, runtime):
        atomic.remove(git.index_lock)


def _drop_ref_locks(git: Git, runtime: Runtime, journal: Journal) -> None:
    """Take away what a killed ``git update-ref`` of ours has locked (rule R4); a lock of anybody else's stays."""
    seen = {lock: _left_behind(lock, runtime.journal, journal.new) for lock in git.ref_locks(journal.ref)}
    if not any(seen.values()) or not git.keeps_refs_in_files():
        return
    time.sleep(_A_WHILE)  # the killed one has its files open until it has ended, too
    for lock, about in seen.items():
        now = _left_behind(lock, runtime.journal, journal.new)
        if about is not None and now is not None and os.path.samestat(now, about) and not is_open(now):
            atomic.remove(lock)


def _left_behind(lock: Path, journal: Path, new: str) -> os.stat_result | None:
    """The proof of rule R4. git holds a lock open until its id is in; into HEAD.lock it writes none and closes it at once,
    but keeps it for a few milliseconds only: one that is still there after a while is nobody's. Processes of other users
    cannot be looked into, hence the owner."""
    with suppress(FileNotFoundError, PermissionError):
        about = lock.lstat()
        is_of_now = about.st_uid == os.geteuid() and about.st_mtime_ns >= journal.stat().st_mtime_ns
        if is_of_now and f"{new}\n".encode().startswith(lock.read_bytes()):
            return about
    return None


def is_open(file: os.stat_result) -> bool:
    """True when a process may have the file open: where there is no /proc, any may."""
    processes = Path("/proc")
    if not (processes / "self" / "fd").is_dir():
        return True
    return any(has_open(process, file) for process in processes.iterdir() if process.name.isdecimal())


def has_open(process: Path, file: os.stat_result) -> bool:
    """True when a process, by its folder in /proc, is seen to have the file open."""
    with suppress(OSError):  # it has ended meanwhile, or is another user's
        for descriptor in (process / "fd").iterdir():
            with suppress(OSError):
                if os.path.samestat(descriptor.stat(), file):
                    return True
    return False


def settle_temporaries(tree: WorkTree, runtime: Runtime, files: Sequence[Written], texts: PathContents) -> None:
    """Clear up our temporary files beside the pages: a part of a text we know goes, anything else is kept for its owner."""
    known = [text for text in (*texts.before.values(), *texts.after.values()) if isinstance(text, bytes)]
    for written in files:
        _name_again(tree, written.path, texts)
    one_of_each_folder = {written.path.rpartition("/")[0]: written.path for written in files}
    for path in one_of_each_folder.values():
        for file in tree.temporaries(path):
            content = file.read_bytes()
            if any(text.startswith(content) for text in known):
                tree.displace(path, file.name, content)  # an editor may have had it open all the while
            else:
                runtime.rescued.move(file, "found beside a page after a crash")


def _name_again(tree: WorkTree, path: str, texts: PathContents) -> None:
    """Where there is no exchange, the crash may have come between the two names: the page has none, and gets it back."""
    before, after = texts.before.get(path), texts.after.get(path)
    temporaries = [file.read_bytes() for file in tree.temporaries(path)]
    others = [content for content in temporaries if content != after]
    if before is not None and after in temporaries and others:
        tree.put(path, others[0], None)
