"""Pages that were read last are the same pages again, as long as they are small enough to keep."""

from __future__ import annotations

from weakref import WeakSet

from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageCache


def test_the_same_text_at_the_same_place_is_the_same_page() -> None:
    recent = PageCache(most=100)

    page = recent.page("tea.md", "Tea.")

    assert recent.page("tea.md", "Tea.") is page
    assert recent.page("chai.md", "Tea.") is not page
    assert recent.page("tea.md", "Chai.") is not page


def test_a_page_that_is_asked_for_again_stays_and_the_others_go() -> None:
    recent = PageCache(most=100)
    wanted, other = recent.page("wanted.md", "x"), recent.page("other.md", "x")
    assert recent.page("wanted.md", "x") is wanted

    recent.page("large.md", "x" * 99)

    assert recent.page("wanted.md", "x") is wanted
    assert recent.page("other.md", "x") is not other


def test_pages_are_counted_by_the_room_that_their_texts_take() -> None:
    recent, alive = PageCache(most=100), WeakSet[Page]()

    for number in range(50):
        alive.add(recent.page(f"{number}.md", f"{number:<10}"))

    assert len(alive) == 10


def test_one_page_is_kept_however_large_it_is() -> None:
    recent = PageCache(most=100)
    recent.page("small.md", "x")

    large = recent.page("large.md", "x" * 500)

    assert recent.page("large.md", "x" * 500) is large
