"""Notes of a long source: what each of its windows states, by the name of the thing, for the prompt that follows.

Later windows are told the names that earlier ones have noted things under, so that one thing is noted under one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from curator.models import search_replace
from curator.models.port import estimate_tokens
from curator.models.proposal import Claim
from curator.wiki.sources.evidence import Evidence

_LONGEST_NAME = 100
_MOST_NAMES = 100
"""The last so many are told, so that a prompt keeps its size."""


@dataclass(frozen=True)
class Note:
    """A statement with its quotes, and the name of the thing it is noted under; empty for none."""

    about: str
    claim: Claim

    @property
    def cost(self) -> int:
        return estimate_tokens(self.claim.text) + sum(map(estimate_tokens, self.claim.quotes)) + 8


def proven(reply: str, evidence: Evidence) -> Iterator[Note]:
    """The notes in ``reply`` whose every quote is in the source."""
    about = ""
    for claim in search_replace.claims(reply.replace("\r\n", "\n").split("\n")):
        if claim.text.startswith("#"):
            about = " ".join(claim.text.lstrip("#").split())[:_LONGEST_NAME]
        elif claim.quotes and all(isinstance(evidence.find(quote), list) for quote in claim.quotes):
            yield Note(about, claim)


def within(notes: Sequence[Note], tokens: int) -> Iterator[Note]:
    """As many notes as fit ``tokens``, spread evenly over all windows."""
    total = sum(note.cost for note in notes)
    seen = taken = 0
    for note in notes:
        seen += note.cost
        if (taken + note.cost) * total <= seen * min(total, tokens):
            taken += note.cost
            yield note


def names(notes: Iterable[Note]) -> list[str]:
    """What things are noted under, each once; of many the last."""
    return list(dict.fromkeys(note.about for note in notes if note.about))[-_MOST_NAMES:]


def told(notes: Sequence[Note]) -> str:
    """Notes as a model is shown them: those on one thing together, from whichever window they are."""
    by_name: dict[str, list[str]] = {}
    for note in notes:
        lines = by_name.setdefault(note.about, [f"## {note.about}"] if note.about else [])
        lines.append(f"- {' '.join(note.claim.text.split()).removeprefix('- ')}")
        lines += [f'  quote: "{" ".join(quote.split())}"' for quote in note.claim.quotes]
    return "\n".join(line for lines in by_name.values() for line in lines)
