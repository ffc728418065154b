"""What a page rests on: each claim with the words it cites, whether they stand there, and what code says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from curator.errors import CuratorError
from curator.wiki.pages.citation import Citation, quote_path
from curator.wiki.pages.editing import is_navigation, written_lead
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge, Judgement
from curator.wiki.support.written import WrittenClaim, names_of, written_claims

State = Literal["supported", "foreign", "doubted", "unproven", "uncited"]
_TOLD: dict[State, str] = {
    "supported": "supported",
    "foreign": "supported, as far as code can tell of another language than English",
    "doubted": "not by these words alone: ",
    "unproven": "unproven: none of the words that it cites was found",
    "uncited": "uncited: it cites no source",
}

ReadSource = Callable[[str], Evidence]
"""Gives a source by its path, or raises CuratorError."""


@dataclass(frozen=True)
class CitedWords:
    """One citation of a claim; ``fault`` says why its words were not found, and is empty where they stand."""

    citation: Citation
    fault: str = ""


@dataclass(frozen=True)
class ClaimProof:
    """One claim of a page, what it cites, and the verdicts of code: one for each source whose words stand."""

    claim: str
    line: int
    cited: tuple[CitedWords, ...]
    verdicts: tuple[Judgement, ...] = ()
    lead: str = ""
    """What code has put before it on the page where another source disagrees, as ``Earlier:``."""

    @property
    def lines(self) -> Iterator[str]:
        """For people and models."""
        yield f"line {self.line}: {' '.join((self.lead, *self.claim.split())).strip()}"
        for each in self.cited:
            place = f"{quote_path(each.citation.path)}#{each.citation.anchor}"
            yield f'  {place} "{each.citation.quote}": {each.fault or "stands there"}'
        for passage in dict.fromkeys(passage for verdict in self.verdicts for passage in verdict.passages):
            yield f"  read in the source: {' '.join(passage.split())}"
        told = dict.fromkeys(f"{fault.code}: {fault.message}" for each in self.verdicts for fault in each.findings)
        yield f"  verdict: {_TOLD[self.state]}{'; '.join(told) if self.state == 'doubted' else ''}"

    @property
    def state(self) -> State:
        if not self.cited:
            return "uncited"
        if not self.verdicts:
            return "unproven"
        supported = [verdict for verdict in self.verdicts if verdict.supported]
        if not supported:
            return "doubted"
        return "foreign" if all(verdict.abstained for verdict in supported) else "supported"

    @property
    def best(self) -> Judgement | None:
        """The verdict that bears the claim out, or else the first; None where no words that it cites were found."""
        return next((verdict for verdict in self.verdicts if verdict.supported), next(iter(self.verdicts), None))


def claims_of(
    page: Page, read: ReadSource, names: Sequence[str] = (), span: slice = slice(None)
) -> Iterator[ClaimProof]:
    """The proof of the claims of ``page``, in their order; ``names`` it may use beside its own, ``span``: these alone."""
    judges: dict[str, Judge | CuratorError] = {}
    known = (*names_of(page), *names)
    for claim in islice(proven_claims(page), span.start, span.stop):
        yield _proof(claim, page, read, judges, known)


def proven_claims(page: Page) -> Iterator[WrittenClaim]:
    """The claims of ``page`` that have to be proven: all but what only leads to other pages."""
    return (claim for claim in written_claims(page.body, page.outline) if not is_navigation(claim.block))


def _proof(
    claim: WrittenClaim,
    page: Page,
    read: ReadSource,
    judges: dict[str, Judge | CuratorError],
    names: Sequence[str],
) -> ClaimProof:
    cited: list[CitedWords] = []
    held: dict[str, list[Citation]] = {}
    known = page.citations
    for citation in dict.fromkeys(known[label] for label in claim.block.citations if label in known):
        judge = _judge(citation.path, read, judges)
        if isinstance(judge, CuratorError):
            cited.append(CitedWords(citation, f"the source cannot be read ({judge.code})"))
        elif judge.evidence.holds(citation):
            cited.append(CitedWords(citation))
            held.setdefault(citation.path, []).append(citation)
        else:
            cited.append(CitedWords(citation, "these words are not there"))
    verdicts: list[Judgement] = []
    for path, citations in held.items():
        judge = judges[path]
        if isinstance(judge, Judge):
            verdicts.append(judge.judge_cited(claim.words, citations, (*names, *claim.head)))
    lead = written_lead(page.body[claim.block.start : claim.block.end])
    return ClaimProof(claim.words, page.line_of(claim.block.line), tuple(cited), tuple(verdicts), lead)


def _judge(path: str, read: ReadSource, judges: dict[str, Judge | CuratorError]) -> Judge | CuratorError:
    """The judge of a source, or why it cannot be read; each source is read once."""
    if path not in judges:
        try:
            judges[path] = Judge(read(path))
        except CuratorError as error:
            judges[path] = error
    return judges[path]
