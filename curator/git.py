"""The few git commands curator needs, each a plain method, run by GitPython as literal argument lists.

Nothing from a source or a model is ever an option: paths go over stdin or behind ``--``, pathspecs are literal, hooks and
automatic maintenance never run, and git's own path protection is always on.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator import durable
from curator.errors import ConfigError, CuratorError

if TYPE_CHECKING:
    from git import Repo

_ALWAYS = (
    "--literal-pathspecs",
    "--no-optional-locks",
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "core.protectHFS=true",
    "-c", "core.protectNTFS=true",
    "-c", "core.quotePath=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "core.fsync=committed,loose-object,reference,index",
    "-c", "core.fsyncMethod=fsync",
    "-c", "protocol.allow=never",
)  # fmt: skip
_ENVIRONMENT = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
_KEPT = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_PYTHON_",
)
_IN_PROGRESS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "BISECT_LOG": "a bisect",
}


class GitError(CuratorError):
    """git said no; the message quotes it."""

    exit_status = 2


@dataclass(frozen=True)
class Blob:
    """A file of a tree: path from the top of the repository, mode (``100644``) and object id."""

    path: str
    mode: str
    oid: str


@dataclass(frozen=True)
class Changed:
    """A path that differs between two trees; a side that has no file there is None."""

    path: str
    before: Blob | None
    after: Blob | None


def scrub_environment() -> None:
    """Forget the GIT_* variables of whoever started us (a hook, a rebase), which would send git somewhere else."""
    for name in list(os.environ):
        if name.startswith("GIT_") and not name.startswith(_KEPT):
            del os.environ[name]
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")


class Git:
    """One repository, seen from ``folder`` inside its work tree. Close it: a batch process may be running."""

    def __init__(self, folder: Path) -> None:
        self._repo = _open(folder)
        self.folder = folder
        places = self.text(
            *("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-path", "curator", "--git-common-dir"),
            "--show-object-format",
        ).split("\n")
        self.top = Path(places[0])
        self.directory = Path(places[1])
        self.runtime = (folder / places[2]).resolve()
        """Where curator keeps its own state: never committed, never synced."""
        self._common = (folder / places[3]).resolve()
        self._no_object = "0" * (64 if places[4] == "sha256" else 40)

    def close(self) -> None:
        self._repo.close()

    # -- running -------------------------------------------------------------------------------------------------

    def run(
        self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> tuple[int, bytes, str]:
        """Exit status, stdout and stderr of ``git *arguments``."""
        command = ["git", "-C", str(folder or self.folder), *_ALWAYS, *arguments]
        with tempfile.TemporaryFile() as spool:
            spool.write(stdin)
            spool.seek(0)
            found: Any = self._repo.git.execute(
                command,
                istream=spool,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                env={**_ENVIRONMENT, **(env or {})},
            )
        status, out, err = found
        return int(status), bytes(out), err if isinstance(err, str) else err.decode("utf-8", "replace")

    def output(
        self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> bytes:
        """Its stdout. Raises GitError when git fails."""
        status, out, err = self.run(*arguments, stdin=stdin, env=env, folder=folder)
        if status != 0:
            said = " ".join(err.split()) or f"exit {status}"
            raise GitError("git_failed", f"git {arguments[0]}: {said}", "run 'git status' and 'git fsck' in the wiki")
        return out

    def text(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Its stdout as text without the last newline."""
        return self.output(*arguments, stdin=stdin, env=env).decode("utf-8", "surrogateescape").rstrip("\n")

    # -- reading -------------------------------------------------------------------------------------------------

    def branch(self) -> str | None:
        """The full name of the checked-out branch; None on a detached HEAD."""
        status, out, _ = self.run("symbolic-ref", "-q", "HEAD")
        return out.decode().strip() if status == 0 else None

    def commit_of(self, revision: str) -> str | None:
        """The commit a revision names, or None."""
        status, out, _ = self.run("rev-parse", "-q", "--verify", "--end-of-options", f"{revision}^{{commit}}")
        return out.decode().strip() if status == 0 else None

    def in_progress(self) -> str | None:
        """What the user is in the middle of: a merge, a rebase, ...; None when nothing."""
        return next((what for name, what in _IN_PROGRESS.items() if (self.directory / name).exists()), None)

    def tree(self, commit: str, folder: str) -> Iterator[Blob]:
        """Every file below ``folder`` (empty: the whole tree)."""
        yield from map(
            _tree_entry, _records(self.output("ls-tree", "-r", "-z", "--full-tree", commit, *_below(folder)))
        )

    def changes(self, old: str, new: str, folder: str) -> Iterator[Changed]:
        """The files below ``folder`` that differ between two commits."""
        out = self.output("diff-tree", "-r", "-z", "--raw", "--no-renames", old, new, *_below(folder))
        fields = iter(_records(out))
        for about in fields:
            old_mode, new_mode, old_oid, new_oid, _ = about.lstrip(":").split(" ")
            path = next(fields)
            yield Changed(
                path,
                Blob(path, old_mode, old_oid) if old_mode != "000000" else None,
                Blob(path, new_mode, new_oid) if new_mode != "000000" else None,
            )

    def blob(self, name: str) -> bytes | None:
        """The bytes of a blob named by id or ``commit:path``; None when there is none. One batch process serves all."""
        if "\n" in name:
            return None
        try:
            found: Any = self._repo.git.get_object_data(name)
        except ValueError:  # "missing"
            return None
        _, kind, _, data = found
        return bytes(data) if kind in (b"blob", "blob") else None

    def blobs_at(self, revision: str, paths: Sequence[str]) -> dict[str, Blob]:
        """The files at ``paths`` (from the top) in a revision; missing ones are missing."""
        if not paths:
            return {}
        found = self.output("ls-tree", "-z", "--full-tree", revision, "--", *paths)
        return {blob.path: blob for blob in map(_tree_entry, _records(found))}

    def staged(self, paths: Sequence[str]) -> dict[str, str]:
        """The blob ids the user's index has at ``paths`` (from the top)."""
        found = self.output("ls-files", "-s", "-z", "--", *paths, folder=self.top)
        return {record.partition("\t")[2]: record.split(" ")[1] for record in _records(found)}

    def contains(self, ref: str, commit: str) -> bool:
        """True when ``commit`` is what ``ref`` names, or before it."""
        return self.run("merge-base", "--is-ancestor", commit, ref)[0] == 0

    def status(self, paths: Sequence[str]) -> dict[str, str]:
        """What git sees uncommitted at ``paths`` (from the top): its two status letters, ``??`` for untracked."""
        out = self.run(
            "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", *paths, folder=self.top
        )[1]
        return {record[3:]: record[:2] for record in _records(out)}

    def log(self, *options: str) -> str:
        return self.text("log", *options)

    # -- writing -------------------------------------------------------------------------------------------------

    def store(self, contents: Sequence[bytes]) -> list[str]:
        """Write blobs as they are, no filters; their ids in order."""
        if not contents:
            return []
        with tempfile.TemporaryDirectory(dir=self.runtime, prefix="blobs-") as folder:
            paths = [Path(folder) / str(number) for number in range(len(contents))]
            for path, content in zip(paths, contents, strict=True):
                path.write_bytes(content)
            listed = "".join(f"{path}\n" for path in paths).encode()
            return self.text("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=listed).split("\n")

    def store_source(self, spool: Path, path: str) -> str:
        """Write a source's blob as ``git add`` would, clean filters (LFS) included."""
        return self.text("hash-object", "-w", "--stdin", f"--path={path}", stdin=spool.read_bytes())

    def read_tree(self, index: Path, commit: str) -> None:
        """Fill a private index from a commit; the work tree is not touched."""
        self.output("read-tree", commit, env={"GIT_INDEX_FILE": str(index)})

    def put_into(self, index: Path, blobs: Iterable[Blob], gone: Iterable[str] = ()) -> None:
        """Set entries of an index file, past git's own path checks, and take those at ``gone`` out of it."""
        lines = "".join(f"{blob.mode} {blob.oid}\t{blob.path}\0" for blob in blobs)
        lines += "".join(f"0 {self._no_object}\t{path}\0" for path in gone)
        self.output("update-index", "-z", "--index-info", stdin=lines.encode(), env={"GIT_INDEX_FILE": str(index)})

    def write_tree(self, index: Path) -> str:
        return self.text("write-tree", env={"GIT_INDEX_FILE": str(index)})

    def commit_tree(self, tree: str, parent: str | None, message: str) -> str:
        """A commit object nobody points to yet; as curator itself where the user has told git no name."""
        parents = ["-p", parent] if parent else []
        status, out, err = self.run("commit-tree", tree, *parents, "-F", "-", stdin=message.encode())
        if status != 0 and "user.email" in err:
            who = ("-c", "user.name=curator", "-c", "user.email=curator@localhost")
            return self.text(*who, "commit-tree", tree, *parents, "-F", "-", stdin=message.encode())
        if status != 0:
            raise GitError("git_failed", f"git commit-tree: {' '.join(err.split())}")
        return out.decode().strip()

    def move_branch(self, ref: str, new: str, old: str | None, why: str) -> bool:
        """Compare and swap: False when the branch is no longer at ``old``. This is the commit."""
        status, _, _ = self.run("update-ref", "-m", why, ref, new, old or self._no_object)
        durable.sync_folder((self._common / ref).parent)
        return status == 0

    @property
    def index_lock(self) -> Path:
        """The file with which git keeps two writers of the index apart."""
        return self.directory / "index.lock"

    def smudged(self, blobs: Sequence[Blob]) -> dict[str, bytes]:
        """The bytes that belong into the work tree for each blob, by path, line ends and filters applied.

        git writes them into a folder of ours, from an index of just these: ``cat-file --batch --filters`` would tell the
        sizes before filtering.
        """
        if not blobs:
            return {}
        with tempfile.TemporaryDirectory(dir=self.runtime, prefix="smudged-") as folder:
            index = Path(folder) / "index"
            self.put_into(index, blobs)
            tree = Path(folder) / "tree"
            self.output(
                "checkout-index", "-a", "-f", f"--prefix={tree}/", env={"GIT_INDEX_FILE": str(index)}, folder=self.top
            )
            try:
                return {blob.path: (tree / blob.path).read_bytes() for blob in blobs}
            except FileNotFoundError as error:
                path = Path(error.filename).relative_to(tree)
                raise GitError("git_failed", f"git does not check out {path}", "rename the file") from error


def initialise(folder: Path) -> None:
    """``git init`` with a branch called main."""
    import git

    scrub_environment()
    git.Git(folder).execute(["git", "init", "-q", "-b", "main"])


def is_inside_repository(folder: Path) -> bool:
    try:
        _open(folder).close()
    except ConfigError:
        return False
    return True


def _open(folder: Path) -> Repo:
    import git

    try:
        return git.Repo(folder, search_parent_directories=True)
    except git.NoSuchPathError as error:
        raise ConfigError("not_found", f"there is no folder {str(folder)!r}") from error
    except git.InvalidGitRepositoryError as error:
        raise ConfigError(
            "not_git",
            f"{str(folder)!r} is not in a git repository",
            "run 'git init' in the wiki, or 'curate init' for a new one",
        ) from error
    except git.GitCommandNotFound as error:
        raise ConfigError("git_missing", "there is no git on PATH", "install git 2.34 or newer") from error


def _records(out: bytes) -> list[str]:
    return out.decode("utf-8", "surrogateescape").split("\0")[:-1]


def _tree_entry(record: str) -> Blob:
    about, _, path = record.partition("\t")
    mode, _, oid = about.split(" ")
    return Blob(path, mode, oid)


def _below(folder: str) -> list[str]:
    return ["--", folder] if folder else []
