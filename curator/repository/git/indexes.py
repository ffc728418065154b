"""Index files: the user's, and private ones that a commit is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from curator.repository.git.commands import Commands
from curator.repository.git.values import Blob, IndexEntry, entry_of


class Indexes(Commands):
    def staged(self, paths: Sequence[str]) -> dict[str, str]:
        """The blob ids the user's index has at ``paths`` (from the top)."""
        found = self._each("ls-files", "-s", "-z", paths=paths)
        return {record.partition("\t")[2]: record.split(" ")[1] for record in found}

    def entries(self, paths: Iterable[str]) -> list[IndexEntry]:
        """What the index has at ``paths`` (from the top) and below, whatever the case of their letters."""
        asked = [f":(top,icase,literal){path}" for path in paths]
        return list(map(entry_of, self._each("--no-literal-pathspecs", "ls-files", "-z", "-s", "-v", paths=asked)))

    def read_tree(self, index: Path, commit: str) -> None:
        """Fill a private index from a commit; the work tree is not touched."""
        self.output("read-tree", commit, env=private(index))

    def put_into(
        self, index: Path, blobs: Iterable[Blob], gone: Iterable[str] = (), *, is_private: bool = False
    ) -> None:
        """Set entries of an index file, past git's own path checks, and take those at ``gone`` out of it."""
        lines = "".join(f"{blob.mode} {blob.oid}\t{blob.path}\0" for blob in blobs)
        lines += "".join(f"0 {self._no_object}\t{path}\0" for path in gone)
        listed, env = lines.encode("utf-8", "surrogateescape"), (private if is_private else _named)(index)
        self.output("update-index", "-z", "--index-info", stdin=listed, env=env)

    def write_tree(self, index: Path) -> str:
        """The tree of a private index; its objects are known to be there, or a partial clone never had them."""
        return self.text("write-tree", "--missing-ok", env=private(index))

    @property
    def index_lock(self) -> Path:
        """The file with which git keeps two writers of the index apart."""
        return self.directory / "index.lock"


def private(index: Path) -> dict[str, str]:
    """The environment for an index of ours. It is whole, also where the user's is split: its shared half would lie about
    in the git directory."""
    whole = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.splitIndex", "GIT_CONFIG_VALUE_0": "false"}
    return {**whole, **_named(index)}


def _named(index: Path) -> dict[str, str]:
    return {"GIT_INDEX_FILE": str(index)}
