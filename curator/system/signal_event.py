"""An event that a signal handler may set."""

from __future__ import annotations

import queue
from contextlib import suppress


class SignalEvent:
    """As ``threading.Event``, for one waiting thread, and safe to set from a signal handler.

    A handler runs amid whatever the main thread does. ``threading.Event`` takes a lock to be set, waited for and cleared:
    a signal that comes just then, or amid the handler of another, waits for a lock that its own thread holds, for ever.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._wakes: queue.SimpleQueue[None] = queue.SimpleQueue()  # its put may be called amid any other of its calls

    def set(self) -> None:
        self._is_set = True
        self._wakes.put(None)

    def is_set(self) -> bool:
        return self._is_set

    def clear(self) -> None:
        self._is_set = False  # first: what is set from here on stays set
        with suppress(queue.Empty):
            while True:
                self._wakes.get_nowait()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is set, for ``seconds`` at most; returns whether it is set. It may wake early after ``clear``."""
        if not self._is_set:
            with suppress(queue.Empty):
                self._wakes.get(timeout=seconds)
        return self._is_set
