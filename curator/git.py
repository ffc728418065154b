"""The few git commands curator needs, each a plain method, run by GitPython as literal argument lists.

Nothing from a source or a model is ever an option: paths go over stdin or behind ``--``, pathspecs are literal, hooks and
automatic maintenance never run, and git's own path protection is always on.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from curator import durable
from curator.errors import ConfigError, CuratorError
from curator.objects import Object, Objects, Unavailable

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
    "-c", "core.safecrlf=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "core.fsync=committed,loose-object,reference,index",
    "-c", "core.fsyncMethod=fsync",
    "-c", "protocol.allow=never",
    # What a user may have set for reading git's output, and we read it too.
    "-c", "color.ui=false",
    "-c", "i18n.commitEncoding=UTF-8",
    "-c", "i18n.logOutputEncoding=UTF-8",
    "-c", "log.showSignature=false",
    "-c", "log.follow=false",
    "-c", "grep.patternType=basic",
    "-c", "trailer.separators=:",
    "-c", "blame.ignoreRevsFile=",
)  # fmt: skip
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    # Objects a partial clone does not have are not fetched: by git 2.45 for the first reason, by all others for the second,
    # which goes before any protocol.*.allow of the configuration.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    # A replaced object is shown to its user only: what is committed builds on what everybody has.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}
_PRIVATE_INDEX = {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.splitIndex",
    "GIT_CONFIG_VALUE_0": "false",
}
"""An index of ours is whole, also where the user's is split: its shared half would lie about in the git directory."""
SIGNING_SECONDS = 30.0
"""How long a program that signs may take; one that asks for a passphrase nobody is there to give would wait for ever."""
_KEPT = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_PYTHON_",
)
_HOLDING = ("update-ref", "read-tree", "update-index", "write-tree")
"""What may not be at work when the next transaction is. None of them starts programs, which might keep the flock."""
_LONGEST_LINK = 4096
_MOST_PATHS = 2000
_IN_PROGRESS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "sequencer": "a cherry-pick or revert of several commits",
    "rebase-merge": "a rebase",
    "rebase-apply/applying": "a 'git am'",
    "rebase-apply": "a rebase",
    "BISECT_LOG": "a bisect",
}


_ON_BRANCH = re.compile(r"ref: (refs/heads/(?!\.invalid)\S+)\n?")


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
class Entry:
    """An entry of the index."""

    path: str
    tag: str
    """``H``; ``S`` for one that is not to be in the work tree, ``M`` for one of an unfinished merge; in lower case when git
    was told not to look for changes."""
    mode: str
    oid: str


@dataclass(frozen=True)
class Changed:
    """A path that differs between two trees; a side that has no file there is None."""

    path: str
    before: Blob | None
    after: Blob | None


