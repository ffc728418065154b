"""What git tells, as values: the files of a tree, the entries of an index, the lines of a file and whence they are."""

from __future__ import annotations

from typing import NamedTuple


class Blob(NamedTuple):
    """A file of a tree: path from the top of the repository, mode (``100644``) and object id."""

    path: str
    mode: str
    oid: str

    @property
    def is_plain(self) -> bool:
        """False for a symbolic link and for a submodule."""
        return self.mode.startswith("100")


class IndexEntry(NamedTuple):
    """An entry of the index."""

    path: str
    tag: str
    """``H``; ``S`` for one that is not to be in the work tree, ``M`` for one of an unfinished merge; in lower case when git
    was told not to look for changes."""
    mode: str
    oid: str


class Changed(NamedTuple):
    """A path that differs between two trees; a side that has no file there is None."""

    path: str
    before: Blob | None
    after: Blob | None


class BlameLine(NamedTuple):
    """A line of a file, and the commit it stands in since."""

    number: int
    text: str
    commit: str
    subject: str
    author: str
    seconds: int = 0
    """When it was written, in seconds since 1970."""


def records(out: bytes) -> list[str]:
    """The records of an output in which git ends each with a NUL byte (``-z``)."""
    return out.decode("utf-8", "surrogateescape").split("\0")[:-1]


def blob_of(record: str) -> Blob:
    """The file that a line of ``ls-tree`` tells of."""
    about, _, path = record.partition("\t")
    mode, _, oid = about.split(" ")
    return Blob(path, mode, oid)


def entry_of(record: str) -> IndexEntry:
    """The entry that a line of ``ls-files -s -v`` tells of."""
    about, _, path = record.partition("\t")
    tag, mode, oid, _ = about.split(" ")
    return IndexEntry(path, tag, mode, oid)


def folders_above(path: str) -> list[str]:
    """The folders on the way to ``path``, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]
