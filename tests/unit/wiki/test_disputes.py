"""Statements of one page that contradict each other: what stands when one of them goes."""

from __future__ import annotations

import pytest

from curator.wiki import disputes
from curator.wiki.pages import editing
from curator.wiki.pages.page import Page

OPEN = "Sources disagree; another says:"


@pytest.mark.parametrize(
    ("body", "freed"),
    [
        (f"20 kg.\n\n{OPEN} 15 kg.\n\n{OPEN} 12 kg.\n", ["15 kg."]),
        (f"20 kg.\n\n{OPEN} 15 kg.\n\nEarlier: 12 kg.\n", ["15 kg."]),
        ("20 kg.\n\nEarlier: 15 kg.\n\nEarlier: 12 kg.\n", ["15 kg."]),
        ("20 kg.\n\n15 kg.\n", []),
    ],
)
def test_one_statement_takes_the_place_of_one_that_goes(body: str, freed: list[str]) -> None:
    page = Page("concepts/hive.md", f"---\nslug: hive\n---\n# Hive\n\n{body}")
    (first,) = [block for block in page.outline.blocks if block.text.startswith("20 kg")]

    found = [editing.without_lead(page.body[each.start : each.end]).strip() for each in disputes.freed(page, [first])]

    assert found == freed
