"""The ``_index.md`` of a commit, derived from that of an earlier commit instead of from all pages.

Making it reads a line of every page, and puts all of them in order. What others commit is few pages: their lines are
changed in the text that was made of the pages before.
"""

from __future__ import annotations

from collections.abc import Iterable

from curator.repository.catalogue import Catalogue, Delta, PageRow
from curator.repository.catalogue.rows import row_of
from curator.wiki import index
from curator.wiki.index import Line


def followed(text: bytes, deltas: Iterable[Delta], catalogue: Catalogue) -> bytes | None:
    """The index of the pages of ``catalogue``, from ``text``, that of them before ``deltas``.

    None where it has to be made anew: see ``index.with_lines``.
    """
    paths: set[str] = set()
    old: set[Line] = set()
    new: set[Line] = set()
    for delta in deltas:
        paths.add(delta.path)
        old |= _lines(delta.path, delta.before)
        new |= _lines(delta.path, delta.after)
    # A page that has not changed may share a slug with one that has, and then perhaps the line that goes.
    near = catalogue.lines_near((), {slug for _, slug, _ in old ^ new})
    if not all(path in paths for path, *_ in near):
        return None
    edited = index.with_lines(text, old, new)
    return None if edited is None else bytes(edited)


def _lines(path: str, text: str | None) -> set[Line]:
    row = None if text is None else row_of(path, text, "")
    if not isinstance(row, PageRow):
        return set()
    _, slug, kind, *_, line, _ = row.page
    return {index.placed(kind, slug, line)}
