"""What a page says already is not said on it again, in slightly other words either."""

from __future__ import annotations

import pytest

from curator.ingest.drafting.claims.said import is_said
from support.pages import page

TORN = page(
    "torn-page",
    "- A partial page write occurs when only part of a page reaches the disk before the power fails. [^a-1]\n"
    "- The older engine replaced the newer log of the store in 2029. [^a-2]\n",
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- A partial-page write occurs when only a part of the page reaches the disk before the power fails.", True),
        ("A partial page write occurs when only part of a page reaches the disk.", True),
        ("A partial page write occurs when no part of a page reaches the disk.", False),
        ("A partial page write occurs when only part of a page reaches the tape before the power fails.", False),
        ("The newer log of the store replaced the older engine in 2029.", False),
        ("A page fails.", False),
    ],
)
def test_a_statement_that_adds_nothing_is_said_already(text: str, told: bool) -> None:
    assert is_said(text, TORN) is told
