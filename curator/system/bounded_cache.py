"""A cache that is bounded by the size of what it keeps: the values that were used last, as many as there is room for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class BoundedCache(Generic[_Key, _Value]):
    """The values that were used last, by key; a value larger than the cache is kept alone. Threads may share it."""

    def __init__(self, most: int, size: Callable[[_Value], int]) -> None:
        """``most``: what the values may have together; ``size`` of one, which never changes."""
        self._most, self._size = most, size
        self._held = 0
        self._values: OrderedDict[_Key, _Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: _Key) -> _Value | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def get_or_make(self, key: _Key, make: Callable[[], _Value]) -> _Value:
        """The value of ``key``; what ``make`` gives where there is none."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            value = make()
            try:
                self._put(key, value)
            except BaseException:
                self._values.clear()  # broken off in between, its size would be wrong from now on
                self._held = 0
                raise
            return value

    def _put(self, key: _Key, value: _Value) -> None:
        self._values[key] = value
        self._held += self._size(value)
        while self._held > self._most and len(self._values) > 1:
            _, oldest = self._values.popitem(last=False)
            self._held -= self._size(oldest)
