"""Claims on their way into a page: proven against the source, linked, and cited; those that cannot be are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from curator.checks.rules import proofs
from curator.finding import Finding
from curator.ingest.drafting import judged_ahead
from curator.ingest.drafting.drafted import Written, words_of_line
from curator.ingest.drafting.footnote_labels import FootnoteLabels
from curator.ingest.drafting.found_quotes import FoundQuotes, find_quotes
from curator.ingest.drafting.led_code import as_shown, code_below, is_code, words_to
from curator.ingest.drafting.placeholders import as_words
from curator.ingest.drafting.said import as_it_was, gist, gists, repeats
from curator.ingest.drafting.second_reading import SecondReading
from curator.models import repair
from curator.models.proposal import Claim, Create, Proposal
from curator.system.text import shortened
from curator.wiki.autolink import link_first_mentions, settle_links, unlinked
from curator.wiki.naming.fields import SourceField
from curator.wiki.pages import editing, inline, markdown, tables
from curator.wiki.pages.citation import Citation, marks_in, replace_marks
from curator.wiki.pages.page import Page
from curator.wiki.senses import Senses
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source
from curator.wiki.support.code_blocks import NOT_IN_SOURCE, faults_of_code
from curator.wiki.support.judge import Judge
from curator.wiki.support.written import (
    held_citations,
    in_one,
    judged,
    lent_by,
    names_for,
    names_of,
    unsound_row,
    written_claims,
)
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy


@dataclass
class ClaimWriter:
    """Proves the claims of one source and writes them out as markdown; keeps what it left out, and why."""

    source: Source
    judge: Judge
    policy: CurationPolicy
    subject_field: SourceField
    label_fault: Callable[[str, Page, Wiki, bool, str], Finding | None]
    """What is wrong with a heading, or head of a column where the last is true, for a page; the wiki knows every page."""
    in_english: bool = False
    """The wiki is kept in English."""
    left_out: list[Finding] = field(default_factory=list)
    flagged: list[Finding] = field(default_factory=list)
    """Claims kept without a citation, or in doubt, where the wiki's grounding allows it."""
    reading: SecondReading | None = None
    """What a second reader says of the claims; None where none is asked."""
    places: dict[Claim, tuple[str, ...]] = field(default_factory=dict)
    """The numbers that the claims have in the proposal."""
    refused: Mapping[str, Finding] = field(default_factory=dict)
    """By those numbers: what the wall has against a claim."""
    written: list[Written] = field(default_factory=list)
    _found: dict[Claim, FoundQuotes] = field(default_factory=dict)

    @property
    def evidence(self) -> Evidence:
        return self.judge.evidence

    def may_stand(self, claim: Claim, create: Create, names: Sequence[str] = ()) -> bool:
        """True for a claim that will be in its new page: proven, or uncited where grounding lets it stand alone.

        ``names`` are those of the page, where it has them already: then ``write`` asks no more of the judge.
        """
        names = names or names_for(create.title, create.aliases)
        if (
            is_heading(claim)
            or self._refused(claim)
            or (self.reading is not None and self.reading.refused_on(create.title, claim))
        ):
            return False
        text, _ = _read(claim, ())
        checked = self._checked(text, self._quotes_of(claim), {}, names, ())
        if checked.against is None or checked.text:
            return True
        return checked.against.code == "claim_uncited" and self.policy.grounding != "required"

    def write(self, page: Page, body: Sequence[Claim], names: Wiki, passage: str = "") -> tuple[list[str], list[str]]:
        """``body`` as cited markdown blocks for ``page``, and the footnotes they need.

        ``names`` knows every page a link may go to. ``passage`` is the text of the page that ``body`` takes the place of:
        what it repeats needs no new evidence, and keeps the marks it has.
        """
        keep = marks_in(passage)
        labels = FootnoteLabels(page, self.source.stem)
        lent = (
            lent_by(written_claims(passage, markdown.scan(passage)), page.citations, self.evidence) if passage else ()
        )
        held = held_citations(page, self.evidence)
        linked = (
            {page.slug}
            | self.subject_field.others
            | {hit.slug for target, _ in page.links if (hit := names.resolve(target))}
        )
        senses = Senses(names, self.subject_field, page)
        blocks: list[str] = []

        def check(claim: Claim) -> None:
            if not is_heading(claim):
                self._checked(_read(claim, keep)[0], self._quotes_of(claim), held, names_of(page), lent)

        for at, claim in judged_ahead.numbered(body, self.judge, check):
            text, but = _read(claim, keep)
            if fault := self._refused(claim):
                self._leave_out(claim, fault)
                continue
            if is_heading(claim):
                below = "\n".join(each.text for each in takewhile(lambda each: not is_heading(each), body[at + 1 :]))
                if fault := self.label_fault(text.lstrip("# "), page, names, False, below):
                    self._leave_out(claim, fault)
                else:
                    self._put(heading(text), claim, page, blocks)
                continue
            if repeats(claim, passage):
                blocks.append(as_it_was(claim, passage))
                continue
            heads = [cell for table in tables.tables(text) for cell in table.head if gist(cell) not in gist(passage)]
            if fault := next(filter(None, (self.label_fault(cell, page, names, True, text) for cell in heads)), None):
                self._leave_out(claim, fault)
                continue
            if is_code(text):
                self._add_code(claim, text, page, blocks, labels, passage)
                continue
            text, citations = self._accept(claim, page, text, passage, held, lent)
            if citations is None or not gist(text):
                if gist(claim.text) in gists(passage):
                    blocks.append(as_it_was(claim, passage))
                continue
            text = self._settled(text, claim, page, names, held, lent)
            if self.policy.auto_link == "byName":
                text = link_first_mentions(text, names, linked, but, senses)
            cited = editing.cite(text, {labels.label(citation): citation.quote for citation in citations})
            if fault := self._code_fault(cited, labels, passage):
                self._leave_out(claim, fault)
            else:
                self._put(cited, claim, page, blocks)
        return editing.without_empty_sections(blocks), labels.notes_for("\n".join(blocks))

    def _put(self, block: str, claim: Claim, page: Page, blocks: list[str]) -> None:
        blocks.append(block)
        lines = frozenset(map(words_of_line, block.split("\n")))
        self.written.append(Written(page.path, lines, self.places.get(claim, ())))

    def _refused(self, claim: Claim) -> Finding | None:
        found = (self.refused.get(place) for place in self.places.get(claim, ()))
        return next((replace(fault, path=self.source.path, line=None) for fault in found if fault is not None), None)

    def _add_code(
        self, claim: Claim, text: str, page: Page, blocks: list[str], labels: FootnoteLabels, passage: str
    ) -> None:
        """Put code below the last of ``blocks``, and into it, so that no other place is found for it.

        Where other words lead to it in the source, those come between.
        """
        led = code_below("".join(blocks[-1:]), text)
        if fault := self._code_fault(led, labels, passage):
            lead = words_to(text, self.judge.source)
            quotes = self._quotes_of(Claim(text=lead, quotes=(lead,))) if lead else None
            lead = as_shown(lead)
            if quotes is None or not quotes.citations or self._checked(lead, quotes, {}, names_of(page), ()).against:
                self._leave_out(claim, fault)
                return
            cited = editing.cite(inline.escape(lead), {labels.label(each): each.quote for each in quotes.citations})
            self._put(cited, claim, page, blocks)
            led = code_below("".join(blocks[-1:]), text)
        blocks[-1:] = [led]

    def _code_fault(self, text: str, labels: FootnoteLabels, passage: str) -> Finding | None:
        """What is wrong with the code in ``text``, none where it stands in the passage that is replaced."""
        if self.policy.grounding != "required" or not any(mark_ in text for mark_ in ("```", "~~~", "    ", "\t")):
            return None
        cited = {label: each for each, label in labels.known.items() if each.path == self.evidence.path}
        for block, fault in faults_of_code(text, cited, self.judge.source):
            if gist(block.text) not in gist(passage):
                message = f"{fault} (for the code: {shortened(block.text)})"
                code = "code_not_in_source" if fault == NOT_IN_SOURCE else "code_unled"
                return Finding(code, self.evidence.path, message)
        return None

    def _accept(
        self, claim: Claim, page: Page, text: str, passage: str, held: Mapping[str, Citation], lent: Sequence[str]
    ) -> tuple[str, list[Citation] | None]:
        """What of a claim may stand, and its citations, none where grounding lets it stand alone; None: it is left out."""
        checked = self._checked(text, self._quotes_of(claim), held, names_of(page), lent)
        against = checked.against
        if against is None or checked.text:
            if against is not None:
                message = f"{against.message} (for the claim: {shortened(claim.text)})"
                self._leave_out(claim, replace(against, message=message))
            return checked.text, checked.citations if self._is_read(claim, page, passage) else None
        if against.code != "claim_uncited" or self.policy.grounding == "required":
            message = f"{against.message} (for the claim: {shortened(claim.text)})"
            self._leave_out(claim, replace(against, message=message))
            return text, None
        if self.policy.grounding == "recommended":
            self.flagged.append(
                Finding("claim_uncited", page.path, f"kept without a citation: {shortened(claim.text)}")
            )
        return text, []

    def _settled(
        self, text: str, claim: Claim, page: Page, names: Wiki, held: Mapping[str, Citation], lent: Sequence[str]
    ) -> str:
        """``text`` with its links settled; one by a slug alone stays so where the title says more than is quoted."""
        bare = settle_links(as_words(text, self.evidence.document.text), names.resolve, bare=True)
        worded = settle_links(bare, names.resolve)
        if worded == bare or not claim.quotes:
            return worded
        checked = self._checked(worded, self._quotes_of(claim), held, names_of(page), lent)
        return worded if checked.against is None else bare

    def _is_read(self, claim: Claim, page: Page, passage: str) -> bool:
        """False for a claim that the second reader takes away; in doubt it is told, where grounding lets it stand."""
        fault = self.reading.fault(claim, page, passage) if self.reading is not None else None
        if fault is None:
            return True
        if fault.code == "reader_not" or self.policy.grounding == "required":
            self._leave_out(claim, fault)
            return False
        self.flagged.append(replace(fault, path=page.path, places=self.places.get(claim, ())))
        return True

    def _leave_out(self, claim: Claim, fault: Finding) -> None:
        self.left_out.append(replace(fault, places=self.places.get(claim, ())))

    def _quotes_of(self, claim: Claim) -> FoundQuotes:
        if claim not in self._found:
            self._found[claim] = find_quotes(claim, self.evidence)
        return self._found[claim]

    def _checked(
        self,
        text: str,
        found: FoundQuotes,
        held: Mapping[str, Citation],
        names: Sequence[str],
        lent: Sequence[str],
    ) -> _Checked:
        """``text`` judged block by block as the wall will see it; ``held`` are citations that its page has.

        A quote that is not in the source does no harm where the others carry the claim. Of a table the sound rows may
        stand without the others.
        """
        if not found.citations:
            return _Checked("", [], found.lost[0])
        new = {f"?{number}": citation for number, citation in enumerate(found.citations)}
        worded = as_words(text, self.evidence.document.text)
        cited = editing.cite(worded, {label: citation.quote for label, citation in new.items()})
        claims = list(written_claims(cited, markdown.scan(cited)))
        verdicts = [
            judged(claim, {**held, **new}, self.judge, names, lent, in_english=self.in_english) for claim in claims
        ]
        findings = [finding for verdict in verdicts if verdict is not None for finding in verdict.findings]
        if not findings and not all(
            proofs.is_earned(verdict, claim.words, names, lent)
            for claim, verdict in zip(claims, verdicts, strict=True)
            if verdict is not None
        ):
            message = "what is quoted says too little of it: quote what says the same, or leave the statement as it is"
            findings.append(Finding("proof_added", self.evidence.path, message))
        is_judged = any(verdict is not None and not verdict.abstained for verdict in verdicts)
        if not findings and (is_judged or not found.lost):
            return _Checked(text, found.citations, None)
        against = in_one([*found.lost, *findings])
        if row := unsound_row(claims, verdicts):
            against = replace(against, message=f"in the row {row!r}: {against.message}")
        sound = [claim.block for claim, verdict in zip(claims, verdicts, strict=True) if verdict and verdict.supported]
        if not sound or any(claim.block.kind != "row" for claim in claims):
            return _Checked("", [], against)
        unsound = {cited.count("\n", 0, claim.block.start) for claim in claims if claim.block not in sound}
        rows = [line for number, line in enumerate(text.split("\n")) if number not in unsound]
        used = {label for block in sound for label in block.citations}
        return _Checked("\n".join(rows), [each for label, each in new.items() if label in used], against)


