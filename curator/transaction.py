"""The transaction: a plan becomes exactly one commit and the work tree follows, or nothing changes (DESIGN section 5).

The order of things is the proof:

1. flock, and whatever an earlier transaction left behind is finished or taken back first (``recovery``).
2. Objects: blobs, a private index, the tree, the commit. Nobody points to them.
3. The journal, durable. From here a crash is answered by ``recovery``.
4. git's ``index.lock``, as a hard link to a token of ours: atomic, and provably ours whoever finds it later.
5. The last look, under that lock: nothing of the user's is at any path we write.
6. ``git update-ref REF NEW OLD``: the commit point. git refuses it when the branch has moved.
7. The files of the work tree, one by one (``worktree``); then the index, the lock, the journal.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curator import durable, recovery
from curator.errors import Conflict
from curator.git import Blob, Git
from curator.journal import Journal, Written
from curator.recovery import Texts
from curator.runtime import Runtime, Spooled
from curator.worktree import WorkTree


class BranchMoved(Exception):
    """Somebody committed while the transaction was prepared; begin again on the new commit."""


@dataclass(frozen=True)
class Arrival:
    """The source file that is committed with its pages: ``path`` from the wiki root."""

    path: str
    spooled: Spooled


@dataclass(frozen=True)
class Landing:
    """One commit to be made on ``branch`` at ``base``. ``prefix`` is the wiki's folder from the top, with its slash."""

    git: Git
    runtime: Runtime
    branch: str
    base: str
    prefix: str

    def commit(self, files: Mapping[str, str | None], arrival: Arrival | None, message: str) -> str:
        """Commit ``files`` (text by path from the wiki root, None: the file goes) and the source; returns the commit.

        Raises Conflict when the user's own work is in the way and BranchMoved when the branch is no longer at ``base``;
        then nothing has changed.
        """
        with self.runtime.lock():
            recovery.recover(self.git, self.runtime)
            self._check_base()
            blobs = self._objects(files, arrival)
            gone = [self.prefix + path for path, text in files.items() if text is None]
            new = self._commit_object(blobs, gone, message)
            journal = self._journal(blobs, gone, new, arrival)
            after = self.git.smudged(blobs)
            texts: Texts | None = None
            self._write_intent(journal)
            try:
                self._take_lock()
                self._check_base()
                self._last_look(journal, arrival)
                before = {written.path: _bytes_at(self.git.top / written.path) for written in journal.files}
                self._build_index(blobs, gone)
                subject = message.split("\n", 1)[0]
                if not self.git.move_branch(self.branch, new, self.base, f"curator: {subject}"):
                    raise BranchMoved
                texts = Texts(before, after)
            finally:
                # Before the commit point this takes everything back, after it it carries everything through.
                recovery.recover(self.git, self.runtime, texts)
        return new

    def _check_base(self) -> None:
        """Raise BranchMoved early: what another commit brought would look like the user's work in our way."""
        if self.git.commit_of(self.branch) != self.base:
            raise BranchMoved

    # -- objects -------------------------------------------------------------------------------------------------

    def _objects(self, files: Mapping[str, str | None], arrival: Arrival | None) -> list[Blob]:
        texts = {path: text.encode("utf-8") for path, text in files.items() if text is not None}
        oids = self.git.store(list(texts.values()))
        blobs = [Blob(self.prefix + path, "100644", oid) for path, oid in zip(texts, oids, strict=True)]
        if arrival is not None:
            path = self.prefix + arrival.path
            blobs.append(Blob(path, "100644", self.git.store_source(arrival.spooled.file, path)))
        return blobs

    def _commit_object(self, blobs: Sequence[Blob], gone: Sequence[str], message: str) -> str:
        """The tree and commit, by way of a private index that is kept from one transaction to the next."""
        index = self.runtime.index
        note = index.with_suffix(".commit")  # names the commit the index shows; not there while that is in doubt
        shown = note.read_text() if note.exists() else ""
        note.unlink(missing_ok=True)
        index.with_name("index.lock").unlink(missing_ok=True)
        if shown != self.base or not index.exists():
            index.unlink(missing_ok=True)
            self.git.read_tree(index, self.base)
        self.git.put_into(index, blobs, gone)
        new = self.git.commit_tree(self.git.write_tree(index), self.base, message)
        note.write_text(new)
        return new

    # -- intent --------------------------------------------------------------------------------------------------

    def _journal(self, blobs: Sequence[Blob], gone: Sequence[str], new: str, arrival: Arrival | None) -> Journal:
        after: dict[str, str | None] = {**{blob.path: blob.oid for blob in blobs}, **dict.fromkeys(gone)}
        old = {path: blob.oid for path, blob in self.git.blobs_at(self.base, list(after)).items()}
        own = None if arrival is None else self.prefix + arrival.path
        files = tuple(Written(path, old.get(path), oid, ours=path != own) for path, oid in after.items())
        return Journal(self.branch, self.base, new, secrets.token_hex(16), files)

    def _write_intent(self, journal: Journal) -> None:
        durable.write(self.runtime.token, journal.token.encode())
        durable.write(self.runtime.journal, journal.dumps().encode())

    def _take_lock(self) -> None:
        lock = self.git.index_lock
        try:
            os.link(self.runtime.token, lock)
        except FileExistsError:
            raise Conflict(
                "index_locked",
                "another git command holds index.lock",
                f"wait for it to end; if none is running, remove {str(lock)!r}",
            ) from None

    # -- the last look -------------------------------------------------------------------------------------------

    def _last_look(self, journal: Journal, arrival: Arrival | None) -> None:
        """Nothing of the user's may be at the paths we write: no edit, nothing staged, no file git does not know."""
        ours = [written for written in journal.files if written.ours]
        gone = {written.path for written in ours if written.new is None}
        for path, letters in sorted(self.git.status([written.path for written in ours]).items()):
            if letters == " D" and path in gone:
                continue  # the user deleted it, and so do we
            shown = path.removeprefix(self.prefix)
            if letters == "??":
                raise Conflict("page_in_the_way", f"{shown} exists and is not committed", f"commit or move {shown}")
            what = "staged" if letters[0] != " " else "uncommitted"
            hint = f"commit or undo them: git diff HEAD -- {shown}"
            raise Conflict("page_dirty", f"waiting for {shown}: it has {what} changes", hint)
        tree = WorkTree(self.git.top, self.runtime.displaced)
        for written in journal.files:
            tree.check(written.path)
            target = self.git.top / written.path
            shown = written.path.removeprefix(self.prefix)
            if target.is_symlink():
                raise Conflict("page_is_a_link", f"{shown} is a symbolic link", "replace it by the file itself")
            if written.ours and written.old is None and target.exists():
                raise Conflict("page_in_the_way", f"{shown} exists and git ignores it", f"move {shown} away")
        if arrival is not None:
            file = self.git.top / (self.prefix + arrival.path)
            if file.exists() and _digest(file, arrival.spooled) != arrival.spooled.digest:
                raise Conflict("source_changed", f"{arrival.path} changed while it was read", "ingest it again")

    def _build_index(self, blobs: Sequence[Blob], gone: Sequence[str]) -> None:
        """The user's index with our entries in it, beside the live one; it takes its place after the commit point."""
        live, swap = self.git.directory / "index", self.runtime.next_index
        swap.unlink(missing_ok=True)
        if live.exists():
            shutil.copyfile(live, swap)
        self.git.put_into(swap, blobs, gone)
        durable.sync_file(swap)


def _bytes_at(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _digest(file: Path, like: Spooled) -> str:
    algorithm = like.digest.partition(":")[0]
    with file.open("rb") as stream:
        return f"{algorithm}:{hashlib.file_digest(stream, algorithm).hexdigest()}"
