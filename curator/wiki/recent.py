"""The pages that were read last, as many as fit a number of characters."""

from __future__ import annotations

from collections import OrderedDict

from curator.wiki.pages.page import Page


class PageCache:
    """Gives the same page for the same text, so that what is read from a page is read once.

    What a page turns out to hold (its outline, its head) takes fifteen times the room of its text. So it is the text that
    is counted, not the pages: 256 of them may be a quarter of a megabyte, or sixteen.
    """

    def __init__(self, most: int) -> None:
        """``most``: how many characters the pages may have together."""
        self._most = most
        self._size = 0
        self._pages: OrderedDict[tuple[str, str], Page] = OrderedDict()

    def page(self, path: str, text: str) -> Page:
        page = self._pages.pop((path, text), None)
        if page is None:
            page = Page(path, text)
            self._size += len(text)
        self._pages[path, text] = page
        while self._size > self._most and len(self._pages) > 1:
            _, oldest = self._pages.popitem(last=False)
            self._size -= len(oldest.text)
        return page
