"""What still stands of a statement that goes: of several sentences those that the new words of its source prove alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.ingest.drafting.claims.found_quotes import FoundQuotes
from curator.ingest.drafting.claims.proven_text import ClaimPage, ProvenText, proven
from curator.wiki.english.pointing import POINTS_BACK
from curator.wiki.pages import editing
from curator.wiki.pages.citation import Citation
from curator.wiki.passages.of_source import sentence_borders
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.support.judge import Judge


def standing(text: str, quotes: Sequence[str], judge: Judge, names: Sequence[str]) -> ProvenText | None:
    """Of ``text``, one block without marks, the sentences that stand, cited by what is left of ``quotes``, the words
    that it cited; None where none does.
    """
    pieces = [piece.strip() for quote in quotes for piece in _sentences(quote)]
    gone = {editing.words_of(piece) for piece in pieces if judge.evidence.locate(piece, near=False) is None}
    if len(gone) == len({editing.words_of(piece) for piece in pieces}):
        return None
    told, stands = "", True
    for sentence in _sentences(text):
        leans = POINTS_BACK.match(sentence) is not None
        stands = editing.words_of(sentence) not in gone and (stands or not leans)
        told += sentence if stands else ""
    cited = [found for run in _runs(pieces, judge.evidence) for found in _found(run, judge.evidence)]
    if not told.strip() or not cited:
        return None
    found = proven(told.rstrip(), FoundQuotes(list(dict.fromkeys(cited)), []), judge, ClaimPage(names, {}))
    return found if found.text else None


def _sentences(text: str) -> Iterator[str]:
    yield from (text[start:end] for start, end in pairwise(sentence_borders(text)))


def _runs(pieces: Sequence[str], evidence: Evidence) -> Iterator[str]:
    """``pieces`` that stand in the source, as many in one as stand there one behind the other."""
    run = ""
    for piece in pieces:
        longer = f"{run} {piece}".strip()
        if evidence.locate(longer, near=False) is not None:
            run = longer
            continue
        if run:
            yield run
        run = piece if evidence.locate(piece, near=False) is not None else ""
    if run:
        yield run


def _found(quote: str, evidence: Evidence) -> list[Citation]:
    found = evidence.find(quote)
    return [] if isinstance(found, Missing) else found
