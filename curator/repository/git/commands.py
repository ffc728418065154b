"""How git is run: as a literal argument list, with settings and an environment of ours.

Nothing from a source or a model is ever an option: paths go over stdin or behind ``--``, pathspecs are literal, hooks and
automatic maintenance never run, and git's own path protection is always on.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from curator.errors import GitError
from curator.repository.git import strangers
from curator.repository.git.faults import no_good, objects_missing
from curator.repository.git.objects import Object, Objects, Unavailable
from curator.repository.git.opening import check_reached, not_started, opened
from curator.repository.git.values import records
from curator.system.git_environment import EXPLICITLY

_ALWAYS = (
    *EXPLICITLY,
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
    # A diff must not write what it has seen into the user's index, under its lock: --no-optional-locks is not for that one.
    "-c", "diff.autoRefreshIndex=false",
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
_HOLDING = ("update-ref", "read-tree", "update-index", "write-tree")
"""What may not be at work when the next transaction is. None of them starts programs, which might keep the flock."""
_MOST_PATHS = 2000


class Commands:
    """The running of git in one repository, and what it takes to know about that."""

    def __init__(self, folder: Path, *, trusts: bool = False) -> None:
        """Raises NotTrusted where the repository's own settings could run programs and its user has not allowed it;
        ``trusts``: True for who is about to ask."""
        self._git = opened(folder)
        self.folder = folder
        self._objects = Objects(self._start_batch)
        self._held: tuple[int, ...] = ()
        status, out, err = self.run(
            *("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-path", "curator", "--git-common-dir"),
            "--show-object-format",
        )
        if status != 0:
            raise no_good(folder, " ".join(err.split()))
        places = out.decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
        self.top = Path(places[0])
        if not folder.resolve().is_relative_to(self.top.resolve()):
            raise no_good(folder, f"its work tree is {places[0]!r}")
        self.directory = Path(places[1])
        check_reached(folder, self.directory)
        self.runtime = (folder / places[2]).resolve()
        """Where curator keeps its own state: never committed, never synced."""
        self._common = (folder / places[3]).resolve()
        self._no_object = "0" * (64 if places[4] == "sha256" else 40)
        if not trusts:
            self.check_trusted(self.questionable())

    def settings(self) -> str:
        """All settings that git goes by here, as they are now: scope and setting by turns, with a NUL after each."""
        return self.output("config", "--list", "--show-scope", "-z").decode("utf-8", "surrogateescape")

    def questionable(self) -> list[str]:
        """What the repository's own settings could run, and where they lead, in words."""
        return [
            *strangers.running_settings(self.settings()),
            *strangers.leading_elsewhere(self.directory, self._common, self.top, self.runtime),
        ]

    def check_trusted(self, found: Sequence[str]) -> None:
        """Raise NotTrusted when something was ``found`` in the repository that its user has not allowed."""
        if found:
            strangers.check_trusted(self._common, found)

    @property
    def identity(self) -> Path:
        """The git directory that the user trusts or not: the one whose configuration counts."""
        return self._common

    def close(self) -> None:
        self._objects.close()
        self._git.clear_cache()

    @contextmanager
    def holding(self, lock: int) -> Iterator[None]:
        """In here, a git that moves the branch or writes an index has the flock too.

        Were we killed and it were not, it would go on: nobody may judge what we left before it has ended.
        """
        try:
            self._held = (lock,)
            yield
        finally:
            self._held = ()

    def run(
        self,
        *arguments: str,
        stdin: bytes | BinaryIO = b"",
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> tuple[int, bytes, str]:
        """Exit status, stdout and stderr of ``git *arguments``."""
        with ExitStack() as files:
            given: BinaryIO | None = None if isinstance(stdin, bytes) else stdin
            if isinstance(stdin, bytes) and stdin:
                given = files.enter_context(cast(BinaryIO, tempfile.TemporaryFile()))  # noqa: SIM115 (closed with the others)
                given.write(stdin)
                given.seek(0)
            found = self._executed(
                self._command(*arguments, folder=folder),
                istream=given,
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

    def text(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Its stdout as text without the last newline."""
        return self.output(*arguments, stdin=stdin, env=env).decode("utf-8", "surrogateescape").rstrip("\n")

    def _each(self, *arguments: str, paths: Sequence[str]) -> list[str]:
        """The records git gives for ``paths`` from the top, asked for in as many turns as an argument list has room for."""
        turns = [paths[start : start + _MOST_PATHS] for start in range(0, len(paths), _MOST_PATHS)]
        return [record for turn in turns for record in records(self.output(*arguments, "--", *turn, folder=self.top))]

    def _find(self, name: str) -> Object | None:
        """The object a name stands for, asked of the one batch process. Raises GitError for one that should be there."""
        try:
            return self._objects.find(name)
        except Unavailable as error:
            raise objects_missing(str(error)) from error

    def _start_batch(self) -> Any:
        return self._begin("cat-file", "--batch")

    def _begin(self, *arguments: str, istream: Any = subprocess.PIPE, **options: Any) -> Any:
        """A git that runs beside us, with pipes to it."""
        command = self._command(*arguments)
        return self._executed(command, istream=istream, as_process=True, env=_ENVIRONMENT, **options)

    def _executed(self, command: list[str], **options: Any) -> Any:
        """Raises GitError where the system does not start git."""
        try:
            return self._git.execute(command, **options)
        except not_started() as error:
            said = error.__cause__ or error
            hint = "see that git is on PATH, and that the wiki's folder is still there"
            raise GitError("git_failed", f"git did not start in {str(self.folder)!r}: {said}", hint) from error

    def _command(self, *arguments: str, folder: Path | None = None) -> list[str]:
        return ["git", "-C", str(folder or self.folder), *_ALWAYS, *arguments]

    @contextmanager
    def scratch(self, prefix: str) -> Iterator[Path]:
        """A folder for a moment. What cannot be taken away is swept with what a crash leaves behind (``recovery``);
        tempfile's own would try for ever where it has no right to."""
        folder = Path(tempfile.mkdtemp(dir=self.runtime, prefix=prefix))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