@dataclass(frozen=True)
class Line:
    """A line of a file, and the commit it stands in since."""

    number: int
    text: str
    commit: str
    subject: str
    author: str


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
        self._objects = Objects(self._start_batch)
        self._held: tuple[int, ...] = ()
        status, out, err = self.run(
            *("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-path", "curator", "--git-common-dir"),
            "--show-object-format",
        )
        if status != 0:
            raise _no_good(folder, " ".join(err.split()))
        places = out.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
        self.top = Path(places[0])
        if not folder.resolve().is_relative_to(self.top.resolve()):
            raise _no_good(folder, f"its work tree is {places[0]!r}")
        self.directory = Path(places[1])
        self.runtime = (folder / places[2]).resolve()
        """Where curator keeps its own state: never committed, never synced."""
        self._common = (folder / places[3]).resolve()
        self._no_object = "0" * (64 if places[4] == "sha256" else 40)

    def close(self) -> None:
        self._objects.close()
        self._repo.close()

    @contextmanager
    def holding(self, lock: int) -> Iterator[None]:
        """In here, a git that moves the branch or writes an index has the flock too.

        Were we killed and it were not, it would go on: nobody may judge what we left before it has ended.
        """
        self._held = (lock,)
        try:
            yield
        finally:
            self._held = ()

    # -- running -------------------------------------------------------------------------------------------------

    def run(
        self,
        *arguments: str,
        stdin: bytes | BinaryIO = b"",
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> tuple[int, bytes, str]:
        """Exit status, stdout and stderr of ``git *arguments``."""
        command = ["git", "-C", str(folder or self.folder), *_ALWAYS, *arguments]
        with tempfile.TemporaryFile() as spool:
            if isinstance(stdin, bytes):
                spool.write(stdin)
                spool.seek(0)
            found: Any = self._repo.git.execute(
                command,
                istream=spool if isinstance(stdin, bytes) else stdin,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                env={**_ENVIRONMENT, **(env or {})},
                pass_fds=self._held if arguments[0] in _HOLDING else (),
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
            if "promisor remote" in said:
                raise objects_missing(said)
            command = next(argument for argument in arguments if not argument.startswith("-"))
            raise GitError("git_failed", f"git {command}: {said}", "run 'git status' and 'git fsck' in the wiki")
        return out

    @contextmanager
    def _scratch(self, prefix: str) -> Iterator[Path]:
        """A folder for a moment. What cannot be taken away is swept with what a crash leaves behind (``recovery``);
        tempfile's own would try for ever where it has no right to."""
        folder = Path(tempfile.mkdtemp(dir=self.runtime, prefix=prefix))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def text(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Its stdout as text without the last newline."""
        return self.output(*arguments, stdin=stdin, env=env).decode("utf-8", "surrogateescape").rstrip("\n")

    def _each(self, *arguments: str, paths: Sequence[str]) -> list[str]:
        """The records git gives for ``paths`` from the top, asked for in as many turns as an argument list has room for."""
        turns = [paths[start : start + _MOST_PATHS] for start in range(0, len(paths), _MOST_PATHS)]
        return [record for turn in turns for record in records(self.output(*arguments, "--", *turn, folder=self.top))]

    # -- reading -------------------------------------------------------------------------------------------------

    def branch(self) -> str | None:
        """The full name of the checked-out branch; None on a detached HEAD."""
        # The file of that name tells it, unless the branches are kept in another form (reftable), when it names none.
        with suppress(OSError, UnicodeDecodeError):
            if found := _ON_BRANCH.fullmatch((self.directory / "HEAD").read_text("utf-8")):
                return found[1]
        status, out, _ = self.run("symbolic-ref", "-q", "HEAD")
        return out.decode().strip() if status == 0 else None

    def commit_of(self, revision: str) -> str | None:
        """The commit a revision names, or None."""
        found = self._find(f"{revision}^{{commit}}")
        return found.oid if found else None

    def in_progress(self) -> str | None:
        """What the user is in the middle of: a merge, a rebase, ...; None when nothing."""
        return next((what for name, what in _IN_PROGRESS.items() if (self.directory / name).exists()), None)

    def tree(self, commit: str, folder: str) -> Iterator[Blob]:
        """Every file below ``folder`` (empty: the whole tree)."""
        yield from map(_tree_entry, records(self.output("ls-tree", "-r", "-z", "--full-tree", commit, *_below(folder))))

    def changes(self, old: str, new: str, folder: str) -> Iterator[Changed]:
        """The files below ``folder`` that differ between two commits."""
        options = ("-r", "-z", "--raw", "--no-renames")
        out = self.output("diff-tree", *options, old, new, *_below(folder), folder=self.top)
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
        return found.data

    def _check_absent(self, revision: str, path: str) -> None:
        """Raise GitError when a file should be there: git says of one that cannot be read that it is missing."""
        if not path:
            raise objects_missing(f"there is no object {revision}")
        folder, _, last = path.rpartition("/")
        above = self._find(f"{revision}:{folder}" if folder else f"{revision}^{{tree}}")
        if above is None:
            self._check_absent(revision, folder)
        elif above.kind == "tree" and b" %s\0" % last.encode("utf-8", "surrogateescape") in above.data:
            raise objects_missing(f"{path} cannot be read")

    def _find(self, name: str) -> Object | None:
        try:
            return self._objects.find(name)
        except Unavailable as error:
            raise objects_missing(str(error)) from error

    def _start_batch(self) -> Any:
        command = ["git", "-C", str(self.folder), *_ALWAYS, "cat-file", "--batch"]
        return self._repo.git.execute(command, istream=subprocess.PIPE, as_process=True, env=_ENVIRONMENT)

    def blobs_at(self, revision: str, paths: Sequence[str]) -> dict[str, Blob]:
        """The files at ``paths`` (from the top) in a revision; missing ones are missing."""
        listed = self._each("ls-tree", "-z", "--full-tree", revision, paths=paths)
        return {blob.path: blob for blob in map(_tree_entry, listed)}

    def staged(self, paths: Sequence[str]) -> dict[str, str]:
        """The blob ids the user's index has at ``paths`` (from the top)."""
        found = self._each("ls-files", "-s", "-z", paths=paths)
        return {record.partition("\t")[2]: record.split(" ")[1] for record in found}

    def contains(self, ref: str, commit: str) -> bool:
        """True when ``commit`` is what ``ref`` names, or before it. Raises GitError when that cannot be told.

        To git, a branch that it cannot open is one that is not there.
        """
        now = self.commit_of(ref)
        if now == commit:
            return True
        status, _, said = self.run("merge-base", "--is-ancestor", commit, ref)
        if status in (0, 1):
            return status == 0
        is_gone = not (self._common / ref).is_file() if now is None else self.commit_of(commit) is None
        if not is_gone:
            raise GitError("ref_unreadable", f"{ref} cannot be read: {said.strip()}", "run the command again")
        return False

    def entries_at(self, revision: str, paths: Iterable[str]) -> dict[str, Blob]:
        """What a revision has at ``paths`` and at the folders above them: files, folders, links, submodules."""
        asked = {above for path in paths for above in (path, *folders_above(path))}
        listed = self._each("ls-tree", "-t", "-z", "--full-tree", revision, paths=sorted(asked))
        found = {entry.path: entry for entry in map(_tree_entry, listed)}
        return {path: found[path] for path in asked if path in found}

    def names_in(self, revision: str, folder: str) -> list[str]:
        """The paths right below ``folder`` (empty: the top) in a revision."""
        below = ["--", f"{folder}/"] if folder else []
        return records(self.output("ls-tree", "-z", "--name-only", "--full-tree", revision, *below))

    def entries(self, paths: Iterable[str]) -> list[Entry]:
        """What the index has at ``paths`` (from the top) and below, whatever the case of their letters."""
        asked = [f":(top,icase,literal){path}" for path in paths]
        return list(map(_entry, self._each("--no-literal-pathspecs", "ls-files", "-z", "-s", "-v", paths=asked)))

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

    def edited(self, commit: str) -> list[str]:
        """The files below ``folder`` that are not as in ``commit``, by path from ``folder``; what git does not know is not
        among them."""
        return records(self.output("diff", "--name-only", "--relative", "--no-renames", "-z", commit, "--", "."))

    def text_of(self, path: str) -> str | None:
        """What would be committed of a file as it is now, ``path`` from ``folder``; None when there is no plain file."""
        file = self.folder / path
        if file.is_symlink() or not file.is_file():
            return None
        shown = file.relative_to(self.top).as_posix()
        return (self.blob(self.cleaned(file, shown, keep=True)) or b"").decode("utf-8", "replace")

    def log(self, *options: str) -> str:
        return self.text("log", *options)

    def blame(self, revision: str, path: str) -> list[Line]:
        """The lines of a file (``path`` from ``folder``) with the commits they stand in since, renames followed."""
        out = self.output("blame", "--line-porcelain", revision, "--", path).decode("utf-8", "replace")
        lines: list[Line] = []
        about: dict[str, str] = {}
        for row in out.split("\n"):
            if row.startswith("\t"):
                lines.append(Line(len(lines) + 1, row[1:], about["commit"], about["summary"], about["author"]))
                about = {}
            elif not about:
                about["commit"] = row.split(" ", 1)[0]
            else:
                key, _, value = row.partition(" ")
                about[key] = value
        return lines

    # -- writing -------------------------------------------------------------------------------------------------

    def store(self, contents: Sequence[bytes], files: Sequence[Path] = ()) -> list[str]:
        """Write blobs as they are, no filters: ``contents``, then those of ``files``; their ids in order."""
        if not contents and not files:
            return []
        with self._scratch("blobs-") as folder:
            paths = [folder / str(number) for number in range(len(contents))]
            for path, content in zip(paths, contents, strict=True):
                path.write_bytes(content)
            listed = "".join(f"{path}\n" for path in (*paths, *files)).encode()
            return self.text("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=listed).split("\n")

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

    def read_tree(self, index: Path, commit: str) -> None:
        """Fill a private index from a commit; the work tree is not touched."""
        self.output("read-tree", commit, env={**_PRIVATE_INDEX, "GIT_INDEX_FILE": str(index)})

    def put_into(
        self, index: Path, blobs: Iterable[Blob], gone: Iterable[str] = (), *, is_private: bool = False
    ) -> None:
        """Set entries of an index file, past git's own path checks, and take those at ``gone`` out of it."""
        lines = "".join(f"{blob.mode} {blob.oid}\t{blob.path}\0" for blob in blobs)
        lines += "".join(f"0 {self._no_object}\t{path}\0" for path in gone)
        private = _PRIVATE_INDEX if is_private else {}
        listed = lines.encode("utf-8", "surrogateescape")
        self.output("update-index", "-z", "--index-info", stdin=listed, env={**private, "GIT_INDEX_FILE": str(index)})

    def write_tree(self, index: Path) -> str:
        """The tree of a private index; its objects are known to be there, or a partial clone never had them."""
        return self.text("write-tree", "--missing-ok", env={**_PRIVATE_INDEX, "GIT_INDEX_FILE": str(index)})

    def commit_tree(self, tree: str, parent: str | None, message: str, *, sign: bool = False) -> str:
        """A commit object nobody points to yet; as curator itself where the user has told git no name.

        Raises GitError when it is to be signed and cannot be: there is no unsigned commit where signed ones are asked for.
        """
        parents = ["-p", parent] if parent else []
        arguments = ["commit-tree", *(["-S"] if sign else []), tree, *parents, "-F", "-"]
        run = self._run_signing if sign else self.run
        status, out, err = run(*arguments, stdin=message.encode())
        if status != 0 and "user.email" in err:
            who = ("-c", "user.name=curator", "-c", "user.email=curator@localhost")
            status, out, err = run(*who, *arguments, stdin=message.encode())
        if status != 0 and sign:
            hint = "unlock the key (ssh-add; gpg --clearsign < /dev/null), or mend user.signingKey and gpg.program"
            said = f"the commit could not be signed, as commit.gpgSign wants it: {' '.join(err.split())}"
            raise GitError("signing_failed", said, hint)
        if status != 0:
            raise GitError("git_failed", f"git commit-tree: {' '.join(err.split())}")
        return out.decode().strip()

    def _run_signing(self, *arguments: str, stdin: bytes) -> tuple[int, bytes, str]:
        """``run``, with a time limit, in a session of its own: no prompt can reach for the terminal."""
        command = ["git", "-C", str(self.folder), *_ALWAYS, *arguments]
        process: Any = self._repo.git.execute(
            command, istream=subprocess.PIPE, as_process=True, start_new_session=True, env=_ENVIRONMENT
        )
        try:
            out, err = process.communicate(stdin, timeout=SIGNING_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return 1, b"", f"no answer in {SIGNING_SECONDS:g} seconds, as if it waited for a passphrase"
        return int(process.returncode), out, err.decode("utf-8", "replace")

    def move_branch(self, ref: str, new: str, old: str | None, why: str) -> bool:
        """Compare and swap: False when the branch is no longer at ``old``. This is the commit.

        Raises GitError when it is there and git cannot move it all the same.
        """
        status, _, err = self.run("update-ref", "-m", why, ref, new, old or self._no_object)
        if status != 0 and self.commit_of(ref) == old:
            hint = "wait for the other git command to end; if there is none, remove the lock it left behind"
            raise GitError("branch_locked", f"git cannot move the branch: {' '.join(err.split())}", hint)
        if "unable to unlink" in err:
            self._drop_own_locks(ref, err)
        parts = ref.split("/")
        for folder in (*("/".join(parts[:end]) for end in range(2, len(parts))), "reftable"):
            durable.sync_folder(self._common / folder)
        return status == 0

    def _drop_own_locks(self, ref: str, said: str) -> None:
        """Take away the locks of the branch that git could not: they are its own, by its own words, and it has ended."""
        for lock in self.ref_locks(ref):
            if lock.name in said:
                with suppress(OSError):
                    lock.unlink(missing_ok=True)

    def sync_objects(self, commit: str, paths: Iterable[str], oids: Iterable[str]) -> None:
        """Make sure of the names of what a commit brought to ``paths``, its folders included: git syncs what is in an
        object's file, and leaves it to the file system whether it keeps the name."""
        folders = {above for path in paths for above in folders_above(path)}
        trees = map(self._find, [f"{commit}^{{tree}}", *(f"{commit}:{folder}" for folder in sorted(folders))])
        objects = self._common / "objects"
        for start in sorted({oid[:2] for oid in (commit, *oids, *(tree.oid for tree in trees if tree is not None))}):
            durable.sync_folder(objects / start)
        durable.sync_folder(objects)

    @property
    def written_folders(self) -> tuple[Path, ...]:
        """Where git puts objects and branches."""
        places = (self._common / "objects", self._common / "refs" / "heads", self._common / "reftable")
        return tuple(folder for folder in places if folder.is_dir())

    def ref_locks(self, ref: str) -> tuple[Path, ...]:
        """The files with which git keeps two writers of ``ref`` apart, where the branches are kept in files."""
        return (self.directory / "HEAD.lock", self._common / f"{ref}.lock")

    def keeps_refs_in_files(self) -> bool:
        """False for a reftable. A git before 2.44 knows nothing else than files, and repeats the question."""
        return self.run("rev-parse", "--show-ref-format")[1].strip() != b"reftable"

    @property
    def index_lock(self) -> Path:
        """The file with which git keeps two writers of the index apart."""
        return self.directory / "index.lock"

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
                env={**_PRIVATE_INDEX, "GIT_INDEX_FILE": str(index)},
                folder=self.top,
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


def folders_above(path: str) -> list[str]:
    """The folders on the way to ``path``, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def objects_missing(said: str) -> GitError:
    """What a partial clone has not fetched; curator never fetches."""
    hint = "in a partial clone, 'git archive HEAD > /dev/null' fetches what is missing; else see 'git fsck'"
    return GitError("objects_missing", f"a part of the wiki is not in this repository: {said}", hint)


def _no_good(folder: Path, said: str) -> CuratorError:
    """A repository that git itself does not want to work in, or one without a work tree here."""
    quoted = said.removeprefix("fatal: ")
    if "dubious ownership" in said:
        hint = f"if you trust it: git config --global --add safe.directory {shlex.quote(str(folder))}"
        return ConfigError("not_your_repository", f"the repository of {str(folder)!r} belongs to another user", hint)
    if "repository extension" in said or "repo version" in said:
        said = f"the git on PATH cannot read this repository: {quoted}"
        return ConfigError("git_too_old", said, "install a newer git, and run it again")
    if "work tree" in said:
        return ConfigError(
            "no_work_tree",
            f"{str(folder)!r} is not in the work tree of its repository: {quoted}",
            "go to a clone with files; see 'git config core.bare' and 'git config core.worktree'",
        )
    return GitError("git_failed", f"git cannot work in {str(folder)!r}: {quoted}", "see what 'git status' says there")


def _open(folder: Path) -> Repo:
    import git

    scrub_environment()
    try:
        return git.Repo(folder, search_parent_directories=True, expand_vars=False)
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


def records(out: bytes) -> list[str]:
    """What git parts with NUL bytes (``-z``)."""
    return out.decode("utf-8", "surrogateescape").split("\0")[:-1]


def _tree_entry(record: str) -> Blob:
    about, _, path = record.partition("\t")
    mode, _, oid = about.split(" ")
    return Blob(path, mode, oid)


def _entry(record: str) -> Entry:
    about, _, path = record.partition("\t")
    tag, mode, oid, _ = about.split(" ")
    return Entry(path, tag, mode, oid)


def _below(folder: str) -> list[str]:
    return ["--", folder] if folder else []
