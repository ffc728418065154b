"""A plan: a draft that passed the wall, and what its commit will hold (AIP-10, ingest contract 5).

That includes the record of the source in the registry (``knowledge.source/v1``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import reduce

from curator.errors import ProposalError, Rejected
from curator.finding import Finding
from curator.ingest.attempt import Attempt
from curator.ingest.drafting.drafted import Draft
from curator.ingest.drafting.new_page import summary_of
from curator.models.extractive.reading import SourceReading
from curator.models.port import Reply
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.source_files import IncomingFile
from curator.repository.views import View
from curator.system import clocks
from curator.wiki import index
from curator.wiki.pages.page import LONGEST_TITLE, Page
from curator.wiki.sources.define import LANGUAGE, fitting_tags
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.record import Record
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Source, SourceRemarks
from curator.wiki.support.judge import Judge

_DONE = {
    "claim_withdrawn": "withdrawn from",
    "citation_withdrawn": "withdrawn on",
    "alias_withdrawn": "withdrawn from",
    "relation_withdrawn": "withdrawn from",
    "title_withdrawn": "withdrawn from",
    "claim_unproven": "unproven on",
    "page_emptied": "emptied",
}
"""How the log begins to tell of what a changed source does not say any more."""
_FLAGGED = {"claim_uncited": "uncited"}
"""How the log calls what is flagged, by its code."""
_HEAD = 200
"""So many lines tell a document's title; a long source need not be read for it."""


@dataclass(frozen=True)
class Outcome:
    """What became of one source."""

    commit: str | None
    """None for a dry run."""
    created: tuple[str, ...]
    updated: tuple[str, ...]
    left_out: tuple[Finding, ...]
    flagged: tuple[Finding, ...]
    reply: Reply
    diffs: dict[str, str] = field(default_factory=dict)
    withdrawn: tuple[Finding, ...] = ()
    """What the source said before and says no more, with the reason."""
    waits: tuple[Finding, ...] | None = None
    """Of a dry run: why it would wait for a person, empty where all does; None when it would not."""


@dataclass(frozen=True)
class IngestPlan:
    """What one source brings to the wiki, worked out and not yet committed."""

    source: Source
    draft: Draft
    diffs: dict[str, str]
    reply: Reply
    """Where the draft came from."""
    transaction: Transaction
    """The state of the wiki it was made for."""
    notes: tuple[str, ...] = ()
    """What was rescued for the user since the last ingest, and the view it went through."""
    told: int = 0
    """How many rescues the log speaks of, once this is committed."""
    withdrawn: tuple[Finding, ...] = ()
    """What the source said before and says no more (``Withdrawals.findings``)."""
    before: Judge | None = None
    """Who knows all that it said before; None where that is not known."""

    @classmethod
    def of(cls, attempt: Attempt, transaction: Transaction, view: View | None, approval: str = "") -> IngestPlan:
        """The plan, when the wall let it through and something is left of it; ``approval`` is for the log.

        Raises Rejected or ProposalError.
        """
        if attempt.faults or attempt.draft is None:
            raise Rejected(attempt.faults)
        is_known = attempt.source.path in transaction.manifest().sources
        if not (attempt.draft.wiki.changed or attempt.draft.wiki.gone) and (attempt.claims or not is_known):
            hint = "another model may do better: curate ingest --model NAME"
            raise ProposalError("proposal_empty", f"nothing is left of the proposal: {_emptied(attempt.claims)}", hint)
        runtime = transaction.repository.runtime
        rescued = runtime.rescued.notes()
        notes = [f"{note['what']} {note['path']}: {note['why']}" for note in rescued[runtime.rescued.told :]]
        if view is not None:
            notes.append(f"through the view {transaction.workspace(view).name}")
        notes += [approval] if approval else []
        about = (attempt.source, attempt.draft, attempt.diffs, attempt.reply, transaction)
        return cls(*about, tuple(notes), len(rescued), attempt.withdrawn, attempt.before)

    def change_set(self, source_file: IncomingFile | None, now: datetime) -> ChangeSet:
        """The pages with the source's record and file, and what log and commit say of them."""
        slugs = [page.slug for page in self.draft.wiki.changed.values()]
        before = self.before and replace(self.source, document=self.before.evidence.document)
        return ChangeSet(
            self.draft.wiki,
            enter_source(self._manifest, self.source, slugs, now, title_of(before) if before else ""),
            self.source.path,
            self.bullets,
            self.trailers,
            event="ingest",
            title=f"ingest: {self.source.path}",
            source_file=source_file,
        )

    @property
    def _manifest(self) -> SourceManifest:
        """What is known of the sources, with the pages that are part of others, or have got statements, by their names."""
        known = reduce(lambda known, pair: known.with_slug(*pair), self.draft.merged, self.transaction.manifest())
        for page in filter(None, (self.draft.wiki.page(to) for _, to in self.draft.moved)):
            known = known.with_page(page.slug, {citation.path for citation in page.citations.values()})
        return known

    @property
    def bullets(self) -> tuple[str, ...]:
        """What the log says: the pages, then what was left out or kept without a citation, and who curated."""
        wiki, draft = self.draft.wiki, self.draft
        lines = [f"supersedes {path}" for path in self.source.remarks.supersedes]
        lines += [f"created {_named(wiki.changed[path])}" for path in draft.created]
        lines += [f"updated {_named(wiki.changed[path])}" for path in draft.updated]
        lines += [f"merged {gone} into [[{kept}]]" for gone, kept in draft.merged]
        lines += [f"moved statements from [[{page}]] to [[{to}]]" for page, to in draft.moved]
        lines += [f"another title for [[{slug}]]" for slug in draft.renamed]
        for finding in self.withdrawn:
            page = wiki.page_at(finding.path)
            name = f"[[{page.slug}]]" if page is not None else finding.path
            lines.append(f"{_DONE[finding.code]} {name}: {index.plain(finding.message)}")
        lines += [] if wiki.changed or wiki.gone else ["no page changed"]
        lines += ["no summary of it was made"] if draft.created and summary_of(self.source, wiki) is None else []
        lines += [f"read by OCR: {said}"] if (said := self.source.document.read_by_ocr) else []
        unread = "; ".join(map(str, self.source.document.left_out))
        lines += [f"not read of it: {index.plain(unread)}"] if unread else []
        lines += [f"where it lies: {self.source.place}"] if self.source.place else []
        lines += [f"left out: {index.plain(str(finding.message))}" for finding in draft.left_out]
        lines += [
            f"{_FLAGGED.get(finding.code, 'in doubt')} in {finding.path}: {index.plain(finding.message)}"
            for finding in draft.flagged
        ]
        read = [f"claims read by {self.reply.verifier}"] if self.reply.verifier else []
        return (*lines, *map(index.plain, self.notes), *read, f"curated by {self.reply.model}")

    @property
    def trailers(self) -> tuple[str, ...]:
        """What the commit says of the source, the model that curated it, the jails and the signature."""
        source, signature = self.source, self.source.signature
        about = (
            f"{history.SOURCE}: {source.path} {source.digest}",
            *self.reply.trailers,
            *(f"{history.MERGED}: {gone} {kept}" for gone, kept in self.draft.merged),
            *(f"{history.SPLIT}: {page} {to}" for page, to in self.draft.moved),
            f"{history.SANDBOX}: {self._jails}",
        )
        return about if signature is None else (*about, f"Curator-Signature: {signature.kind} {signature.by}")

    @property
    def _jails(self) -> str:
        """The level of the jail that the source was read in, and of the one that the model was asked from."""
        levels = {"read": self.source.sandbox, "complete": self.reply.sandbox}
        return ", ".join(f"{what} {level}" for what, level in levels.items() if level) or "none"

    def outcome(self, commit: str | None) -> Outcome:
        """The outcome once the plan is committed as ``commit``; None for a dry run."""
        draft = self.draft
        slugs = {path: page.slug for path, page in draft.wiki.changed.items()}
        return Outcome(
            commit,
            tuple(slugs[path] for path in draft.created),
            tuple(slugs[path] for path in draft.updated),
            draft.left_out,
            draft.flagged,
            self.reply,
            dict(self.diffs),
            self.withdrawn,
        )


