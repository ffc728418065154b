"""The wiki's git repository: a transaction begins at a commit, and ends in exactly one new commit or in no change.

Objects are written first, where nobody points to them. ``git update-ref`` with the old value is the commit point: git
refuses it when the branch has moved. Until then the work tree is untouched. From before the last look at the user's
state until the index is swapped git's own ``index.lock`` is held, the one lock that the user's git respects too.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from curator import manifest
from curator.catalogue import Catalogue, Delta
from curator.errors import ConfigError, Conflict, WikiError
from curator.git import Blob, Changed, Git
from curator.manifest import Manifest
from curator.page import is_page_path
from curator.runtime import Runtime, Spooled
from curator.wiki import Wiki
from curator.workspace import Workspace

_TEMPORARY = ".curator-"
"""Begins the name of every temporary file beside a page: a dot name, so that editors and watchers pass it over."""


@dataclass(frozen=True)
class Arrival:
    """The source file that is committed with its pages: ``path`` from the wiki root."""

    path: str
    spooled: Spooled


class BranchMoved(Exception):
    """Somebody committed while the transaction was prepared; begin again on the new commit."""


class Repository:
    """A wiki in git. Use it as a context manager."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.git = Git(self.root)
        self.runtime = Runtime(self.git.runtime)
        relative = self.root.relative_to(self.git.top.resolve()).as_posix()
        self.prefix = "" if relative == "." else relative + "/"
        self.runtime.folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.git.close()
        if "catalogue" in self.__dict__:
            self.catalogue.close()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The pages of the commit that was looked at last."""
        return Catalogue.open(self.runtime.catalogue)

    def head(self) -> str | None:
        return self.git.commit_of("HEAD")

    def begin(self) -> Transaction:
        """A view of the branch's newest commit. Raises Conflict when the user is in the middle of something."""
        branch = self.git.branch()
        if branch is None:
            raise Conflict("detached_head", "HEAD is detached: there is no branch to commit to", "git switch <branch>")
        busy = self.git.in_progress()
        if busy is not None:
            raise Conflict("git_busy", f"{busy} is in progress", "finish or abort it; the source waits until then")
        base = self.git.commit_of(branch)
        if base is None:
            raise Conflict("no_commit", "the branch has no commit yet", "commit KNOWLEDGE.md first")
        return Transaction(self, branch, base)

    def view(self) -> Snapshot:
        """The newest commit, for reading only; works on a detached HEAD too."""
        commit = self.head()
        if commit is None:
            raise ConfigError("no_commit", "the wiki has no commit yet", "commit KNOWLEDGE.md first")
        return Snapshot(self, commit)


class Snapshot:
    """One commit, read through the catalogue."""

    def __init__(self, repository: Repository, base: str) -> None:
        self.repository = repository
        self.base = base
        self._texts: dict[str, str | None] = {}
        self._refresh()
        self.catalogue = repository.catalogue.reading(self.read)
        self.wiki = Wiki(self.catalogue)

    def read(self, path: str) -> str | None:
        """The text of a file of the commit, ``path`` from the wiki root; None when it is not there or no UTF-8."""
        if path not in self._texts:
            data = self.repository.git.blob(f"{self.base}:{self.repository.prefix}{path}")
            try:
                self._texts[path] = None if data is None else data.decode("utf-8")
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]

    def workspace(self) -> Workspace:
        """The wiki's KNOWLEDGE.md as committed. Raises WikiError."""
        text = self.read("KNOWLEDGE.md")
        if text is None:
            raise WikiError("schema_missing", "KNOWLEDGE.md is not committed", "git add KNOWLEDGE.md && git commit")
        return Workspace.parse(text)

    def manifest(self) -> Manifest:
        """Which sources are in. Raises WikiError."""
        return Manifest.parse(self.read(manifest.PATH) or "")

    def _refresh(self) -> None:
        git, catalogue = self.repository.git, self.repository.catalogue
        known = catalogue.commit
        if known == self.base:
            return
        folder = self.repository.prefix.rstrip("/")
        if known and git.commit_of(known):
            changes: Iterator[Changed] = git.changes(known, self.base, folder)
        else:
            catalogue.clear()
            changes = (Changed(blob.path, None, blob) for blob in git.tree(self.base, folder))
        catalogue.update(self.base, (delta for change in changes if (delta := self._delta(change))))

    def _delta(self, change: Changed) -> Delta | None:
        path = change.path.removeprefix(self.repository.prefix)
        if not is_page_path(path):
            return None
        delta = Delta(path, self._text(change.before), self._text(change.after))
        return None if delta.before is delta.after is None else delta

    def _text(self, blob: Blob | None) -> str | None:
        if blob is None or not blob.mode.startswith("100"):
            return None
        data = self.repository.git.blob(blob.oid)
        return None if data is None else data.decode("utf-8", "replace")


