"""The merge table (AIP-10, "Merge strategy (child wins on conflicts)"), row by row.

| row | here |
|---|---|
| name, title, description, version; curator, governance | the child's, where it has one |
| extends, appliesTo | the child's or none: not inherited |
| entityTypes | by name: the child's entry in the parent's place, new ones behind; ``fields`` are the union |
| lints | by id: the child's entry in the parent's place, new ones behind |
| sources.*, curation.*, queryHints.*, display.* | leaf by leaf; ``scopeTo`` wholesale, as the list it is |
| metadata | deep: mappings are merged, all else is the child's |

A field without a value says nothing and overrides nothing, but in ``metadata``, where null is a vendor's business.
Merging is associative, but for metadata where a name is a mapping in one manifest and a value in another: then the
standard's order counts, from the root to the leaf.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LOCAL = ("extends", "appliesTo")
BY_LEAF = ("sources", "curation", "queryHints", "display")

Fields = Mapping[str, Any]


def merge(parent: Fields, child: Fields) -> dict[str, Any]:
    """``parent`` as ``child`` adapts it. In the order of the parent's fields, then the child's new ones."""
    over = {name: value for name, value in child.items() if value is not None}
    merged = {name: value for name, value in parent.items() if value is not None and name not in LOCAL}
    for name, value in over.items():
        merged[name] = _field(name, merged[name], value) if name in merged else _alone(name, value)
    return merged


def _field(name: str, old: Any, new: Any) -> Any:
    if name == "entityTypes":
        return by_key("name", old, new, _entity_type)
    if name == "lints":
        return by_key("id", old, new, lambda _, lint: dict(lint))
    if name in BY_LEAF:
        return {**old, **_said(new)}
    if name == "metadata":
        return deep(old, new)
    return new


def _alone(name: str, value: Any) -> Any:
    return _said(value) if name in BY_LEAF else value


def _said(fields: Fields) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def by_key(key: str, old: Sequence[Fields], new: Sequence[Fields], replace: Any) -> list[dict[str, Any]]:
    """The entries of ``old`` with those of ``new`` in the places of their namesakes, the rest behind."""
    merged = {entry[key]: dict(entry) for entry in old}
    for entry in new:
        name = entry[key]
        merged[name] = replace(merged[name], entry) if name in merged else dict(entry)
    return list(merged.values())


def _entity_type(old: Fields, new: Fields) -> dict[str, Any]:
    """The row: "A child entry with the same name replaces the parent's"; its fields are appended, duplicates collapsed."""
    fields = list(dict.fromkeys([*(old.get("fields") or ()), *(new.get("fields") or ())]))
    return {**new, "fields": fields} if fields else dict(new)


def deep(old: Fields, new: Fields) -> dict[str, Any]:
    """The row: "Recursive merge; vendor namespaces accumulate"."""
    merged = dict(old)
    for name, value in new.items():
        mine = merged.get(name)
        both = isinstance(mine, Mapping) and isinstance(value, Mapping)
        merged[name] = deep(mine, value) if both else value  # type: ignore[arg-type]
    return merged
