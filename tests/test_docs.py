"""The reference pages say what the code does."""

from __future__ import annotations

import pytest

from scripts import docs


@pytest.mark.parametrize("name", docs.PAGES)
def test_a_reference_page_is_up_to_date(name: str) -> None:
    assert (docs.DOCS / name).read_text("utf-8") == docs.PAGES[name](), "run: python tests/scripts/docs.py"
