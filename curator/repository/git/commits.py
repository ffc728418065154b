"""Commits: which there are, what they say, and new ones, signed if they have to be."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from curator.errors import GitError
from curator.repository.git.commands import Commands
from curator.repository.git.values import BlameLine, records

SIGNING_SECONDS = 30.0
"""How long a program that signs may take; one that asks for a passphrase nobody is there to give would wait for ever."""

_AS_THEY_ARE = ("--no-ext-diff", "--no-textconv")
"""No program shows a file in another form than it has."""


class Commits(Commands):
    def commit_of(self, revision: str) -> str | None:
        """The commit a revision names, or None."""
        found = self._find(f"{revision}^{{commit}}")
        return found.oid if found else None

    def message(self, commit: str) -> tuple[list[str], str]:
        """The parents of a commit, and its message, asked of the batch process; neither where it is not there."""
        found = self._find(f"{commit}^{{commit}}")
        head, _, message = (found.data if found else b"").decode("utf-8", "replace").partition("\n\n")
        return [line[7:] for line in head.split("\n") if line.startswith("parent ")], message

    @property
    def is_shallow(self) -> bool:
        """True for a clone whose history is cut off."""
        return (self._common / "shallow").is_file()  # as git itself tells it: what is in the file may be nothing

    def log(self, *options: str) -> str:
        """What ``git log`` prints; for formats with nothing in them that a commit's author writes."""
        return self.text("log", *_AS_THEY_ARE, *options)

    def log_fields(self, fields: Sequence[str], *options: str) -> list[tuple[str, ...]]:
        """For each commit that ``git log`` names, its ``fields`` (placeholders of git's formats), apart whatever they hold:
        a NUL byte is the one character that git lets into no message."""
        found = records(self.output("log", *_AS_THEY_ARE, "-z", f"--format={'%x00'.join(fields)}", *options))
        return list(zip(*(found[number :: len(fields)] for number in range(len(fields))), strict=True))

    def blame(self, revision: str, path: str) -> list[BlameLine]:
        """The lines of a file (``path`` from ``folder``) with the commits they stand in since, renames followed."""
        out = self.output("blame", "--no-textconv", "--line-porcelain", revision, "--", path).decode("utf-8", "replace")
        lines: list[BlameLine] = []
        about: dict[str, str] = {}
        for row in out.split("\n"):
            if row.startswith("\t"):
                said = about["commit"], about["summary"], about["author"], int(about["author-time"])
                lines.append(BlameLine(len(lines) + 1, row[1:], *said))
                about = {}
            elif not about:
                about["commit"] = row.split(" ", 1)[0]
            else:
                key, _, value = row.partition(" ")
                about[key] = value
        return lines

    _nameless: object = None
    """What was known of the user when git last knew no name."""

    def commit_tree(
        self, tree: str, parent: str | None, message: str, *, sign: bool = False, identity: object = None
    ) -> str:
        """A commit object nobody points to yet; as curator itself where the user has told git no name.

        ``identity``: what git's settings say of the user; where it is as it was when there was no name, git is not asked.
        Raises GitError when it is to be signed and cannot be: there is no unsigned commit where signed ones are asked for.
        """
        parents = ["-p", parent] if parent else []
        arguments = ["commit-tree", *(["-S"] if sign else []), tree, *parents, "-F", "-"]
        run = self._run_signing if sign else self.run
        status, out, err = 1, b"", "user.email"
        if identity is None or identity != self._nameless:
            status, out, err = run(*arguments, stdin=message.encode())
        if status != 0 and "user.email" in err:
            self._nameless = identity
            who = ("-c", "user.name=curator", "-c", "user.email=curator@localhost")
            status, out, err = run(*who, *arguments, stdin=message.encode())
        if status != 0 and sign:
            hint = "unlock the key (ssh-add; gpg --clearsign < /dev/null), or fix user.signingKey and gpg.program"
            said = f"the commit could not be signed, as commit.gpgSign wants it: {' '.join(err.split())}"
            raise GitError("signing_failed", said, hint)
        if status != 0:
            raise GitError("git_failed", f"git commit-tree: {' '.join(err.split())}")
        return out.decode().strip()

    def _run_signing(self, *arguments: str, stdin: bytes) -> tuple[int, bytes, str]:
        """``run``, with a time limit, in a session of its own: no prompt can reach for the terminal."""
        process = self._begin(*arguments, start_new_session=True)
        try:
            out, err = process.communicate(stdin, timeout=SIGNING_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return 1, b"", f"no answer in {SIGNING_SECONDS:g} seconds, as if it waited for a passphrase"
        return int(process.returncode), out, err.decode("utf-8", "replace")
