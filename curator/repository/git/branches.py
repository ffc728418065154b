"""Branches: the commit each is at, and moving one, which is what makes a commit count."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from curator.errors import Conflict, GitError
from curator.repository.git.commits import Commits
from curator.repository.git.values import records
from curator.system import atomic

_IN_PROGRESS = {
    "MERGE_HEAD": ("a merge", "git merge --abort"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --abort"),
    "REVERT_HEAD": ("a revert", "git revert --abort"),
    "sequencer": ("a cherry-pick or revert of several commits", "git cherry-pick --abort"),
    "rebase-merge": ("a rebase", "git rebase --abort"),
    "rebase-apply/applying": ("a 'git am'", "git am --abort"),
    "rebase-apply": ("a rebase", "git rebase --abort"),
    "BISECT_LOG": ("a bisect", "git bisect reset"),
}
"""By the file that tells of it: what the user is in the middle of, and how to give it up."""
_ENDS = dict(_IN_PROGRESS.values())
_MERGED = (
    "mend what conflicts (git checkout --ours _index.md _log.md _manifest.json: they are made anew), git add these three "
    "and each page that you mended, git commit, then: curate doctor --repair"
)
_ON_BRANCH = re.compile(r"ref: (refs/heads/(?!\.invalid)\S+)\n?")


class Branches(Commits):
    def branch(self) -> str | None:
        """The full name of the checked-out branch; None on a detached HEAD."""
        # The file of that name tells it, unless the branches are kept in another form (reftable), when it names none.
        with suppress(OSError, UnicodeDecodeError):
            if found := _ON_BRANCH.fullmatch((self.directory / "HEAD").read_text("utf-8")):
                return found[1]
        status, out, _ = self.run("symbolic-ref", "-q", "HEAD")
        return out.decode().strip() if status == 0 else None

    def in_progress(self) -> str | None:
        """What the user is in the middle of: a merge, a rebase, ...; None when nothing."""
        return next((what for name, (what, _) in _IN_PROGRESS.items() if (self.directory / name).exists()), None)

    @staticmethod
    def way_out(busy: str, *, in_wiki: bool = True) -> str:
        """What the user does about what ``in_progress`` tells."""
        finish = _MERGED if busy == "a merge" and in_wiki else "finish it, as git status says"
        return f"{finish}; or give it up: {_ENDS[busy]}"

    def check_free(self, *, in_wiki: bool = True) -> None:
        """Raise Conflict when the user is in the middle of something; the hint says how that ends."""
        if (busy := self.in_progress()) is not None:
            raise Conflict("git_busy", f"{busy} is in progress", self.way_out(busy, in_wiki=in_wiki))

    def free_branch(self, *, in_wiki: bool = True) -> str:
        """The branch to commit to. Raises Conflict where there is none, or the user is in the middle of something."""
        self.check_free(in_wiki=in_wiki)  # first: a rebase and a bisect detach HEAD
        if (branch := self.branch()) is None:
            raise Conflict("detached_head", "HEAD is detached: there is no branch to commit to", "git switch <branch>")
        return branch

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

    def refs_below(self, folder: str) -> dict[str, str]:
        """What the refs in ``folder`` (``refs/.../``) name, by the rest of their names."""
        found = records(self.output("for-each-ref", "--format=%(refname)%00%(objectname)%00", folder))
        names, oids = (name.strip() for name in found[::2]), found[1::2]
        return {name.removeprefix(folder): oid for name, oid in zip(names, oids, strict=False)}

    def set_ref(self, ref: str, new: str | None, old: str | None = None) -> bool:
        """Let ``ref``, none of a branch, name ``new``, or take it away; False when it is no longer at ``old``, if that is
        given."""
        expected = [old] if old else []
        arguments = ["-d", ref] if new is None else [ref, new]
        return self.run("update-ref", *arguments, *expected)[0] == 0

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
            atomic.sync_folder(self._common / folder)
        return status == 0

    def _drop_own_locks(self, ref: str, said: str) -> None:
        """Take away the locks of the branch that git could not: they are its own, by its own words, and it has ended."""
        for lock in self.ref_locks(ref):
            if lock.name in said:
                with suppress(OSError):
                    lock.unlink(missing_ok=True)

    def ref_locks(self, ref: str) -> tuple[Path, ...]:
        """The files with which git keeps two writers of ``ref`` apart, where the branches are kept in files."""
        return (self.directory / "HEAD.lock", self._common / f"{ref}.lock")

    def keeps_refs_in_files(self) -> bool:
        """False for a reftable. A git before 2.44 knows nothing else than files, and repeats the question."""
        return self.run("rev-parse", "--show-ref-format")[1].strip() != b"reftable"

    @property
    def written_folders(self) -> tuple[Path, ...]:
        """Where git puts objects and branches."""
        places = (self._common / "objects", self._common / "refs" / "heads", self._common / "reftable")
        return tuple(folder for folder in places if folder.is_dir())
