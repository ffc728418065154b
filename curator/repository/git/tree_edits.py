"""The tree of a commit with some files other than they were: of the trees in it only those on the way to them are written.

An index of the whole would have to be read, written and synced for it, of a big wiki 12 MB. What is edited is bytes; git
writes them as a tree, and looks whether they are one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from curator.errors import GitError
from curator.repository.git.faults import objects_missing
from curator.repository.git.files import Indexes
from curator.repository.git.trees import Trees, put_into
from curator.repository.git.values import Blob

_FOLDER = b"40000"


class TreeEdits(Trees, Indexes):
    def tree_with(self, commit: str, blobs: Iterable[Blob], gone: Iterable[str]) -> str:
        """The tree of a commit with ``blobs`` in it and without what is at ``gone``; no index of anybody's is touched."""
        there = list(blobs)
        files: dict[str, Blob | None] = {**dict.fromkeys(gone), **{blob.path: blob for blob in there}}
        new: dict[str, bytes] = {}
        with suppress(GitError):  # git writes no tree with names that it forbids and that a commit has all the same
            top = self._named(self._changed(self._tree(f"{commit}^{{tree}}"), files, new), new)
            self._store(new)
            return top
        with self.scratch("blobs-") as folder:
            self.read_tree(folder / "index", commit)
            self.put_into(
                folder / "index", there, [path for path, blob in files.items() if blob is None], is_private=True
            )
            return self.write_tree(folder / "index")

    def _changed(self, tree: bytes, files: Mapping[str, Blob | None], new: dict[str, bytes]) -> bytes:
        """``tree`` with ``files``, by their paths from there, None for one that goes; ``new`` gets the folders in it."""
        entries: dict[bytes, bytes | None] = {}
        below: dict[bytes, dict[str, Blob | None]] = {}
        for path, blob in files.items():
            first, _, rest = path.partition("/")
            name = first.encode("utf-8", "surrogateescape")
            if rest:
                below.setdefault(name, {})[rest] = blob
            else:
                entries[name] = None if blob is None else _entry(blob.mode.encode(), name, blob.oid)
        folders = (
            {known[2]: known[3].hex() for known in self._each_entry(tree) if _is_folder(known[1])} if below else {}
        )
        for name, changed in below.items():
            if entries.get(name) is None and (name in folders or any(changed.values())):
                content = self._changed(self._tree(folders[name]) if name in folders else b"", changed, new)
                entries[name] = _entry(_FOLDER, name, self._named(content, new)) if content else b""
        return self._edited(tree, entries)

    def _edited(self, tree: bytes, entries: Mapping[bytes, bytes | None]) -> bytes:
        """``tree`` with ``entries`` by their names, in git's order; None: no file of that name, empty: nothing."""
        new = [(_place(*entry.split(b"\0", 1)[0].split(b" ", 1)), entry) for entry in entries.values() if entry]
        new.sort(reverse=True)
        pieces, at = [], 0
        for known in self._each_entry(tree):
            while new and new[-1][0] < _place(known[1], known[2]):
                pieces += [tree[at : known.start()], new.pop()[1]]
                at = known.start()
            if known[2] in entries and not (entries[known[2]] is None and _is_folder(known[1])):
                pieces.append(tree[at : known.start()])
                at = known.end()
        return b"".join([*pieces, tree[at:], *(entry for _, entry in reversed(new))])

    def _tree(self, name: str) -> bytes:
        found = self._find(name)
        if found is None or found.kind != "tree":
            raise objects_missing(f"there is no tree {name}")
        return found.data

    def _named(self, tree: bytes, new: dict[str, bytes]) -> str:
        """What git will call ``tree``, which is one of the ``new`` ones."""
        oid = self._oid("tree", len(tree), [tree])
        new[oid] = tree
        return oid

    def _store(self, trees: Mapping[str, bytes]) -> None:
        """All of them by one git. Raises GitError."""
        with self.scratch("blobs-") as folder:
            paths = b"".join(os.fsencode(path) + b"\n" for path in put_into(folder, list(trees.values())))
            oids = self.text("hash-object", "-t", "tree", "-w", "--stdin-paths", stdin=paths).split()
        if oids != list(trees):
            raise GitError("git_failed", "git hash-object: another id than was expected")


def _entry(mode: bytes, name: bytes, oid: str) -> bytes:
    return b"%b %b\0%b" % (mode, name, bytes.fromhex(oid))


def _place(mode: bytes, name: bytes) -> bytes:
    """What git puts an entry in its place by."""
    return name + b"/" if _is_folder(mode) else name


def _is_folder(mode: bytes) -> bool:
    return mode.endswith(_FOLDER)  # old programs wrote a zero before it
