"""A reading list is a text of people's own: what counts in it, and that all else stays."""

from __future__ import annotations

import pytest

from curator.ingest.web.reading_list import Listed, parse, with_addresses

TEXT = """---
source: https://example.org/head
---
# Brewing, see https://example.org/comment

Some words, and https://example.org/in-the-middle
- https://example.org/feed.xml   every morning
* [ ] [On (good) oolong](https://example.org/on_(oolong)) later
- [x] https://example.org/read
1. <https://example.org/first>
https://example.org/bare
- https://example.org/bare
- [title](https://example.org/titled "with a title")
<!-- https://example.org/hidden -->
"""


def test_lines_that_begin_with_an_address_count() -> None:
    found = parse(TEXT)

    assert [(each.address, each.line, each.title) for each in found.addresses] == [
        ("https://example.org/feed.xml", 7, ""),
        ("https://example.org/on_(oolong)", 8, "On (good) oolong"),
        ("https://example.org/first", 10, ""),
        ("https://example.org/bare", 11, ""),
        ("https://example.org/titled", 13, "title"),
    ]
    assert found.doubtful == (2, 6, 14)


def test_what_is_added_stands_at_the_end_and_all_else_stays() -> None:
    new = [
        Listed("https://example.org/bare"),
        Listed("https://example.org/a(b)"),
        Listed("https://n.example/", 0, "N [1]"),
    ]
    text, added = with_addresses(TEXT.rstrip("\n"), new)

    assert text == f"{TEXT}- <https://example.org/a(b)>\n- [N  1](https://n.example/)\n"
    assert added == new[1:]
    assert with_addresses(text, new) == (text, [])
    assert [each.address for each in parse(text).addresses[-2:]] == [each.address for each in added]


@pytest.mark.parametrize("text", ["", "no address", "ftp://example.org/", "# https://example.org/", "https://"])
def test_other_lines_are_comments(text: str) -> None:
    assert parse(text).addresses == ()


def test_a_list_is_bounded() -> None:
    found = parse("\n".join(f"https://example.org/{n}" for n in range(1_010)))

    assert (len(found.addresses), found.too_many) == (1_000, 10)
