"""A wiki's clone on one machine: brought to where its git server is, written by one landing at a time, pushed.

The git server decides. What was committed here and could not be pushed is given up with the next ``update`` and made again
upon what came in between; nothing is ever pushed with force.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curator.errors import GitError
from curator.fleet.records import FleetWiki
from curator.repository.runtime.runtime import Runtime
from curator.repository.source_files import check_folders
from curator.repository.transaction.recovery import is_open
from curator.service.hooks.command import redacted
from curator.system import atomic, digests, git_environment
from curator.system.filenames import printable

_SECONDS = 300.0
_NO_HOOKS = ("-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0")
_LEFT_SECONDS = 10.0
"""A lock that is older, and that no process has open, was left by a git that was killed."""
_PROPOSALS = "+refs/curator/*:refs/curator/*"


class RemoteFailed(GitError):
    """The git server did not do what was asked; it may later."""


@dataclass(frozen=True)
class Checkout:
    """The clone of ``wiki`` in ``folder``. ``lock`` is held by who updates, commits and pushes."""

    wiki: FleetWiki
    folder: Path
    lock: threading.RLock = field(default_factory=threading.RLock)

    def update(self) -> str:
        """Bring it to the server's branch, cloned where it is not here; gives the commit. Raises RemoteFailed, Busy."""
        with self.lock:
            if not (self.folder / ".git").is_dir():
                self._clone()
            with Runtime.of(self.folder / ".git" / "curator", "").lock():  # a killed worker's child may be committing
                try:
                    return self._fetch_and_reset()
                except RemoteFailed:
                    if not self._drop_left_locks():
                        raise
                return self._fetch_and_reset()

    @property
    def server_head(self) -> str:
        """The commit of the server's branch when it was last asked."""
        return self._output("rev-parse", "--verify", f"refs/remotes/origin/{self.wiki.branch}")

    def push(self) -> str | None:
        """Push what was committed here, and proposals that wait; the commit, or None when another was faster.

        Raises RemoteFailed. When the answer was lost on the way, the server is asked whether it has the commit.
        """
        commit, branch = self._output("rev-parse", "HEAD"), f"refs/heads/{self.wiki.branch}"
        before = self.server_head
        proposals = self._output("for-each-ref", "--format=%(refname)", "refs/curator").split()
        specs = (f"{commit}:{branch}", *(f"{ref}:{ref}" for ref in proposals))
        try:
            self._git("push", "--quiet", "--porcelain", "--no-verify", "--atomic", self.wiki.url, *specs)
        except RemoteFailed:
            self._git("fetch", "--quiet", "--no-tags", self.wiki.url, self._fetched)
            if not self._holds(commit):
                if self.server_head != before:
                    return None
                raise
        else:
            self._git("update-ref", f"refs/remotes/origin/{self.wiki.branch}", commit)
        return commit

    def place(self, path: str, digest: str, content: bytes | None) -> bool:
        """Put a source where it is taken in from; False when the wiki has, or was given, other bytes under this name.

        Raises SourceError where a link in the wiki would lead the bytes elsewhere.
        """
        check_folders(self.folder, path)
        file = self.folder / path
        with self.lock:
            if content is not None:
                if not _is(file, digest):
                    file.parent.mkdir(parents=True, exist_ok=True)
                    atomic.write(file, content)
                return True
            return _is(file, digest)

    def clear(self, path: str) -> None:
        """Put the file as the wiki has it: away, when it is in no commit. Raises SourceError as ``place`` does."""
        check_folders(self.folder, path)
        with self.lock:
            if self._output("ls-files", "--", path):
                self._git("checkout", "--quiet", "--", path)
            else:
                (self.folder / path).unlink(missing_ok=True)

    def last_commit_of(self, path: str) -> str:
        return self._output("log", "-1", "--format=%H", "--", path)

    def pushed_sources(self, since: str, head: str) -> list[tuple[str, str]]:
        """Path and sha256 of each source that commits after ``since`` brought or changed; of all where that is unknown."""
        known = bool(since) and self._answers("cat-file", "-e", f"{since}^{{commit}}")
        if known:
            listed = self._output("diff", "--name-only", "-z", "--diff-filter=AMT", since, head, "--", "sources/")
        else:
            listed = self._output("ls-tree", "-r", "-z", "--name-only", head, "--", "sources/")
        # A name that is no text cannot be kept in the database: the wiki's own service takes such a file in.
        names = (path for path in listed.split("\0") if path and path.isprintable())
        paths = [path for path in names if not path.rpartition("/")[2].startswith(("_", "."))]
        return [
            (path, digest)
            for path in paths
            if not (file := self.folder / path).is_symlink() and (digest := _digest(file)) is not None
        ]

    # -- git -----------------------------------------------------------------------------------------------------

    def _fetch_and_reset(self) -> str:
        # A proposal that the server has no more was approved or rejected there: the next push must not bring it back.
        self._git("fetch", "--quiet", "--no-tags", "--prune", self.wiki.url, self._fetched, _PROPOSALS)
        head = self.server_head
        if self._output("rev-parse", "HEAD") != head:
            self._git("reset", "--quiet", "--hard", head)
        return head

    def _drop_left_locks(self) -> bool:
        """Remove the locks of gits that were killed with their worker; whether there were any."""
        directory = self.folder / ".git"
        left = [file for file in (*directory.glob("*.lock"), *(directory / "refs").rglob("*.lock")) if _is_left(file)]
        for file in left:
            file.unlink(missing_ok=True)
        return bool(left)

    @property
    def _fetched(self) -> str:
        return f"+refs/heads/{self.wiki.branch}:refs/remotes/origin/{self.wiki.branch}"

    def _clone(self) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self.folder.with_name(self.folder.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        branch = ("--single-branch", "--branch", self.wiki.branch)
        _run(self.folder.parent, "clone", "--quiet", "--no-tags", *branch, "--", self.wiki.url, str(fresh))
        shutil.rmtree(self.folder, ignore_errors=True)
        fresh.rename(self.folder)

    def _holds(self, commit: str) -> bool:
        return self._answers("merge-base", "--is-ancestor", commit, self.server_head)

    def _git(self, *words: str) -> None:
        _run(self.folder, *words)

    def _output(self, *words: str) -> str:
        return _run(self.folder, *words).strip("\n")

    def _answers(self, *words: str) -> bool:
        try:
            _run(self.folder, *words)
        except RemoteFailed:
            return False
        return True


def head_of(wiki: FleetWiki) -> str:
    """The commit of the branch that the git server has now; empty where it has none. Raises RemoteFailed."""
    return _run(Path("/"), "ls-remote", "--", wiki.url, f"refs/heads/{wiki.branch}").partition("\t")[0].strip()


def _run(folder: Path, *words: str) -> str:
    command: Sequence[str] = ("git", *git_environment.EXPLICITLY, *_NO_HOOKS, *words)
    try:
        done = subprocess.run(
            command, cwd=folder, env=git_environment.unattended(), capture_output=True, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise _failed(words[0], f"took longer than {_SECONDS:g} s") from None
    except OSError as error:
        raise _failed(words[0], f"could not be started: {error.strerror}") from None
    if done.returncode != 0:
        said = " ".join((done.stderr + done.stdout).decode("utf-8", "replace").split())
        raise _failed(words[0], f"ended with status {done.returncode}: {said[-600:]}")
    return done.stdout.decode("utf-8", "surrogateescape")


def _failed(command: str, said: str) -> RemoteFailed:
    hint = "see that the git server answers, and that this user may read and push there"
    return RemoteFailed("fleet_remote", f"git {command} {printable(redacted(said))}", hint)


def is_pushed(clone: Path) -> bool:
    """Whether the git server has every commit and proposal of a clone; False, too, where that cannot be found out."""
    try:
        if _run(clone, "rev-list", "--max-count=1", "HEAD", "--not", "--remotes=origin").strip():
            return False
        proposals = _run(clone, "for-each-ref", "--format=%(objectname)%09%(refname)", "refs/curator").splitlines()
        return not proposals or {*proposals} <= {*_run(clone, "ls-remote", "origin", "refs/curator/*").splitlines()}
    except RemoteFailed:
        return False


def _is_left(lock: Path) -> bool:
    try:
        about = lock.stat()
    except OSError:
        return False
    return time.time() - about.st_mtime > _LEFT_SECONDS and not is_open(about)


def _is(file: Path, digest: str) -> bool:
    return digests.is_of_file(f"sha256:{digest}", file)


def _digest(file: Path) -> str | None:
    """The sha256 of a file's bytes, in hex; None where there is no file."""
    try:
        with file.open("rb") as stream:
            return digests.of_stream(stream, "sha256").removeprefix("sha256:")
    except (FileNotFoundError, IsADirectoryError):
        return None
