"""A source as the registry of a host pins it, ``knowledge.source/v1``: its bytes do not change any more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.system import digests
from curator.wiki.pages.page import LONGEST_TITLE
from curator.wiki.validation import (
    MOMENT,
    SOURCE_MISMATCH,
    SOURCE_MUTATED,
    SOURCE_NOT_FOUND,
    SOURCE_UNRESOLVED,
    Failure,
    Fields,
    Items,
    KnowledgeError,
    Value,
    matching,
    of_problem,
    one_of,
    text,
)
from curator.wiki.workspace.schema import AUTHORITIES

SCHEMA = "knowledge.source/v1"

Files = Callable[[str], bytes | None]
"""The bytes at a path from the wiki root; None when there are none."""


@dataclass(frozen=True)
class SourceRecord:
    """A source that is pinned: its bytes do not change any more (``knowledge.source/v1``)."""

    id: str
    path: str
    title: str
    captured_at: str
    content_hash: str
    """``sha256:<hex>``."""
    authority: str = "secondary"
    language: str = ""
    superseded_by: str = ""
    tags: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """As written."""


AUTHORITY = one_of(*AUTHORITIES)
LANGUAGE = matching(r"[a-z]{2}(-[A-Z]{2})?", "a language like en or en-GB")
TAG = matching(r"[a-z][a-z0-9-]*", "a-z, 0-9 and -, a letter first")
MOST_TAGS = 20
"""Of those a source gives itself."""
_ID = matching(r"[a-z0-9][a-z0-9-]{1,95}", "2 to 96 characters a-z, 0-9, -")


_OF_TRUST = frozenset(
    "verified trusted official approved reviewed authoritative proven proved confirmed certified".split()
)
"""Tags that would say of a page what nobody but its wiki can."""


def fitting_tags(given: Iterable[str]) -> tuple[str, ...]:
    """What of the tags that a source ``given`` itself the standard has letters for: ``Tea`` is ``tea``, ``a/b`` is none.

    Nor is one that rates what the source says: ``verified``.
    """
    return tuple(dict.fromkeys(tag for tag in map(str.lower, given) if TAG.fits(tag) and tag not in _OF_TRUST))[
        :MOST_TAGS
    ]


_RECORD = Fields(
    {
        "schema": one_of(SCHEMA),
        "id": _ID,
        "path": Value(lambda value: isinstance(value, str) and _is_inside(value), "a path below sources/"),
        "title": text(LONGEST_TITLE),
        "captured_at": MOMENT,
        "captured_by": text(LONGEST_TITLE),
        "content_hash": matching(r"(sha256|sha512|blake3):[A-Fa-f0-9]+", "sha256:<hex>"),
        "authority": AUTHORITY,
        "language": LANGUAGE,
        "superseded_by": _ID,
        "tags": Items(TAG, once=False),
        "metadata": Fields({}),
    },
    required=("schema", "id", "path", "title", "captured_at", "content_hash"),
    others="only the fields of the standard; others under metadata.<vendor>",
)


def define_source(
    record: Mapping[str, Any],
    *,
    files: Files | Mapping[str, bytes] | None = None,
    registered: Collection[SourceRecord] = (),
    authority: str = "secondary",
) -> SourceRecord:
    """The source that ``record`` defines, to be pinned.

    ``files`` gives the bytes at a path from the wiki root; they give ``content_hash`` where the record has none, and must
    be those it names. Of what is ``registered`` neither the bytes nor the place may become others: a correction is a new
    source, and ``superseded_by`` of the old record names it. ``authority`` is the wiki's default. Raises KnowledgeError.
    """
    path = str(record.get("path") or "")
    read = files.get if isinstance(files, Mapping) else files
    data = read(path) if read is not None and _is_inside(path) else None
    fields = dict(record)
    if data is not None and fields.get("content_hash") is None:
        fields["content_hash"] = digests.of(data, "sha256")
    failures = [of_problem(problem, path) for problem in _RECORD.problems(fields, ())]
    if read is not None and data is None and _is_inside(path):
        failures.insert(0, Failure(SOURCE_NOT_FOUND, path, f"path: {path!r}; there is no such file", field="path"))
    if not failures:
        failures = [*_of_bytes(fields, data), *_of_registry(fields, registered)]
    if failures:
        raise KnowledgeError("define_source", str(fields.get("id") or path), failures)
    return SourceRecord(
        id=fields["id"],
        path=path,
        title=str(fields["title"]),
        captured_at=fields["captured_at"],
        content_hash=fields["content_hash"],
        authority=fields.get("authority") or authority,
        language=fields.get("language") or "",
        superseded_by=fields.get("superseded_by") or "",
        tags=tuple(fields.get("tags") or ()),
        fields=fields,
    )


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return parts[0] == "sources" and len(parts) > 1 and all(part not in ("", ".", "..") for part in parts)


def _of_bytes(fields: Mapping[str, Any], data: bytes | None) -> Iterator[Failure]:
    algorithm, _, pinned = fields["content_hash"].partition(":")
    if data is None:
        return
    if not digests.is_there(algorithm):
        message = f"content_hash: {algorithm} cannot be computed here; wanted: sha256:<hex>"
        yield Failure(SOURCE_MISMATCH, fields["path"], message, field="content_hash")
    elif (seen := digests.of(data, algorithm).partition(":")[2]) != pinned.lower():
        message = f"content_hash: {pinned[:12]}…; the bytes give {seen[:12]}…"
        yield Failure(SOURCE_MISMATCH, fields["path"], message, field="content_hash")


def _of_registry(fields: Mapping[str, Any], registered: Collection[SourceRecord]) -> Iterator[Failure]:
    path, pinned = fields["path"], fields["content_hash"].lower()
    for old in registered:
        if path == old.path and pinned != old.content_hash.lower():
            message = (
                f"content_hash: {old.path} is pinned to other bytes; a correction is a new source that supersedes it"
            )
            yield Failure(SOURCE_MUTATED, path, message, field="content_hash")
        elif fields["id"] == old.id and path != old.path:
            message = f"id: {old.id!r} is that of {old.path}; a pinned source is not moved"
            yield Failure(SOURCE_MUTATED, path, message, field="id")
    newer = fields.get("superseded_by")
    if newer is not None and newer not in {old.id for old in registered if old.id != fields["id"]}:
        message = f"superseded_by: {newer!r}; wanted: the id of another source"
        yield Failure(SOURCE_UNRESOLVED, path, message, field="superseded_by")
