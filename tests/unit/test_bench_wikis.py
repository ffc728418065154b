"""The generated wikis of ``make bench``: what is told of a page without reading it is what reading it gives."""

from __future__ import annotations

from dataclasses import replace

from bench import wikis
from curator.wiki import index
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry


def test_entries_of_generated_pages_are_those_of_their_texts() -> None:
    for text, entry in wikis.pages(50, 15):
        read = PageEntry.of(Page(entry.path, text))

        assert replace(entry, links=read.links, sources=read.sources) == read
        assert index.line(entry) == index.line(read)


def test_generated_pages_are_written_as_curator_writes_them() -> None:
    for text, entry in wikis.pages(20, 6):
        page = Page(entry.path, text)

        assert frontmatter.compose(page.fields, page.body) == text
