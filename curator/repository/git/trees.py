"""Objects and trees: reading those of a commit, and writing those of the next one."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from curator.errors import GitError
from curator.repository.git.commands import Commands
from curator.repository.git.faults import objects_missing
from curator.repository.git.values import Blob, Changed, blob_of, folders_above, records
from curator.system import atomic
from curator.system.edited_text import EditedText, Text

BIG = 1_000_000
"""Bytes, from which on a blob is read once."""
_LONGEST_LINK = 4096
_AT_ONCE = 500


class Trees(Commands):
    @cached_property
    def big_blobs(self) -> dict[str, tuple[str, int]]:
        """The SHA-256 and the size of each big blob that was read, by its id: who only compares need not read it again."""
        return {}

    def tree(self, commit: str, folder: str) -> Iterator[Blob]:
        """Every file below ``folder`` (empty: the whole tree)."""
        yield from map(blob_of, records(self.output("ls-tree", "-r", "-z", "--full-tree", commit, *_below(folder))))

    def grep(self, commit: str, words: Sequence[str], *, all_of: bool) -> dict[str, int]:
        """The files of a commit that have any of ``words`` (with ``all_of`` each of them), whatever the case of letters,
        by path from ``folder``: how many of their lines have one. Raises GitError."""
        plain = ("--no-color", "--no-full-name", "--no-recurse-submodules", "--no-textconv")
        looked = [each for word in words for each in ("-e", word)]
        chosen = ["--all-match"] if all_of else []
        status, out, err = self.run("grep", "-c", "-z", "-i", "-I", "-F", *plain, *chosen, *looked, commit, "--")
        if status not in (0, 1):  # 1: there are none
            raise GitError("git_failed", f"git grep: {' '.join(err.split())}", "run 'git fsck' in the wiki")
        path, *counted = out.decode("utf-8", "surrogateescape").split("\0")  # a path may hold any other sign
        found = {}
        for each in counted:  # how many lines of one file, and the path of the next
            count, _, behind = each.partition("\n")
            found[path.removeprefix(f"{commit}:")], path = int(count), behind
        return found

    def changes(self, old: str, new: str, folder: str) -> Iterator[Changed]:
        """The files below ``folder`` that differ between two commits."""
        options = ("-r", "-z", "--raw", "--no-renames")
        # git reads the index before it compares two trees, and looks at nothing in it: of a big wiki it is 12 MB.
        env = {"GIT_INDEX_FILE": str(self.directory / "index.none")}
        out = self.output("diff-tree", *options, old, new, *_below(folder), folder=self.top, env=env)
        fields = iter(records(out))
        for about in fields:
            old_mode, new_mode, old_oid, new_oid, _ = about.lstrip(":").split(" ")
            path = next(fields)
            yield Changed(
                path,
                Blob(path, old_mode, old_oid) if old_mode != "000000" else None,
                Blob(path, new_mode, new_oid) if new_mode != "000000" else None,
            )

    def blob(self, name: str) -> bytes | None:
        """The bytes of a blob named by id or ``commit:path``; None when there is none. One batch process serves all.

        What a symbolic link holds is no text of a file, and is not given. Raises GitError when the object should be there
        and is not, as in a partial clone.
        """
        found = self._find(name)
        revision, _, path = name.partition(":")
        if found is None:
            self._check_absent(revision, path)
        if found is None or found.kind != "blob":
            return None
        # A link is one short line without an end; so few files are that git may be asked about each.
        if path and 0 < len(found.data) < _LONGEST_LINK and b"\n" not in found.data:
            entry = self.blobs_at(revision, [path]).get(path)
            return found.data if entry is None or entry.mode != "120000" else None
        if len(found.data) > BIG:
            self.big_blobs[found.oid] = hashlib.sha256(found.data).hexdigest(), len(found.data)
        return found.data

    def big_blob_as_it_lies(self, revision: str, path: str) -> bytes | None:
        """The bytes that a revision has at ``path`` (from the top), out of the work tree: git would unpack them: that takes
        four times as long as to hash them. None where the file is not big, or holds others.
        """
        file, entry = self.top / path, self.entry_at(revision, path)
        with suppress(OSError):
            if entry is not None and file.is_file() and file.stat().st_size > BIG:
                data = file.read_bytes()
                oid = self.id_of(data)
                if entry.endswith(b"\0" + bytes.fromhex(oid)):
                    self.big_blobs[oid] = hashlib.sha256(data).hexdigest(), len(data)
                    return data
        return None

    def contents(self, oids: Sequence[str]) -> Iterator[bytes | None]:
        """The bytes of each blob, in their order; None for one that is not to be had, as in a partial clone.

        Many at once: asked for one by one, ten times as long is spent on the asking.
        """
        for start in range(0, len(oids), _AT_ONCE):
            some = oids[start : start + _AT_ONCE]
            data = self.output("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in some).encode())
            at = 0
            for _ in some:
                end = data.index(b"\n", at)
                size = data[at:end].rpartition(b" ")[2]
                is_there = size.isdigit()
                at = end + 1 + (int(size) + 1 if is_there else 0)
                yield data[end + 1 : at - 1] if is_there else None

    def _check_absent(self, revision: str, path: str) -> None:
        """Raise GitError when a file should be there: git says of one that cannot be read that it is missing."""
        if not path:
            raise objects_missing(f"there is no object {revision}")
        folder, _, last = path.rpartition("/")
        above = self._find(f"{revision}:{folder}" if folder else f"{revision}^{{tree}}")
        if above is None:
            self._check_absent(revision, folder)
        elif above.kind == "tree" and last.encode("utf-8", "surrogateescape") in (
            entry[2] for entry in self._each_entry(above.data)
        ):
            raise objects_missing(f"{path} cannot be read")

    def entry_at(self, revision: str, path: str) -> bytes | None:
        """Mode, name and id of what a revision has at ``path``, as its folder has them: asked of the batch process."""
        folder, _, last = path.rpartition("/")
        name = last.encode("utf-8", "surrogateescape")
        return next((entry for each, entry in self.entries_in(revision, folder) if each == name), None)

    def entries_in(self, revision: str, folder: str) -> Iterator[tuple[bytes, bytes]]:
        """The name of all that stands right in ``folder`` (empty: the top) of a revision, with mode, name and id."""
        above = self._find(f"{revision}:{folder}")
        if above is not None and above.kind == "tree":
            yield from ((entry[2], entry[0]) for entry in self._each_entry(above.data))

    def _each_entry(self, tree: bytes) -> Iterator[re.Match[bytes]]:
        """Mode, name and id of each entry of a tree, as git keeps it."""
        return re.finditer(rb"([0-7]+) ([^\0]+)\0(.{%d})" % (len(self._no_object) // 2), tree, re.DOTALL)

    def blobs_at(self, revision: str, paths: Sequence[str]) -> dict[str, Blob]:
        """The files at ``paths`` (from the top) in a revision; those that are not there are left out."""
        return self._shown_at(revision, paths)

    def entries_at(self, revision: str, paths: Iterable[str]) -> dict[str, Blob]:
        """What a revision has at ``paths`` and at the folders above them: files, folders, links, submodules."""
        named = set(paths)
        above = {folder for path in named for folder in folders_above(path)}
        found = self._shown_at(revision, named - above, "-t")  # with the folders that lead there
        # Depth by depth: of a folder that is asked for beside a file in it, git lists all that is in it.
        others = sorted(above - found.keys(), key=lambda path: path.count("/"))
        for _, some in groupby(others, key=lambda path: path.count("/")):
            found |= self._shown_at(revision, some)
        return {path: found[path] for path in named | above if path in found}

    def _shown_at(self, revision: str, paths: Iterable[str], *options: str) -> dict[str, Blob]:
        listed = self._each("ls-tree", "-z", *options, "--full-tree", revision, paths=sorted(paths))
        return {entry.path: entry for entry in map(blob_of, listed)}

    def names_in(self, revision: str, folder: str) -> list[str]:
        """The paths right below ``folder`` (empty: the top) in a revision."""
        below = ["--", f"{folder}/"] if folder else []
        return records(self.output("ls-tree", "-z", "--name-only", "--full-tree", revision, *below))

    def store(self, contents: Sequence[bytes | Text]) -> list[str]:
        """Write ``contents`` as blobs as they are, no filters; their ids in order."""
        with self.scratch("blobs-") as folder:
            return self.store_files([*put_into(folder, contents)])

    def store_files(self, files: Sequence[Path]) -> list[str]:
        """Write ``files`` as blobs as they are, no filters; their ids in order."""
        with self.storing(files) as oids:
            return oids

    @contextmanager
    def storing(self, files: Sequence[Path]) -> Iterator[list[str]]:
        """The same, while they are still being written: their ids are known before. All are there when this ends.

        Raises GitError, at the end as well.
        """
        sizes = {file: file.stat().st_size for file in files}
        # Each big one by a git of its own, at the same time: nearly all that it takes is to compress it.
        groups = [[file] for file in files if sizes[file] > BIG]
        groups += filter(None, [[file for file in files if sizes[file] <= BIG]])
        begun = [(group, self._storing(group)) for group in groups]
        try:
            oids = {file: self._oid_of(file, size) for file, size in sizes.items()}
            yield [oids[file] for file in files]
        finally:
            told = [process.communicate() for _, process in begun]
        for (group, process), (out, err) in zip(begun, told, strict=True):
            if process.returncode != 0 or out.decode().split() != [oids[file] for file in group]:
                said = " ".join(err.decode("utf-8", "replace").split())
                raise GitError("git_failed", f"git hash-object: {said or 'another id than was expected'}")

    def _storing(self, files: Sequence[Path]) -> Any:
        """A git that writes ``files`` as blobs."""
        with tempfile.TemporaryFile() as listed:
            listed.write("".join(f"{path}\n" for path in files).encode())
            listed.seek(0)
            return self._begin("hash-object", "-w", "--no-filters", "--stdin-paths", istream=listed)

    def id_of(self, data: bytes) -> str:
        """What git calls, or will call, a blob of these bytes."""
        return self._oid("blob", len(data), [data])

    def _oid_of(self, file: Path, size: int) -> str:
        """What git will call a blob with the bytes of ``file``."""
        with file.open("rb") as stream:
            return self._oid("blob", size, iter(lambda: stream.read(BIG), b""))

    def _oid(self, kind: str, size: int, pieces: Iterable[bytes]) -> str:
        """What git will call an object of ``size`` bytes, which come in ``pieces``."""
        found = hashlib.new("sha1" if len(self._no_object) == 40 else "sha256", f"{kind} {size}\0".encode())
        for piece in pieces:
            found.update(piece)
        return found.hexdigest()

    def sync_objects(self, commit: str, paths: Iterable[str], oids: Iterable[str]) -> None:
        """Make sure of the names of what a commit brought to ``paths``, its folders included: git syncs what is in an
        object's file, and leaves it to the file system whether it keeps the name."""
        folders = {above for path in paths for above in folders_above(path)}
        trees = map(self._find, [f"{commit}^{{tree}}", *(f"{commit}:{folder}" for folder in sorted(folders))])
        objects = self._common / "objects"
        for start in sorted({oid[:2] for oid in (commit, *oids, *(tree.oid for tree in trees if tree is not None))}):
            atomic.sync_folder(objects / start)
        atomic.sync_folder(objects)


def put_into(folder: Path, contents: Sequence[bytes | Text]) -> list[Path]:
    """Write each of ``contents`` into a file of its own in an empty ``folder``."""
    paths = [folder / str(number) for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        with path.open("wb") as file:
            if isinstance(content, EditedText):
                content.write(file)
            else:
                file.write(content if isinstance(content, bytes) else content.encode("utf-8"))
    return paths


def _below(folder: str) -> list[str]:
    return ["--", folder] if folder else []
