"""The first look at a wiki: every page of a commit is read for the catalogue, by several processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial

from curator.repository.catalogue import PageRow
from curator.repository.git import Blob, Git
from curator.system.parallel import spread
from curator.wiki.pages.page import is_page_path

_Named = tuple[str, str]
"""A page's path from the wiki root, and its blob."""


def is_shown(path: str) -> bool:
    """True for a page. A name that is no UTF-8 can be neither kept nor linked to; ``curate validate`` tells of it."""
    return is_page_path(path) and not any(0xD800 <= ord(c) <= 0xDFFF for c in path)


def rows(git: Git, tree: Iterable[Blob], prefix: str) -> Generator[PageRow]:
    """The pages of a tree, as the catalogue has them; ``prefix`` is the wiki's place in it. Raises GitError."""
    paths = ((blob.path.removeprefix(prefix), blob) for blob in tree)
    pages = [(path, blob.oid) for path, blob in paths if blob.is_plain and is_shown(path)]
    return spread(pages, partial(_read, git, _refuse), partial(_read, git, git.blob))


def _read(git: Git, ask: Callable[[str], bytes | None], pages: Sequence[_Named]) -> Iterator[PageRow]:
    """``ask`` gets a blob that is not to be had with the others."""
    for (path, oid), found in zip(pages, git.contents([oid for _, oid in pages]), strict=True):
        data = ask(oid) if found is None else found
        if data is not None:
            yield PageRow.of(path, data.decode("utf-8", "replace"), oid)


def _refuse(oid: str) -> bytes | None:
    """A fork does not ask for blobs one by one, for the pipe to that git is not its own: its part is done elsewhere."""
    raise LookupError(oid)
