"""The transaction: a change set becomes one commit and the work tree follows, or nothing changes.

The order of things is the proof:

1. flock, and whatever an earlier transaction left behind is finished or taken back first (``recovery``).
2. Objects: blobs, the trees above them, the commit. Nobody points to them.
3. The journal, durable. From here a crash is answered by ``recovery``.
4. git's ``index.lock``, as a hard link to a token of ours: atomic, and provably ours whoever finds it later.
5. The last look, under that lock: nothing of the user's is at any path we write.
6. ``git update-ref REF NEW OLD``: the commit point. git refuses it when the branch has moved.
7. The files of the work tree, one by one (``worktree``); then the index, the lock, the journal.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from curator.errors import Conflict
from curator.repository.git import Blob, Git, folders_above, put_into
from curator.repository.runtime.runtime import Runtime
from curator.repository.source_files import IncomingFile
from curator.repository.transaction import contents, recovery, sweeping
from curator.repository.transaction.contents import Content
from curator.repository.transaction.journal import Journal, Written
from curator.repository.transaction.recovery import PathContents
from curator.repository.transaction.targets import CommitTargets
from curator.repository.transaction.worktree import WorkTree
from curator.system import atomic
from curator.system.edited_text import Text
from curator.system.merge3 import merge

_Files = Mapping[str, Text | None]


class BranchMoved(Exception):
    """Somebody committed while the transaction was prepared; begin again on the new commit."""


@dataclass(frozen=True)
class CommitTransaction:
    """One commit to be made on ``branch`` at ``base``. ``prefix`` is the wiki's folder from the top, with its slash."""

    git: Git
    runtime: Runtime
    branch: str
    base: str
    prefix: str
    merges: bool = False
    """True: a user's uncommitted edits of a page stay on top of the new text where they merge; else they are waited for."""

    def commit(self, files: _Files, source_file: IncomingFile | None, message: str) -> str:
        """Commit ``files`` (text by path from the wiki root, None: the file goes) and the source; returns the commit.

        Raises Conflict when the user's own work is in the way and BranchMoved when the branch is no longer at ``base``;
        then nothing has changed.
        """
        with self.runtime.lock() as held, self.git.holding(held):
            recovery.recover(self.git, self.runtime)
            sweeping.sweep_scratch(self.runtime)
            sweeping.sweep(self.runtime)  # a service opens the wiki once, and displaces an index with every commit
            self._check_base()
            with self.git.scratch("blobs-") as folder:
                return self._committed(files, source_file, message, folder)

    def _committed(self, files: _Files, source_file: IncomingFile | None, message: str, folder: Path) -> str:
        """``folder`` holds the texts while they are worked with."""
        targets = self._survey(files, source_file)
        texts = self._texts(targets, files, folder)
        # git stores the texts beside its tree of them and the user's next index, and we take their hashes.
        with self._objects(targets, texts, source_file) as blobs, ThreadPoolExecutor(1) as beside:
            committed = beside.submit(self._commit_object, blobs, targets, message)
            built = beside.submit(recovery.prepare_index, self.git, folder / "index", blobs, targets.gone)
            raw = {path: contents.of_file(file) for path, file in texts.items() if targets.is_raw(path)}
            new, made_from = committed.result(), built.result()
        after = self._after(targets, texts, blobs, source_file, raw)
        merged_edits = self._merged_edits(targets, after) if self.merges else {}
        merged_edits |= self._earlier_notes(targets, source_file)
        journal = self._journal(targets, blobs, new, merged_edits)
        known: PathContents | None = None
        self.git.sync_objects(new, [file.path for file in journal.files], journal.oids())
        self._write_intent(journal)
        try:
            recovery.take_lock(self.git, self.runtime)
            self._check_base()
            if not recovery.index_is_still(self.git, made_from):
                recovery.build_index(self.git, folder / "index", blobs, targets.gone)
            before = self._last_look(targets, blobs, after, merged_edits)
            (folder / "index").replace(self.runtime.next_index)
            atomic.sync_folder(self.runtime.shared)
            subject = message.split("\n", 1)[0]
            if not self.git.move_branch(self.branch, new, self.base, f"curator: {subject}"):
                raise BranchMoved
            known = PathContents(before, {**after, **{path: edit.merged for path, edit in merged_edits.items()}})
        except BranchMoved:
            if self.git.commit_of(self.branch) != new:  # else git was killed when it had moved the branch
                raise
        finally:
            # Before the commit point this takes everything back, after it it carries everything through.
            recovery.recover(self.git, self.runtime, known)
        return new

    def _check_base(self) -> None:
        """Raise BranchMoved early: what another commit brought would look like the user's work in our way."""
        self.git.check_free()
        if not self.is_at_base:
            raise BranchMoved

    @property
    def is_at_base(self) -> bool:
        """True when the branch is still the one that is checked out, and where it was."""
        return self.git.branch() == self.branch and self.git.commit_of(self.branch) == self.base

    def _survey(self, files: _Files, source_file: IncomingFile | None) -> CommitTargets:
        """What there is to know of the paths; raises Conflict or GitError when the commit cannot be made."""
        goes = {path: text is None for path, text in files.items()}
        incoming = source_file.all if source_file is not None else ()
        targets = CommitTargets.survey(self.git, self.base, self.prefix, goes, [file.path for file in incoming])
        written = sum(len(text) for text in files.values() if text is not None)
        targets.check_room(written, sum(file.spooled.size for file in incoming))
        return targets

    # -- objects -------------------------------------------------------------------------------------------------

    def _texts(self, targets: CommitTargets, files: _Files, folder: Path) -> dict[str, Path]:
        """The file in ``folder`` that holds the text of each page, by its path."""
        written = put_into(folder, [text for text in files.values() if text is not None])
        return {page.path: file for page, file in zip(targets.pages, written, strict=True)}

    @contextmanager
    def _objects(
        self, targets: CommitTargets, texts: Mapping[str, Path], source_file: IncomingFile | None
    ) -> Iterator[list[Blob]]:
        """The blobs of the pages as they are, and of the source as git stores it; all are there when this ends."""
        incoming = source_file.all if source_file is not None else ()
        spooled = {target: file.spooled.file for target, file in zip(targets.sources, incoming, strict=True)}
        raw = [target for target in spooled if targets.is_raw(target.path)]
        with self.git.storing([*texts.values(), *(spooled[target] for target in raw)]) as oids:
            own = dict(zip(raw, oids[len(texts) :], strict=True))
            for target in spooled.keys() - own.keys():
                own[target] = self.git.cleaned(spooled[target], target.path, keep=True)
            blobs = [Blob(target.path, targets.mode_of(target), own[target]) for target in spooled]
            yield [*_blobs(targets, oids[: len(texts)]), *blobs]

    def _commit_object(self, blobs: Sequence[Blob], targets: CommitTargets, message: str) -> str:
        settings, tree = targets.settings, self.git.tree_with(self.base, blobs, targets.gone)
        return self.git.commit_tree(tree, self.base, message, sign=settings.signs, identity=settings.identity)

    # -- intent --------------------------------------------------------------------------------------------------

    def _merged_edits(self, targets: CommitTargets, after: Mapping[str, Content]) -> dict[str, MergedEdit]:
        """The user's uncommitted edits of pages, on top of the new texts, where they merge; stored, for ``recovery``."""
        merged_edits: dict[str, MergedEdit] = {}
        for path, (old, edited) in targets.edits(WorkTree(self.git.top, self.runtime.displaced)).items():
            merged = merge(old, edited, contents.in_bytes(after[path]).decode())
            if not merged.clashes:
                both = edited.encode(), merged.text.encode()
                merged_edits[path] = MergedEdit(*both, *self.git.store(both))
        return merged_edits

    def _earlier_notes(self, targets: CommitTargets, source_file: IncomingFile | None) -> dict[str, MergedEdit]:
        """The earlier version of a note in its source's place, which nobody has edited; stored as that is."""
        found, incoming = {}, source_file.all if source_file is not None else ()
        for target, file in zip(targets.sources, incoming, strict=True):
            now = WorkTree(self.git.top, self.runtime.displaced).text(target.path) if file.replaces else None
            if now is not None and file.is_earlier(self.git.top / target.path):
                both = now, file.spooled.file.read_bytes()
                found[target.path] = MergedEdit(*both, *self.git.store(both))
        return found

    def _journal(
        self, targets: CommitTargets, blobs: Sequence[Blob], new: str, merged_edits: Mapping[str, MergedEdit]
    ) -> Journal:
        oids = {blob.path: blob.oid for blob in blobs}
        files = tuple(
            Written(
                path=target.path,
                old=target.old.oid if target.old else None,
                new=oids.get(target.path),
                ours=target.ours or target.path in merged_edits,
                edited=edit.edited_oid if (edit := merged_edits.get(target.path)) else None,
                mixed=edit.merged_oid if edit else None,
            )
            for target in targets.all
        )
        return Journal(self.branch, self.base, new, secrets.token_hex(16), files)

    def _after(
        self,
        targets: CommitTargets,
        texts: Mapping[str, Path],
        blobs: Sequence[Blob],
        source_file: IncomingFile | None,
        raw: Mapping[str, Content],
    ) -> dict[str, Content]:
        """What the files will hold, ``raw`` those byte by byte. Raises Conflict when git would not read a page back as it
        was committed."""
        pages, after = {target.path: target for target in targets.pages}, dict(raw)
        others = [blob for blob in blobs if blob.path in pages.keys() - after.keys()]
        attributes = self._attributes(others) if others else ()
        for path, content in self.git.smudged(others, attributes=attributes).items():
            texts[path].write_bytes(content)
            after[path] = contents.of_file(texts[path])
        for blob in others:
            targets.check_return(pages[blob.path], blob.oid, after[blob.path])
        incoming = source_file.all if source_file is not None else ()
        return {**after, **{self.prefix + file.path: contents.of_file(file.spooled.file) for file in incoming}}

    def _attributes(self, blobs: Sequence[Blob]) -> Iterable[Blob]:
        """The files of attributes that hold for ``blobs``: git goes by those of an index where the work tree has none."""
        folders = {f"{folder}/" for blob in blobs for folder in folders_above(blob.path)} | {""}
        return self.git.blobs_at(self.base, [f"{folder}.gitattributes" for folder in sorted(folders)]).values()

    def _write_intent(self, journal: Journal) -> None:
        atomic.write(self.runtime.token, journal.token.encode())
        atomic.write(self.runtime.journal, journal.dumps().encode())

    # -- the last look -------------------------------------------------------------------------------------------

    def _last_look(
        self,
        targets: CommitTargets,
        blobs: Sequence[Blob],
        after: Mapping[str, Content],
        merged_edits: Mapping[str, MergedEdit],
    ) -> dict[str, Content | None]:
        """What the files hold now. Raises Conflict when anything of the user's is at the paths we write."""
        fine = {page.path: {after[page.path]} for page in targets.pages}
        for path, edit in merged_edits.items():
            fine.setdefault(path, set()).add(contents.of_bytes(edit.edited))
        before = targets.last_look(WorkTree(self.git.top, self.runtime.displaced), blobs, fine)
        for source in targets.sources:
            if before[source.path] not in (None, after[source.path], *fine.get(source.path, ())):
                raise Conflict("source_changed", f"{source.shown} changed while it was read", "ingest it again")
        return before


@dataclass(frozen=True)
class MergedEdit:
    """A file as the user has it, uncommitted, and as it will be: both texts, and their blobs."""

    edited: bytes
    merged: bytes
    edited_oid: str
    merged_oid: str


def _blobs(targets: CommitTargets, oids: Sequence[str]) -> list[Blob]:
    return [Blob(page.path, page.mode, oid) for page, oid in zip(targets.pages, oids, strict=True)]
