"""The other process: it waits for its moment, acts as the user would, and says what it did and when."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from faults.races.editor import Editor, Ledger, spin

_PATIENCE = 2.0


@dataclass
class Report:
    """What was done since the last report."""

    ledger: Ledger = field(default_factory=Ledger)
    acts: list[tuple[float, float]] = field(default_factory=list)
    """When each act began and ended, by the clock that both processes see."""
    touched: set[str] = field(default_factory=set)
    """The files that were saved or deleted."""
    said: list[tuple[str, int, str]] = field(default_factory=list)
    """What git commands said: command, exit status, complaint."""


@dataclass(frozen=True)
class Moment:
    """When to act: ``delay`` seconds from now, or from the moment in which ``watched`` (a branch's file) changes."""

    delay: float
    watched: Path | None = None

    def wait(self, is_over: Callable[[], bool]) -> None:
        """Until the moment; not for the branch when ``is_over`` says that it will not move."""
        if self.watched is not None:
            before, until = _identity(self.watched), time.monotonic() + _PATIENCE
            while _identity(self.watched) == before and not is_over() and time.monotonic() < until:
                os.sched_yield()
        spin(self.delay)


@dataclass(frozen=True)
class Task:
    """Acts at a moment: each saves one of ``pages``, or is ``deed``, called with the editor, the report and the pages."""

    moment: Moment
    pages: tuple[Path, ...]
    acts: int = 1
    gap: float = 0.0
    deed: Callable[[Editor, Report, Sequence[Path]], None] | None = None
    flush: bool = False
    """Only write into what is still open."""


class Opponent:
    """The handle to that process."""

    def __init__(self, connection: Connection, flag: mmap.mmap) -> None:
        self._connection, self._flag = connection, flag

    def begin(self, task: Task) -> None:
        self._flag[0] = 0
        self._connection.send(task)

    def end(self) -> Report:
        """What is waited for has come or never will: wait for the report. Raises EOFError when the process died."""
        self._flag[0] = 1
        report: Report = self._connection.recv()
        return report

    def flush(self) -> Report:
        self.begin(Task(Moment(0), (), flush=True))
        return self.end()


@contextmanager
def at_work(seed: int) -> Iterator[Opponent]:
    """An opponent in a process of its own; it ends with the block."""
    ours, theirs = multiprocessing.Pipe()
    flag = mmap.mmap(-1, 1)  # shared with the process that is forked from this one
    process = multiprocessing.get_context("fork").Process(target=_work, args=(theirs, flag, seed), daemon=True)
    process.start()
    theirs.close()
    try:
        yield Opponent(ours, flag)
    finally:
        ours.close()
        process.kill()
        process.join()


def _work(connection: Connection, flag: mmap.mmap, seed: int) -> None:
    editor = Editor(random.Random(seed))
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        connection.send(_done(task, editor, lambda: flag[0] == 1))


def _done(task: Task, editor: Editor, is_over: Callable[[], bool]) -> Report:
    report = Report()
    if task.flush:
        editor.write_held(all_of_them=True)
    else:
        task.moment.wait(is_over)
        for _ in range(task.acts):
            begun = time.monotonic()
            _act(task, editor, report)
            report.acts.append((begun, time.monotonic()))
            spin(editor.chance.random() * task.gap)
    report.ledger = editor.report()
    report.touched |= editor.touched
    editor.touched = set()
    return report


def _act(task: Task, editor: Editor, report: Report) -> None:
    if task.deed is not None:
        task.deed(editor, report, task.pages)
        return
    editor.write_held()
    editor.act(editor.chance.choice(task.pages))


def _identity(file: Path) -> tuple[int, int]:
    with suppress(FileNotFoundError):
        seen = file.stat()
        return seen.st_ino, seen.st_mtime_ns
    return 0, 0
