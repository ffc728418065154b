"""What a merged manifest leaves open: names that name nothing, lints without the limit they check (AIP-10, entity model).

It can be judged only when all parents are in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curator.wiki.workspace.chain import Notice
from curator.wiki.workspace.manifest import INVALID

BUILT_IN = ("Entity", "Concept", "Summary", "Comparison", "Timeline")
"""The kinds of pages are types too, whether a manifest declares them or not (AIP-10, layer 2)."""

LIMITS = {"max-age": "days", "min-confidence": "min"}
"""The parameter that a kind of lint cannot do without."""
LIMITLESS = "lint_invalid"
"""The code of a lint that lacks it."""
Path = tuple[str, ...]


def of(fields: Mapping[str, Any], owners: Mapping[Path, str]) -> Iterator[Notice]:
    """A notice for each, a type that is not there or a limit that is missing; ``owners`` tells which manifest said it."""
    parents = {entry["name"]: entry.get("parent") for entry in fields.get("entityTypes") or ()}
    types = {*parents, *BUILT_IN}
    for name, parent in parents.items():
        path = ("entityTypes", name, "parent")
        if parent is not None and parent not in types:
            yield _notice(path, f"{parent!r}; wanted: an entity type that is declared", owners)
        elif parent is not None and name in _above(name, parents):
            yield _notice(path, f"{parent!r}; wanted: a type that does not extend {name} itself", owners)
    for lint in fields.get("lints") or ():
        if lint["appliesTo"] not in {"*", *types}:
            path = ("lints", lint["id"], "appliesTo")
            yield _notice(path, f"{lint['appliesTo']!r}; wanted: an entity type that is declared", owners)
        number = LIMITS.get(lint["kind"])
        if number is not None and (lint.get("params") or {}).get(number) is None:
            message = f"lints.{lint['id']}.params.{number}: missing; {lint['kind']} is not run without"
            yield Notice(LIMITLESS, message, owners.get(("lints", lint["id"], "kind"), ""))
    for name in (fields.get("queryHints") or {}).get("scopeTo") or ():
        if name not in types:
            yield _notice(("queryHints", "scopeTo"), f"{name!r}; wanted: entity types that are declared", owners)


def _notice(path: Path, message: str, owners: Mapping[Path, str]) -> Notice:
    return Notice(INVALID, f"{'.'.join(path)}: {message}", owners.get(path, ""))


def _above(name: str, parents: Mapping[str, Any]) -> list[str]:
    """The types that ``name`` extends, nearest first, until there is none or one comes again."""
    found: list[str] = []
    at = parents.get(name)
    while at is not None and at not in found:
        found.append(at)
        at = parents.get(at)
    return found
