"""What a second reader is asked, and what it answers: for each claim, do the words of the source that are shown state it?

It sees the claims and the places they are quoted from, nothing else: not the page, not the rest of the source, not who
wrote the claims.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from curator.errors import ModelError
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki.support.excerpts import Excerpt, SourceExcerpts

Grade = Literal["stated", "partly", "not"]

AT_ONCE = 20
"""Claims in one request."""


@dataclass(frozen=True)
class ClaimToVerify:
    """A claim whose quotes are in the source."""

    text: str
    quotes: tuple[str, ...]
    page: str
    """The names of the page it stands on."""
    excerpt: Excerpt
    others: tuple[str, ...] = ()
    """Quotes of other sources that it rests on too."""


def claim_key(*parts: str) -> str:
    """What names a claim for one reader: its name, the page's, the claim, its quotes."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


@dataclass(frozen=True)
class Verification:
    """The claims of one source that are to be read."""

    claims: tuple[ClaimToVerify, ...]
    excerpts: SourceExcerpts
    digest: str = ""
    """Of the source, for the ledger."""

    @property
    def path(self) -> str:
        """The source's."""
        return self.excerpts.context.path

    @property
    def names(self) -> str:
        """The source's title and number."""
        names = (" ".join(name.split()) for name in self.excerpts.context.named)
        return "; ".join(dict.fromkeys(filter(None, names)))


@dataclass(frozen=True)
class ReaderVerdict:
    """What the reader says of one claim."""

    grade: Grade | None
    """None: it said nothing that could be read."""
    lacks: str = ""
    """The words of the claim that are not stated; nothing but words of the claim is taken over."""

    def finding(self, path: str, claim: str) -> Finding | None:
        """What is against ``claim``; None where it is stated. Codes: reader_not, reader_partly, reader_silent."""
        if self.grade == "stated":
            return None
        code, message = _FINDINGS[self.grade]
        lacks = f": {shortened(self.lacks)}" if self.lacks else ""
        return Finding(code, path, f"{message}{lacks} (in the claim: {shortened(claim)})")


_FINDINGS: Mapping[Grade | None, tuple[str, str]] = {
    "not": ("reader_not", "the second reader does not find this stated where it is quoted"),
    "partly": ("reader_partly", "the second reader finds only a part of this stated where it is quoted"),
    None: ("reader_silent", "the second reader gave no verdict"),
}
SILENT = ReaderVerdict(None)


def check_is_read(reader: str, verdicts: Collection[ReaderVerdict]) -> None:
    """Raises ModelError where none of several verdicts could be read: then the reader has failed, and no claim has."""
    if len(verdicts) > 1 and set(verdicts) == {SILENT}:
        seen = f"the second reader {reader}, asked about {len(verdicts)} claims, gave no answer that is a verdict"
        hint = 'set verify_model to another model, or verify_form to what it answers, "list" or "pair": docs/verify.md'
        raise ModelError("reader_unreadable", seen, hint, retryable=False)
