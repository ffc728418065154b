"""Lints of the kind custom: code that was installed beside curator, named by KNOWLEDGE.md, never brought by it.

A manifest can be written by anybody who can write to the wiki, so it only names a rule. The rule itself is an entry point
of the group ``curator.lints`` of an installed package:

    [project.entry-points."curator.lints"]
    has-owner = "our_lints:has_owner"

    def has_owner(wiki: curator.checks.lint.rules.custom.View, params: Mapping[str, Any]) -> Iterable[Finding]: ...

``params.rule`` of the lint names the entry point, else the lint's id does. What it finds gets the lint's id as its code and
the lint's severity; findings on pages the lint does not apply to are dropped. A name that is not installed is a finding.
Packages that lie inside of the wiki do not count as installed, wherever curate was started.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curator.checks.lint.facts.policy import PATH, Lint, LintPolicy, line_of
from curator.finding import Finding
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry, Wiki

GROUP = "curator.lints"


@dataclass(frozen=True)
class WikiView:
    """The wiki as a custom rule sees it: committed pages, for reading only."""

    wiki: Wiki
    now: datetime
    lint: Lint
    policy: LintPolicy

    def entries(self) -> Iterator[PageEntry]:
        """The pages that the lint applies to, without their bodies."""
        return (entry for entry in self.wiki.entries() if self.policy.covers(self.lint, entry.type))

    def page(self, slug: str) -> Page | None:
        """A page, body and all."""
        return self.wiki.page(slug)


Check = Callable[[WikiView, Mapping[str, Any]], Iterable[Finding]]


def findings(wiki: Wiki, policy: LintPolicy, text: str, now: datetime, top: Path) -> Iterator[Finding]:
    """What the custom lints of a wiki find; ``top`` is the folder nothing may be imported from."""
    for lint in policy.all("custom"):
        name = str(lint.params.get("rule") or lint.id)
        line = line_of(text, lint.id) if lint.at == PATH else None
        with _outside(top):
            check, why = _installed(name, top)
            if check is None:
                message = f"lint {lint.id} was not run: {why}"
                hint = f"install the package that has it, or take the lint out of {lint.at}"
                yield Finding("lint_unknown", lint.at, message, line, lint.severity, hint)
                continue
            try:
                found = list(check(WikiView(wiki, now, lint, policy), lint.params))
            except Exception as error:
                message = f"lint {lint.id} failed: {type(error).__name__}: {' '.join(str(error).split())}"
                yield Finding("lint_failed", lint.at, message, line, lint.severity, f"see to the rule {name!r}")
                continue
        yield from _scoped(found, wiki, policy, lint)


def _scoped(found: list[Finding], wiki: Wiki, policy: LintPolicy, lint: Lint) -> Iterator[Finding]:
    for finding in found:
        entry = wiki.resolve(finding.path) if finding.path.endswith(".md") else None
        if entry is None or policy.covers(lint, entry.type):
            hint = finding.hint or lint.hint
            yield replace(finding, code=lint.id, severity=lint.severity, hint=hint)


def _installed(name: str, top: Path) -> tuple[Check | None, str]:
    """The rule of that name; or None, and why not."""
    from importlib import metadata  # takes as long to import as a small wiki takes to look at, and few need it

    points = [point for point in metadata.entry_points(group=GROUP) if point.name == name]
    points = [point for point in points if point.dist is None or not _is_below(point.dist.locate_file(""), top)]
    if not points:
        return None, f"no rule {name!r} is installed (entry points of {GROUP})"
    try:
        check = points[0].load()
    except Exception as error:
        return None, f"the rule {name!r} cannot be loaded: {type(error).__name__}: {error}"
    return (check, "") if callable(check) else (None, f"the rule {name!r} is no function")


@contextmanager
def _outside(top: Path) -> Iterator[None]:
    """Without the folders on Python's path that lie in the wiki: ``python -m curator`` puts the current one there."""
    kept = list(sys.path)
    sys.path[:] = [folder for folder in kept if not _is_below(Path(folder or "."), top)]
    try:
        yield
    finally:
        sys.path[:] = kept


def _is_below(folder: Any, top: Path) -> bool:
    try:
        return Path(str(folder)).resolve().is_relative_to(top.resolve())
    except OSError:
        return True
