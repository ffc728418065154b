"""Races for whole transactions: commits, ingests, renames and undos, with an editor or the user's git in their midst."""

from __future__ import annotations

import random
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from curator.cli.commands import edit, init
from curator.errors import CuratorError
from curator.ingest import intake
from curator.ingest.flow import IngestOptions, ingest
from curator.models.proposal import Add
from curator.repository.git import Git
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.transaction import sweeping, worktree
from curator.repository.transaction.transaction import BranchMoved
from curator.wiki.sources.source import Document, Source
from faults.races import opponent, user
from faults.races.editor import Ledger, tokens, tokens_below
from faults.races.opponent import Moment, Opponent, Report, Task
from faults.races.tally import Tally
from support import wikis
from support.fakes import ScriptedModel
from support.wikis import NOW

_PAGES = 10
_OOLONG = "concepts/oolong.md"
_CHECK_EVERY = 250
_TRANSITIONS = re.compile(r"reset:|commit \(amend\)|rebase|commit \(initial\)")
"""How the reflog names the moves of a branch that are no new commit on top of the old one."""


@dataclass(frozen=True)
class Change:
    """Something curator is to do, and the files it will write."""

    what: str
    act: Callable[[], str]
    """Returns the commit."""
    paths: tuple[str, ...]


class Landings:
    """One wiki, long-lived, and what is known of it."""

    def __init__(self, folder: Path, tally: Tally, seed: int, *, has_git: bool) -> None:
        self.root = folder / "wiki"
        self.tally, self.chance, self.has_git = tally, random.Random(seed), has_git
        self.ledger = Ledger()
        self.landed: list[str] = []
        self.names = [f"concepts/race-{number}.md" for number in range(_PAGES)]
        self._moved = 0.0
        self._tail, self._whole = 0.02, 0.15
        """Seconds from the move of the branch to the end, and of all of it: what the other process aims at."""
        self._number = 0
        self._renamed = "rename-me"
        init.run(self.root, "Tea")
        with Repository(self.root) as repository:
            wikis.take_in(wikis.drop(self.root), repository, ScriptedModel((wikis.OOLONG,)))
            files = {
                **{path: _page(path, 0) for path in self.names},
                f"concepts/{self._renamed}.md": _page("rename-me", 0),
            }
            repository.begin().commit(files, None, "pages\n")
        self.good = wikis.git(self.root, "rev-parse", "HEAD")

    def run(self, races: int, other: Opponent) -> None:
        with Repository(self.root) as repository, self._watched():
            for number in range(races):
                self.race(repository, other)
                if number % _CHECK_EVERY == _CHECK_EVERY - 1:
                    self.check(other)
                    self.settle(other)
                    sweeping.sweep(repository.runtime)
            self.check(other)

    # -- one race ----------------------------------------------------------------------------------------------------

    def race(self, repository: Repository, other: Opponent) -> None:
        self._number += 1
        change = self._change(repository)
        pages = tuple(self.root / path for path in change.paths if path not in ("_manifest.json",))
        self._moved = 0.0
        deed = user.deeds(self.root) if self.has_git else None
        other.begin(Task(self._moment(), pages, self.chance.choice((1, 1, 2)), self._tail / 4, deed))
        begun = time.monotonic()
        try:
            self.landed.append(change.act())
            outcome = f"{change.what} landed"
        except BranchMoved:
            outcome = f"{change.what} BranchMoved"
        except CuratorError as error:
            outcome = f"{change.what} {error.code}"
        ended = time.monotonic()
        report = other.end()
        self.tally.count(report.acts, self._moved or ended, ended)
        self.tally.outcomes[outcome] += 1
        if self._moved:
            self._tail += (ended - self._moved - self._tail) / 10
        self._whole += (ended - begun - self._whole) / 10
        self.take(report)
        self.judge(report)
        self.settle(other)

    def _moment(self) -> Moment:
        if self.chance.random() < (0.6 if self.has_git else 0.8):
            return Moment(self.chance.random() * self._tail, self.root / ".git" / "refs" / "heads" / "main")
        return Moment(self.chance.random() * self._whole)

    def take(self, report: Report) -> None:
        self.ledger.take(report.ledger)
        self.tally.saves += len(report.ledger.saved)
        for command, status, said in report.said:
            self.tally.outcomes[f"git {command.split()[0]} {'ok' if status == 0 else 'refused'}"] += 1
            if status != 0 and not user.is_expected(command, said):
                self.tally.faults.append(f"git {command} ended with {status}: {said.strip()[:300]}")

    # -- what curator does -------------------------------------------------------------------------------------------

    def _change(self, repository: Repository) -> Change:
        kind = self.chance.choices(("edit", "merge", "remove", "ingest", "rename", "undo"), (9, 3, 2, 3, 1, 1))[0]
        if kind == "ingest":
            return self._ingest(repository)
        if kind == "rename":
            return self._rename()
        if kind == "undo":
            return self._undo()
        chosen = self.chance.sample(self.names, self.chance.randint(1, 6))
        files: dict[str, str | None] = {path: _page(path, self._number) for path in chosen}
        if kind == "remove":
            files[chosen[0]] = None
        return Change(kind, lambda: self._commit(repository, files, merges=kind == "merge"), tuple(chosen))

    def _commit(self, repository: Repository, files: dict[str, str | None], *, merges: bool) -> str:
        transaction = repository.begin()
        wanted = {path: text for path, text in files.items() if text is not None or transaction.read(path) is not None}
        return transaction.commit(wanted, None, f"race {self._number}\n", merges=merges)

    def _ingest(self, repository: Repository) -> Change:
        number = self._number
        text = f"Brewing {number}\n\nOolong can be brewed five times from the same leaves.\n"
        file = wikis.drop(self.root, f"brewing-{number}.txt", text)
        add = Add(op="add", page="oolong", section="", body=(wikis.FIVE,))
        proposal = wikis.proposal(wikis.summary(wikis.FIVE, title=f"Brewing {number}"), add)

        def act() -> str:
            incoming = intake.look_at_source(file, repository, repository.begin().manifest(), 1_000_000)
            source = Source(incoming.path, incoming.spooled.digest, Document.from_text(text))
            try:
                done = ingest(source, incoming.file, repository, ScriptedModel((proposal,)), IngestOptions(lambda: NOW))
            finally:
                repository.runtime.drop_spool(incoming.spooled)
            return str(done.commit)

        return Change("ingest", act, (_OOLONG, "_index.md", "_log.md", f"summaries/brewing-{number}.md"))

    def _rename(self) -> Change:
        old, new = self._renamed, f"renamed-{self._number}"

        def act() -> str:
            commit = str(edit.rename_page(self._settings(), old, new, False).data["commit"])
            self._renamed = new
            return commit

        return Change("rename", act, (f"concepts/{old}.md", f"concepts/{new}.md", "_index.md", "_log.md"))

    def _undo(self) -> Change:
        def act() -> str:
            ingests = wikis.git(self.root, "log", "-1", "--format=%H", "--grep=^Curator-Source: sources/brewing")
            report = edit.undo_commits(self._settings(), [ingests or "0000000"], False)
            if report.data["commit"] is None:
                raise CuratorError("undo_refused", str(report.data["reason"]))
            return str(report.data["commit"])

        return Change("undo", act, (_OOLONG, "_index.md", "_log.md"))

    def _settings(self) -> Settings:
        return Settings(self.root, {}, {})

    # -- after a race --------------------------------------------------------------------------------------------------

    def judge(self, report: Report) -> None:
        """Nothing of curator's is left, and no file is changed that the user did not change."""
        faults = self.tally.faults
        for name in (".git/index.lock", ".git/curator/journal.json", ".git/curator/token", ".git/curator/index.new"):
            if (self.root / name).exists():
                faults.append(f"race {self._number}: left behind: {name}")
        for folder in (self.root, self.root / "concepts", self.root / "summaries"):
            left = [path.name for path in folder.glob(f"{worktree.TEMPORARY}*")]
            faults += [f"race {self._number}: left behind: {name}" for name in left]
        commands = [command for command, _, _ in report.said]
        rewrote = any(word in command for command in commands for word in user.REWRITES)
        for record in filter(None, self._git("status", "--porcelain", "--no-renames", "-z").split("\0")):
            state, path = record[:2], record[3:]
            # A stash that is popped brings what was only staged before into the files.
            was_taken_off = rewrote and (state[1] == " " or "stash pop" in commands)
            if str(self.root / path) in report.touched or path.startswith("sources/") or was_taken_off:
                continue
            faults.append(f"race {self._number}: {path} is {state!r}, and nobody touched it: {report.said}")

    def settle(self, other: Opponent) -> None:
        """The user commits what is uncommitted, and brings back the pages that ingests and renames build upon."""
        if (self.root / ".git" / "rebase-merge").exists():
            self._git("rebase", "--abort")
        self._commit_all()
        oolong, renamed = self.root / _OOLONG, self.root / f"concepts/{self._renamed}.md"
        if not oolong.exists() or "[^oolong-notes-" not in oolong.read_text("utf-8") or not renamed.exists():
            self.take(other.flush())  # git makes files anew: what has the old ones open, would write for nobody
            self._commit_all()
            self._git("checkout", "-q", self.good, "--", _OOLONG)
            if not renamed.exists():
                renamed.write_text(_page("rename-me", self._number), "utf-8")
            self._commit_all()

    def _commit_all(self) -> None:
        if self._git("status", "--porcelain"):
            self._git("add", "-A")
            self._git("commit", "-q", "--allow-empty", "-m", "what I did")

    def check(self, other: Opponent) -> None:
        """Is every save somewhere, the repository sound, and every commit that landed in the branch's own history?"""
        self.take(other.flush())
        runtime = self.root / ".git" / "curator"
        folders = (self.root / "concepts", self.root / "summaries", runtime / "displaced", runtime / "rescue")
        found = tokens_below(*folders) | self._in_git()
        found |= {token for file in self.root.glob("*.md") for token in tokens(file.read_bytes())}
        lost = sorted(self.ledger.owed - found)
        self.tally.lost = [f"{token.decode()} {self.ledger.how.get(token)}" for token in lost]
        if said := self._git("fsck", "--strict", "--no-dangling"):
            self.tally.faults.append(f"git fsck: {said[:300]}")
        self._check_history()

    def _in_git(self) -> set[bytes]:
        """The tokens in every object that can be reached from a branch, a reflog, the stash or the index."""
        listed = self._git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects").split("\n")
        names = "".join(f"{line.split(' ')[0]}\n" for line in listed if line)
        done = subprocess.run(
            ["git", "cat-file", "--batch"], cwd=self.root, input=names.encode(), stdout=subprocess.PIPE, check=True
        )
        return tokens(done.stdout)

    def _check_history(self) -> None:
        """The branch only ever got a commit on top, but for what the user did; what landed was on the branch."""
        moves = [line.split("\t") for line in self._git("log", "-g", "--format=%H%x09%P%x09%gs", "main").split("\n")]
        for (_, parents, why), (before, _, _) in pairwise(moves):
            if before not in parents.split() and not _TRANSITIONS.match(why):
                self.tally.faults.append(f"the branch left {before[:12]} by {why!r}")
        known = {commit for commit, _, _ in moves}
        self.tally.faults += [
            f"{commit} landed and is not on the branch" for commit in self.landed if commit not in known
        ]

    def _git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=False)
        return done.stdout.rstrip("\n")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Note the moment of the commit point."""
        real = Git.move_branch

        def noted(git: Git, ref: str, new: str, old: str | None, why: str) -> bool:
            moment = time.monotonic()
            has_moved = real(git, ref, new, old, why)
            self._moved = moment if has_moved else 0.0
            return has_moved

        setattr(Git, "move_branch", noted)  # noqa: B010 (a method is put in another's place)
        try:
            yield
        finally:
            setattr(Git, "move_branch", real)  # noqa: B010


def _page(path: str, number: int) -> str:
    title = Path(path).stem
    lines = "".join(f"Line {line} of {title}.\n\n" for line in range(8))
    return f"---\ntitle: {title}\ntype: concept\n---\n\n# {title}\n\nAs of race {number}.\n\n{lines}"


def run(folder: Path, races: int, seed: int, *, has_git: bool) -> Tally:
    """So many races in a new wiki below ``folder``."""
    tally = Tally("git" if has_git else "editor, transactions")
    begun = time.monotonic()
    with opponent.at_work(seed) as other:
        Landings(folder, tally, seed + 1, has_git=has_git).run(races, other)
    tally.seconds = time.monotonic() - begun
    return tally
