"""Races for a page, in a tight loop: an editor in another process against ``WorkTree.put`` and ``remove``."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction import sweeping, worktree
from curator.repository.transaction.worktree import WorkTree
from faults.races import opponent
from faults.races.editor import Ledger, tokens, tokens_below
from faults.races.opponent import Moment, Opponent, Report, Task
from faults.races.tally import Tally

_PAGES = 8
_SWEEP_EVERY = 50
_CHECK_EVERY = 2_000


class Tight:
    """One folder of pages, long-lived: what earlier races left behind is there for the later ones."""

    def __init__(self, folder: Path, tally: Tally, seed: int) -> None:
        self.top = folder / "top"
        self.top.mkdir(parents=True)
        self.runtime = Runtime(folder / "runtime")
        self.tree = WorkTree(self.top, self.runtime.displaced)
        self.tally, self.chance = tally, random.Random(seed)
        self.ledger = Ledger()
        self.committed: set[bytes] = set()
        """Tokens of texts that curator was told to replace: it does so only where git has them."""
        self.swaps = 0
        self._usual = 0.002
        """Seconds that a change takes: the editor aims at them."""

    def run(self, races: int, editor: Opponent) -> None:
        for number in range(races):
            self.race(editor, self.top / f"page-{number % _PAGES}.md", number)
            if number % _SWEEP_EVERY == 0:
                sweeping.sweep(self.runtime)
            if number % _CHECK_EVERY == _CHECK_EVERY - 1:
                self.check(editor)
        self.check(editor)

    def race(self, editor: Opponent, page: Path, number: int) -> None:
        expected = page.read_bytes() if page.exists() else None
        self.committed |= tokens(expected or b"")
        delay = self.chance.random() * self._usual * 1.2
        editor.begin(Task(Moment(delay), (page,), self.chance.choice((1, 1, 2, 3)), self._usual / 4))
        begun, swaps = time.monotonic(), self.swaps
        if expected is not None and self.chance.random() < 0.15:
            placed = f"remove {self.tree.remove(page.name, expected)}"
        else:
            content = f"curator {number}\n".encode()
            placed = f"put {self.tree.put(page.name, content, expected)}"
        ended = time.monotonic()
        self._usual += (ended - begun - self._usual) / 20
        self.take(report := editor.end())
        self.tally.count(report.acts, begun, ended)
        self.tally.outcomes[placed] += 1
        self.tally.outcomes["given back"] += self.swaps > swaps + 1
        self.tally.outcomes["given back twice"] += self.swaps > swaps + 2

    def take(self, report: Report) -> None:
        self.ledger.take(report.ledger)
        self.tally.saves += len(report.ledger.saved)

    def check(self, editor: Opponent) -> None:
        """Is every save somewhere, and nothing of curator's beside the pages?"""
        self.take(editor.flush())
        found = tokens_below(self.top, self.runtime.displaced, self.runtime.folder / "rescue") | self.committed
        lost = sorted(self.ledger.owed - found)
        self.tally.lost = [f"{token.decode()} {self.ledger.how.get(token)}" for token in lost]
        self.tally.outcomes["too late to count"] = len(self.ledger.late)
        left = [path.name for path in self.top.iterdir() if path.name.startswith(worktree.TEMPORARY)]
        self.tally.faults += [f"left behind: {name}" for name in left]


@contextmanager
def watched(tight: Tight, *, has_exchange: bool) -> Iterator[None]:
    """Count the exchanges; without them, as on a file system that has none."""
    real, exchanges = worktree.exchange, worktree._renameat2

    def counted(one: str, other: str, folder: int) -> str | None:
        tight.swaps += 1
        return real(one, other, folder)

    worktree.exchange = counted
    worktree._renameat2 = exchanges if has_exchange else None
    try:
        yield
    finally:
        worktree.exchange, worktree._renameat2 = real, exchanges


def run(folder: Path, races: int, seed: int, *, has_exchange: bool = True) -> Tally:
    """So many races in a new ``folder``."""
    tally = Tally("editor" if has_exchange else "editor, no exchange")
    begun = time.monotonic()
    with opponent.at_work(seed) as editor:
        tight = Tight(folder, tally, seed + 1)
        with watched(tight, has_exchange=has_exchange):
            tight.run(races, editor)
        time.sleep(sweeping.GRACE_SECONDS + 0.1)
        sweeping.sweep(tight.runtime)
        tight.check(editor)
        if left := list(tight.runtime.displaced.iterdir()):
            tally.faults.append(f"{len(left)} displaced files outlived their grace time")
    tally.seconds = time.monotonic() - begun
    return tally
