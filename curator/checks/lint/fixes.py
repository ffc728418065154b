"""What ``curate lint --fix`` does: only what is mechanical, in one transaction.

- ``_index.md``, ``_log.md`` and ``_manifest.json`` are made what they should be, as ``curate doctor --repair`` does it.
- A citation whose words stand word for word elsewhere in the source gets the anchor of that place; one that counts lines
  of markup, as wikis of earlier versions do, gets that of the paragraph.
- A line that stands right below a footnote, and is read as part of it, gets the empty line before it that was meant.
- Of two pages that contradict each other, the one that does not say so says so, too.

``updated_at`` stays: a machine's correction confirms nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from curator.checks.diagnosis import Append, Repair, Write, change_set
from curator.checks.lint import generated
from curator.checks.lint.facts.page_facts import PageFacts
from curator.checks.lint.facts.quotes import Read, counts_markup, moved
from curator.checks.lint.facts.schema import CatalogueMoved
from curator.checks.lint.maintenance import LintResult
from curator.errors import CuratorError
from curator.finding import Finding
from curator.models.sandbox.source_texts import SourceTexts
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, NothingToDo
from curator.repository.repository import Repository
from curator.repository.transaction.transaction import BranchMoved
from curator.wiki import index, log
from curator.wiki.pages import footnote_edits
from curator.wiki.pages.page import Page
from curator.wiki.sources.formats import Limits
from curator.wiki.wiki import PageEntry, Wiki

_OF_FILES = {
    index.PATH: frozenset("index_stale index_missing".split()),
    log.PATH: frozenset("log_missing log_rewritten log_event_missing".split()),
}
_OF_MANIFEST = frozenset(
    "manifest_missing manifest_invalid manifest_unproven manifest_differs manifest_record_missing".split()
)
CODES = frozenset(
    {"evidence_moved", "note_invalid", "contradiction_one_sided", *_OF_MANIFEST}.union(*_OF_FILES.values())
)


@dataclass(frozen=True)
class Fixed:
    """What was done in sentences, the commit, and the diff; ``why`` says what was in the way."""

    did: tuple[str, ...] = ()
    commit: str | None = None
    diff: str = ""
    why: str = ""


def carry_out(
    repository: Repository,
    result: LintResult,
    examine: Callable[[], LintResult],
    only: Set[str],
    limits: Limits,
    now: datetime,
    dry_run: bool,
) -> tuple[LintResult, Fixed]:
    """Fix what is in ``result``, or with ``dry_run`` tell what would be done; what is in the way of it is told.

    ``only``: the codes to fix; empty for all. ``examine`` looks anew when the branch has moved; what was found last
    is given back.
    """
    sources = SourceTexts(repository.root, repository.runtime, limits)

    def wanted() -> list[Finding]:
        return [each for each in result.findings if each.code in CODES and (not only or each.code in only)]

    def work(transaction: Transaction) -> ChangeSet:
        nonlocal result
        if result.commit != transaction.base:
            result = examine()
        if result.commit != transaction.base:
            raise BranchMoved
        change = _change_set(transaction, wanted(), sources, now)
        if not change.bullets:
            raise NothingToDo
        return change

    if not wanted():
        return result, Fixed()
    try:
        done = repository.commit(work, lambda: now, dry_run=dry_run)
    except NothingToDo:
        return result, Fixed()
    except CuratorError as error:
        return result, Fixed(why=f"nothing was fixed: {error.message}" + (f"; {error.hint}" if error.hint else ""))
    return result, Fixed(done.change_set.bullets, done.commit, done.diff if dry_run else "")


def _change_set(transaction: Transaction, wanted: Sequence[Finding], sources: SourceTexts, now: datetime) -> ChangeSet:
    codes = {finding.code for finding in wanted}
    wiki, bullets = _pages(transaction.wiki, wanted, sources.evidence)
    fixes = [fix for fix in _fixes(transaction, codes, now) if codes & _codes(fix)]
    return change_set(wiki, fixes, "curate lint --fix", "lint: fix what is mechanical", bullets)


# -- pages --------------------------------------------------------------------------------------------------------


def _pages(wiki: Wiki, wanted: Sequence[Finding], read: Read) -> tuple[Wiki, list[str]]:
    """The wiki with its pages fixed, and what was done."""
    bullets: list[str] = []
    for path in sorted({finding.path for finding in wanted}):
        codes = {finding.code for finding in wanted if finding.path == path}
        page = wiki.page_at(path)
        if page is None or not page.is_readable:
            continue
        if "evidence_moved" in codes and (fixed := _with_anchors(page, read)).text != page.text:
            wiki, page = wiki.with_page(fixed), fixed
            bullets.append(f"[[{page.slug}]]: citations point to where their words stand")
        if "note_invalid" in codes and (body := footnote_edits.parted(page.body)) != page.body:
            page = page.with_body(body)
            wiki = wiki.with_page(page)
            bullets.append(f"[[{page.slug}]]: what stood right below a footnote is parted from it")
        for slug in page.contradicts if "contradiction_one_sided" in codes else ():
            other = wiki.resolve(slug)
            there = wiki.page_at(other.path) if other is not None and other.path != path else None
            if there is not None and there.is_readable and page.slug not in there.contradicts:
                wiki = wiki.with_page(there.with_fields(contradicts=[*there.contradicts, page.slug]))
                bullets.append(f"[[{there.slug}]]: it contradicts [[{page.slug}]], as that page says")
    return wiki, bullets


def _with_anchors(page: Page, read: Read) -> Page:
    """The page with the anchor of each moved citation set right; every other byte stays."""
    lines = page.text.split("\n")
    for cited in PageFacts(page.path, page.text, PageEntry.of(page)).cited:
        try:
            evidence = read(cited.citation.path)
        except CuratorError:
            continue
        is_right = evidence.holds(cited.citation) and not counts_markup(cited.citation, evidence)
        there = None if is_right else moved(cited.citation, evidence)
        if there is not None:
            before, at, after = lines[cited.line - 1].partition(f"#{cited.citation.anchor} ")
            lines[cited.line - 1] = f"{before}#{there.anchor} {after}" if at else before
    return replace(page, text="\n".join(lines))


# -- generated files ----------------------------------------------------------------------------------------------


def _fixes(transaction: Transaction, codes: Set[str], now: datetime) -> list[Repair]:
    """What mends the generated files, worked out only when one of them has to be mended. Raises BranchMoved."""
    if not codes & _OF_MANIFEST.union(*_OF_FILES.values()):
        return []
    try:
        return generated.fixes(transaction, now)
    except CatalogueMoved:
        raise BranchMoved from None


def _codes(fix: Repair) -> frozenset[str]:
    """The codes of what a mend mends."""
    if isinstance(fix, Append):
        return _OF_FILES[log.PATH]
    return _OF_FILES.get(fix.path, _OF_MANIFEST) if isinstance(fix, Write) else frozenset()
