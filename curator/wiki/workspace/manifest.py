"""One KNOWLEDGE.md, checked: a workspace root or a view (AIP-10, layer 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import yaml

from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.wiki.pages import frontmatter
from curator.wiki.pages.slug import slugify
from curator.wiki.validation import Problem, Step, quoted_value
from curator.wiki.workspace import refs, schema

INVALID = "knowledge_workspace_invalid"
MISSING = "schema_missing"


@dataclass(frozen=True)
class KnowledgeManifest:
    """A manifest that keeps the shape of the standard."""

    path: str
    """Absolute."""
    fields: Mapping[str, Any]
    """The frontmatter as written, vendor metadata untouched; but pack fields at the top stand under ``metadata.pack``."""

    @property
    def name(self) -> str:
        return str(self.fields["name"])

    @property
    def version(self) -> str:
        return str(self.fields["version"])

    @property
    def extends(self) -> str | None:
        written = self.fields.get("extends")
        return None if written is None else str(written)

    @property
    def applies_to(self) -> tuple[str, ...]:
        return tuple(self.fields.get("appliesTo") or ())

    @property
    def mode(self) -> Literal["root", "view"]:
        """Workspace mode vs view mode: "Only the location and the presence of extends: distinguish" the two."""
        return "root" if self.extends is None else "view"

    @property
    def is_constraint(self) -> bool:
        """True when this file itself says ``metadata.layer.mode: constraint``; what it inherits does not make it one."""
        layer = (self.fields.get("metadata") or {}).get("layer")
        return isinstance(layer, Mapping) and layer.get("mode") == "constraint"


def parse(text: str, path: str) -> KnowledgeManifest | tuple[Finding, ...]:
    """The manifest, or everything that is wrong with it: file, line, field, what was seen, what is allowed."""
    try:
        fields = frontmatter.read(text)
    except FrontmatterError as error:
        return (Finding(INVALID, path, error.message, error.line),)
    problems = _problems(frontmatter.split(text)[0])
    if not problems:
        return KnowledgeManifest(path, _with_pack_fields(fields))
    lines = _lines(text)  # only now: every command reads a manifest, and few have anything wrong with it
    return tuple(
        Finding(
            MISSING if problem.field == ("schema",) and problem.seen == "missing" else INVALID,
            path,
            str(problem),
            _line(problem.field, lines),
        )
        for problem in problems
    )


@lru_cache(maxsize=16)
def _problems(head: str) -> tuple[Problem, ...]:
    """What is wrong with a head that can be read; of the same one it is asked with every source."""
    return tuple(schema.problems(frontmatter.read(head)))


def _with_pack_fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """A head that serves both standards, with its pack fields under ``metadata.pack``; those at the top go first."""
    above = {name: value for name, value in fields.items() if name in schema.PACK_FIELDS and value is not None}
    metadata = fields.get("metadata") or {}
    pack = metadata.get("pack") or {}
    if not above or not isinstance(pack, Mapping):
        return fields
    others = {name: value for name, value in fields.items() if name not in schema.PACK_FIELDS}
    return {**others, "metadata": {**metadata, "pack": {**pack, **above}}}


def pack_fields_at_odds(fields: Mapping[str, Any]) -> Iterator[Finding]:
    """A finding for each pack field that a head says twice, and not alike."""
    metadata = fields.get("metadata")
    pack = metadata.get("pack") if isinstance(metadata, Mapping) else None
    below_ones = pack if isinstance(pack, Mapping) else {}
    for name in schema.PACK_FIELDS:
        above, below = fields.get(name), below_ones.get(name)
        if above is not None and below is not None and above != below:
            said = (
                f"{name} is {quoted_value(above)} at the top and {quoted_value(below)} in metadata.pack: the top holds"
            )
            yield Finding("pack_fields_differ", refs.FILE, said, severity="warn", hint="say it in one place")


def _line(field: tuple[Step, ...], lines: Mapping[tuple[Step, ...], int]) -> int | None:
    """Where ``field`` stands; of one that is missing, where the field around it does."""
    while field and field not in lines:
        field = field[:-1]
    return lines.get(field)


def _lines(text: str) -> dict[tuple[Step, ...], int]:
    """The line of every field of a head that ``frontmatter.read`` has let through."""
    head, _ = frontmatter.split(text)
    found: dict[tuple[Step, ...], int] = {}

    def walk(node: Any, field: tuple[Step, ...]) -> None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                found[(*field, key.value)] = key.start_mark.line + 2
                walk(value, (*field, key.value))
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                found[(*field, index)] = item.start_mark.line + 2
                walk(item, (*field, index))

    if head:
        inside = head.split("\n", 1)[1].rstrip().removesuffix("---")
        walk(yaml.compose(inside, Loader=yaml.SafeLoader), ())
    return found


def name_of(title: str) -> str:
    """A name for a manifest, made of a title."""
    name = re.sub(r"[^a-z0-9-]", "", slugify(title)).strip("-") or "wiki"
    return name if name[0].isalpha() and len(name) > 1 else f"wiki-{name}"
