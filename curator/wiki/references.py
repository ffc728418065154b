"""What a page names and what has to be there: sources, in its head and its footnotes; pages, in its head and its body."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from curator.wiki.pages import frontmatter
from curator.wiki.pages.link_targets import leads_to_source
from curator.wiki.pages.page import Page, named_in_head
from curator.wiki.validation import LINK_BROKEN, LINK_TO_SOURCE, SOURCE_UNRESOLVED, Failure, field_name

Form = Literal["source", "cited", "relation", "link", "inline"]
_TO_SOURCES = frozenset({"source", "cited"})
_TO_PAGES = frozenset({"relation", "link"})


@dataclass(frozen=True)
class Reference:
    """One thing that a page names."""

    form: Form
    """A source of its head, one that a footnote cites; a page of its head, one that its body links to; or a source that its
    body links to, which is wrong whether it is there or not: a page cites."""
    target: str
    line: int | None
    where: str = ""
    """The field, as in ``sources[0]``, or the footnote's label."""

    def failure(self, path: str) -> Failure:
        """That what the page at ``path`` names is not there."""
        match self.form:
            case "source":
                message = f"{self.where}: {self.target!r}; wanted: a source that is there"
                return Failure(SOURCE_UNRESOLVED, path, message, self.line, field=self.where)
            case "cited":
                message = f"[^{self.where}] cites {self.target}, which is not there"
                return Failure(SOURCE_UNRESOLVED, path, message, self.line)
            case "relation":
                message = f"{self.where}: {self.target!r}; wanted: a page that is there"
                return Failure(LINK_BROKEN, path, message, self.line, field=self.where)
            case "link":
                return broken_link(path, self.target, self.line)
            case "inline":
                message = f"links to {self.target}, which is a source; cite it in a footnote"
                return Failure(LINK_TO_SOURCE, path, message, self.line)


def broken_link(path: str, target: str, line: int | None) -> Failure:
    """That a link on the page at ``path`` leads nowhere."""
    return Failure(LINK_BROKEN, path, f"links to a missing page: {target}", line)


def is_among_files(target: str, names: AbstractSet[str]) -> bool:
    """True for a link to one of the files with these names, which are no pages: a picture, README.md."""
    name = PurePosixPath(target).name
    return bool(name) and not names.isdisjoint((name, f"{name}.md"))


def resolves(form: Form, target: str, is_source: Callable[[str], bool], is_page: Callable[[str], bool]) -> bool:
    """True when what is named is there, and may be named so."""
    return is_source(target) if form in _TO_SOURCES else form in _TO_PAGES and is_page(target)


def references(page: Page) -> Iterator[Reference]:
    """All of a page, sources before pages. ``refs`` name things elsewhere."""
    yield from _in_head("source", "sources", page.sources, page)
    for block in page.outline.blocks:
        cited = page.citations.get(block.info) if block.kind == "note" else None
        if cited is not None:
            yield Reference("cited", cited.path, page.line_of(block.line), block.info)
    for name in ("supersedes", "contradicts", "links"):
        values = page.fields.get(name, [])
        names = [named_in_head(value) or str(value) for value in (values if isinstance(values, list) else [values])]
        yield from _in_head("relation", name, names, page)
    leading = [link for link in page.outline.links if leads_to_source(page, link)]
    for target, link in page.links:
        if link not in leading:
            yield Reference("link", target, page.line_of(link.line))
    for link in leading:
        if "://" not in link.target and link.form != "image":
            yield Reference("inline", link.target, page.line_of(link.line))


def _in_head(form: Form, name: str, values: Sequence[object], page: Page) -> Iterator[Reference]:
    line = line_of_field(page.text, name) if values else None
    for index, value in enumerate(values):
        yield Reference(form, str(value), line, field_name((name, index)))


def lines_of_links(page: Page) -> Iterator[tuple[str, int]]:
    """What each link to another page names, with its line in the file: those of the head, then those of the body."""
    head = frontmatter.split(page.text)[0].split("\n")
    field = line_of_field(page.text, "links") or 1
    for target in page.head_links:
        whole = re.compile(rf"(?<![\w-]){re.escape(target)}(?![\w-])")
        lines = (number for number, line in enumerate(head, 1) if number >= field and whole.search(line))
        yield target, next(lines, field)
    for target, link in page.links:
        yield target, page.line_of(link.line)


def line_of_field(written: str, name: str) -> int | None:
    """The line of a top-level field of a head."""
    head, _ = frontmatter.split(written)
    match = re.search(rf"^{re.escape(name)}[ \t]*:", head, re.MULTILINE)
    return head.count("\n", 0, match.start()) + 1 if match else None
