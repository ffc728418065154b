"""A service that ends: its workers are told, whichever of them ends meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from curator.service.wiki_service import WikiService
from curator.service.worker import Worker


@dataclass(eq=False)
class Leaving:
    """A worker that has ended, and taken itself out, before it is told to."""

    workers: set[Worker]
    is_told: bool = False

    def drain(self) -> None:
        self.is_told = True
        self.workers.discard(cast(Worker, self))


def test_workers_that_end_while_they_are_told_to_do_no_harm() -> None:
    service = WikiService.__new__(WikiService)
    service._workers = set()
    workers = [Leaving(service._workers) for _ in range(3)]
    service._workers |= {cast(Worker, each) for each in workers}

    service.drain()

    assert all(each.is_told for each in workers) and not service._workers
