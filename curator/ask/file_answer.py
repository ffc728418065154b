"""The page that an answer is filed as. It cites sources, not pages: each statement carries the footnotes of the passages it
rests on, those that hold.

Pure: proven statements and a wiki in, a wiki out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from curator.ask import filed_title, prove
from curator.ask.source_proofs import Provable
from curator.checks.rules import HEADS, PLACES, Rule, fields, footnotes, graph, sizes
from curator.errors import Rejected
from curator.finding import Finding
from curator.ingest.drafting import new_page
from curator.models.proposal import Create, Kind
from curator.models.statements import ProvenStatement
from curator.system import clocks
from curator.wiki import confidence, index
from curator.wiki.autolink import link_first_mentions
from curator.wiki.pages import editing, footnote_edits, inline, markdown
from curator.wiki.pages.citation import Citation, mark
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.page import Page
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Document, Source
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy

FILED: tuple[Rule, ...] = (
    *PLACES,
    sizes.page_too_large,
    sizes.body_empty,
    *HEADS,
    fields.confidence,
    fields.confidence_raised,
    graph.slug_taken,
    graph.name_taken,
    *prove.CONTENT,
    footnotes.citation_undefined,
    footnotes.note_unused,
)
"""What the filed page has to keep. Whether its footnotes hold is asked of the sources themselves."""


@dataclass(frozen=True)
class FilingContext:
    """What filing an answer needs besides the answer: the wiki, its sources, the policy, the time."""

    wiki: Wiki
    manifest: SourceManifest
    policy: CurationPolicy
    authority: str
    """Of a source that is registered with none."""
    now: datetime


@dataclass(frozen=True)
class Filed:
    """The wiki with the answer as a page of its own."""

    page: Page
    wiki: Wiki
    manifest: SourceManifest
    left_out: tuple[Finding, ...]
    """Statements that no source proves."""


def file_answer(question: str, title: str, provable: Provable, context: FilingContext) -> Filed:
    """The ``provable`` part of an answer, which must not be empty, as a page.

    It is titled by its pages where ``title`` is the question, and that says more than they do. Raises Rejected when the
    wall does not let it through, ConfigError for its title.
    """
    kept = provable.statements
    title = filed_title.sound(title, question, kept, context.wiki)
    paths = tuple(dict.fromkeys(citation.path for said in kept for citation in said.citations))
    stamp = clocks.utc_timestamp(context.now)
    create = Create(op="create", kind=_kind(kept), title=title, body=())
    page = new_page.blank(
        create, Source(paths[0], "", Document(())), context.wiki, stamp, (), dialect=context.policy.dialect
    )
    page = page.with_body(_body(page, kept, context))
    registry = SourceRecords(context.manifest)
    references = [registry.called(path, page.dialect) for path in paths]
    page = page.with_fields(sources=list(dict.fromkeys(references)), metadata={"curator": {"question": question}})
    page = page.with_fields(confidence=_confidence(page, kept, context))
    proofs = [proof for said in kept for proof in said.proofs]
    change = prove.change_of(page, proofs, context.wiki, context.policy, context.now)
    broken = [finding for rule in FILED for finding in rule(change)] + _unproven(page, kept)
    if broken:
        raise Rejected(broken)
    return Filed(page, change.after, _listed(context.manifest, paths, page.slug), provable.left_out)


def _kind(answer: Sequence[ProvenStatement]) -> Kind:
    """A table of several things is a comparison."""
    rows = (sum(block.kind == "row" for block in markdown.scan(said.text).blocks) for said in answer)
    return "comparison" if max(rows) > 1 else "concept"


def _body(page: Page, answer: Sequence[ProvenStatement], context: FilingContext) -> str:
    """The statements, each with its footnotes; the pages they were taken from."""
    labels: dict[Citation, str] = {}
    blocks: list[str] = []
    linked = {page.slug}
    for said in answer:
        text = said.text
        if context.policy.auto_link == "byName":
            text = link_first_mentions(text, context.wiki, linked)
        blocks.append(editing.cite(text, {_label(citation, labels): citation.quote for citation in said.citations}))
    slugs = dict.fromkeys(slug for said in answer for slug in said.slugs)
    pages = [f"- [[{slug}|{_title(slug, context.wiki)}]]" for slug in slugs]
    text = f"{page.body.rstrip()}\n\n{editing.join([*blocks, *(['## Pages'] if pages else []), *pages])}\n"
    # A table's rows take the footnotes whose words are nearest, so that some may be cited nowhere.
    written = [citation.definition(label) for citation, label in labels.items() if mark(label) in text]
    return footnote_edits.add_notes(text, written)


def _label(citation: Citation, labels: dict[Citation, str]) -> str:
    """``<source>-<number>``, as everywhere in the wiki."""
    if citation not in labels:
        name = Source(citation.path, "", Document(())).stem
        labels[citation] = f"{name}-{sum(label.rpartition('-')[0] == name for label in labels.values()) + 1}"
    return labels[citation]


def _title(slug: str, wiki: Wiki) -> str:
    entry = wiki.entry(slug)
    plain = " ".join(
        (entry.title if entry is not None else slug).replace("|", " ").replace("[", " ").replace("]", " ").split()
    )
    return inline.escape(plain) or slug


def _confidence(page: Page, answer: Sequence[ProvenStatement], context: FilingContext) -> float:
    """By the rule for its sources, and at most that of the pages it was made from."""
    known = SourceWeights(context.manifest, context.authority).of(page)
    given = confidence.figure(known, context.now.date(), read=context.wiki.store.read)
    pages = (proof.reading.page.confidence for said in answer for proof in said.proofs if proof.reading.page)
    return round(min((given, *(max(0.0, found) for found in pages))), 2)


def _unproven(page: Page, answer: Sequence[ProvenStatement]) -> list[Finding]:
    """claim_uncited, citation_unproven: every claim of the page as written cites what was held against the sources."""
    held = {citation for said in answer for citation in said.citations}
    found = [
        Finding("citation_unproven", page.path, f"[^{label}] is none of the footnotes that hold")
        for label, citation in page.citations.items()
        if citation not in held
    ]
    for block in page.outline.blocks:
        bare = block.kind in CLAIMS and not editing.is_navigation(block)
        if bare and not any(label in page.citations for label in block.citations):
            found.append(Finding("claim_uncited", page.path, "a claim cites no source", page.line_of(block.line)))
    return found


def _listed(manifest: SourceManifest, paths: Sequence[str], slug: str) -> SourceManifest:
    """The registry with the page among those of each source it cites."""
    for path in paths:
        record = manifest.record(path)
        if record is not None:
            manifest = manifest.with_record(path, replace(record, slugs=tuple(sorted({*record.slugs, slug}))))
    return manifest


def bullets(filed: Filed, left_out: Sequence[Finding], looked_at: Sequence[str], model: str) -> list[str]:
    """What the log says of it; ``left_out`` are the statements that no page proves."""
    lines = [f"created [[{filed.page.slug}]] {index.plain(filed.page.title)}"]
    lines.append(f"looked at {', '.join(looked_at)}")
    lines += [f"left out: {finding.code}: {finding.message}" for finding in (*left_out, *filed.left_out)]
    return [*lines, f"answered by {model}"]
