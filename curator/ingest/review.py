"""When a proposal waits for a person, and what becomes of it when that person has approved it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from curator.errors import ProposalError
from curator.finding import Finding
from curator.ingest.plan import IngestPlan
from curator.models.port import Reply, Request
from curator.models.saved_answers import Answered
from curator.repository.proposals import PageEdit
from curator.system.text import counted
from curator.wiki.naming.aliases import are_alike
from curator.wiki.naming.homonyms import unlike_kind
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Source
from curator.wiki.support.written import names_of

Review = Literal["auto", "flagged", "always"]
"""No proposal waits but one that makes one page of two with unlike names, or has a page be of another kind; those with a
reason for a look; all."""
MOST_PAGES = 12
"""A source that changes more pages than this which were there before is looked at."""
_MOST_HIDDEN = 200
"""Characters; a comment of an editor's or two, or the words for a screen reader, are nothing to ask about."""
BY_A_PERSON = "approved by a person"
"""What the log, and so the commit, says of an ingest that a person has approved."""
_RELATIONS = ("contradicts", "supersedes", "supersededBy", "superseded_by")


@dataclass(frozen=True)
class Approved:
    """A proposal that a person has approved: its name, its answer, and the edits of its pages."""

    name: str
    digest: str
    """Of the source's bytes that it was made from."""
    answered: Answered
    edits: tuple[PageEdit, ...] = ()

    @property
    def said(self) -> str:
        """For the log."""
        return BY_A_PERSON + (", who edited it" if self.edits else "")

    def answer_for(self, source: Source) -> Answered:
        """Raises ProposalError where ``source`` is not as it was."""
        if source.digest != self.digest:
            said = f"{source.path} has changed since the proposal was made"
            raise ProposalError("proposal_outdated", said, f"look at a new one: curate ingest {source.path}")
        return self.answered


def reasons(plan: IngestPlan, review: Review) -> tuple[Finding, ...] | None:
    """Why ``plan`` waits for a person, empty where all do without a reason; None when it does not wait."""
    if not (plan.draft.wiki.changed or plan.draft.wiki.gone):
        return None
    if review == "auto":
        return (*_merged_unlike(plan), *_narrowed(plan)) or None
    found = (
        *plan.draft.flagged,
        *plan.withdrawn,
        *_related(plan),
        *_regrouped(plan),
        *_many(plan),
        *_hidden(plan.source),
        *_recognised(plan.source),
    )
    return found if found or review == "always" else None


@dataclass(frozen=True)
class AnsweredModel:
    """Stands in for the model that has answered, which is not asked again."""

    name: str

    def propose(self, request: Request) -> Reply:
        said = f"the proposal for {request.source.path} does not fit the wiki as it is now"
        raise ProposalError("proposal_outdated", said, "reject it, and have the source ingested again")


def _hidden(source: Source) -> Iterator[Finding]:
    """Text of the source that people do not see, where there is much of it."""
    hidden = [each for each in source.document.left_out if each.is_hidden]
    count = sum(each.count for each in hidden)
    if count > _MOST_HIDDEN:
        what = ", ".join(f"{each.what}: {each.count}" for each in hidden[:5])
        yield Finding("text_hidden", source.path, f"{count} characters that nobody sees were left out ({what})")


def _recognised(source: Source) -> Iterator[Finding]:
    """A scan: the words that claims are held against may be misread themselves."""
    if pages := source.document.read_by_ocr:
        message = f"{pages} of it {'was' if len(source.document.recognised) == 1 else 'were'} read by OCR"
        yield Finding("source_recognised", source.path, f"{message}: compare names and figures with the scan")


def _related(plan: IngestPlan) -> Iterator[Finding]:
    """What is said of pages that were there before, beyond their text."""
    for path, page in plan.draft.wiki.changed.items():
        old = plan.transaction.wiki.page_at(path)
        changed = [name for name in _RELATIONS if old is not None and _field(old, name) != _field(page, name)]
        if changed:
            yield Finding("relation_changed", path, f"{', '.join(changed)} of {page.slug} would change")


def _regrouped(plan: IngestPlan) -> Iterator[Finding]:
    """Pages that get another title, become part of others, or give statements to others."""
    draft = plan.draft
    told = {
        "page_merged": [f"{gone} becomes part of {kept}" for gone, kept in draft.merged],
        "page_renamed": [f"{slug} gets another title" for slug in draft.renamed],
        "statement_moved": [f"statements of {page} go to {to}" for page, to in draft.moved],
    }
    for code, messages in told.items():
        yield from (Finding(code, plan.source.path, message) for message in messages)


def _merged_unlike(plan: IngestPlan) -> Iterator[Finding]:
    """Pages that become part of one whose names have nothing in common with theirs: a whole page is at stake."""
    wiki = plan.transaction.wiki
    for gone, kept in plan.draft.merged:
        other, page = wiki.page(gone), wiki.page(kept)
        if other is not None and page is not None and not are_alike(names_of(page), names_of(other)):
            message = f"{gone} becomes part of {kept}, and their names have nothing in common"
            yield Finding("merge_unlike", plan.source.path, message)


def _narrowed(plan: IngestPlan) -> Iterator[Finding]:
    """Pages that get a kind behind their names which some of what stood on them speaks against: of a namesake, perhaps."""
    for slug in plan.draft.renamed:
        old, page = plan.transaction.wiki.page(slug), plan.draft.wiki.page(slug)
        title = QUALIFIED.match(page.title) if page is not None else None
        by = title["by"] if title is not None else ""
        if old is not None and by.islower() and (kind := unlike_kind(old, by)):
            message = f"{slug} would be called {f'{old.title} ({by})'!r}, and a source of it has it be a {kind}"
            yield Finding("rename_unlike", plan.source.path, message)


def _field(page: Page, name: str) -> object:
    return page.fields.get(name) if page.is_readable else None


def _many(plan: IngestPlan) -> Iterator[Finding]:
    count = len(plan.draft.updated)
    if count > MOST_PAGES:
        message = f"{counted(count, 'page')} that were there before would change"
        yield Finding("pages_many", plan.source.path, message)
