"""Claims on their way into a page: proven against the source, linked, and cited; those that cannot be are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap, takewhile

from curator.finding import Finding
from curator.ingest.drafting.claims import judged_ahead
from curator.ingest.drafting.claims.footnote_labels import FootnoteLabels
from curator.ingest.drafting.claims.found_quotes import FoundQuotes, find_quotes
from curator.ingest.drafting.claims.led_code import as_shown, code_below, is_code, words_to
from curator.ingest.drafting.claims.placeholders import as_words
from curator.ingest.drafting.claims.proven_text import ClaimPage, ProvenText, proven
from curator.ingest.drafting.claims.said import as_it_was, gist, gists, repeats
from curator.ingest.drafting.claims.second_reading import SecondReading
from curator.ingest.drafting.drafted import Written, words_of_code, words_of_line
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
from curator.wiki.support.written import held_citations, lent_by, names_for, names_of, written_claims
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
    def _unnamed(self) -> str:
        """What a heading that states nothing is called; in another language, as the source is."""
        return _FURTHER if self.judge.source.is_english else self.judge.source.layout.title.strip("# ") or _FURTHER

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
        checked = self._proven(claim, _read(claim, ())[0], ClaimPage(names, {}, in_english=self.in_english))
        if checked.against is None or checked.text:
            return True
        return checked.against.code == "claim_uncited" and self.policy.grounding != "required"

    def write(
        self, page: Page, body: Sequence[Claim], names: Wiki, passage: str = "", section: str = ""
    ) -> tuple[list[str], list[str]]:
        """``body`` as cited markdown blocks for ``page``, and the footnotes they need.

        ``names`` knows every page a link may go to. ``passage`` is the text of the page that ``body`` takes the place of:
        what it repeats needs no new evidence, and keeps the marks it has. ``section`` is the heading that it comes under.
        """
        work = self._begun(page, names, passage, section)

        def check(claim: Claim) -> None:
            if not is_heading(claim):
                self._proven(claim, _read(claim, work.keep)[0], work.lends)

        for at, claim in judged_ahead.numbered(body, self.judge, check):
            if fault := self._refused(claim) or self._label_fault(claim, body[at + 1 :], work):
                self._leave_out(claim, fault)
                work.blocks.extend(work.parted(claim, self._unnamed) if is_heading(claim) else ())
            elif is_heading(claim):
                self._put(heading(_read(claim, work.keep)[0]), claim, work)
            elif repeats(claim, passage):
                work.blocks.append(as_it_was(claim, passage))
            elif is_code(text := _read(claim, work.keep)[0]):
                self._add_code(claim, text, work)
            else:
                self._add(claim, work)
        return editing.without_empty_sections(work.blocks), work.labels.notes_for("\n".join(work.blocks))

    def _begun(self, page: Page, names: Wiki, passage: str, section: str) -> _PageWork:
        lent = (
            lent_by(written_claims(passage, markdown.scan(passage)), page.citations, self.evidence) if passage else ()
        )
        linked = {hit.slug for target, _ in page.links if (hit := names.resolve(target))}
        return _PageWork(
            page,
            names,
            passage,
            section,
            marks_in(passage),
            FootnoteLabels(page, self.source.stem),
            ClaimPage(names_of(page), held_citations(page, self.evidence), lent, self.in_english),
            {page.slug} | self.subject_field.others | linked,
            Senses(names, self.subject_field, page),
        )

    def _label_fault(self, claim: Claim, behind: Sequence[Claim], work: _PageWork) -> Finding | None:
        """What is wrong with a heading, or with the heads of the columns in ``claim``."""
        text = _read(claim, work.keep)[0]
        if is_heading(claim):
            below = "\n".join(each.text for each in takewhile(lambda each: not is_heading(each), behind))
            return self.label_fault(text.lstrip("# "), work.page, work.names, False, below)
        if repeats(claim, work.passage):
            return None
        found = tables.tables(text)
        heads = [cell for table in found for cell in table.head if gist(cell) not in gist(work.passage)]
        faults = (self.label_fault(cell, work.page, work.names, True, text) for cell in heads)
        wide = ((row, table) for table in found for row in table.rows if len(row.cells) > len(table.head))
        return next(filter(None, faults), None) or next(starmap(self._too_wide, wide), None)

    def _too_wide(self, row: tables.TableRow, table: tables.Table) -> Finding:
        message = f"the row {' | '.join(row.cells)!r} has {len(row.cells)} cells, its table {len(table.head)}"
        return Finding("table_broken", self.evidence.path, f"{message}: a bar within a cell is written \\|")

    def _add(self, claim: Claim, work: _PageWork) -> None:
        text, but = _read(claim, work.keep)
        text, citations = self._accept(claim, text, work)
        if citations is None or not gist(text):
            if gist(claim.text) in gists(work.passage):
                work.blocks.append(as_it_was(claim, work.passage))
            return
        text = self._settled(text, claim, work)
        if self.policy.auto_link == "byName":
            text = link_first_mentions(text, work.names, work.linked, but, work.senses)
        cited = editing.cite(text, {work.labels.label(citation): citation.quote for citation in citations})
        if fault := self._code_fault(cited, work):
            self._leave_out(claim, fault)
        else:
            self._put(cited, claim, work)

    def _put(self, block: str, claim: Claim, work: _PageWork) -> None:
        work.blocks.append(block)
        lines = frozenset(map(words_of_line, block.split("\n")))
        self.written.append(Written(work.page.path, lines, self.places.get(claim, ())))

    def _refused(self, claim: Claim) -> Finding | None:
        found = (self.refused.get(place) for place in self.places.get(claim, ()))
        return next((replace(fault, path=self.source.path, line=None) for fault in found if fault is not None), None)

    def _add_code(self, claim: Claim, text: str, work: _PageWork) -> None:
        """Put code below the last of the blocks, and into it, so that no other place is found for it.

        Where other words lead to it in the source, those come between.
        """
        led = code_below("".join(work.blocks[-1:]), text)
        if fault := self._code_fault(led, work):
            lead, quotes = words_to(text, self.judge.source)
            page = ClaimPage(work.lends.names, {}, in_english=self.in_english)
            forms = as_shown(lead, self.source.format)
            shown = next((each for each in forms if not proven(each, quotes, self.judge, page).against), "")
            if not shown:
                self._leave_out(claim, fault)
                return
            cited = editing.cite(shown, {work.labels.label(each): each.quote for each in quotes.citations})
            led = code_below(cited, text)
            if self._code_fault(led, work):
                self._leave_out(claim, fault)
                return
            self._put(cited, claim, work)
        work.blocks[-1:] = [led]
        self.written.append(Written(work.page.path, frozenset({words_of_code(text)}), self.places.get(claim, ())))

    def _code_fault(self, text: str, work: _PageWork) -> Finding | None:
        """What is wrong with the code in ``text``, none where it stands in the passage that is replaced."""
        if self.policy.grounding != "required" or not any(mark_ in text for mark_ in ("```", "~~~", "    ", "\t")):
            return None
        cited = {label: each for each, label in work.labels.known.items() if each.path == self.evidence.path}
        for block, fault in faults_of_code(text, cited, self.judge.source):
            if gist(block.text) not in gist(work.passage):
                message = f"{fault} (for the code: {shortened(block.text)})"
                code = "code_not_in_source" if fault == NOT_IN_SOURCE else "code_unled"
                return Finding(code, self.evidence.path, message)
        return None

    def _accept(self, claim: Claim, text: str, work: _PageWork) -> tuple[str, list[Citation] | None]:
        """What of a claim may stand, and its citations, none where grounding lets it stand alone; None: it is left out."""
        proof = self._proven(claim, text, work.here)
        against = proof.against
        if against is None or proof.text:
            read = claim
            if against is not None:
                self._leave_out(claim, _of_claim(against, claim))
                read = claim.model_copy(update={"text": proof.text})
                self.places[read] = self.places.get(claim, ())
            return proof.text, proof.citations if self._is_read(read, work) else None
        if against.code != "claim_uncited" or self.policy.grounding == "required":
            self._leave_out(claim, _of_claim(against, claim))
            return text, None
        if self.policy.grounding == "recommended":
            message = f"kept without a citation: {shortened(claim.text)}"
            self.flagged.append(Finding("claim_uncited", work.page.path, message))
        return text, []

    def _settled(self, text: str, claim: Claim, work: _PageWork) -> str:
        """``text`` with its links settled; one by a slug alone stays so where the title says more than is quoted."""
        bare = settle_links(as_words(text, self.evidence.document.text), work.names.resolve, bare=True)
        worded = settle_links(bare, work.names.resolve)
        if worded == bare or not claim.quotes:
            return worded
        return worded if self._proven(claim, worded, work.here).against is None else bare

    def _is_read(self, claim: Claim, work: _PageWork) -> bool:
        """False for a claim that the second reader takes away; in doubt it is told, where grounding lets it stand."""
        fault = self.reading.fault(claim, work.page, work.passage) if self.reading is not None else None
        if fault is None:
            return True
        if fault.code == "reader_not" or self.policy.grounding == "required":
            self._leave_out(claim, fault)
            return False
        self.flagged.append(replace(fault, path=work.page.path, places=self.places.get(claim, ())))
        return True

    def _leave_out(self, claim: Claim, fault: Finding) -> None:
        self.left_out.append(replace(fault, places=self.places.get(claim, ())))

    def _proven(self, claim: Claim, text: str, page: ClaimPage) -> ProvenText:
        """What of ``text``, by the quotes of ``claim``, may stand on ``page``."""
        if claim not in self._found:
            self._found[claim] = find_quotes(claim, self.evidence)
        return proven(text, self._found[claim], self.judge, page)


@dataclass(frozen=True)
class _PageWork:
    """A page that claims are written for, and what of them is written."""

    page: Page
    names: Wiki
    """Knows every page that a link may go to."""
    passage: str
    section: str
    keep: Sequence[str]
    """The marks in the passage."""
    labels: FootnoteLabels
    lends: ClaimPage
    linked: set[str]
    """The slugs of pages that are not linked again."""
    senses: Senses
    blocks: list[str] = field(default_factory=list)

    @property
    def here(self) -> ClaimPage:
        """What the page lends to a claim that is written next."""
        heading = self._heading.lstrip("# ") or self.section
        return replace(self.lends, under=(heading,) if heading else ())

    @property
    def _heading(self) -> str:
        """The last one that is written; empty where there is none."""
        return next((block for block in reversed(self.blocks) if block.startswith("#")), "")

    def parted(self, refused: Claim, name: str) -> tuple[str, ...]:
        """The heading in the place of one that may not stand: what comes below it is not of the section before, but where
        that is one above it. ``name`` states nothing.
        """
        level, last = (len(text) - len(text.lstrip("#")) for text in (heading(refused.text.strip()), self._heading))
        stays = level > last if last else not self.section
        told = f"{'#' * level} {name}"
        return () if stays or told == self._heading else (told,)


_FURTHER = "Further points"
"""Over what no other heading may stand."""


def _of_claim(fault: Finding, claim: Claim) -> Finding:
    return replace(fault, message=f"{fault.message} (for the claim: {shortened(claim.text)})")


def _read(claim: Claim, keep: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The text of a claim without marks but those to ``keep``, and the words that are not to be linked."""
    text, but = unlinked(tables.with_bars_in_cells(claim.text.strip()))
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
