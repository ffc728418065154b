"""What a host defines: a workspace or view, an entry, a source; each checked, or refused with everything that is wrong.

The three functions are those of AIP-10's host (``define_knowledge_workspace``, ``define_entry``, ``define_source``). They
are pure: what they are to be held against (other manifests, the registry, the pages that are there) is given to them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

import yaml

from curator import frontmatter
from curator.errors import WikiError
from curator.finding import Finding
from curator.knowledge import effective, refs
from curator.knowledge.effective import Effective, Host, Refusal
from curator.knowledge.shape import Fields, Items, Problem, Shape, Value, field_name, matching, one_of, text
from curator.page import ENTRY_DIALECT, FOLDERS, KINDS, SEED_DIALECT, Page, source_reference
from curator.rules.links import leads_to_source
from curator.slug import is_slug

SCHEMA_MISSING = "schema_missing"
ENTRY_INVALID = "entry_invalid"
LINK_BROKEN = "link_broken"
LINK_TO_SOURCE = "link_inline_to_source"
SOURCE_NOT_FOUND = "source_not_found"
SOURCE_MISMATCH = "source_hash_mismatch"
SOURCE_MUTATED = "source_mutation_refused"
SOURCE_UNRESOLVED = "source_unresolved"
SOURCE_SCHEMA = "knowledge.source/v1"

Files = Callable[[str], bytes | None]
"""The bytes at a path from the wiki root; None when there are none."""


@dataclass(frozen=True)
class Failure(Finding):
    """A finding that also names the field it is about, such as ``lints[2].severity``."""

    field: str = ""
    step: str = ""
    """The part of the handshake that found it."""


class KnowledgeError(WikiError):
    """What was to be defined is not as the standard wants it. ``code`` is that of the first of its ``findings``."""

    def __init__(self, command: str, name: str, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        self.command = command
        self.name = name
        super().__init__(self.findings[0].code, "\n".join(map(str, self.findings)), self.findings[0].hint)

    @property
    def envelope(self) -> dict[str, Any]:
        """The error as an object for JSON."""
        return envelope(self.command, self.name, self.findings)


def envelope(command: str, name: str, findings: Iterable[Finding]) -> dict[str, Any]:
    """The object that maintenance commands answer with; ``pack`` is the name of what was looked at."""
    listed = list(findings)
    ok = not any(finding.severity == "error" for finding in listed)
    return {
        "ok": ok,
        "status": "valid" if ok else "invalid",
        "command": command,
        "pack": name,
        "findings": [finding.as_json() for finding in listed],
    }


# -- a workspace ---------------------------------------------------------------------------------------------------


def define_knowledge_workspace(
    manifest: str | Mapping[str, Any],
    path: str = "/KNOWLEDGE.md",
    *,
    read: Callable[[str], str | None] = lambda path: None,
    consumers: Collection[str] = (),
    dimensions: Collection[str] = (),
) -> Effective:
    """The workspace or view that a KNOWLEDGE.md (its text, or its fields) defines, merged with all it extends.

    ``read`` gives the text at an absolute path, for parents and policies. ``consumers`` are the ``appliesTo`` refs that
    exist: ``ws://operators/research``, or a folder's absolute path. A broken chain is told in ``notices`` and stops
    nothing (AIP-10, Composition semantics). Raises KnowledgeError.
    """
    name = "define_knowledge_workspace"
    written = manifest if isinstance(manifest, str) else _composed(name, path, manifest)
    host = Host(lambda ref, at: _written(ref) in consumers, frozenset(dimensions))
    found = effective.compose(written, path, read, host)
    if isinstance(found, Refusal):
        raise KnowledgeError(name, path, map(of_manifest, found.findings))
    return found


def of_manifest(finding: Finding) -> Failure:
    """A finding on a manifest, which begins with the field, as a failure."""
    where = re.match(r"([a-zA-Z][\w.\[\]-]*): ", finding.message)
    name = where[1] if where else ""
    return Failure(
        finding.code, finding.path, finding.message, finding.line, finding.severity, finding.hint, field=name
    )


def _written(ref: refs.Consumer | refs.Folder) -> str:
    return ref.path if isinstance(ref, refs.Folder) else f"ws://{ref.kind}/{ref.slug}"


def _composed(command: str, path: str, fields: Mapping[str, Any], body: str = "", code: str = ENTRY_INVALID) -> str:
    try:
        return frontmatter.compose(fields, body)
    except yaml.YAMLError as error:
        raise KnowledgeError(command, path, [Failure(code, path, f"this is no YAML: {error}")]) from error


# -- an entry ------------------------------------------------------------------------------------------------------


def define_entry(
    entry: str | Mapping[str, Any],
    body: str = "",
    *,
    path: str = "",
    types: Collection[str] = (),
    sources: Collection[str] | None = None,
    pages: Collection[str] | None = None,
) -> Page:
    """The page that ``entry`` (its text, or its fields with a ``body``) defines, in either dialect.

    ``types`` are the entity types the wiki declares. ``sources`` are the paths of the sources that are there, ``pages``
    the slugs of the pages that are there or are made in the same batch; where they are not given, what the page names is
    not looked for. Raises KnowledgeError.
    """
    fields = {} if isinstance(entry, str) else entry
    place = path or _place(fields)
    page = Page(place, entry if isinstance(entry, str) else _composed("define_entry", place, fields, body))
    if isinstance(entry, str) and not path and page.is_readable:
        page = Page(_place(page.fields), entry)
    failures = list(of_entry(page, types))
    if not failures:
        failures = [*links_to_sources(page)]
        if sources is not None:
            known = {*sources, *(source_reference(ENTRY_DIALECT, source) for source in sources)}
            failures += unresolved_sources(page, known.__contains__)
        if pages is not None:
            there = {*pages, page.slug}
            failures += broken_links(page, lambda target: _slug_of(target) in there)
    if failures:
        raise KnowledgeError("define_entry", page.path, failures)
    return page


def _place(fields: Mapping[str, Any]) -> str:
    return f"{FOLDERS.get(str(fields.get('kind')), 'pages')}/{fields.get('slug') or 'page'}.md"


def _slug_of(target: str) -> str:
    """A link to a path names the page whose file it is."""
    return PurePosixPath(target).stem if target.endswith(".md") else target


def _is_moment(value: Any) -> bool:
    """True for ISO 8601: a day, or a time."""
    try:
        return isinstance(value, str) and value[4:5] == "-" and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


def _is_share(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and 0 <= float(value) <= 1
    except (TypeError, ValueError):
        return False


_SLUG = Value(lambda value: isinstance(value, str) and is_slug(value), "2 to 96 characters a-z, 0-9, -")
_SLUGS = Items(_SLUG, once=False)
_MOMENT = Value(_is_moment, "an ISO 8601 time like 2026-04-15T09:30:00Z")
_WORDS = Items(text(200), once=False)
_REFS = "github:owner/repo:path, wiki:other/slug, url:... or local:..."
_ENTRY: Mapping[str, Shape] = {
    "schema": one_of(SEED_DIALECT, ENTRY_DIALECT),
    "slug": _SLUG,
    "kind": matching(r"[a-z][a-z0-9-]{1,31}", "2 to 32 characters a-z, 0-9, -"),
    "title": text(200),
    "sources": Items(text(1024)),
    "confidence": Value(_is_share, "a number from 0 to 1"),
    "updated_at": _MOMENT,
    "supersedes": _SLUGS,
    "contradicts": _SLUGS,
    "links": _SLUGS,
    "tags": _WORDS,
    "refs": Items(matching(r"(github|wiki|url|local):\S.*", _REFS)),
    "metadata": Fields({}),
}
_REQUIRED = ("schema", "slug", "kind", "title", "updated_at")
_SEEDS = Fields(_ENTRY, required=_REQUIRED)
_LATER = Fields(
    {**_ENTRY, "aliases": _WORDS},
    required=_REQUIRED,
    others="only the fields of the standard; others under metadata.<vendor>",
)


def of_entry(page: Page, types: Collection[str] = ()) -> Iterator[Failure]:
    """What is wrong with a page's frontmatter (AIP-10, layer 2); the later draft's limits hold in both dialects.

    The seed lists the kinds there are; what KNOWLEDGE.md declares as an entity type is a kind, too. Where a page's
    sources may be missing is a matter of the lints.
    """
    try:
        fields = page.fields
    except frontmatter.FrontmatterError as error:
        yield Failure(ENTRY_INVALID, page.path, error.message, error.line)
        return
    shape = _LATER if fields.get("schema") == ENTRY_DIALECT else _SEEDS
    problems = list(shape.problems(fields, ()))
    slug, kind = fields.get("slug"), fields.get("kind")
    wrong = {problem.field[0] for problem in problems}
    if "slug" not in wrong and slug != PurePosixPath(page.path).stem:
        problems.append(Problem(("slug",), repr(slug), f"the name of its file, {PurePosixPath(page.path).stem}"))
    kinds = {*KINDS, *map(_kebab, types)}
    if "kind" not in wrong and shape is _SEEDS and kind not in kinds:
        problems.append(Problem(("kind",), repr(kind), f"one of {', '.join(KINDS)}, or an entity type of KNOWLEDGE.md"))
    for problem in problems:
        yield _failure(problem, page, ENTRY_INVALID)


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def _failure(problem: Problem, page: Page, code: str) -> Failure:
    is_schema = problem.field == ("schema",) and problem.seen == "missing"
    line = _line(page.text, str(problem.field[0])) or 1
    return Failure(SCHEMA_MISSING if is_schema else code, page.path, str(problem), line, field=problem.name)


def _line(written: str, name: str) -> int | None:
    """The line of a top-level field of a head."""
    head, _ = frontmatter.split(written)
    match = re.search(rf"^{re.escape(name)}[ \t]*:", head, re.MULTILINE)
    return head.count("\n", 0, match.start()) + 1 if match else None


def unresolved_sources(page: Page, is_source: Callable[[str], bool]) -> Iterator[Failure]:
    """What a page names under ``sources``, and what its footnotes cite, that is no source."""
    for index, source in enumerate(page.sources):
        if not is_source(source):
            where = field_name(("sources", index))
            message = f"{where}: {source!r}; wanted: a source that is there"
            yield Failure(SOURCE_UNRESOLVED, page.path, message, _line(page.text, "sources"), field=where)
    for block in page.outline.blocks:
        cited = page.citations.get(block.info) if block.kind == "note" else None
        if cited is not None and not is_source(cited.path):
            message = f"[^{block.info}] cites {cited.path}, which is not there"
            yield Failure(SOURCE_UNRESOLVED, page.path, message, page.line_of(block.line))


def broken_links(page: Page, is_page: Callable[[str], bool]) -> Iterator[Failure]:
    """The links of a page, of its body and of its head, that lead nowhere. ``refs`` name things elsewhere."""
    for name in ("supersedes", "contradicts", "links"):
        values = page.fields.get(name)
        for index, slug in enumerate(values if isinstance(values, list) else []):
            if not is_page(str(slug)):
                where = field_name((name, index))
                message = f"{where}: {slug!r}; wanted: a page that is there"
                yield Failure(LINK_BROKEN, page.path, message, _line(page.text, name), field=where)
    for target, link in page.links:
        if not leads_to_source(page, link) and not is_page(target):
            yield Failure(LINK_BROKEN, page.path, f"links to a missing page: {target}", page.line_of(link.line))


def links_to_sources(page: Page) -> Iterator[Failure]:
    """A page body does not link into ``sources/``; it cites."""
    for link in page.outline.links:
        if "://" not in link.target and link.form != "image" and leads_to_source(page, link):
            message = f"links to {link.target}, which is a source; cite it in a footnote"
            yield Failure(LINK_TO_SOURCE, page.path, message, page.line_of(link.line))


# -- a source ------------------------------------------------------------------------------------------------------


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


_ID = matching(r"[a-z0-9][a-z0-9-]{1,95}", "2 to 96 characters a-z, 0-9, -")
_RECORD = Fields(
    {
        "schema": one_of(SOURCE_SCHEMA),
        "id": _ID,
        "path": Value(lambda value: isinstance(value, str) and _is_inside(value), "a path below sources/"),
        "title": text(200),
        "captured_at": _MOMENT,
        "captured_by": text(200),
        "content_hash": matching(r"(sha256|sha512|blake3):[A-Fa-f0-9]+", "sha256:<hex>"),
        "authority": one_of("primary", "secondary", "rumour"),
        "language": matching(r"[a-z]{2}(-[A-Z]{2})?", "a language like en or en-GB"),
        "superseded_by": _ID,
        "tags": Items(matching(r"[a-z][a-z0-9-]*", "a-z, 0-9, -"), once=False),
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
        fields["content_hash"] = f"sha256:{hashlib.sha256(data).hexdigest()}"
    failures = [_of_record(problem, path) for problem in _RECORD.problems(fields, ())]
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


def _of_record(problem: Problem, path: str) -> Failure:
    is_schema = problem.field == ("schema",) and problem.seen == "missing"
    # The standard has no code for a malformed record; it is an entry of the registry.
    return Failure(SCHEMA_MISSING if is_schema else ENTRY_INVALID, path, str(problem), field=problem.name)


def _of_bytes(fields: Mapping[str, Any], data: bytes | None) -> Iterator[Failure]:
    algorithm, _, pinned = fields["content_hash"].partition(":")
    if data is None:
        return
    if algorithm not in hashlib.algorithms_available:
        message = f"content_hash: {algorithm} cannot be computed here; wanted: sha256:<hex>"
        yield Failure(SOURCE_MISMATCH, fields["path"], message, field="content_hash")
    elif (seen := hashlib.new(algorithm, data).hexdigest()) != pinned.lower():
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