def _named(page: Page) -> str:
    return f"[[{page.slug}]] {index.plain(page.title)}"


# -- the record of the source (``knowledge.source/v1``, AIP-10) ----------------------------------------------------


def enter_source(
    known: SourceManifest, source: Source, slugs: Sequence[str], now: datetime, was_called: str = ""
) -> SourceManifest:
    """The registry after the ingest of ``source`` into the pages ``slugs``.

    New bytes are captured now; what people said of the source before stays, but for what ``source.remarks`` says anew.
    ``was_called``: what the document called itself before.
    """
    is_new = not known.has(source.path, source.digest)
    after = known.with_source(source.path, source.digest, slugs)
    record = after.sources[source.path]
    record = replace(record, id=SourceRecords(known).id_for(source.path))
    if is_new:
        at = clocks.utc_timestamp(now.astimezone(UTC))
        head = source.document.head
        record = replace(
            record,
            captured_at=at,
            title=title_of(source) if record.title in ("", was_called) else record.title,
            language=record.language or (head.language if LANGUAGE.fits(head.language) else ""),
            signature=source.signature,
            tags=record.tags or fitting_tags(head.tags),
            captured_by=record.captured_by or head.captured_by[:LONGEST_TITLE],
            authors=head.authors,
            date=head.date or source.remarks.date,
            doi=head.doi,
            url=source.remarks.address or head.url,
            note=source.remarks.note,
        )
    after = after.with_record(source.path, replace(record, authority=source.remarks.authority or record.authority))
    return SourceRecords(after).superseded(source.remarks.supersedes, source.path)


def check_remarks(known: SourceManifest, path: str, remarks: SourceRemarks) -> None:
    """Raise ConfigError when what is said of the source at ``path`` cannot be, before anybody is asked about it."""
    after = known if path in known.sources else known.with_record(path, Record("", ()))
    SourceRecords(after).superseded(remarks.supersedes, path)


def title_of(source: Source) -> str:
    """What the document calls itself, else its file's name in words."""
    document = source.document
    head = replace(document, lines=document.lines[:_HEAD], ends=document.ends[:_HEAD])
    reading = SourceReading(replace(source, document=head), Evidence(source.path, head))
    title = "".join(c if c.isprintable() else " " for c in reading.title)
    return " ".join(title.split())[:LONGEST_TITLE].rstrip() or source.stem


def _emptied(left_out: Sequence[Finding]) -> str:
    """Why a proposal came to nothing."""
    if not left_out:
        return "the reply tells nothing of the source that a page could be made of"
    count = Counter(finding.code for finding in left_out)
    codes = ", ".join(f"{number} {code}" for code, number in sorted(count.items()))
    return f"all of its {len(left_out)} claims or names were left out ({codes}); the first: {left_out[0].message}"