@dataclass(frozen=True)
class _Checked:
    """What of a claim may stand; no text: nothing of it."""

    text: str
    citations: list[Citation]
    against: Finding | None


def _read(claim: Claim, keep: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The text of a claim without marks but those to ``keep``, and the words that are not to be linked."""
    text, but = unlinked(tables.with_links_in_cells(claim.text.strip()))
    return _only_marks(editing.without_lead(text), keep), but


def places(proposal: Proposal) -> dict[Claim, tuple[str, ...]]:
    """The numbers of each claim, as in 3.7; one that stands twice has several."""
    found: dict[Claim, tuple[str, ...]] = {}
    for number, part in repair.parts_of(proposal):
        if isinstance(part, Claim):
            found[part] = (*found.get(part, ()), number)
    return found


def is_heading(claim: Claim) -> bool:
    return re.match(r"#{1,6} \S", claim.text.strip()) is not None and "\n" not in claim.text.strip()


MAX_HEADING = 160


def heading(text: str) -> str:
    """A section heading: level 2 at least, one line, plain words."""
    level = max(2, len(text) - len(text.lstrip("#")))
    return f"{'#' * level} {inline.escape(text.lstrip('# ')[:MAX_HEADING].strip())}"


_NOTE = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[\s>]+)*\[\^[^\[\]]+\]:")


def _only_marks(text: str, keep: Sequence[str]) -> str:
    """``text`` without footnotes and citation marks that a model made up; those of the passage it replaces stay."""
    text = "\n".join(line for line in text.split("\n") if not _NOTE.match(line)).strip()
    return replace_marks(text, lambda label: None if label in keep else "", spaced=True)
