"""Which statements of an answer the sources prove: a filed page cites sources, not the pages the answer was made from.

A page may say more than its sources do, since people write it too. So each statement is judged again, by the words that
its footnotes cite, read in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from curator.ask.prove import context_names
from curator.errors import CuratorError
from curator.finding import Finding
from curator.models.statements import Proof, ProvenStatement
from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import Judge, Judgement
from curator.wiki.support.written import written_claims

FRAMED = frozenset({"set_aside", "only_told", "only_asked", "order_to_reader", "told_to_readers"})
"""What the rest of a source says of the words that are quoted of it: they stand among errors, in a tale, in an order."""


@dataclass(frozen=True)
class Provable:
    """The statements with the footnotes that hold, and those that no source proves."""

    statements: tuple[ProvenStatement, ...]
    left_out: tuple[Finding, ...]


class SourceProofs:
    """The sources of a wiki, as they are now, asked about the statements of one answer."""

    def __init__(self, read: Callable[[str], Evidence], question: str) -> None:
        """``read`` gives a source by its path, or raises CuratorError."""
        self._read, self._question = read, question
        self._judges: dict[str, Judge | None] = {}

    def provable(self, answer: Sequence[ProvenStatement]) -> Provable:
        """What of ``answer`` may be filed. Codes: statement_uncited, citation_unproven, statement_unproven."""
        kept: list[ProvenStatement] = []
        left_out: list[Finding] = []
        for said in answer:
            found = self._proven(said)
            if isinstance(found, Finding):
                left_out.append(found)
            else:
                kept.append(found)
        return Provable(tuple(kept), tuple(left_out))

    def _proven(self, said: ProvenStatement) -> ProvenStatement | Finding:
        path = said.proofs[0].reading.path
        if not said.citations:
            message = f"statement {said.number} rests on no footnote, so no source proves it"
            return Finding("statement_uncited", path, message)
        held = {citation for citation in said.citations if self._holds(citation)}
        if not held:
            message = f"statement {said.number}: the footnotes it rests on are not where they say in the sources"
            return Finding("citation_unproven", path, message)
        proven = replace(said, proofs=tuple(_with(proof, held) for proof in said.proofs))
        for judgement in self._judgements(proven):
            for fault in judgement.findings:
                message = f"statement {said.number} says what the sources of its footnotes do not ({fault.code})"
                return Finding("statement_unproven", path, message)
        return proven

    def _judgements(self, said: ProvenStatement) -> Iterator[Judgement]:
        """The verdict on each claim of a statement: by its source, or by what its several sources say together."""
        known = {str(number): citation for number, citation in enumerate(said.citations)}
        text = editing.cite(said.text, {label: citation.quote for label, citation in known.items()})
        names = context_names(said.proofs, self._question)
        for claim in written_claims(text, markdown.scan(text)):
            cited: dict[str, list[Citation]] = {}
            for label in claim.block.citations:
                cited.setdefault(known[label].path, []).append(known[label])
            found = []
            for path, citations in cited.items():
                judge = self._judge(path)
                if judge is not None:
                    found.append(judge.judge_cited(claim.words, citations, (*names, *claim.head)))
            if not any(each.supported for each in found):
                yield _together(claim.words, found, (*names, *claim.head)) if len(found) > 1 else found[0]

    def framed(self, said: ProvenStatement) -> Finding | None:
        """What the sources that a statement quotes itself, no page, say of the words quoted, so that it is no fact."""
        names = context_names(said.proofs, self._question)
        for proof in said.proofs:
            judge = self._judge(proof.reading.path) if proof.reading.is_source else None
            if judge is None:
                continue
            for claim in written_claims(said.text, markdown.scan(said.text)):
                found = judge.judge_cited(claim.words, list(proof.passage.citations), (*names, *claim.head)).findings
                if fault := next((each for each in found if each.code in FRAMED), None):
                    return fault
        return None

    def _holds(self, citation: Citation) -> bool:
        judge = self._judge(citation.path)
        return judge is not None and judge.evidence.holds(citation)

    def _judge(self, path: str) -> Judge | None:
        """None for a source that cannot be read: it proves nothing."""
        if path not in self._judges:
            try:
                self._judges[path] = Judge(self._read(path))
            except CuratorError:
                self._judges[path] = None
        return self._judges[path]


def _together(claim: str, found: Sequence[Judgement], names: Sequence[str]) -> Judgement:
    """The verdict by all the sentences that several sources are quoted with."""
    passages = list(dict.fromkeys(passage for each in found for passage in each.passages))
    evidence = Evidence("sources/together", Document.from_text("\n\n".join(passages)))
    anchor = f"L1-L{len(evidence.document.lines)}"
    cited = [Citation(evidence.path, anchor, passage) for passage in passages]
    return Judge(evidence).judge_cited(claim, list(filter(evidence.holds, cited)), names)


def _with(proof: Proof, held: set[Citation]) -> Proof:
    citations = tuple(citation for citation in proof.passage.citations if citation in held)
    return replace(proof, passage=replace(proof.passage, citations=citations))
