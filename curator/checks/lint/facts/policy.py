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
from curator.system.filenames import printable
from curator.wiki.workspace.effective import LIMITLESS, LIMITS
from curator.wiki.workspace.workspace import Workspace, lineage

PATH = "KNOWLEDGE.md"
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The hardest first."""


@dataclass(frozen=True)
class Lint:
    """One entry of ``lints``, checked."""

    id: str
    kind: str
    applies_to: str
    severity: Severity
    params: Mapping[str, Any] = field(default_factory=dict)
    at: str = PATH
    """The manifest that declares it."""

    @property
    def limit(self) -> float:
        """``params.days`` of max-age, ``params.min`` of min-confidence."""
        return float(self.params[LIMITS[self.kind]])

    @property
    def hint(self) -> str:
        return f"lint {self.id} of {self.at} asks for it"


@dataclass(frozen=True)
class LintPolicy:
    """The rules of one wiki."""

    lints: tuple[Lint, ...] = ()
    parents: Mapping[str, str] = field(default_factory=dict)
    """The parent of each entity type that has one."""
    grounding: str = "required"
    authority: str = "secondary"
    retention_days: float | None = None
    refused: tuple[Finding, ...] = ()
    """Lints that cannot be run, and what is odd about the chain the rules come from."""

    @classmethod
    def of(cls, workspace: Workspace, text: str) -> LintPolicy:
        """The policy of a workspace; ``text`` is the wiki's own manifest, for the lines of its lints."""
        lints = [_lint(item, workspace) for item in workspace.fields.get("lints") or ()]
        retention = str((workspace.fields.get("sources") or {}).get("retention") or "")
        return cls(
            lints=tuple(filter(_is_whole, lints)),
            parents=workspace.parents,
            grounding=workspace.policy.grounding,
            authority=workspace.authority_default,
            retention_days=float(retention.removeprefix("days:")) if retention.startswith("days:") else None,
            refused=(*_refused(lints, text), *_noticed(workspace)),
        )

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
            self._known[name] = lineage(name, self.parents)
        return self._known[name]

    @cached_property
    def _known(self) -> dict[str, tuple[str, ...]]:
        return {}


def _lint(item: Mapping[str, Any], workspace: Workspace) -> Lint:
    params = item.get("params") or {}
    at = workspace.author_of("lints", item["id"])
    return Lint(item["id"], item["kind"], item["appliesTo"], item["severity"], params, _shown(at, workspace))


def _shown(at: str, workspace: Workspace) -> str:
    """The wiki's own manifest by its name, those elsewhere by their paths."""
    return PATH if not at or at == workspace.chain[0] else printable(at)


def _is_whole(lint: Lint) -> bool:
    """False for a lint that lacks the limit it checks."""
    return lint.kind not in LIMITS or lint.params.get(LIMITS[lint.kind]) is not None


def _noticed(workspace: Workspace) -> Iterator[Finding]:
    """What a reviewer of the chain should see is a warning (AIP-10, "Composition semantics")."""
    for notice in workspace.merged.notices:
        if notice.code == LIMITLESS:
            continue  # an error of the pass itself, with its line
        hint = "curate manifest --explain FIELD shows who says what"
        yield Finding(notice.code, _shown(notice.at, workspace), printable(notice.message), None, "warn", hint)


def _refused(lints: Sequence[Lint], text: str) -> Iterator[Finding]:
    for lint in lints:
        if not _is_whole(lint):
            message = f"lint {lint.id} is not run: params.{LIMITS[lint.kind]}: missing; wanted: a number"
            line = line_of(text, lint.id) if lint.at == PATH else None
            yield Finding(LIMITLESS, lint.at, message, line, "error", f"mend it under lints: in {lint.at}")


def line_of(text: str, name: str) -> int | None:
    """The line of a manifest where the lint called ``name`` says so."""
    pattern = rf"^[ \t]*(?:-[ \t]+)?(?:\{{.*?)?\bid:[ \t]*['\"]?{re.escape(name)}['\"]?[ \t\r]*(?:[,}}#]|$)"
    match = re.search(pattern, text, re.MULTILINE) if name else None
    return text.count("\n", 0, match.start()) + 1 if match else None
