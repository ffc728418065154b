"""The rows of a page: how it is put into the tables and taken out again."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from typing import Any

from curator.errors import FrontmatterError
from curator.repository.catalogue import term_counts
from curator.repository.catalogue.full_text import searchable
from curator.repository.git import Blob, Git
from curator.wiki import index
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import SEED_DIALECT, Page, is_page, is_page_path
from curator.wiki.wiki import PageEntry

_Named = tuple[str, str]
"""A page's path from the wiki root, and its blob."""


@dataclass(frozen=True)
class Delta:
    """One page's text before and after; None where there is none."""

    path: str
    before: str | None
    after: str | None
    blob: str = ""
    """The id of the text after, where it is in git."""


@dataclass(frozen=True)
class OtherFile:
    """A file that could be a page by its path, and by what it says is none."""

    path: str


@dataclass(frozen=True)
class PageRow:
    """One page as the tables have it."""

    page: tuple[str, ...]
    """Path, slug, kind, entity type, dialect, title, entry, line of the index, blob."""
    names: tuple[str, ...]
    links: tuple[str, ...]
    cited: tuple[str, ...]
    """The sources that its footnotes cite."""
    supersedes: tuple[str, ...]
    words: tuple[str, str]
    """Of its names, and of its body."""

    @classmethod
    def of(cls, path: str, text: str, blob: str) -> PageRow:
        page, entry = _described(path, text)
        kept = json.dumps(_values(entry), ensure_ascii=False, separators=(",", ":"))
        about = (entry.slug, entry.kind, entry.type, _dialect(page), entry.title, kept, index.line(entry))
        names = {name_key(name) for name in entry.names} - {""}
        # Looked up by paths as they are, by names however they are spelt.
        links = tuple(target if target.endswith(".md") else name_key(target) for target in entry.links)
        cited = tuple(sorted({citation.path for citation in page.citations.values()}))
        return cls((path, *about, blob), tuple(sorted(names)), links, cited, entry.supersedes, _texts(page, entry))


def row_of(path: str, text: str, blob: str) -> PageRow | OtherFile:
    """Of a file that may be a page."""
    return PageRow.of(path, text, blob) if is_page(path, text) else OtherFile(path)


def change(db: sqlite3.Connection, delta: Delta) -> None:
    """Change the rows of one page to what it is after ``delta``."""
    if delta.before is not None:
        _take_out(db, delta.path, delta.before)
    if delta.after is not None:
        row = row_of(delta.path, delta.after, delta.blob)
        put(db, row)
        if isinstance(row, PageRow):
            term_counts.follow(db, row.words, 1)


_OF_PAGE = ("name", "link", "cited", "superseded")
"""The tables with rows of a page beside its own."""


def forget_all(db: sqlite3.Connection) -> None:
    """Take all pages out."""
    for table in ("page", *_OF_PAGE, "other", "frequent"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608 (literal names)
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")


def put(db: sqlite3.Connection, row: PageRow | OtherFile) -> None:
    """Put a page in that is not in yet."""
    if isinstance(row, OtherFile):
        db.execute("INSERT OR REPLACE INTO other VALUES (?)", (row.path,))
        return
    columns = "path, slug, kind, type, dialect, title, entry, line, blob"
    holes = ", ".join("?" * len(row.page))
    number = db.execute(f"INSERT INTO page ({columns}) VALUES ({holes})", row.page).lastrowid  # noqa: S608
    db.executemany("INSERT INTO name VALUES (?, ?)", [(name, number) for name in row.names])
    db.executemany("INSERT INTO link VALUES (?, ?)", [(link, number) for link in row.links])
    db.executemany("INSERT INTO cited VALUES (?, ?)", [(source, number) for source in row.cited])
    db.executemany("INSERT INTO superseded VALUES (?, ?)", [(slug, number) for slug in row.supersedes])
    db.execute("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", (number, *row.words))


def _take_out(db: sqlite3.Connection, path: str, text: str) -> None:
    row = db.execute("SELECT id FROM page WHERE path=?", (path,)).fetchone()
    if row is None:
        db.execute("DELETE FROM other WHERE path=?", (path,))
        return
    page, entry = _described(path, text)
    command = "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)"
    texts = _texts(page, entry)
    db.execute(command, (row[0], *texts))
    term_counts.follow(db, texts, -1)
    for table in _OF_PAGE:
        db.execute(f"DELETE FROM {table} WHERE page=?", row)  # noqa: S608 (literal names)
    db.execute("DELETE FROM page WHERE id=?", row)


def _described(path: str, text: str) -> tuple[Page, PageEntry]:
    """The page and its entry; a page whose head cannot be read is known by its file name."""
    page = Page(path, text)
    try:
        return page, PageEntry.of(page)
    except FrontmatterError:
        stem = path.rpartition("/")[2].removesuffix(".md")
        return page, PageEntry(slug=stem, path=path, title=stem, kind="page")


def _dialect(page: Page) -> str:
    try:
        return page.dialect
    except FrontmatterError:
        return SEED_DIALECT


def _texts(page: Page, entry: PageEntry) -> tuple[str, str]:
    return searchable(" ".join(entry.names)), searchable(page.body)


_values = attrgetter(*(field.name for field in fields(PageEntry)))
"""An entry's fields in their order; ``astuple`` copies them, which takes seventy times as long."""
UPDATED = f"$[{[field.name for field in fields(PageEntry)].index('updated_at')}]"
"""Where the column ``entry`` has the time, as a path of SQLite's."""


def loaded(row: str) -> PageEntry:
    """An entry from the column ``entry`` of its page."""
    values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(row)]
    return PageEntry(*values)


# -- the first look at a wiki: every page of a commit is read, by several processes --------------------------------------


def is_shown(path: str) -> bool:
    """True for a page that the catalogue takes in: one whose name is UTF-8 (``curate validate`` tells of others)."""
    return is_page_path(path) and is_text(path)


def is_text(path: str) -> bool:
    """True for a path that is UTF-8: one that is not has halves of characters for its bytes."""
    return path.isascii() or not _HALF.search(path)


_HALF = re.compile(r"[\ud800-\udfff]")


def rows_of_tree(git: Git, tree: Iterable[Blob], prefix: str) -> Generator[PageRow | OtherFile]:
    """The pages of a tree, as the catalogue has them; ``prefix`` is the wiki's place in it. Raises GitError."""
    from curator.system.parallel import spread  # a look at all pages is seldom

    paths = ((blob.path.removeprefix(prefix), blob) for blob in tree)
    pages = [(path, blob.oid) for path, blob in paths if blob.is_plain and is_shown(path)]
    return spread(pages, partial(_read, git, _refuse), partial(_read, git, git.blob))


def _read(git: Git, ask: Callable[[str], bytes | None], pages: Sequence[_Named]) -> Iterator[PageRow | OtherFile]:
    """``ask`` gets a blob that is not to be had with the others."""
    for (path, oid), found in zip(pages, git.contents([oid for _, oid in pages]), strict=True):
        data = ask(oid) if found is None else found
        if data is not None:
            yield row_of(path, data.decode("utf-8", "replace"), oid)


def _refuse(oid: str) -> bytes | None:
    """A fork does not ask for blobs one by one, for the pipe to that git is not its own: its part is done elsewhere."""
    raise LookupError(oid)
