"""A journal that is still there after every command's first act: recovery could not go by it, or could not go on.

One that cannot be read is never acted upon (research rule R5). What it may have been about is told from the newest
commit and the work tree: a journal is there from before the commit point until the last file is in its place. When
nothing of the wiki differs from the newest commit, there is nothing it could still ask for: it is set aside, and then
our lock on the index may go. When a file differs, either its user edited it or the commit has not reached it. Nobody but
its user can tell the two apart, so nothing is done: each file is named, with the command that brings it along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from curator.checks.diagnosis import Diagnosis, Rescue, fixable, found, place, quoted
from curator.checks.examined_wiki import ExaminedWiki
from curator.errors import Busy, CuratorError, JournalUnreadable, WikiError
from curator.repository.transaction import recovery
from curator.repository.transaction.journal import Journal


@dataclass(frozen=True)
class _Differing:
    """The files of the wiki that are not as the newest commit says."""

    behind: list[str] = field(default_factory=list)
    """As they were before that commit."""
    unstaged: list[str] = field(default_factory=list)
    """As that commit has them, but not in the index."""
    edited: list[str] = field(default_factory=list)
    """As neither has them."""

    def __bool__(self) -> bool:
        return bool(self.behind or self.unstaged or self.edited)


def examine_journal(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """The journal, when no curate is at work on it."""
    runtime = wiki.repository.runtime
    journal, shown = runtime.journal, place(runtime.journal, wiki.root)
    if not journal.exists():
        return
    try:
        Journal.parse(journal.read_text("utf-8", "replace"))
        with runtime.lock(seconds=0):
            recovery.recover(wiki.repository.git, runtime)
    except JournalUnreadable as error:
        differing = _differing(wiki)
        if differing:
            yield found("error", "journal_unreadable", shown, *_to_do(error, differing, wiki))
            return
        message = f"{error.message}; the wiki is as its newest commit says, so nothing was left undone"
        fix = Rescue(journal, "a journal that could not be read; the wiki was as its newest commit says")
        yield fixable("error", "journal_unreadable", shown, message, fix, "sets it aside in rescue/")
    except Busy:
        return
    except CuratorError as error:
        message = f"the last transaction cannot be finished: {error.message}"
        yield found("error", "journal_unfinished", shown, message, error.hint or "git status")


def _to_do(error: WikiError, differing: _Differing, wiki: ExaminedWiki) -> tuple[str, str]:
    """What was seen, and the commands, in their order."""
    message, steps = error.message, []
    lock = wiki.repository.git.index_lock
    if lock.exists():
        steps.append(f"when no git is running here: rm {quoted(place(lock, wiki.root))}")
    if differing.behind:
        message += f"; as before the newest commit: {', '.join(differing.behind)}"
        files = " ".join(map(quoted, differing.behind))
        steps.append(f"if you did not take these back yourself: git restore --staged --worktree -- {files}")
    if differing.unstaged:
        message += f"; not in the index as the newest commit has them: {', '.join(differing.unstaged)}"
        steps.append(f"git restore --staged -- {' '.join(map(quoted, differing.unstaged))}")
    if differing.edited:
        message += f"; neither as the newest commit has them nor as the one before: {', '.join(differing.edited)}"
        steps.append(f"commit or stash your own text: git diff HEAD -- {' '.join(map(quoted, differing.edited))}")
    return message, "; ".join([*steps, "then: curate doctor --repair"])


def _differing(wiki: ExaminedWiki) -> _Differing:
    git, prefix = wiki.repository.git, wiki.repository.prefix
    changed = [prefix + path for path, letters in wiki.uncommitted.items() if letters != "??"]
    now = git.blobs_at("HEAD", changed) if wiki.base else {}
    was = git.blobs_at("HEAD^", changed) if git.commit_of("HEAD^") else {}
    differing = _Differing()
    for path in changed:
        file = git.top / path
        oid = None
        if file.is_file() and not file.is_symlink():
            content = file.read_bytes()
            oid = git.output("hash-object", "--stdin", f"--path={path}", stdin=content, folder=git.top).decode().strip()
        place_in = differing.edited
        if oid == (was[path].oid if path in was else None):
            place_in = differing.behind
        elif path in now and oid == now[path].oid:
            place_in = differing.unstaged
        place_in.append(path.removeprefix(prefix))
    return differing
