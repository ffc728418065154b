"""A long page's claims judged on two cores: a fork has judged the second half when this process comes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from curator.models.proposal import Claim
from curator.system.parallel import Fork, processes
from curator.wiki.support.judge import Judge

_WORTH_A_FORK = 16
"""Claims of a page; a fork costs what two of them do."""


def numbered(body: Sequence[Claim], judge: Judge, check: Callable[[Claim], object]) -> Iterator[tuple[int, Claim]]:
    """``enumerate(body)``; ``check`` asks ``judge`` whatever will be asked of a claim."""
    half = len(body) // 2
    fork: Fork | None = None
    if len(body) >= _WORTH_A_FORK and processes() > 1:
        with suppress(OSError):  # no process, no memory: each is judged here
            fork = Fork(lambda: _verdicts(body[half:], judge, check))
    try:
        for at, claim in enumerate(body):
            if at == half and fork is not None and fork.has_done():
                judge.verdicts.update(fork.results())
            yield at, claim
    finally:
        if fork is not None:
            fork.close()


def _verdicts(claims: Sequence[Claim], judge: Judge, check: Callable[[Claim], object]) -> Iterator[tuple[Any, Any]]:
    known = set(judge.verdicts)
    for claim in claims:
        check(claim)
    return ((key, verdict) for key, verdict in judge.verdicts.items() if key not in known)
