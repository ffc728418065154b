"""The ingests that were started from the browser, and the stage of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar


@dataclass(eq=False)
class Work:
    """Something that is taken in from the browser; called with each stage of it."""

    wiki: str
    said: str
    is_watched: ClassVar[bool] = True
    """Stages are told to who watches: see ``console.is_watched``."""

    def __call__(self, stage: str) -> None:
        self.said = stage or self.said


class Works:
    """What one server takes in at the moment, of all its wikis."""

    def __init__(self) -> None:
        self._going: list[Work] = []

    @contextmanager
    def begun(self, wiki: str, what: str) -> Iterator[Work]:
        work = Work(wiki, what)
        self._going.append(work)
        try:
            yield work
        finally:
            self._going.remove(work)

    def of(self, wiki: str) -> list[str]:
        """What is said of the work on this wiki, the oldest first."""
        return [work.said for work in list(self._going) if work.wiki == wiki]
