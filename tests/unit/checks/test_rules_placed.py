"""New statements go under no lead-in or heading of others that says of them what their source does not."""

from __future__ import annotations

import pytest

from support.changes import change, edited, form_codes
from support.pages import page

SOURCE = """Duties

Each client has these duties:

- The client checks the signature of a file.

When it is offline, a client may leave out some steps below:

- The client reports the time of a file.

A client must ask for the time.

Rejected ideas
--------------

A client could trust the first key.
"""
NOTES = {
    "duty": (5, "The client checks the signature of a file"),
    "step": (9, "The client reports the time of a file"),
    "must": (11, "A client must ask for the time"),
    "key": (16, "A client could trust the first key"),
}
LED = page(
    "client",
    "A client may leave out the steps below when it is offline: [^old-1]\n\n- It asks the mirror. [^old-1]\n\n"
    '[^old-1]: sources/old.txt#L1 "A client may leave out the steps below when it is offline"\n',
)


def said(text: str, *, below: str = "- It asks the mirror. [^old-1]") -> set[str]:
    notes = "\n".join(
        f'[^{name}]: sources/oolong.txt#L{line} "{words}"'
        for name, (line, words) in NOTES.items()
        if f"[^{name}]" in text
    )
    return form_codes(change([LED], [edited(LED, (below, f"{below}{text}"), notes=notes)], source_text=SOURCE))


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("\n- The client checks the signature of a file. [^duty]", True),
        ("\n- The client reports the time of a file. [^step]", False),
        ("\n\nThe client checks the signature of a file. [^duty]", False),
        ("\n\nIt has duties: [^duty]\n\n- The client checks the signature of a file. [^duty]", False),
    ],
)
def test_an_item_goes_into_no_list_that_another_source_leads_in(text: str, is_found: bool) -> None:
    assert ("item_led" in said(text)) == is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("\n\n## Rejected ideas\n\n- A client must ask for the time. [^must]", True),
        ("\n\n## Former rules\n\nA client must ask for the time. [^must]", True),
        ("\n\n## Rejected ideas\n\n- A client could trust the first key. [^key]", False),
        ("\n\n## Time\n\n- A client must ask for the time. [^must]", False),
    ],
)
def test_a_heading_that_sets_aside_has_nothing_below_it_that_stands(text: str, is_found: bool) -> None:
    assert ("heading_misleads" in said(text)) == is_found
