"""A wiki that is in no repository: judged as its files lie in their folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from curator.checks.conformance.pages import unresolved_on
from curator.checks.conformance.wiki_under_test import WikiUnderTest, is_seen, is_view_path
from curator.checks.lint.facts.collect import entry_failures
from curator.finding import Finding
from curator.repository.catalogue import Catalogue
from curator.repository.catalogue.rows import is_shown
from curator.repository.manifest_files import ManifestFiles, is_there
from curator.system import digests
from curator.wiki.pages.page import Page, is_page, is_page_path
from curator.wiki.references import is_among_files
from curator.wiki.taken_names import slug_taken
from curator.wiki.validation import Failure
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.effective import Host


def wiki_in_folder(root: Path, others: ManifestFiles) -> WikiUnderTest:
    """The maintenance pass reads commits, so it is not run, and that is told."""
    pages = PagesInFolder(root, frozenset(_files_below(root)))
    return WikiUnderTest(
        root=str(root),
        files=pages.files,
        read=pages.read,
        entry_failures=pages.entry_failures,
        reference_failures=pages.reference_failures,
        digest=cache(pages.digest),
        read_at=others.read,
        host=Host(is_there),
        views=tuple(f"{root}/{path}" for path in pages.files if is_view_path(path)),
        pages_of=others.pages,
        lints=lambda: [
            Finding("lints_not_run", ".", "it is in no git repository, so no lints were run", severity="warn")
        ],
    )


@dataclass(frozen=True)
class PagesInFolder:
    """The files of a wiki that lie in the folder ``root``, by their paths from there."""

    root: Path
    files: frozenset[str]

    def read(self, path: str) -> str | None:
        """The text of a file; None where it is no UTF-8."""
        return decoded(_bytes(self.root / path)) if path in self.files else None

    def digest(self, path: str, algorithm: str) -> str | None:
        file = self.root / path
        found = digests.digest_of(file, algorithm) if path in self.files else None
        return None if found is None else found.partition(":")[2]

    def entry_failures(self, types: Sequence[str]) -> Iterator[Failure]:
        slugs: dict[str, str] = {}
        for path in self._paths:
            yield from entry_failures(path, _bytes(self.root / path) or b"", types)
            slug = page.slug if (page := self._page(path)) is not None else ""
            if slug and (first := slugs.setdefault(slug, path)) != path:
                yield slug_taken(path, slug, first)

    def reference_failures(self, is_source: Callable[[str], bool]) -> Iterator[Failure]:
        """Links resolve as everywhere: by a catalogue of the pages, here one in memory."""
        shown = (page for path in self._paths if is_shown(path) and (page := self._page(path)) is not None)
        wiki = Wiki(Catalogue.of_pages(shown))
        names = {PurePosixPath(path).name for path in self.files - {*self._paths}}

        @cache
        def leads_to_page(target: str) -> bool:
            return target in self.files or wiki.resolve(target) is not None or is_among_files(target, names)

        for page in filter(None, map(self._page, self._paths)):
            yield from unresolved_on(page, is_source, leads_to_page)

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(path for path in self.files if is_page(path, self._written(path)))

    def _written(self, path: str) -> str:
        return (_bytes(self.root / path) or b"").decode("utf-8", "replace") if is_page_path(path) else ""

    def _page(self, path: str) -> Page | None:
        """None where its head cannot be read, or its bytes are no text."""
        text = self.read(path)
        page = Page(path, text) if text is not None else None
        return page if page is not None and page.is_readable else None


def _files_below(root: Path) -> Iterator[str]:
    for at, folders, names in os.walk(root):
        folders[:] = filter(is_seen, folders)
        for name in filter(is_seen, names):
            file = Path(at, name)
            if file.is_file() and not file.is_symlink():
                yield file.relative_to(root).as_posix()


def _bytes(file: Path) -> bytes | None:
    """What a plain file holds; None where there is none, or none that can be read."""
    try:
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    except OSError:
        return None


def decoded(data: bytes | None) -> str | None:
    """None for what is no UTF-8."""
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None
