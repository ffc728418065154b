"""Citations checked against the sources before a passage is shown: a claim whose words are gone answers nothing.

A source that is missing, or that nothing here can read, is not judged: its claims are shown as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from curator.errors import CuratorError
from curator.finding import Finding
from curator.models.sandbox.source_texts import SourceTexts, is_plain
from curator.models.statements import Proof, ProvenStatement, RefusedStatement
from curator.wiki.pages.citation import Anchor, Citation
from curator.wiki.passages.passage import Passage
from curator.wiki.sources.evidence import Missing


@dataclass
class Standing:
    """Checks citations against the sources. ``in_jail``: also those that only the jail can read, which is slow; without it
    their citations are taken as proven."""

    texts: SourceTexts
    in_jail: bool = False
    withheld: list[Finding] = field(default_factory=list)
    """Why passages were not shown."""

    def holds(self, citation: Citation) -> bool:
        """False for a citation whose words are nowhere in the source."""
        if not (self.in_jail or is_plain(citation.path)):
            return True
        try:
            evidence = self.texts.evidence(citation.path)
        except CuratorError:
            return True
        return evidence.holds(citation) or evidence.locate(citation.quote, near=False) is not None

    def passage(self, passage: Passage, page: str) -> Passage | None:
        """A page's passage with the citations that still hold; None where it has citations and none of them holds."""
        left = tuple(filter(self.holds, passage.citations))
        if left or not passage.citations:
            return passage if left == passage.citations else replace(passage, citations=left)
        for path in dict.fromkeys(each.path for each in passage.citations):
            found = unproven(page, path, "a claim is not shown")
            self.withheld += [found] if found not in self.withheld else []
        return None

    def has_text(self, path: str, passage: Passage) -> bool:
        """True where the source still says just this there."""
        if not is_plain(path):
            return True
        try:
            lines = self.texts.evidence(path).document.lines
        except CuratorError:
            return False
        place = Anchor.parse(passage.anchor)
        if place is None:
            return False
        said = "\n".join(line.rstrip() for number, line in lines if place.first <= number <= place.last)
        return passage.text in said

    def statement(self, said: ProvenStatement) -> ProvenStatement | RefusedStatement:
        """The statement with the proofs that stand; what is wrong where one does not.

        What is quoted of a source becomes a citation of the words there.
        """
        proofs: list[Proof] = []
        for proof in said.proofs:
            found = self._of_source(proof) if proof.reading.is_source else self.passage(proof.passage, "")
            if found is None:
                page = proof.reading.path
                path = proof.passage.citations[0].path if proof.passage.citations else page
                return RefusedStatement(unproven(page, path, f"statement {said.number} is left out"))
            proofs.append(replace(proof, passage=found))
        return replace(said, proofs=tuple(proofs))

    def _of_source(self, proof: Proof) -> Passage | None:
        try:
            found = self.texts.evidence(proof.reading.path).find(proof.words)
        except CuratorError:
            return None
        return None if isinstance(found, Missing) else replace(proof.passage, citations=tuple(found))


def unproven(page: str, source: str, what: str) -> Finding:
    """``citation_unproven``: what an answer goes without, and why."""
    hint = f"take it in anew: curate ingest {source}"
    return Finding("citation_unproven", page, f"{what}: {source} does not have the words that it cites", hint=hint)
