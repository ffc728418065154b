"""AGENTS.md against KNOWLEDGE.md: where the prose says another thing than the manifest (wiki_schema_drift).

Prose is not understood here. What is compared are words that can only mean one thing, in the sections the standard names:
entity types and kinds, the way conflicts are resolved, lints and their severities and limits, the tone. A section that is
not there says nothing; where the prose is silent on something the manifest orders, that is drift too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from curator.checks.lint.facts.policy import Lint, LintPolicy
from curator.finding import Finding
from curator.wiki.pages.page import DERIVED, KINDS
from curator.wiki.workspace.workspace import Workspace

PATH = "AGENTS.md"
CODE = "wiki_schema_drift"
_HINT = "bring the prose in line with KNOWLEDGE.md, which counts"

_RESOLUTIONS = {
    "recency": r"recen|newer|newest|latest",
    "authority": r"authorit|primary source|official",
    "observation-count": r"observation|majority|more often|how many sources|count of sources|more sources",
    "keep-both": r"\bboth\b",
    "defer": r"defer|human|person|people|\basks?\b|owner|open",
}
_LINTS = {
    "require-source": (
        r"without (?:a |any )?sources?|no sources?|unsourced|has a source|requires? a source|sources? (?:is|are) required"
    ),
    "broken-ref": r"broken|missing pages?|dead links?|nowhere",
    "orphan": r"orphan|nothing links|no inbound|unlinked|not linked",
    "max-age": r"stale|\bage\b|older than|out of date|outdated",
    "min-confidence": r"confidence",
}
_SEVERITIES = {"error": r"errors?", "warn": r"warnings?|warns?", "info": r"infos?|information|notes?|notices?"}
_AS = re.compile(r"\bas (?:an? )?(errors?|warnings?|warns?|infos?|information|notes?|notices?)\b", re.IGNORECASE)


@dataclass(frozen=True)
class ProseSection:
    """A part of AGENTS.md under one heading; ``line`` is that of its first line of text."""

    line: int
    text: str

    def line_of(self, at: int) -> int:
        return self.line + self.text.count("\n", 0, at)

    @property
    def first(self) -> int:
        """The first line that says something."""
        return self.line_of(len(self.text) - len(self.text.lstrip("\n")))


def drift(prose: str | None, workspace: Workspace, policy: LintPolicy) -> Iterator[Finding]:
    """Where ``prose`` and the manifest disagree."""
    if prose is None:
        return
    for line, message in sorted(set(_all(prose, workspace, policy)), key=lambda found: found[0]):
        yield Finding(CODE, PATH, message, line, "warn", _HINT)


def _all(prose: str, workspace: Workspace, policy: LintPolicy) -> Iterator[tuple[int, str]]:
    if section := _section(prose, r"page conventions|entity types|kinds"):
        yield from _types(section, workspace)
    if section := _section(prose, r"contradiction|conflict"):
        yield from _resolution(section, workspace.policy.conflict_resolution)
    if section := _section(prose, r"lint"):
        yield from _lints(section, policy)
    yield from _tone(prose, workspace)


def _section(prose: str, title: str) -> ProseSection | None:
    match = re.search(rf"^#{{1,6}}[ ].*(?:{title}).*$\n?", prose, re.MULTILINE | re.IGNORECASE)
    if match is None:
        return None
    end = re.compile(r"^#{1,6}[ ]", re.MULTILINE).search(prose, match.end())
    return ProseSection(prose.count("\n", 0, match.end()) + 1, prose[match.end() : end.start() if end else len(prose)])


def _types(section: ProseSection, workspace: Workspace) -> Iterator[tuple[int, str]]:
    said = section.text.casefold()
    names = {kind.name for kind in workspace.entity_types}
    for name in sorted(names):
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).casefold()
        stem = words.removesuffix("y") if words.endswith("y") else words
        if not any(form in said for form in (stem, words.replace(" ", "-"), name.casefold())):
            yield section.first, f"KNOWLEDGE.md has the entity type {name}, of which this section says nothing"
    known = {name.casefold() for name in names} | set(KINDS) | set(DERIVED) if names else set()
    for match in re.finditer(
        r"^[ \t]*+(?:[-*+][ \t]*+)?(?:kinds|entity types|types):(.*(?:\n[ \t]+\S.*)*)", section.text, re.M | re.I
    ):
        for kind in re.finditer(r"`([A-Za-z][\w-]*)`", match[1]):
            if known and kind[1].casefold().replace("-", "") not in known:
                line = section.line_of(match.start(1) + kind.start())
                yield line, f"it names the kind {kind[1]!r}, which KNOWLEDGE.md does not have"


def _resolution(section: ProseSection, wanted: str) -> Iterator[tuple[int, str]]:
    said = [name for name, words in _RESOLUTIONS.items() if re.search(words, section.text, re.IGNORECASE)]
    if said and wanted not in said:
        others = " or ".join(said)
        yield section.first, f"it resolves conflicts by {others}, KNOWLEDGE.md says conflictResolution: {wanted}"


def _lints(section: ProseSection, policy: LintPolicy) -> Iterator[tuple[int, str]]:
    for lint in policy.lints:
        words = _LINTS.get(lint.kind) or re.escape(lint.id).replace(r"\-", "[ -]")
        if not re.search(words, section.text, re.IGNORECASE):
            yield (
                section.first,
                f"KNOWLEDGE.md has the lint {lint.id} ({lint.kind}), of which this section says nothing",
            )
    for kind in ("require-source", "max-age", "min-confidence"):
        match = re.search(_LINTS[kind], section.text, re.IGNORECASE)
        if match and not any(policy.all(kind)) and not (kind == "max-age" and policy.retention_days is not None):
            yield (
                section.line_of(match.start()),
                f"it speaks of {match[0]!r}, and KNOWLEDGE.md has no lint of the kind {kind}",
            )
    yield from _severities(section, policy)
    yield from _limits(section, policy)


def _severities(section: ProseSection, policy: LintPolicy) -> Iterator[tuple[int, str]]:
    """``A and B as errors, and C as warnings``: each stretch of prose up to its severity."""
    start = 0
    for match in _AS.finditer(section.text):
        said = next(name for name, words in _SEVERITIES.items() if re.fullmatch(words, match[1], re.IGNORECASE))
        for kind, words in _LINTS.items():
            found = re.search(words, section.text[start : match.start()], re.IGNORECASE)
            lints = list(policy.all(kind))
            if found and lints and said not in {lint.severity for lint in lints}:
                line = section.line_of(start + found.start())
                yield (
                    line,
                    f"it calls {found[0]!r} {match[1]}, lint {lints[0].id} of KNOWLEDGE.md says {lints[0].severity}",
                )
        start = match.end()


def _limits(section: ProseSection, policy: LintPolicy) -> Iterator[tuple[int, str]]:
    yield from _limit(section, list(policy.all("max-age")), r"(\d+)[ -]days?\b", "days")
    yield from _limit(section, list(policy.all("min-confidence")), r"confidence\D{0,30}?(\d(?:\.\d+)?)", "min")


def _limit(section: ProseSection, lints: list[Lint], pattern: str, name: str) -> Iterator[tuple[int, str]]:
    limits = {lint.limit for lint in lints}
    for match in re.finditer(pattern, section.text, re.IGNORECASE):
        if limits and float(match[1]) not in limits:
            yield (
                section.line_of(match.start(1)),
                f"it says {match[1]}, lint {lints[0].id} has params.{name}: {lints[0].limit:g}",
            )


def _tone(prose: str, workspace: Workspace) -> Iterator[tuple[int, str]]:
    match = re.search(r"\btone is ([^.\n]{2,80})", prose, re.IGNORECASE)
    wanted = workspace.policy.tone
    if match and wanted and set(_words(match[1])) != set(_words(wanted)):
        line = prose.count("\n", 0, match.start()) + 1
        yield line, f"it says the tone is {match[1].strip()!r}, KNOWLEDGE.md says {wanted!r}"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
