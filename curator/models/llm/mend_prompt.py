"""Fills in ``prompts/mend*.md``: a repair, which shows the faulty parts of a reply and asks for nothing else.

Of the source it shows what the claims in doubt quote, or may have meant to quote, with its surroundings; of the wiki the
pages that a faulty operation works on. The parts that were sound are not shown again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from curator.models.llm.prompts import (
    Prompt,
    ReplyFormat,
    fenced,
    filled,
    fresh_nonce,
    names_of_pages,
    pages_shown,
    policy_values,
    text_of,
)
from curator.models.port import Request
from curator.models.proposal import Add, Claim, Create, Mark, Operation, Proposal
from curator.models.repair import claims_of, is_named_only, parts_of, touched
from curator.wiki.support.excerpts import Excerpt, SourceExcerpts
from curator.wiki.support.source_context import SourceContext

_MOST_CLAIMS, _MOST_SHOWN = 60, 60_000
"""For so many claims, and until so many characters, pieces of the source are shown; what stays unmended is left out."""
_LETTERS_A_TOKEN = 3
_FOR_THE_CLAIM = " (for the claim: "
"""What begins the end of a finding with for who does not see the claim."""
Parts = dict[str, Operation | Claim]
"""By their numbers."""
_MOST_BESIDE = 800
"""Characters of the pieces beside a quoted one: what a claim lacks stands in the same sentence mostly, or right by it."""


def mend(
    request: Request,
    proposal: Proposal,
    asked: Collection[str],
    form: ReplyFormat,
    schema: dict[str, Any] | None,
    window_tokens: int = _MOST_SHOWN,
) -> Prompt:
    """The prompt for the parts of ``proposal`` whose numbers are ``asked`` for, with their faults.

    ``window_tokens``: about how much of the source may be shown.
    """
    parts = {number: part for number, part in parts_of(proposal) if number in asked}
    operations = [part for part in parts.values() if not isinstance(part, Claim)]
    reply = [text_of(f"mend-{form}")]
    whole = [number for number in parts if "." not in number and not _is_named_only(number, parts, request)]
    if whole:
        reply += [text_of(f"mend-operations-{form}"), text_of(f"reply-{form}")]
    elif operations:
        reply.append(text_of(f"mend-titles-{form}"))
    system = filled("mend", **policy_values(request.policy), reply_format="\n\n".join(reply))
    told = "\n\n".join("\n".join(_told(number, parts, request)) for number in parts)
    source = _pieces(request, _in_doubt(parts, request), min(_MOST_SHOWN, window_tokens * _LETTERS_A_TOKEN))
    slugs = touched(proposal, {*(n for n in parts if "." not in n), *_of_pages(request)})
    pages = pages_shown(request, [page for page in request.pages if page.slug in slugs])
    names_wanted = any(fault.code == "page_unknown" or "link" in fault.code for fault in request.faults)
    lines = names_of_pages(request) if operations and names_wanted else ""
    nonce = fresh_nonce(system, told, source, lines, pages)
    material = [fenced(nonce, "index", lines)] if lines else []
    material += [fenced(nonce, "pages", pages)] if pages else []
    about = {"path": request.source.path, "date": request.source.date, "slug": request.summary_slug}
    material += [fenced(nonce, "source", source, **about), fenced(nonce, "parts", told)]
    user = filled("mend-material", material="\n\n".join(material), nonce=nonce)
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return Prompt(messages, nonce, schema, request.source.path, request.source.digest)


def _of_pages(request: Request) -> Iterator[str]:
    """The numbers of the claims that do not go with what a page says already: it has to be seen to mend them."""
    for fault in request.faults:
        if fault.code in ("citation_lost", "proof_changed"):
            yield from fault.places


def _told(number: str, parts: Parts, request: Request) -> Iterator[str]:
    """A part as it was proposed, and what was found of it and of the claims in it, each by its number."""
    hidden = {"body"} if _is_named_only(number, parts, request) else set()
    yield f"{number}. {parts[number].model_dump_json(exclude_defaults=True, exclude=hidden)}"
    for fault in request.faults:
        for place in fault.places:
            if place == number or (place.startswith(f"{number}.") and not hidden):
                named = "" if place == number else f"{place}: "
                yield f"   {named}{fault.code}: {' '.join(fault.message.split()).partition(_FOR_THE_CLAIM)[0]}"


def _is_named_only(number: str, parts: Parts, request: Request) -> bool:
    """True for an operation that needs another title or page and nothing else: its body stays, and is not shown."""
    return isinstance(parts[number], Create | Add) and is_named_only(number, request.faults)


def _in_doubt(parts: Parts, request: Request) -> list[Claim]:
    """The claims for which the source has to be read to mend them; a rule that a page breaks needs none of it, and no
    word of the source goes back for it.
    """
    own = [each for each in request.faults if each.path == request.source.path or each.code.startswith("reader_")]
    faulty = {place for fault in own for place in fault.places if "." in place}
    found = [part for number, part in parts.items() if isinstance(part, Claim) and number in faulty]
    for number, part in parts.items():
        if isinstance(part, Mark):
            found.append(
                Claim(text=f"{part.page} {' '.join((*part.contradicts, *part.supersedes))}", quotes=part.quotes)
            )
        elif isinstance(part, Create) and is_named_only(number, request.faults):
            found += [Claim(text=part.title), *part.body[:1]]
        elif not isinstance(part, Claim):
            found += [claim for at, claim in enumerate(claims_of(part), start=1) if f"{number}.{at}" in faulty]
    return found


def _pieces(request: Request, claims: Sequence[Claim], most: int) -> str:
    excerpts = SourceExcerpts(SourceContext(request.evidence))
    shown: set[int] = set()
    for claim in claims[:_MOST_CLAIMS]:
        if sum(len(excerpts.text(n)) for n in shown) > most:
            break
        for quote in claim.quotes or ("",):
            found = excerpts.of((quote,), claim.text, _MOST_BESIDE)
            shown.update(found.numbers if isinstance(found, Excerpt) else excerpts.like(f"{quote} {claim.text}"))
    return excerpts.shown(sorted(shown)) or "(nothing of it is needed)"
