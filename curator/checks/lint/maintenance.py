"""One maintenance pass: the pages that changed are looked at, then the whole is asked; nothing is written but caches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from curator.checks.lint import generated
from curator.checks.lint.facts import page_rules, quotes
from curator.checks.lint.facts.cache import FactCache
from curator.checks.lint.facts.collect import collect_facts
from curator.checks.lint.facts.policy import PATH, SEVERITIES, LintPolicy
from curator.checks.lint.facts.schema import CACHE_FAILED, CatalogueMoved
from curator.checks.lint.facts.snapshot import LintContext
from curator.checks.lint.facts.source_files import SourceFiles
from curator.checks.lint.facts.source_texts import SourceTexts
from curator.checks.lint.rules import anchors, custom, declared, drift, duplicates, fields, graph, missing_pages
from curator.checks.lint.rules import sources as files
from curator.errors import ConfigError, Conflict, WikiError
from curator.finding import Finding
from curator.repository.catalogue import FILE as CATALOGUE
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.repository.views import View
from curator.wiki.sources.formats import Limits
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.workspace.workspace import Workspace

_MOST_ATTEMPTS = 5

RULES: tuple[Callable[[LintContext], Iterator[Finding]], ...] = (
    graph.link_broken,
    anchors.anchor_broken,
    graph.entry_orphan,
    graph.not_pages,
    graph.contradiction,
    graph.relation_broken,
    graph.superseded,
    declared.claim_stale,
    declared.source_required,
    declared.confidence_low,
    declared.laundered,
    duplicates.slug_taken,
    duplicates.name_taken,
    duplicates.name_alike,
    duplicates.page_duplicate,
    missing_pages.page_missing,
    quotes.unread,
    files.source_changed,
    files.source_unregistered,
    files.source_unresolved,
    files.source_superseded,
    files.source_due,
    files.source_unsigned,
)
"""The rules of the whole; ``link_broken``, ``entry_orphan``, ``contradiction`` and ``claim_stale`` are what a maintenance
pass MUST detect."""


@dataclass(frozen=True)
class LintResult:
    """What a pass found in one commit."""

    commit: str
    findings: tuple[Finding, ...]
    pages: int = 0
    looked_at: int = 0
    """How many of the pages were not known from an earlier pass."""
    stale_after_days: float | None = None
    view: str = ""
    """The name of the view it was looked at through."""

    def count(self, severity: str) -> int:
        return self._by_severity[severity]

    @cached_property
    def _by_severity(self) -> Counter[str]:
        return Counter(finding.severity for finding in self.findings)

    @property
    def kinds(self) -> list[tuple[str, str, int]]:
        """Code, severity and number of what was found, the worst first."""
        counted = Counter((finding.code, finding.severity) for finding in self.findings)
        ordered = sorted(counted, key=lambda kind: (_rank(kind[1]), kind[0]))
        return [(code, severity, counted[code, severity]) for code, severity in ordered]


@dataclass(frozen=True)
class LintPass:
    """A pass that has begun: one commit, and the manifests it is held against."""

    context: LintContext
    manifests: _Manifests
    repository: Repository

    @cached_property
    def _pages_read(self) -> int:
        return collect_facts(self.context)

    def with_facts(self) -> LintContext:
        """The context when the facts of every page are in its cache: pages that are not known yet are read first."""
        _ = self._pages_read
        return self.context

    def result(self) -> LintResult:
        """Look at the pages that are not known yet, then ask all rules. Raises CatalogueMoved."""
        context, manifests = self.with_facts(), self.manifests
        policy, snapshot = context.policy, context.snapshot
        found = [*manifests.refused, *policy.refused, *generated.findings(self.repository, context, manifests.grouping)]
        found += (known for each in context.cache.faults() if (known := page_rules.weighed(each, policy)) is not None)
        for rule in RULES:
            found += rule(context)
        found += fields.missing(context, manifests.view.entity_types if manifests.view is not None else ())
        found += manifests.drift(snapshot.read(drift.PATH))
        found += custom.findings(snapshot.wiki, policy, manifests.text, context.now, snapshot.repository.git.top)
        count, threshold = snapshot.catalogue.count(), declared.threshold(policy)
        return LintResult(snapshot.base, _sorted(found), count, self._pages_read, threshold, manifests.lens)


def lint_wiki(repository: Repository, now: datetime, limits: Limits, view: View | None = None) -> LintResult:
    """Look at the newest commit, through ``view``; once more when the branch moves meanwhile. Raises CuratorError."""
    for _ in range(_MOST_ATTEMPTS):
        try:
            with begin_lint(repository, now, limits, view) as begun:
                return begun.result()
        except CatalogueMoved:
            continue
    raise _busy()


@contextmanager
def begin_lint(
    repository: Repository, now: datetime, limits: Limits, view: View | None = None, *, needs_file: bool = True
) -> Iterator[LintPass]:
    """A pass over the newest commit. Raises CuratorError.

    ``needs_file`` is False for one who can do without what was kept of earlier passes, and for whom nothing need be kept.
    """
    with ExitStack() as stack:
        snapshot, cache = _opened(repository, needs_file, stack)
        source_files = SourceFiles(repository.root, _manifest(snapshot), cache)
        manifests = _Manifests.of(snapshot, view)
        texts = SourceTexts(repository.root, repository.runtime, limits)
        yield LintPass(LintContext(snapshot, cache, source_files, texts, manifests.policy, now), manifests, repository)


def _opened(repository: Repository, needs_file: bool, stack: ExitStack) -> tuple[Snapshot, FactCache]:
    """The newest commit and the facts of its pages; another process may show the catalogue another commit meanwhile."""
    folder = repository.runtime.folder
    for _ in range(_MOST_ATTEMPTS):
        snapshot = repository.view()
        try:
            return snapshot, stack.enter_context(FactCache.open(folder, CATALOGUE, snapshot.base))
        except CatalogueMoved:
            continue
        except ConfigError as error:
            if needs_file or error.code != CACHE_FAILED:
                raise
            once = FactCache.open(folder, CATALOGUE, snapshot.base, is_kept=False)
            return snapshot, stack.enter_context(once)
    raise _busy()


def _busy() -> Conflict:
    return Conflict("branch_busy", f"the branch moved {_MOST_ATTEMPTS} times meanwhile", "try again")


def _manifest(snapshot: Snapshot) -> SourceManifest:
    try:
        return snapshot.manifest()
    except WikiError:
        return SourceManifest()  # the rules of the generated files say what is wrong with it


@dataclass(frozen=True)
class _Manifests:
    """The wiki's own manifest, and the one of the view it is looked at through: what they ask of pages."""

    own: Workspace | None = None
    view: Workspace | None = None
    text: str = ""
    """The wiki's own manifest."""
    refused: tuple[Finding, ...] = ()
    """Why there are no others: the MUST rules run all the same."""

    @classmethod
    def of(cls, snapshot: Snapshot, view: View | None) -> _Manifests:
        """Raises WikiError for a view that is none; a wiki's own manifest that cannot be read is a finding."""
        text = snapshot.read(PATH) or ""
        try:
            own = snapshot.workspace()
        except WikiError as error:
            if view is not None:
                raise
            message = " ".join(error.message.split())
            return cls(text=text, refused=(Finding(error.code, PATH, message, 1, "error", error.hint),))
        return cls(own, snapshot.workspace(view), text)

    @cached_property
    def policy(self) -> LintPolicy:
        return LintPolicy.of(self.view, self.text) if self.view is not None else LintPolicy()

    @property
    def grouping(self) -> str:
        """The index is the wiki's, whatever the view."""
        return self.own.grouping if self.own is not None else "kind"

    @property
    def lens(self) -> str:
        """The name of the view; empty for the wiki's own."""
        return self.view.name if self.view is not None and self.view is not self.own else ""

    def drift(self, prose: str | None) -> Iterator[Finding]:
        if self.own is not None:
            yield from drift.drift(prose, self.own, LintPolicy.of(self.own, self.text))


def _sorted(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """By place, each once."""
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda f: (f.path, f.line or 0, _rank(f.severity), f.code, f.message)))


def _rank(severity: str) -> int:
    return _RANKS[severity]


_RANKS: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}
