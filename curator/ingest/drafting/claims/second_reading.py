"""A second reader's verdicts on the claims of one reply, as far as it has been asked.

It can only take claims away: ``not`` leaves a claim out; ``partly``, or no verdict, leaves it out where the wiki's
grounding is required, and is told in the log where it is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from curator.finding import Finding
from curator.models.port import Reply, Verifier
from curator.models.proposal import Claim
from curator.models.verification import ClaimToVerify, ReaderVerdict, Verification, check_is_read, claim_key
from curator.wiki.pages.citation import marks_in
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Source
from curator.wiki.support.excerpts import Excerpt, SourceExcerpts


@dataclass
class SecondReading:
    """The verdicts on a reply, by the keys of its claims, and the claims that have none yet."""

    verifier: str
    verdicts: Mapping[str, ReaderVerdict]
    excerpts: SourceExcerpts
    unread: dict[str, ClaimToVerify] = field(default_factory=dict)

    def fault(self, claim: Claim, page: Page, passage: str) -> Finding | None:
        """What is against a claim, whose quotes are in the source, on ``page``, in the place of ``passage``.

        A claim without a verdict is noted.
        """
        others = _other_quotes(claim, page, passage)
        key = claim_key(self.verifier, page.title, claim.text, *claim.quotes, "", *others)
        verdict = self.verdicts.get(key)
        if verdict is not None:
            return verdict.finding(self.excerpts.context.path, claim.text)
        excerpt = self.excerpts.of(claim.quotes, claim.text)
        if isinstance(excerpt, Excerpt):
            names = "; ".join((page.title, *page.aliases[:5]))
            self.unread[key] = ClaimToVerify(claim.text, claim.quotes, names, excerpt, others)
        return None

    def refused_on(self, title: str, claim: Claim) -> bool:
        """True for a claim that was found not stated on a new page of that title."""
        verdict = self.verdicts.get(claim_key(self.verifier, title, claim.text, *claim.quotes, ""))
        return verdict is not None and verdict.grade == "not"


def ask(verifier: Verifier, reply: Reply, reading: SecondReading, source: Source) -> Reply:
    """``reply`` with the verdicts on what was unread, and their cost. Raises ModelError, also where it has none at all."""
    unread = reading.unread
    said = verifier.verify(Verification(tuple(unread.values()), reading.excerpts, source.digest))
    before = reply.verdicts.values() if reply.verifier == verifier.name else ()
    check_is_read(verifier.name, (*before, *said.verdicts))
    return reply.verified(verifier.name, dict(zip(unread, said.verdicts, strict=True)), said.usage)


def _other_quotes(claim: Claim, page: Page, passage: str) -> tuple[str, ...]:
    """What the marks that the claim keeps of a passage quote: words of other sources, or of before."""
    kept = set(marks_in(passage))
    return tuple(page.citations[mark].quote for mark in marks_in(claim.text) if mark in kept and mark in page.citations)
