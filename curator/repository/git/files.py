"""The files of the work tree: what git would make of them, and what it would make them from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curator.repository.git.faults import GitError
from curator.repository.git.indexes import Indexes, private
from curator.repository.git.trees import Trees
from curator.repository.git.values import Blob, records


class WorkTreeFiles(Trees, Indexes):
    def changed(self, paths: Sequence[str]) -> set[str]:
        """Which of ``paths`` (from the top) hold another text, past git's filters, or another mode than the index says."""
        options = ("--porcelain=v1", "-z", "--untracked-files=no", "--no-renames")
        return {record[3:] for record in self._each("status", *options, paths=paths) if record[1] != " "}

    def is_to_be_added(self, path: str) -> bool:
        """True for ``git add -N``: an entry without content yet."""
        return b" A\0" in self.output("diff-files", "-z", "--raw", "--", path, folder=self.top)

    def ignores(self, path: str) -> bool:
        """True when .gitignore and the like leave ``path`` (from the top) out."""
        asked = ("--no-literal-pathspecs", "check-ignore", "-q", "--", f"./{path}")  # it knows no literal ones
        return self.run(*asked, folder=self.top)[0] == 0

    def edited(self, commit: str, paths: Sequence[str] = (".",)) -> list[str]:
        """The files at ``paths`` or below that are not as in ``commit``, by path from ``folder``; what git does not know is
        not among them."""
        return records(self.output("diff", "--name-only", "--relative", "--no-renames", "-z", commit, "--", *paths))

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

    def smudged(self, blobs: Sequence[Blob], index: Path | None = None) -> dict[str, bytes]:
        """The bytes that belong into the work tree for each blob, by path, line ends and filters applied.

        git writes them into a folder of ours, from an index of just these or from ``index``, which has them: ``cat-file
        --batch --filters`` would tell the sizes before filtering.
        """
        if not blobs:
            return {}
        with self._scratch("smudged-") as folder:
            if index is None:
                index = folder / "index"
                self.put_into(index, blobs, is_private=True)
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
