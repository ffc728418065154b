"""Uncommitted edits, which a command does not look at: named in one line, with what to do."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from threading import Thread, get_native_id
from typing import Any

from curator.errors import CuratorError
from curator.repository.repository import Repository
from curator.repository.uncommitted import uncommitted
from curator.system.filenames import printable
from curator.system.text import plural

WORKTREE = "--worktree looks at the files as they lie"
_SHOWN = 3
_BEHIND = 10
"""How nice the look is: git looks at files by twenty threads, which would leave the command little of the processor."""


class EditsBeside:
    """Looks for them in a thread beside the command's own work: in a big wiki it takes a tenth of a second."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._found: list[str] = []
        self._thread = Thread(target=self._look, daemon=True)
        if not repository.has_edits:
            self._thread.start()

    def _look(self) -> None:
        with suppress(OSError):
            if sys.platform == "linux":  # elsewhere it is the whole process that has a priority
                os.setpriority(os.PRIO_PROCESS, get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + _BEHIND)
        with suppress(CuratorError, OSError):  # a hint: what is wrong with the repository is told by the command
            repository = self._repository
            self._found = sorted(uncommitted(repository.git, repository.prefix, repository.untracked))

    @property
    def paths(self) -> list[str]:
        if self._thread.ident is not None:
            self._thread.join()
        return self._found

    def said(self, following: str = WORKTREE) -> tuple[str, ...]:
        """The line, which ends with what is to be done; none where there is nothing to say."""
        return tuple([told(self.paths, following)] if self.paths else [])

    def report(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Both forms, for a report that need not wait for them (``Report.late``)."""
        return self.as_json(), self.said()

    def as_json(self) -> dict[str, Any]:
        """``uncommitted``, where there is something."""
        return {"uncommitted": self.paths} if self.paths else {}


def told(paths: list[str], following: str) -> str:
    """``2 uncommitted edits are not in this: a.md, b.md; ...``"""
    rest = f", {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    what = f"{len(paths)} uncommitted {plural(len(paths), 'edit')} {'is' if len(paths) == 1 else 'are'} not in this"
    return f"{what}: {', '.join(map(printable, paths[:_SHOWN]))}{rest}; {following}"
