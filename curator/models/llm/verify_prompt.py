"""Fills in ``prompts/verify*.md``: the prompts for a second reader.

As in ``prompts``: the task is the system message, all else is data between fences. Whatever a source or a claim says is
indented, so that no line of it passes for the number of a piece or of a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curator.models.llm.prompts import Prompt, fenced, filled, fresh_nonce
from curator.models.verification import ClaimToVerify, Verification
from curator.wiki.support.excerpts import indented

Numbered = tuple[int, ClaimToVerify]
"""A claim with its number in the request."""


def claims(
    verification: Verification, numbered: Sequence[Numbered], *, again: bool, schema: dict[str, Any] | None
) -> Prompt:
    """Claims with the pieces of the source that they are quoted from; ``again``: the earlier reply could not be read."""
    excerpts = verification.excerpts
    shown = sorted({n for _, claim in numbered for n in claim.excerpt.numbers})
    pieces = excerpts.shown(shown)
    told = "\n".join("\n".join(_told(number, claim)) for number, claim in numbered)
    system = filled("verify")
    nonce = fresh_nonce(system, pieces, told)
    source = fenced(nonce, "source", pieces, names=verification.names)
    material = f"{source}\n\n{fenced(nonce, 'claims', told)}"
    user = filled("verify-material", material=material, count=str(len(numbered)), nonce=nonce)
    if again:
        user += f"\n\n{filled('verify-again')}"
    return _prompt(verification, system, user, nonce, schema)


def pair(verification: Verification, claim: ClaimToVerify) -> Prompt:
    """One claim and what it is quoted from, in the form that small checkers are trained on."""
    excerpts = verification.excerpts
    shown = (excerpts.text(n) for n in claim.excerpt.numbers)
    document = "\n".join([verification.names, *shown, *claim.others])
    system = filled("verify-pair")
    nonce = fresh_nonce(system, document, claim.text)
    # On one line: a claim must not look like one more document.
    user = f"Document: {document}\nClaim: {' '.join(claim.text.split())}"
    return _prompt(verification, system, user, nonce, None)


def _prompt(verification: Verification, system: str, user: str, nonce: str, schema: dict[str, Any] | None) -> Prompt:
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return Prompt(messages, nonce, schema, verification.path, verification.digest)


def _told(number: int, claim: ClaimToVerify) -> Iterator[str]:
    quoted = " ".join(f"[{n}]" for n in claim.excerpt.quoted)
    page = f" for the page {' '.join(claim.page.split())!r}" if claim.page else ""
    yield f"{number}.{page} quoted from {quoted}"
    yield indented(claim.text)
    yield from (f"  > {' '.join(quote.split())}" for quote in claim.quotes)
    yield from (f"  + {' '.join(quote.split())}" for quote in claim.others)
