"""One maintenance pass: the pages that changed are looked at, then the whole is asked; nothing is written but caches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from curator.checks import kept_findings
from curator.checks.kept_findings import KeptFindings, Kind, counted, in_order, together
from curator.checks.lint import generated
from curator.checks.lint.facts import page_rules, quotes
from curator.checks.lint.facts.cache import FactCache
from curator.checks.lint.facts.collect import collect_facts
from curator.checks.lint.facts.policy import PATH, SEVERITIES, LintPolicy
from curator.checks.lint.facts.schema import CACHE_FAILED, CatalogueMoved
from curator.checks.lint.facts.snapshot import LintContext
from curator.checks.lint.facts.source_files import SourceFiles
from curator.checks.lint.report_key import ReportKey, report_key
from curator.checks.lint.rules import anchors, custom, declared, drift, duplicates, fields, graph, missing_pages
from curator.checks.lint.rules import sources as files
from curator.errors import ConfigError, Conflict, WikiError
from curator.finding import Finding
from curator.models.sandbox.source_texts import SourceTexts
from curator.repository.catalogue import FILE as CATALOGUE
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.repository.views import View
from curator.system.parallel import Fork, processes
from curator.wiki.sources.formats import Limits
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.workspace.workspace import Workspace

_MOST_ATTEMPTS = 5
_BIG = 3_000
"""Pages, from which on a second process has enough to do."""

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
    findings: Sequence[Finding]
    pages: int = 0
    looked_at: int = 0
    """How many of the pages were not known from an earlier pass."""
    stale_after_days: float | None = None
    view: str = ""
    """The name of the view it was looked at through."""

    def count(self, severity: str) -> int:
        return sum(number for (_, each), number in self._counted.items() if each == severity)

    @cached_property
    def _counted(self) -> Counter[Kind]:
        return counted(self.findings)

    @property
    def kinds(self) -> list[tuple[str, str, int]]:
        """Code, severity and number of what was found, the worst first."""
        ordered = sorted(self._counted, key=lambda kind: (SEVERITIES.index(kind[1]), kind[0]))
        return [(code, severity, self._counted[code, severity]) for code, severity in ordered]


@dataclass(frozen=True)
class LintPass:
    """A pass that has begun: one commit, and the manifests it is held against."""

    context: LintContext
    manifests: _Manifests
    repository: Repository
    reporter: _Reporter

    @cached_property
    def _pages_read(self) -> int:
        return collect_facts(self.context)

    def with_facts(self) -> LintContext:
        """The context when the facts of every page are in its cache: pages that are not known yet are read first."""
        _ = self._pages_read
        return self.context

    def result(self) -> LintResult:
        """Look at the pages that are not known yet, then ask all rules. Raises CatalogueMoved."""
        if (kept := self.reporter.kept()) is not None:
            return kept
        beside = self.reporter.history_beside()
        try:
            return self._asked(beside)
        finally:
            if beside is not None:
                beside.close()

    def _asked(self, beside: Fork | None) -> LintResult:
        context, manifests, reporter = self.with_facts(), self.manifests, self.reporter
        policy, snapshot = context.policy, context.snapshot
        found = [*manifests.refused, *policy.refused, *generated.of_index(self.repository, context, manifests.grouping)]
        found += (known for each in context.cache.faults() if (known := page_rules.weighed(each, policy)) is not None)
        for rule in RULES:
            found += rule(context)
        found += fields.missing(context, manifests.view.entity_types if manifests.view is not None else ())
        found += manifests.drift(snapshot.read(drift.PATH))
        found += custom.findings(snapshot.wiki, policy, manifests.text, context.now, snapshot.repository.git.top)
        ruled = in_order(found)
        reporter.keep(ruled)
        if beside is not None:
            beside.has_done()  # where it failed, history is looked at here
        if (kept := reporter.kept()) is not None:  # packed and counted, and only what is shown is made of it
            return replace(kept, looked_at=self._pages_read)
        return reporter.result(together(ruled, reporter.history()), self._pages_read)


@dataclass(frozen=True)
class _Reporter:
    """What comes of a pass over one commit, kept for the next one: two lists, since each lasts for its own time."""

    repository: Repository
    snapshot: Snapshot
    manifests: _Manifests
    now: datetime
    key: ReportKey | None

    @classmethod
    def of(cls, repository: Repository, snapshot: Snapshot, manifests: _Manifests, now: datetime) -> _Reporter:
        """To be asked for before the look, so that the key is that of what is looked at, or of what was before."""
        return cls(repository, snapshot, manifests, now, manifests.key(snapshot, now))

    def kept(self) -> LintResult | None:
        """The result of an earlier pass over the same; None where there is none. Raises CatalogueMoved."""
        found = kept_findings.find(self._file("lint"), self.key.rules) if self.key is not None else None
        if found is None:
            return None
        history = self.history()
        if isinstance(history, KeptFindings):
            return self.result(found[0] + history, 0)
        return self.result(together(tuple(found[0]), history) if history else found[0], 0)

    def keep(self, ruled: Sequence[Finding]) -> None:
        """Keep what the rules have found."""
        if self.key is not None:
            kept_findings.keep(self._file("lint"), self.key.rules, ruled)

    def history(self) -> Sequence[Finding]:
        """What is wrong with log and manifest. Raises CatalogueMoved."""
        file = self._file("history")
        kept = kept_findings.find(file, self.key.history) if self.key is not None else None
        if kept is not None:
            return kept[0]
        found = in_order(generated.of_history(self.repository, self.snapshot.base, self.now))
        if self.key is None:
            return found
        kept_findings.keep(file, self.key.history, found)
        kept = kept_findings.find(file, self.key.history)  # so that those of the rules stay packed, too
        return kept[0] if kept is not None else found

    def history_beside(self) -> Fork | None:
        """A fork that looks at the history and keeps what it finds; None where that is not worth it."""
        if self.key is None or processes() < 2 or self.snapshot.catalogue.count() < _BIG:
            return None
        with suppress(OSError):  # no process, no memory
            return Fork(self._history_kept)
        return None

    def _history_kept(self) -> Iterator[None]:
        """All that is open belongs to the process that was forked: the wiki is opened anew."""
        with Repository(self.repository.root, recovers=False, looks=True) as repository:
            replace(self, repository=repository).history()
        yield

    def result(self, findings: Sequence[Finding], pages_read: int) -> LintResult:
        count, threshold = self.snapshot.catalogue.count(), declared.threshold(self.manifests.policy)
        return LintResult(self.snapshot.base, findings, count, pages_read, threshold, self.manifests.lens)

    def _file(self, what: str) -> Path:
        return self.repository.runtime.folder / f"facts-{what}.kept"


def lint_wiki(repository: Repository, now: datetime, limits: Limits, view: View | None = None) -> LintResult:
    """Look at the newest commit, through ``view``; once more when the branch moves meanwhile. Raises CuratorError.

    Where nothing has changed since an earlier pass, that has the word.
    """
    for _ in range(_MOST_ATTEMPTS):
        try:
            snapshot = repository.view()
            reporter = _Reporter.of(repository, snapshot, _Manifests.of(snapshot, view), now)
            if (kept := reporter.kept()) is not None:
                return kept
            with begin_lint(repository, now, limits, view, reporter=reporter) as begun:
                return begun.result()
        except CatalogueMoved:
            continue
    raise _busy()


def key_of(snapshot: Snapshot, now: datetime) -> ReportKey | None:
    """The key of what a pass over this commit finds; None where another one may find something else."""
    return _Manifests.of(snapshot, None).key(snapshot, now)


@contextmanager
def begin_lint(
    repository: Repository,
    now: datetime,
    limits: Limits,
    view: View | None = None,
    *,
    needs_file: bool = True,
    reporter: _Reporter | None = None,
) -> Iterator[LintPass]:
    """A pass over the newest commit. Raises CuratorError.

    ``needs_file`` is False for one who can do without what was kept of earlier passes, and for whom nothing need be kept.
    ``reporter``: one that was asked for just now, which does where there is no newer commit.
    """
    with ExitStack() as stack:
        snapshot, cache = _opened(repository, needs_file, stack)
        manifests = _Manifests.of(snapshot, view)
        if reporter is None or reporter.snapshot.base != snapshot.base:
            reporter = _Reporter.of(repository, snapshot, manifests, now)
        seen = reporter.key.stamps if reporter.key is not None else {}
        source_files = SourceFiles(repository.root, _manifest(snapshot), cache, seen)
        texts = SourceTexts(repository.root, repository.runtime, limits)
        context = LintContext(snapshot, cache, source_files, texts, manifests.policy, now)
        yield LintPass(context, manifests, repository, reporter)


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

    def key(self, snapshot: Snapshot, now: datetime) -> ReportKey | None:
        """The key of what is reported of a commit through them."""
        own = LintPolicy.of(self.own, self.text) if self.own is not None else None
        return report_key(snapshot, self.policy, (self.own, self.view), (self.refused, own, self.lens), now)

    def drift(self, prose: str | None) -> Iterator[Finding]:
        if self.own is not None:
            yield from drift.drift(prose, self.own, LintPolicy.of(self.own, self.text))
