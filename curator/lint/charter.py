"""What a wiki's own rules ask of the maintenance pass: the lints of KNOWLEDGE.md, its entity types, its policies.

- The four MUST rules always run. A lint of the kind that speaks of one gives it its severity, for the pages it applies to.
- ``appliesTo`` names an entity type; a type that has it as ``parent``, or as its parent's parent, is meant too.
- Of several lints of one kind that apply to a page, the hardest counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

from curator.finding import Finding, Severity
from curator.workspace import Workspace

PATH = "KNOWLEDGE.md"
KINDS = ("require-source", "max-age", "min-confidence", "broken-ref", "orphan", "custom")
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The hardest first."""
DERIVED = ("comparison", "timeline")
"""Kinds of pages that are made from other pages: they need no source of their own (ADDENDA, Entries)."""
_FIXED = {"max-age": "days", "min-confidence": "min"}
"""The parameter that a kind cannot do without."""


@dataclass(frozen=True)
class Lint:
    """One entry of ``lints``, checked."""

    id: str
    kind: str
    applies_to: str
    severity: Severity
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def limit(self) -> float:
        """``params.days`` of max-age, ``params.min`` of min-confidence."""
        return float(self.params[_FIXED[self.kind]])

    @property
    def hint(self) -> str:
        return f"lint {self.id} of {PATH} asks for it"


@dataclass(frozen=True)
class Charter:
    """The rules of one wiki."""

    lints: tuple[Lint, ...] = ()
    parents: Mapping[str, str] = field(default_factory=dict)
    """The parent of each entity type that has one."""
    grounding: str = "required"
    authority: str = "secondary"
    retention_days: float | None = None
    refused: tuple[Finding, ...] = ()
    """What stands under ``lints`` and is none."""

    @classmethod
    def of(cls, workspace: Workspace, text: str) -> Charter:
        """The charter in a manifest; ``text`` is what its lines are counted in."""
        declared = lints_of(workspace)
        problems = [_problem(item) for item in declared]
        retention = str((workspace.fields.get("sources") or {}).get("retention") or "")
        return cls(
            lints=tuple(_lint(item) for item, wrong in zip(declared, problems, strict=True) if not wrong),
            parents={kind.name: kind.parent for kind in workspace.entity_types if kind.parent},
            grounding=workspace.policy.grounding,
            authority=workspace.authority_default,
            retention_days=float(retention.removeprefix("days:")) if retention.startswith("days:") else None,
            refused=tuple(_refused(declared, problems, text)),
        )

    def lineage(self, name: str) -> tuple[str, ...]:
        """An entity type, its parent, its parent's parent; a ring ends where it closes."""
        found = [name]
        while (parent := self.parents.get(found[-1], "")) and parent not in found:
            found.append(parent)
        return tuple(found)

    def covers(self, lint: Lint, name: str) -> bool:
        """True when ``lint`` applies to pages of the entity type ``name``."""
        return lint.applies_to == "*" or lint.applies_to in self._lineages(name)

    def all(self, kind: str) -> Iterator[Lint]:
        return (lint for lint in self.lints if lint.kind == kind)

    def hardest(self, kind: str, name: str) -> Lint | None:
        """The lint of ``kind`` that counts for pages of the entity type ``name``."""
        if (kind, name) not in self._hardest:
            mine = [lint for lint in self.all(kind) if self.covers(lint, name)]
            self._hardest[kind, name] = min(mine, key=lambda lint: SEVERITIES.index(lint.severity), default=None)
        return self._hardest[kind, name]

    def severity(self, kind: str, name: str, otherwise: Severity) -> Severity:
        """How much a fault of ``kind`` matters on pages of the entity type ``name``."""
        lint = self.hardest(kind, name)
        return lint.severity if lint is not None else otherwise

    @cached_property
    def _hardest(self) -> dict[tuple[str, str], Lint | None]:
        return {}

    def _lineages(self, name: str) -> tuple[str, ...]:
        if name not in self._known:
            self._known[name] = self.lineage(name)
        return self._known[name]

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {}


def lints_of(workspace: Workspace) -> Sequence[Mapping[str, Any]]:
    """The lints as KNOWLEDGE.md writes them: the one place that knows where they come from."""
    found = workspace.fields.get("lints")
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _lint(item: Mapping[str, Any]) -> Lint:
    params = item.get("params")
    return Lint(
        str(item["id"]),
        str(item["kind"]),
        str(item.get("appliesTo") or "*"),
        item.get("severity", "warn"),
        params if isinstance(params, dict) else {},
    )


def _problem(item: Mapping[str, Any]) -> str:
    """What is wrong with an entry of ``lints``; empty when nothing is."""
    kind, params = item.get("kind"), item.get("params")
    if not item.get("id"):
        return "it has no id"
    if kind not in KINDS:
        return f"kind: {kind!r}; wanted: one of {', '.join(KINDS)}"
    if item.get("severity", "warn") not in SEVERITIES:
        return f"severity: {item['severity']!r}; wanted: one of {', '.join(SEVERITIES)}"
    if params is not None and not isinstance(params, dict):
        return f"params: {params!r}; wanted: a mapping"
    if (name := _FIXED.get(str(kind))) is not None:
        seen = (params or {}).get(name)
        try:
            is_number = not isinstance(seen, bool) and float(str(seen)) >= 0
        except ValueError:
            is_number = False
        if not is_number:
            return f"params.{name}: {'missing' if seen is None else repr(seen)}; wanted: a number"
    return ""


def _refused(declared: Sequence[Mapping[str, Any]], problems: Sequence[str], text: str) -> Iterator[Finding]:
    for item, wrong in zip(declared, problems, strict=True):
        if wrong:
            name = str(item.get("id") or "")
            message = f"lint {name or '(without id)'} is not run: {wrong}"
            hint = f"mend it under lints: in {PATH}"
            yield Finding("lint_invalid", PATH, message, line_of(text, name), "error", hint)


def line_of(text: str, name: str) -> int | None:
    """The line of a manifest where the lint called ``name`` says so."""
    pattern = rf"^[ \t]*(?:-[ \t]+)?(?:\{{.*?)?\bid:[ \t]*['\"]?{re.escape(name)}['\"]?[ \t\r]*(?:[,}}#]|$)"
    match = re.search(pattern, text, re.MULTILINE) if name else None
    return text.count("\n", 0, match.start()) + 1 if match else None
