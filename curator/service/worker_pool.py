"""The hands of a service: who is free, who has to leave, and when there is one too many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

_IDLE = 20.0
"""Seconds after which a hand without work is let go."""


class RunningWorker(Protocol):
    """A hand, as the service sees it."""

    source: str
    """What it is at work on; empty when it is idle."""
    idle_since: float

    def take(self, source: str) -> bool: ...
    def rest(self) -> None: ...
    def let_go(self) -> None: ...


@dataclass
class WorkerPool:
    """The hands that work, or may."""

    hire: Callable[[], RunningWorker]
    hands: list[RunningWorker] = field(default_factory=list)
    _leaving: list[RunningWorker] = field(default_factory=list)
    """Those of them that have read settings which hold no more: what they are at is their last."""

    def free(self) -> RunningWorker:
        """A hand without work; hired when there is none."""
        hand = next((hand for hand in self.hands if not hand.source and hand not in self._leaving), None)
        if hand is None:
            hand = self.hire()
            self.hands.append(hand)
        return hand

    def rest(self, hand: RunningWorker) -> None:
        """Its result is in."""
        hand.rest()
        if hand in self._leaving:
            self.forget(hand)
            hand.let_go()

    def forget(self, hand: RunningWorker) -> None:
        """It has ended, or will."""
        self.hands = [other for other in self.hands if other is not hand]
        self._leaving = [other for other in self._leaving if other is not hand]

    def let_idle_go(self, now: float) -> None:
        """Those that have had nothing to do for a while."""
        for hand in self.hands:
            if not hand.source and now - hand.idle_since > _IDLE:
                hand.let_go()
                self.forget(hand)

    def renew(self) -> None:
        """Let all go: at once, or when their result is in."""
        for hand in self.hands:
            if hand.source:
                self._leaving.append(hand)
            else:
                hand.let_go()
        self.hands = [hand for hand in self.hands if hand.source]
