"""The frontmatter's shape (AIP-10, "Frontmatter shape"), as a literal one can read beside the standard.

Where the seed is silent, its later JSON Schema is followed: the patterns of names, the limits of lengths, and that no
other field stands at the top level. Where they disagree, the seed decides:

- ``extends`` is any relative path to a KNOWLEDGE.md (the schema's pattern has no room for ``../KNOWLEDGE.md``);
- ``version`` is semver, build metadata included;
- two entity types of one name, or two lints of one id, are a problem: the merge goes by them.

Beside the standard's fields those of Agent Knowledge packs may stand (``PACK_FIELDS``): readers of packs want ``type`` and
``status`` there, and the seed forbids no field.

``metadata`` belongs to its vendors ("Vendor extensions") and is not looked into, but for ``metadata.layer.mode``: a
constraint with a misspelt mode would silently be none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curator.system.digests import HASHES
from curator.wiki.validation import (
    ANYTHING,
    FLAG,
    Fields,
    Items,
    Problem,
    Shape,
    Value,
    matching,
    one_of,
    quoted_value,
    text,
)
from curator.wiki.workspace import refs

SCHEMA = "knowledge.workspace/v1"
SEVERITIES = ("info", "warn", "error")
"""The softest first."""
LAYERS = ("lens", "constraint")
AUTHORITIES = ("primary", "secondary", "rumour")
"""The weightiest first."""

PACK_FIELDS = ("type", "status", "trust", "profile", "grounding", "runtime", "language", "scope", "compatibility")
"""The fields that readers of packs look for at the top; here they count as those of ``metadata.pack``."""

_VENDORS = "fields of vendors under metadata.<vendor>"
_NONE_SUCH = "only the fields of the standard; others under metadata.<vendor>"
_TYPE = matching(r"[A-Z][A-Za-z0-9]*", "a PascalCase name")

_ENTITY_TYPE = Fields(
    {
        "name": _TYPE,
        "fields": Items(matching(r"[a-z][A-Za-z0-9_]*", "a name like lead_partner"), once=False),
        "icon": text(8),
        "description": text(1000, 0),
        "parent": _TYPE,
    },
    required=("name",),
    others=_NONE_SUCH,
)
_LINT = Fields(
    {
        "id": matching(r"[a-z][a-z0-9-]*", "a name of a-z, 0-9 and -"),
        "kind": one_of("require-source", "max-age", "min-confidence", "broken-ref", "orphan", "custom"),
        "appliesTo": matching(r"[A-Z][A-Za-z0-9]*|\*", 'a PascalCase name or "*"'),
        "severity": one_of("error", "warn", "info"),
        "params": Fields({}),
    },
    required=("id", "kind", "appliesTo", "severity"),
    others=_NONE_SUCH,
)
_SOURCES = Fields(
    {
        "retention": matching(r"forever|days:[0-9]{1,9}", "forever or days:<n>"),
        "signing": one_of("required", "optional", "none"),
        "hashAlgo": one_of(*HASHES),
        "authorityDefault": one_of(*AUTHORITIES),
    },
    others=_NONE_SUCH,
)
_CURATION = Fields(
    {
        "tone": text(200, 0),
        "depth": one_of("shallow", "medium", "deep"),
        "autoLink": one_of("byName", "manual", "off"),
        "conflictResolution": one_of("defer", "recency", "authority", "observation-count", "keep-both"),
        "newEntryThreshold": text(1000, 0),
    },
    others=_NONE_SUCH,
)
_QUERY_HINTS = Fields(
    {"preferRecent": FLAG, "preferAuthoritative": FLAG, "scopeTo": Items(_TYPE)},
    others=_NONE_SUCH,
)
_DISPLAY = Fields(
    {
        "homePage": matching(r"[a-z0-9][a-z0-9-]{0,94}[a-z0-9]", "a page's slug"),
        "defaultGrouping": one_of("kind", "tag", "source"),
    },
    others=_NONE_SUCH,
)
_APPLIES_TO = Value(
    lambda value: isinstance(value, str) and refs.consumer(value, "/x") is not None,
    "ws://operators/<slug>, ws://companies/<slug>, ws://skills/<slug>, a relative path, or a dimension like region/fr",
)
_VERSION = r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"

WORKSPACE = Fields(
    {
        "schema": one_of(SCHEMA),
        "name": matching(r"[a-z][a-z0-9-]{0,94}[a-z0-9]", "2 to 96 characters a-z, 0-9, -"),
        "title": text(200),
        "description": text(2000),
        "version": matching(_VERSION, "a version like 1.0.0"),
        "extends": Value(refs.is_extends, "a relative path to a KNOWLEDGE.md, as in ../wiki/KNOWLEDGE.md"),
        "appliesTo": Items(_APPLIES_TO),
        "curator": matching(r"ws://operators/[a-z0-9][a-z0-9-]*", "ws://operators/<slug>"),
        "governance": matching(r"[^\x00-\x1f\x7f]+", "a path or a ref, on one line", refs.LONGEST),
        "entityTypes": Items(_ENTITY_TYPE, "name"),
        "lints": Items(_LINT, "id"),
        "sources": _SOURCES,
        "curation": _CURATION,
        "queryHints": _QUERY_HINTS,
        "display": _DISPLAY,
        "metadata": Fields({"layer": ANYTHING}),
        **dict.fromkeys(PACK_FIELDS, text(1000)),
        "runtime": Fields({"mode": text(100)}),
    },
    required=("schema", "name", "title", "description", "version"),
    others=_VENDORS,
)


def problems(fields: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of one manifest's frontmatter, in the order of its fields, what is missing first."""
    yield from WORKSPACE.problems(fields, ())
    yield from _of_its_mode(fields)
    yield from _of_its_layer(fields)
    yield from _of_params(fields.get("lints"))


def _of_its_mode(fields: Mapping[str, Any]) -> Iterator[Problem]:
    """The table "Workspace mode vs view mode": "a workspace has no single consumer"; who has one is a view."""
    if fields.get("appliesTo") and fields.get("extends") is None:
        yield Problem(
            ("appliesTo",), quoted_value(fields["appliesTo"]), "nothing in a workspace root; a view has extends, too"
        )


def _of_its_layer(fields: Mapping[str, Any]) -> Iterator[Problem]:
    metadata = fields.get("metadata")
    layer = metadata.get("layer") if isinstance(metadata, Mapping) else None
    mode = layer.get("mode") if isinstance(layer, Mapping) else None
    if mode is not None and mode not in LAYERS:
        yield Problem(("metadata", "layer", "mode"), quoted_value(mode), f"one of {', '.join(LAYERS)}")


def _of_params(lints: Any) -> Iterator[Problem]:
    """The limits of the two kinds that have one."""
    for index, lint in enumerate(lints if isinstance(lints, list) else []):
        kind = lint.get("kind") if isinstance(lint, Mapping) else None
        params = lint.get("params") if isinstance(lint, Mapping) else None
        if not isinstance(kind, str) or kind not in LIMITS or not isinstance(params, Mapping):
            continue
        name, shape = LIMITS[kind]
        if params.get(name) is not None:
            yield from shape.problems(params[name], ("lints", index, "params", name))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


LIMITS: Mapping[str, tuple[str, Shape]] = {
    "max-age": ("days", Value(lambda value: _is_number(value) and value > 0, "a number of days above 0")),
    "min-confidence": ("min", Value(lambda value: _is_number(value) and 0 <= value <= 1, "a number from 0 to 1")),
}
