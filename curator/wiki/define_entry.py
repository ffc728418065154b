"""An entry: what the frontmatter of a page may hold, in either dialect of the standard (AIP-10, layer 2).

``define_entry`` is that of AIP-10's host. It is pure: the sources and pages that are there are given to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from curator.errors import FrontmatterError
from curator.wiki.pages.page import DIALECTS, ENTRY_DIALECT, FOLDERS, KINDS, LONGEST_TITLE, Page
from curator.wiki.pages.slug import is_slug
from curator.wiki.references import line_of_field, references, resolves
from curator.wiki.sources.records import may_be_called
from curator.wiki.validation import (
    ENTRY_INVALID,
    MOMENT,
    Failure,
    Fields,
    Items,
    KnowledgeError,
    Problem,
    Shape,
    Value,
    composed,
    matching,
    of_problem,
    one_of,
    text,
)


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
    page = Page(place, entry if isinstance(entry, str) else composed("define_entry", place, fields, body))
    if isinstance(entry, str) and not path and page.is_readable:
        page = Page(_place(page.fields), entry)
    failures = list(of_entry(page, types))
    if not failures:
        known = {name for path in sources for name in may_be_called(path)} if sources is not None else ()
        there = {*pages, page.slug} if pages is not None else ()

        def is_source(named: str) -> bool:
            return sources is None or named in known

        def is_page(named: str) -> bool:
            # A link to a path names the page whose file it is.
            return pages is None or (PurePosixPath(named).stem if named.endswith(".md") else named) in there

        failures = [
            each.failure(page.path)
            for each in references(page)
            if not resolves(each.form, each.target, is_source, is_page)
        ]
    if failures:
        raise KnowledgeError("define_entry", page.path, failures)
    return page


def _place(fields: Mapping[str, Any]) -> str:
    return f"{FOLDERS.get(str(fields.get('kind')), 'pages')}/{fields.get('slug') or 'page'}.md"


def _is_share(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and 0 <= float(value) <= 1
    except (TypeError, ValueError):
        return False


_SLUG = Value(lambda value: isinstance(value, str) and is_slug(value), "2 to 96 characters a-z, 0-9, -")
_SLUGS = Items(_SLUG, once=False)
_WORDS = Items(text(LONGEST_TITLE), once=False)
_REFS = "github:owner/repo:path, wiki:other/slug, url:..., local:... or ws://..., with #symbol=name behind it or not"
_ENTRY: Mapping[str, Shape] = {
    "schema": one_of(*DIALECTS),
    "slug": _SLUG,
    "kind": matching(r"[a-z][a-z0-9-]{1,31}", "2 to 32 characters a-z, 0-9, -"),
    "title": text(LONGEST_TITLE),
    "sources": Items(text(1024)),
    "confidence": Value(_is_share, "a number from 0 to 1"),
    "updated_at": MOMENT,
    "supersedes": _SLUGS,
    "contradicts": _SLUGS,
    "links": _SLUGS,
    "tags": _WORDS,
    "refs": Items(matching(r"(?:(?:github|wiki|url|local):\S|ws://[a-z]).*(?<!#symbol=)", _REFS)),
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
    except FrontmatterError as error:
        yield Failure(ENTRY_INVALID, page.path, error.message, error.line)
        return
    shape = _LATER if fields.get("schema") == ENTRY_DIALECT else _SEEDS
    problems = list(shape.problems(fields, ()))
    slug, kind = fields.get("slug"), fields.get("kind")
    wrong = {problem.field[0] for problem in problems}
    if "slug" not in wrong and slug != PurePosixPath(page.path).stem:
        problems.append(
            Problem(
                ("slug",),
                repr(slug),
                f"the name of its file, {PurePosixPath(page.path).stem} (curate rename changes both)",
            )
        )
    kinds = {*KINDS, *map(_kebab, types)}
    if "kind" not in wrong and shape is _SEEDS and kind not in kinds:
        problems.append(Problem(("kind",), repr(kind), f"one of {', '.join(KINDS)}, or an entity type of KNOWLEDGE.md"))
    for problem in problems:
        yield of_problem(problem, page.path, line_of_field(page.text, str(problem.field[0])) or 1)


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
