"""The port by which packs are read, and the reader of a plain folder of Markdown.

All paths are from the pack's root, with ``/`` between; nothing outside of it is read, wherever links lead.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from curator.packs.discovery.scan import SKIPPED
from curator.repository.catalogue import Catalogue
from curator.wiki.english.stop_words import telling_words
from curator.wiki.pages.page import Page, is_page, is_page_path

MAX_BYTES = 1_000_000
"""A longer file is not read into a context."""
MAX_FILES = 50_000


class PackFiles(Protocol):
    """The files of one pack as they are at one moment."""

    @property
    def version(self) -> str:
        """The commit they are read from; empty for files on disk."""

    @property
    def paths(self) -> Sequence[str]:
        """The files, in order; not those under ``runs/``, which say what was done with the pack."""

    def read(self, path: str) -> str | None:
        """The text of a file; None when it is not there, no UTF-8 or too long."""

    def digest(self) -> str:
        """A hash of all that ``paths`` hold."""

    def is_page(self, path: str) -> bool:
        """True for a page of its wiki: what AIP-10 takes for one, or lies under ``wiki/``."""

    def pages(self, query: str, limit: int) -> Sequence[str]:
        """The paths of the wiki pages that may have to do with ``query``, the likeliest first."""

    def linked(self, path: str) -> Sequence[str]:
        """The wiki pages that the one at ``path`` links to."""

    def superseding(self, path: str) -> Sequence[str]:
        """The wiki pages that supersede the one at ``path``."""

    def close(self) -> None:
        """Nothing is read any more."""


def text_of(data: bytes | None, most: int = MAX_BYTES) -> str | None:
    """The text of a file's bytes; None for what is not UTF-8 text, or longer than ``most``."""
    if data is None or len(data) > most:
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def is_below_wiki(path: str) -> bool:
    """True for Markdown under ``wiki/``, where a pack's pages are that is no AIP-10 wiki."""
    return path.startswith("wiki/") and path.endswith(".md")


class FolderFiles:
    """A pack as its files lie on disk."""

    version = ""

    def __init__(self, root: str, *, is_wiki: bool = False) -> None:
        """``is_wiki``: an AIP-10 wiki, whose pages are where that standard has them; else they are under ``wiki/``."""
        self._root = os.path.realpath(root)
        self._is_wiki = is_wiki

    @cached_property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted(self._below("")))

    def read(self, path: str) -> str | None:
        return text_of(self._bytes(path))

    def whole(self, path: str, most: int) -> str | None:
        """The text of a file that may be longer than what is read into a context, also of one under ``runs/``."""
        return text_of(self._bytes(path, most), most)

    def has(self, path: str) -> bool:
        """True for a file inside the pack."""
        place = os.path.realpath(f"{self._root}/{path}")
        return os.path.commonpath([place, self._root]) == self._root and Path(place).is_file()

    def digest(self) -> str:
        """Of paths and bytes; of a file that is too long to be read, of its size and time."""
        whole = hashlib.sha256()
        for path in self.paths:
            data = self._bytes(path)
            content = hashlib.sha256(data).hexdigest() if data is not None else self._stamp(path)
            whole.update(f"{path}\0{content}\n".encode("utf-8", "surrogatepass"))
        return whole.hexdigest()

    def is_page(self, path: str) -> bool:
        return path in self._page_set

    def pages(self, query: str, limit: int) -> Sequence[str]:
        """All of them, as the resolver ranks what it reads; of very many, the best by full text."""
        if len(self._pages) <= limit:
            return self._pages
        found = self._full_text.any_of(" ".join(telling_words(query)), limit)
        entries = (self._full_text.by_slug(slug) for slug, _ in found)
        return tuple(entry.path for entry in entries if entry is not None)

    @cached_property
    def _pages(self) -> tuple[str, ...]:
        return tuple(path for path in self.paths if is_below_wiki(path) or (self._is_wiki and self._is_entry(path)))

    def _is_entry(self, path: str) -> bool:
        return is_page_path(path) and is_page(path, self.read(path) or "")

    @cached_property
    def _page_set(self) -> frozenset[str]:
        return frozenset(self._pages)

    @cached_property
    def _full_text(self) -> Catalogue:
        texts = ((path, self.read(path)) for path in self._pages)
        return Catalogue.of_pages(Page(path, text) for path, text in texts if text is not None)

    def linked(self, path: str) -> Sequence[str]:
        text = self.read(path)
        targets = [target for target, _ in Page(path, text).links] if text is not None else []
        by_stem = {PurePosixPath(each).stem: each for each in self._pages}
        found = (target if target in self.paths else by_stem.get(target.casefold()) for target in targets)
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def superseding(self, path: str) -> Sequence[str]:
        return self._superseding.get(PurePosixPath(path).stem, ()) if self.is_page(path) else ()

    @cached_property
    def _superseding(self) -> dict[str, list[str]]:
        """By the slug that is superseded."""
        found: dict[str, list[str]] = {}
        for path in self._pages:
            page = Page(path, self.read(path) or "")
            for slug in page.supersedes if page.is_readable else ():
                found.setdefault(slug, []).append(path)
        return found

    def close(self) -> None:
        """Nothing is open."""

    def _bytes(self, path: str, most: int = MAX_BYTES) -> bytes | None:
        """The bytes of a plain file inside the pack, at most one more than may be read; None for anything else."""
        place = os.path.realpath(f"{self._root}/{path}")
        if os.path.commonpath([place, self._root]) != self._root:
            return None
        try:
            descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                return file.read(most + 1)
        except OSError:
            return None

    def _is_inside(self, entry: os.DirEntry[str]) -> bool:
        """False for a link that leads out of the pack."""
        return not entry.is_symlink() or os.path.commonpath([os.path.realpath(entry.path), self._root]) == self._root

    def _stamp(self, path: str) -> str:
        try:
            found = Path(self._root, path).lstat()
        except OSError:
            return "gone"
        return f"{found.st_size} {found.st_mtime_ns}"

    def _below(self, folder: str) -> Iterator[str]:
        """Plain files below ``folder``; folders that are links are not entered, so there is no ring."""
        left = [folder]
        count = 0
        while left:
            here = left.pop()
            try:
                entries = sorted(os.scandir(f"{self._root}/{here}"), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries:
                path = f"{here}/{entry.name}" if here else entry.name
                if entry.is_dir(follow_symlinks=False):
                    is_ours = path != "runs" and not entry.name.startswith(".")
                    if is_ours and (entry.name == "indexes" or entry.name not in SKIPPED):
                        left.append(path)
                elif entry.is_file() and not entry.name.startswith(".") and self._is_inside(entry):
                    count += 1
                    if count > MAX_FILES:
                        return
                    yield path
