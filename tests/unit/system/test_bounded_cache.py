"""Values that were used last are the same values again, as long as there is room for them."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakSet

from curator.system import bounded_cache
from curator.system.bounded_cache import BoundedCache
from support.interruptions import at_each_line


class Text:
    """A value that can be told from an equal one."""

    def __init__(self, length: int) -> None:
        self.length = length


def cache(most: int = 100) -> BoundedCache[str, Text]:
    return BoundedCache(most, lambda text: text.length)


def of(length: int) -> Callable[[], Text]:
    return lambda: Text(length)


def test_the_same_key_gives_the_same_value() -> None:
    recent = cache()

    tea = recent.get_or_make("tea", of(4))

    assert recent.get_or_make("tea", of(4)) is tea
    assert recent.get("tea") is tea
    assert recent.get_or_make("chai", of(4)) is not tea
    assert recent.get("cup") is None


def test_a_value_that_is_asked_for_again_stays_and_the_others_go() -> None:
    recent = cache()
    wanted, other, asked = (recent.get_or_make(name, of(1)) for name in ("wanted", "other", "asked"))
    assert recent.get_or_make("wanted", of(1)) is wanted
    assert recent.get("asked") is asked

    recent.get_or_make("large", of(98))

    assert (recent.get("wanted"), recent.get("asked")) == (wanted, asked)
    assert recent.get_or_make("other", of(1)) is not other


def test_values_are_counted_by_their_size() -> None:
    recent, alive = cache(), WeakSet[Text]()

    for number in range(50):
        alive.add(recent.get_or_make(str(number), of(10)))

    assert len(alive) == 10


def test_one_value_is_kept_however_large_it_is() -> None:
    recent = cache()
    recent.get_or_make("small", of(1))

    large = recent.get_or_make("large", of(500))

    assert recent.get("large") is large


def test_there_is_as_much_room_as_before_wherever_it_is_interrupted() -> None:
    recent, number = cache(), 0

    def put() -> None:
        nonlocal number
        number += 1
        recent.get_or_make(f"broken off {number}", of(60))

    def look() -> None:
        alive = WeakSet(recent.get_or_make(f"{number} {each}", of(10)) for each in range(20))
        assert len(alive) == 10

    look()
    assert at_each_line((bounded_cache,), put, look) > 5
