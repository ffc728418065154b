"""Every way of an editor's acts between any two calls of one change of a page: tried out one by one, not left to chance.

The change runs in this process. Before each of its system calls the acts that are due are done, so that a race that two
processes would have to be lucky to meet happens for sure.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction import recovery, sweeping, worktree
from curator.repository.transaction.journal import Written
from curator.repository.transaction.recovery import PathContents
from curator.repository.transaction.worktree import Placed, WorkTree
from faults.races.editor import Editor, tokens_below
from support.fakes import Killed

_CALLS = ("open", "link", "rename", "replace", "unlink", "fsync", "stat")
WAYS = ("rename", "in_place", "append", "recreate", "delete", "hold", "write_held")
NEW = b"what curator writes\n"
OLD = b"what is committed\n"


@dataclass(frozen=True)
class Script:
    """Acts by the number of the call they come before; those that never came to their turn are done at the end."""

    acts: tuple[tuple[int, str], ...]
    removes: bool = False
    has_exchange: bool = True
    dies_before: int = 0
    """The call that curator does not live to make; the next command comes at once."""
    seed: int = 0


@dataclass(frozen=True)
class Played:
    """What came of a script."""

    calls: int
    placed: str
    lost: frozenset[bytes]
    litter: tuple[str, ...]
    shows_newest: bool
    """False when the page does not hold the newest of the saves that went to its name."""


class Stage:
    """Calls acts before the calls of the product, and lets the calls of the acts themselves pass."""

    def __init__(self, script: Script, editor: Editor, page: Path) -> None:
        self.script, self.editor, self.page = script, editor, page
        self.calls = 0
        self._acting = False

    def before(self, call: Callable[..., Any], *, does_it: bool = True) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            if not self._acting:
                self.calls += 1
                self.act(self.calls)
                if self.calls == self.script.dies_before:
                    raise Killed
            return call(*arguments, **options) if does_it or self._acting else None

        return watched

    def act(self, number: int) -> None:
        self._acting = True
        for at, way in self.script.acts:
            if at == number:
                perform(self.editor, way, self.page)
        self._acting = False

    def finish(self) -> None:
        for at in sorted({at for at, _ in self.script.acts if at > self.calls}):
            self.act(at)
        self._acting = True
        self.editor.write_held(all_of_them=True)
        self._acting = False

    @contextmanager
    def up(self) -> Iterator[None]:
        real = {name: getattr(os, name) for name in _CALLS}
        exchanges = worktree._renameat2
        try:
            for name, call in real.items():
                setattr(os, name, self.before(call, does_it=name != "fsync"))
            worktree._renameat2 = self.before(exchanges) if exchanges and self.script.has_exchange else None
            yield
        finally:
            for name, call in real.items():
                setattr(os, name, call)
            worktree._renameat2 = exchanges


def perform(editor: Editor, way: str, page: Path) -> None:
    if way == "write_held":
        editor.write_held(all_of_them=True)
    else:
        getattr(editor, way)(page)


def play(script: Script, folder: Path) -> Played:
    """One change of a page in a fresh ``folder``, with the script's acts between its calls."""
    page = folder / "top" / "page.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_bytes(OLD)
    runtime = Runtime(folder / "runtime")
    tree = WorkTree(page.parent, runtime.displaced)
    editor = Editor(random.Random(script.seed))
    stage = Stage(script, editor, page)
    with stage.up():
        try:
            placed = change(tree, page.name, script)
        except Killed:
            new = None if script.removes else NEW
            files = [Written(page.name, "old", None if script.removes else "new")]
            recovery.settle_temporaries(
                tree, runtime, files, PathContents({page.name: OLD}, {} if new is None else {page.name: new})
            )
            placed = change(tree, page.name, script)
        stage.finish()
    litter = tuple(sorted(path.name for path in page.parent.iterdir() if path != page))
    sweep(runtime)
    kept = tokens_below(page.parent, runtime.folder / "rescue")
    shows_newest = editor.newest is None or editor.newest in tokens_below(page.parent) | editor.ledger.gone
    return Played(stage.calls, placed, frozenset(editor.ledger.owed - kept), litter, shows_newest)


def change(tree: WorkTree, name: str, script: Script) -> Placed:
    return tree.remove(name, OLD) if script.removes else tree.put(name, NEW, OLD)


def sweep(runtime: Runtime) -> None:
    """As the next command does when the grace time is over."""
    grace, sweeping.GRACE_SECONDS = sweeping.GRACE_SECONDS, -1.0
    try:
        sweeping.sweep(runtime)
    finally:
        sweeping.GRACE_SECONDS = grace


def scripts(calls: int, ways: Sequence[str] = WAYS, **options: bool) -> Iterator[Script]:
    """Every pair of acts, at every pair of places; an act may bring calls of its own, for which there is room."""
    last = calls + 12
    for first in range(1, last):
        for second in range(first, last):
            for one in ways:
                for other in ways:
                    yield Script(((first, one), (second, other)), seed=first * 97 + second, **options)