class Transaction(Snapshot):
    """A snapshot of the branch that can be committed upon."""

    def __init__(self, repository: Repository, branch: str, base: str) -> None:
        super().__init__(repository, base)
        self.branch = branch

    def commit(self, files: Mapping[str, str], arrival: Arrival | None, message: str) -> str:
        """Commit ``files`` (text by path from the wiki root) and the source, and bring the work tree along.

        Returns the commit. Raises Conflict when the user's own work is in the way and BranchMoved when the branch is
        no longer where the transaction began; then nothing has changed.
        """
        git = self.repository.git
        with self.repository.runtime.lock():
            blobs = self._objects(files, arrival)
            new = self._commit_object(blobs, message)
            contents = self._smudged(blobs, arrival)
            with self._index_lock() as swap:
                self._last_look(blobs, arrival)
                shutil.copyfile(self._live_index, swap) if self._live_index.exists() else None
                git.put_into(swap, blobs)
                subject = message.split("\n", 1)[0]
                if not git.move_branch(self.branch, new, self.base, f"curator: {subject}"):
                    raise BranchMoved
                self._write_work_tree(contents, arrival)
                swap.replace(self._live_index)
        return new

    # -- before the commit point ---------------------------------------------------------------------------------

    def _objects(self, files: Mapping[str, str], arrival: Arrival | None) -> list[Blob]:
        git, prefix = self.repository.git, self.repository.prefix
        oids = git.store([text.encode("utf-8") for text in files.values()])
        blobs = [Blob(prefix + path, "100644", oid) for path, oid in zip(files, oids, strict=True)]
        if arrival is not None:
            path = prefix + arrival.path
            blobs.append(Blob(path, "100644", git.store_source(arrival.spooled.file, path)))
        return blobs

    def _commit_object(self, blobs: Sequence[Blob], message: str) -> str:
        git = self.repository.git
        index, note = self.repository.runtime.index, self.repository.runtime.index.with_suffix(".commit")
        if not index.exists() or not note.exists() or note.read_text() != self.base:
            note.unlink(missing_ok=True)
            git.read_tree(index, self.base)
        else:
            note.unlink()
        git.put_into(index, blobs)
        commit = git.commit_tree(git.write_tree(index), self.base, message)
        note.write_text(commit)
        return commit

    def _smudged(self, blobs: Sequence[Blob], arrival: Arrival | None) -> dict[str, bytes]:
        """What the work tree will hold at each path but the source's own, from the top of the repository."""
        own = self.repository.prefix + arrival.path if arrival is not None else None
        paths = [blob.path for blob in blobs if blob.path != own]
        return dict(zip(paths, self.repository.git.smudged(self.repository.runtime.index, paths), strict=True))

    @property
    def _live_index(self) -> Path:
        return self.repository.git.directory / "index"

    @contextmanager
    def _index_lock(self) -> Iterator[Path]:
        """Hold git's ``index.lock``; gives the file in which to build the next index."""
        lock = self.repository.git.directory / "index.lock"
        try:
            os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
        except FileExistsError:
            raise Conflict(
                "index_locked",
                "another git command holds index.lock",
                f"wait for it to end; if none is running, remove {str(lock)!r}",
            ) from None
        swap = self.repository.runtime.folder / "index.new"
        try:
            yield swap
        finally:
            swap.unlink(missing_ok=True)
            lock.unlink(missing_ok=True)

    def _last_look(self, blobs: Sequence[Blob], arrival: Arrival | None) -> None:
        """Nothing of the user's may be at the paths we write: no edit, nothing staged, no file git does not know."""
        top = self.repository.git.top
        own = self.repository.prefix + arrival.path if arrival is not None else None
        dirty = self.repository.git.status([blob.path for blob in blobs if blob.path != own])
        for path, letters in sorted(dirty.items()):
            shown = path.removeprefix(self.repository.prefix)
            if letters == "??":
                raise Conflict("page_in_the_way", f"{shown} exists and is not committed", f"commit or move {shown}")
            what = "staged" if letters[0] != " " else "uncommitted"
            raise Conflict(
                "page_dirty",
                f"waiting for {shown}: it has {what} changes",
                f"commit or undo them: git diff HEAD -- {shown}",
            )
        for blob in blobs:
            target = top / blob.path
            _check_parents(top, target)
            if target.is_symlink():
                raise Conflict("page_is_a_link", f"{blob.path} is a symbolic link", "replace it by the file itself")
            ignored = blob.path != own and target.exists() and self._is_new(blob.path)
            if ignored:
                shown = blob.path.removeprefix(self.repository.prefix)
                raise Conflict("page_in_the_way", f"{shown} exists and git ignores it", f"move {shown} away")
        if arrival is not None:
            self._check_source(arrival)

    def _is_new(self, path: str) -> bool:
        return self.repository.git.run("rev-parse", "-q", "--verify", f"{self.base}:{path}")[0] != 0

    def _check_source(self, arrival: Arrival) -> None:
        file = self.repository.root / arrival.path
        if file.exists() and _digest(file, arrival.spooled) != arrival.spooled.digest:
            raise Conflict("source_changed", f"{arrival.path} changed while it was read", "ingest it again")

    # -- after it ------------------------------------------------------------------------------------------------

    def _write_work_tree(self, contents: Mapping[str, bytes], arrival: Arrival | None) -> None:
        for path, content in contents.items():
            _replace(self.repository.git.top / path, content)
        if arrival is not None and not (file := self.repository.root / arrival.path).exists():
            _replace(file, arrival.spooled.file.read_bytes())


def _check_parents(top: Path, target: Path) -> None:
    """Every folder between the top and the file is a real one: a link would lead our writing out of the wiki."""
    folder = target.parent
    while folder != top:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise Conflict(
                "folder_is_a_link", f"{folder.relative_to(top)} is no real folder", "replace it by the folder itself"
            )
        folder = folder.parent


def _replace(target: Path, content: bytes) -> None:
    """Write beside, sync, rename: at every instant the file is wholly old or wholly new."""
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=_TEMPORARY, suffix="~", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _digest(file: Path, like: Spooled) -> str:
    import hashlib

    algorithm = like.digest.partition(":")[0]
    with file.open("rb") as stream:
        return f"{algorithm}:{hashlib.file_digest(stream, algorithm).hexdigest()}"
