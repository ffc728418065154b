"""A wiki that is in no repository: judged as its files lie in their folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from curator.checks.conformance.cache import ValidationCache
from curator.checks.conformance.page_sheet import PageSheet
from curator.checks.conformance.wiki_under_test import WikiUnderTest, is_seen, is_view_path
from curator.finding import Finding
from curator.repository.manifest_files import ManifestFiles, is_there
from curator.wiki.workspace.effective import Host


def wiki_in_folder(root: Path, others: ManifestFiles, cache: ValidationCache) -> WikiUnderTest:
    """The maintenance pass reads commits, so it is not run, and that is told."""
    files = frozenset(_files_below(root))

    def read(path: str) -> str | None:
        return decoded(_bytes(root / path)) if path in files else None

    def sheets(paths: Sequence[str], types: Sequence[str]) -> Iterator[PageSheet]:
        pages = [(path, "") for path in paths]
        return cache.sheets("", pages, lambda some: (PageSheet.of(path, read(path), types) for path in some))

    return WikiUnderTest(
        root=str(root),
        files=files,
        read=read,
        sheets_of=sheets,
        digest=lambda path, algorithm: cache.digest(root / path, algorithm) if path in files else None,
        read_at=others.read,
        host=Host(is_there),
        views=tuple(f"{root}/{path}" for path in files if is_view_path(path)),
        pages_of=others.pages,
        lints=lambda: [
            Finding("lints_not_run", ".", "it is in no git repository, so no lints were run", severity="warn")
        ],
    )


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
