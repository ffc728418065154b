"""Required fields: "an entry of type Investor is required to have a lead_partner field" (AIP-10, Rationale).

``entityTypes[].fields`` of KNOWLEDGE.md names the fields of a type, and those of its parent count for it, too. The standard
does not say where on a page a field stands. Here it is

- a key of the frontmatter that has a value,
- a key under ``metadata.<vendor>``, or under ``fields`` there: the standard puts vendors' extensions into ``metadata``, or
- a heading of the body: much of what a wiki knows of a thing is prose.

Case, hyphens and underscores make no difference: ``lead_partner``, ``leadPartner`` and ``## Lead partner`` are one. It is a
note, not a warning: wikis have named the fields of their types for long without anybody asking for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from curator.checks.lint.facts.policy import PATH
from curator.checks.lint.facts.snapshot import LintContext
from curator.finding import Finding
from curator.system.text import plural
from curator.wiki.pages.page import Page
from curator.wiki.workspace.workspace import EntityType, lineage

_OF_TYPE = """
SELECT f.path, w.words FROM facts f LEFT JOIN word w ON w.path = f.path AND w.what = 'fields' WHERE f.type = ?
"""
_LETTERS = re.compile(r"[^\W_]+")


def missing(context: LintContext, types: Iterable[EntityType]) -> Iterator[Finding]:
    """field_missing: a page has the fields of its entity type; one finding a page."""
    fields = {kind.name: kind.fields for kind in types}
    names = context.cache.rows("SELECT DISTINCT type FROM facts WHERE type <> ''") if any(fields.values()) else ()
    for (name,) in sorted(names):
        above = reversed(lineage(name, context.policy.parents))
        wanted = {field: _key(field) for kind in above for field in fields.get(kind, ())}
        for path, kept in list(context.cache.rows(_OF_TYPE, name)) if wanted else ():
            has = set(kept.split("\n") if kept is not None else _names(context, path))
            lacking = [field for field, key in wanted.items() if key not in has]
            if lacking:
                told = f"the {plural(len(lacking), 'field')} {', '.join(lacking)}"
                hint = "add it to the frontmatter under metadata.curator, or as a heading"
                yield Finding("field_missing", path, f"{PATH} gives {name} {told}, which it has not", 1, "info", hint)


def _names(context: LintContext, path: str) -> list[str]:
    """The fields of a page, as they are compared; it is read once, while it stays as it is."""
    page = context.page(path)
    names = sorted({_key(name) for name in names_of(page)}) if page is not None else []
    context.cache.keep_words(path, "fields", names)
    return names


def names_of(page: Page) -> Iterator[str]:
    """What a page has, in its head and in its body. Raises FrontmatterError."""
    yield from _filled(page.fields)
    vendors = page.fields.get("metadata")
    for fields in vendors.values() if isinstance(vendors, dict) else ():
        yield from _filled(fields)
        yield from _filled(fields.get("fields") if isinstance(fields, dict) else None)
    yield from (block.text for block in page.outline.headings)


def _filled(fields: Any) -> Iterator[str]:
    for name, value in fields.items() if isinstance(fields, Mapping) else ():
        if value not in (None, "", [], {}):
            yield str(name)


def _key(name: str) -> str:
    return "".join(_LETTERS.findall(name)).casefold()
