"""KNOWLEDGE.md of a wiki: the workspace manifest (AIP-10, layer 4, workspace-root mode).

Only what a root declares is read here; ``metadata`` of other vendors is left alone. The pack fields stand under
``metadata.pack`` (spec README), so that one file satisfies both standards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from curator import frontmatter
from curator.errors import WikiError
from curator.finding import Finding

SCHEMA = "knowledge.workspace/v1"
CONFLICT_RESOLUTIONS = ("defer", "recency", "authority", "observation-count", "keep-both")
DEPTHS = ("shallow", "medium", "deep")
AUTO_LINKS = ("byName", "manual", "off")
GROUNDINGS = ("required", "recommended", "none")
GROUPINGS = ("kind", "tag", "source")
AUTHORITIES = ("primary", "secondary", "rumour")
HASHES = ("sha256", "sha512", "blake3")


@dataclass(frozen=True)
class EntityType:
    """A kind of thing the wiki has pages for."""

    name: str
    description: str = ""
    fields: tuple[str, ...] = ()
    parent: str = ""


@dataclass(frozen=True)
class Policy:
    """How this wiki wants to be curated: ``curation`` of the manifest, and ``grounding`` of its pack metadata."""

    tone: str = ""
    depth: str = "medium"
    auto_link: str = "byName"
    conflict_resolution: str = "defer"
    new_entry_threshold: str = ""
    grounding: str = "required"


@dataclass(frozen=True)
class Workspace:
    """A root manifest, checked."""

    name: str
    title: str
    description: str
    version: str
    policy: Policy = Policy()
    entity_types: tuple[EntityType, ...] = ()
    grouping: str = "kind"
    authority_default: str = "secondary"
    hash_algorithm: str = "sha256"
    fields: dict[str, Any] = field(default_factory=dict, compare=False)
    """The frontmatter as written, vendor metadata included."""

    @classmethod
    def parse(cls, text: str, path: str = "KNOWLEDGE.md") -> Workspace:
        """Read KNOWLEDGE.md. Raises WikiError naming every problem: field, what was seen, what is allowed."""
        try:
            fields = frontmatter.read(text)
        except frontmatter.FrontmatterError as error:
            place = path if error.line is None else f"{path}:{error.line}"
            raise WikiError("knowledge_workspace_invalid", f"{place}: {error.message}", _HINT) from error
        problems = list(problems_of(fields, path))
        if problems:
            seen = "\n".join(f"  {finding}" for finding in problems)
            raise WikiError("knowledge_workspace_invalid", f"{path} is not a workspace manifest:\n{seen}", _HINT)
        curation = fields.get("curation") or {}
        pack = (fields.get("metadata") or {}).get("pack") or {}
        sources = fields.get("sources") or {}
        return cls(
            name=str(fields["name"]),
            title=str(fields["title"]),
            description=str(fields["description"]),
            version=str(fields["version"]),
            policy=Policy(
                tone=str(curation.get("tone") or ""),
                depth=str(curation.get("depth") or "medium"),
                auto_link=str(curation.get("autoLink") or "byName"),
                conflict_resolution=str(curation.get("conflictResolution") or "defer"),
                new_entry_threshold=str(curation.get("newEntryThreshold") or ""),
                grounding=str(pack.get("grounding") or "required"),
            ),
            entity_types=tuple(map(_entity_type, fields.get("entityTypes") or [])),
            grouping=str((fields.get("display") or {}).get("defaultGrouping") or "kind"),
            authority_default=str(sources.get("authorityDefault") or "secondary"),
            hash_algorithm=str(sources.get("hashAlgo") or "sha256"),
            fields=fields,
        )


_HINT = "mend the frontmatter of KNOWLEDGE.md and commit it; 'curate init' in an empty folder shows a complete one"
_Check = Callable[[Any], bool]


def problems_of(fields: dict[str, Any], path: str) -> Iterator[Finding]:
    """Every problem of a root manifest's frontmatter: field path, what was seen, what is allowed."""

    def problem(where: str, seen: object, wanted: str) -> Finding:
        code = "schema_missing" if where == "schema" and seen is None else "knowledge_workspace_invalid"
        shown = "missing" if seen is None else repr(seen)
        return Finding(code, path, f"{where}: {shown}; wanted: {wanted}")

    for where, (check, wanted, required) in _SHAPE.items():
        value = _at(fields, where)
        if (value is None and required) or (value is not None and not check(value)):
            yield problem(where, value, wanted)
    types = fields.get("entityTypes")
    for index, item in enumerate(types if isinstance(types, list) else []):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or not re.match(r"[A-Z][A-Za-z0-9]*\Z", name):
            yield problem(f"entityTypes[{index}].name", name, "a PascalCase name")
        names = item.get("fields") if isinstance(item, dict) else None
        if names is not None and not isinstance(names, list):
            yield problem(f"entityTypes[{index}].fields", names, "a list")
    if fields.get("extends") is not None:
        yield problem("extends", fields["extends"], "nothing: a wiki's root extends no other manifest")


def _is_text(limit: int) -> _Check:
    return lambda value: isinstance(value, (str, int, float)) and 0 < len(str(value)) <= limit


def _one_of(choices: tuple[str, ...]) -> tuple[_Check, str, bool]:
    return (lambda value: value in choices, "one of " + ", ".join(choices), False)


def _matches(pattern: str) -> _Check:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


_MAPPING: tuple[_Check, str, bool] = (lambda value: isinstance(value, dict), "a mapping", False)
_SHAPE: dict[str, tuple[_Check, str, bool]] = {
    "schema": (lambda value: value == SCHEMA, SCHEMA, True),
    "name": (_matches(r"[a-z][a-z0-9-]{0,94}[a-z0-9]"), "2 to 96 characters a-z, 0-9, -", True),
    "title": (_is_text(200), "1 to 200 characters", True),
    "description": (_is_text(2000), "1 to 2000 characters", True),
    "version": (_matches(r"\d+\.\d+\.\d+(-[A-Za-z0-9.-]+)?"), "a version like 1.0.0", True),
    "entityTypes": (lambda value: isinstance(value, list), "a list", False),
    "lints": (lambda value: isinstance(value, list), "a list", False),
    "sources": _MAPPING,
    "sources.hashAlgo": _one_of(HASHES),
    "sources.authorityDefault": _one_of(AUTHORITIES),
    "sources.retention": (_matches(r"forever|days:\d+"), "forever or days:<n>", False),
    "sources.signing": _one_of(("required", "optional", "none")),
    "curation": _MAPPING,
    "curation.tone": (_is_text(200), "at most 200 characters", False),
    "curation.depth": _one_of(DEPTHS),
    "curation.autoLink": _one_of(AUTO_LINKS),
    "curation.conflictResolution": _one_of(CONFLICT_RESOLUTIONS),
    "curation.newEntryThreshold": (_is_text(1000), "at most 1000 characters", False),
    "display": _MAPPING,
    "display.defaultGrouping": _one_of(GROUPINGS),
    "metadata": _MAPPING,
    "metadata.pack": _MAPPING,
    "metadata.pack.grounding": _one_of(GROUNDINGS),
}


def _at(fields: dict[str, Any], where: str) -> Any:
    value: Any = fields
    for key in where.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _entity_type(item: dict[str, Any]) -> EntityType:
    return EntityType(
        name=str(item["name"]),
        description=str(item.get("description") or ""),
        fields=tuple(str(name) for name in item.get("fields") or []),
        parent=str(item.get("parent") or ""),
    )
