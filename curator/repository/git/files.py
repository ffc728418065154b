"""Index files, the user's and private ones that a commit is made of; and the files of the work tree, past git's filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from curator.errors import GitError
from curator.repository.git.commands import Commands
from curator.repository.git.trees import Trees
from curator.repository.git.values import Blob, IndexEntry, entry_of, records

NO_SUBMODULES = "--ignore-submodules=all"
"""git asks a repository within the repository by a git of its own, which goes by that one's configuration."""


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

    def refresh(self, index: Path) -> None:
        """Have an index file say by size and times which files of ``folder`` are as it has them. What is put into an index
        says nothing of files, and whatever looks for edits reads those, each time. An edited file stays one."""
        self.run("add", "--refresh", "--", ".", env=_named(index))

    def write_tree(self, index: Path) -> str:
        """The tree of a private index; its objects are known to be there, or a partial clone never had them."""
        return self.text("write-tree", "--missing-ok", env=private(index))

    @property
    def index_lock(self) -> Path:
        """The file with which git keeps two writers of the index apart."""
        return self.directory / "index.lock"


def private(index: Path) -> dict[str, str]:
    """The environment for an index of ours. Never a split one, whose shared half would be left
    behind in the git directory."""
    whole = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.splitIndex", "GIT_CONFIG_VALUE_0": "false"}
    return {**whole, **_named(index)}


def _named(index: Path) -> dict[str, str]:
    return {"GIT_INDEX_FILE": str(index)}


class WorkTreeFiles(Trees, Indexes):
    def changed(self, paths: Sequence[str]) -> set[str]:
        """Which of ``paths`` (from the top) hold another text, past git's filters, or another mode than the index says."""
        options = ("--porcelain=v1", "-z", "--untracked-files=no", "--no-renames", NO_SUBMODULES)
        return {record[3:] for record in self._each("status", *options, paths=paths) if record[1] != " "}

    def is_to_be_added(self, path: str) -> bool:
        """True for ``git add -N``: an entry without content yet."""
        return b" A\0" in self.output("diff-files", "-z", "--raw", NO_SUBMODULES, "--", path, folder=self.top)

    def ignores(self, path: str) -> bool:
        """True when .gitignore and the like leave ``path`` (from the top) out."""
        asked = ("--no-literal-pathspecs", "check-ignore", "-q", "--", f"./{path}")  # it knows no literal ones
        return self.run(*asked, folder=self.top)[0] == 0

    def edited(self, commit: str, paths: Sequence[str] = (".",)) -> list[str]:
        """The files at ``paths`` or below that are not as in ``commit``, by path from ``folder``; what git does not know is
        not among them. Nothing is written, not even into the index what git has seen of untouched files."""
        options = ("--numstat", "--relative", "--no-renames", "--no-ext-diff", "--no-textconv", NO_SUBMODULES, "-z")
        counts = [line.split("\t", 2) for line in records(self.output("diff", *options, commit, "--", *paths))]
        return [path for added, _, path in counts if added != "-" or not self._is_as_in(commit, path)]

    def staged_edits(self) -> list[str]:
        """The files below ``folder`` that the user's index has otherwise than the newest commit, by path from there."""
        options = ("--cached", "--name-only", "--relative", "--no-renames", NO_SUBMODULES, "-z")
        return records(self.output("diff", *options, "HEAD", "--", "."))

    def _is_as_in(self, commit: str, path: str) -> bool:
        """True for a file whose time alone has changed: with no lines to count, git's numbers do not tell."""
        file = self.folder / path
        if file.is_symlink() or not file.is_file():
            return False
        shown = file.relative_to(self.top).as_posix()
        known = self.blobs_at(commit, [shown]).get(shown)
        return known is not None and known.oid == self.cleaned(file, shown, keep=False)

    def text_of(self, path: str) -> str | None:
        """What would be committed of a file as it is now, ``path`` from ``folder``; None when there is no plain file."""
        file = self.folder / path
        if file.is_symlink() or not file.is_file():
            return None
        shown = file.relative_to(self.top).as_posix()
        return (self.blob(self.cleaned(file, shown, keep=True)) or b"").decode("utf-8", "replace")

    def cleaned(self, file: Path, path: str, *, keep: bool) -> str:
        """The id of the blob that ``git add`` would make of ``file`` at ``path`` (from the top), clean filters included.

        Raises GitError when a filter that has to run fails.
        """
        command = ["hash-object", *(["-w"] if keep else []), "--stdin", f"--path={path}"]
        with file.open("rb") as stream:
            status, out, err = self.run(*command, stdin=stream, folder=self.top)
        if status != 0:
            said = " ".join(err.split())
            raise GitError("filter_failed", f"git cannot store {path}: {said}", f"see that 'git add {path}' works")
        return out.decode().strip()

    def smudged(
        self, blobs: Sequence[Blob], index: Path | None = None, attributes: Iterable[Blob] = ()
    ) -> dict[str, bytes]:
        """The bytes that belong into the work tree for each blob, by path, line ends and filters applied.

        git writes them into a folder of ours, from an index of just these and ``attributes``, or from ``index``, which has
        them: ``cat-file --batch --filters`` would tell the sizes before filtering.
        """
        if not blobs:
            return {}
        with self.scratch("smudged-") as folder:
            if index is None:
                index = folder / "index"
                self.put_into(index, [*attributes, *blobs], is_private=True)
            tree = folder / "tree"
            self.output(
                *("checkout-index", "-f", "-z", "--stdin", f"--prefix={tree}/"),
                stdin="".join(f"{blob.path}\0" for blob in blobs).encode("utf-8", "surrogateescape"),
                env=private(index),
                folder=self.top,
            )
            try:
                return {blob.path: (tree / blob.path).read_bytes() for blob in blobs}
            except FileNotFoundError as error:
                path = Path(error.filename).relative_to(tree)
                raise GitError("git_failed", f"git does not check out {path}", "rename the file") from error
