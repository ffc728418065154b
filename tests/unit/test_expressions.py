"""No expression of ours takes a time that grows with the square of a text: counted for each on texts made for it.

Each push looks at all of them, but those that are timed at night: four short texts of a kind tell a square from a line,
and longer ones are tried only where a shorter one costs more than a line may. At night ``tests/scripts/expressions.py``
makes more and longer texts, and times them.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator

import pytest

from support.expressions import Expression, expressions
from support.growth import grows

BOUNDED = {
    # What begins it is looked for after a look ahead that only ever fails at once.
    "curator/wiki/relink.py:_INLINE",
    # Repeats with an upper bound, which the count takes for longer the longer the text is.
    "curator/wiki/english/words.py:_MARKUP",
    # Of a file that curator has written itself.
    "curator/service/install/checksum.py:_MARK",
}
LIMITED = ("sandbox/formats/", "curator/wiki/support/")
"""What is found there is timed at night: readers of formats have a limit of processor time, and so has a judgement."""


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing is collected meanwhile: of a million small objects, most are in use until the end, and looking takes 1 s."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_none_grows_with_the_square() -> None:
    known, _ = expressions()
    looked_at = [one for one in known if one.where not in BOUNDED and not one.where.startswith(LIMITED)]

    assert len(looked_at) > 300
    assert {one.where: text for one in looked_at if (text := grows(one))} == {}


@pytest.mark.parametrize(
    ("pattern", "searched", "is_quadratic"),
    [
        (r"\s*x", True, True),
        (r"\s*x", False, False),
        (r"(?<!\s)\s*x", True, False),
        (r"\[\[[^\]]*\]\]", True, True),
        (r"\[\[[^\[\]]*\]\]", True, False),
        (r"a\s*b?\s*c", False, True),
        (r"a\s*+b?\s*c", False, False),
        (r"(?:\w+\s?)*:", False, True),
        (r"<!--.*?-->", True, True),
        (r"/\*(?s:.*?)(?:\*/|\Z)", True, False),
        (r"\bword\b|\w+", True, False),
        (r"x{0,300}y", True, False),
    ],
)
def test_it_is_seen_on_the_tree(pattern: str, searched: bool, is_quadratic: bool) -> None:
    one = Expression("here", pattern, re.compile(pattern).flags, searched)

    assert bool(grows(one)) is is_quadratic
