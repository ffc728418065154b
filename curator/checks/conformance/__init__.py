"""Validation, "is this wiki conforming?": ordered checks over values (AIP-10 with its implementer's guide).

    manifest     KNOWLEDGE.md keeps its shape; the generated files are there
    sources      what is registered is there, byte for byte
    entries      every page's frontmatter keeps its shape, and no two pages have one slug
    references   every source that a page names, and every link, resolves
    views        every view's chain resolves, and nothing in it is refused
    lints        the maintenance pass finds no error of the lints that are declared or demanded

A step is not begun before those above it have told all they found: who wants the first failure pays for no more. What is
wrong in one step keeps none of the others from being taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from curator.checks.conformance import lints
from curator.checks.conformance.lints import lints_run
from curator.checks.conformance.pages import entries_valid, references_resolve
from curator.checks.conformance.root import manifest_valid, sources_pinned
from curator.checks.conformance.views import views_resolve
from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.checks.kept_findings import counted, of_severities
from curator.wiki.validation import Failure, envelope


@dataclass(frozen=True)
class Verdict:
    """What validation found. ``findings`` are the failures, and below them what is only worth knowing."""

    root: str
    name: str
    findings: Sequence[Failure] = ()

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(map(Failure.of, of_severities(self.findings, ("error",))))

    @property
    def ok(self) -> bool:
        return not self.count("error")

    def count(self, severity: str) -> int:
        return sum(number for (_, each), number in counted(self.findings).items() if each == severity)

    @property
    def first(self) -> Failure | None:
        """The first failure, which names its file and its field."""
        return None if self.ok else next(map(Failure.of, of_severities(self.findings, ("error",))))

    def until_first_failure(self) -> Verdict:
        """As far as who wants the first failure looks."""
        found: list[Failure] = []
        for finding in self.findings:
            found.append(finding)
            if finding.severity == "error":
                break
        return replace(self, findings=tuple(found))

    @property
    def envelope(self) -> dict[str, object]:
        return envelope("validate", self.name, self.findings)


STEPS: Mapping[str, Callable[[WikiUnderTest], Iterator[Failure]]] = {
    "manifest": manifest_valid,
    "sources": sources_pinned,
    "entries": entries_valid,
    "references": references_resolve,
    "views": views_resolve,
    lints.STEP: lints_run,
}


def validate(wiki: WikiUnderTest, *, everything: bool) -> Verdict:
    """The first failure, or everything that is found."""
    found: list[Failure] = []
    for failure in _steps(wiki):
        found.append(failure)
        if failure.severity == "error" and not everything:
            break
    return Verdict(wiki.root, wiki.name, tuple(found))


def _steps(wiki: WikiUnderTest) -> Iterator[Failure]:
    seen: set[tuple[str, str]] = set()
    for step, check in STEPS.items():
        before = {*seen}
        for failure in check(wiki):
            seen.add((failure.code, failure.path))
            if (failure.code, failure.path) not in before:  # no lint tells again what the steps before it have told
                yield failure if failure.step == step else replace(failure, step=step)
