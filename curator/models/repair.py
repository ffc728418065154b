"""A repair: the parts of a proposal that could not be taken, mended by their numbers and put into it; all else stays.

An operation has its place in the proposal as its number, from 1; a claim that of its operation and its own: 3.7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from curator.errors import ProposalError
from curator.finding import Finding
from curator.models import search_replace
from curator.models.proposal import (
    Add,
    Body,
    Claim,
    Create,
    Dispute,
    Mark,
    Operation,
    Proposal,
    Regrouping,
    Replace,
    provider_schema,
)
from curator.models.structured_reply import Strict, StructuredReply, closed_object


class MendedClaim(Strict):
    """What stands in the place of a claim: one, several, or none."""

    number: Annotated[str, StringConstraints(pattern=r"^\d{1,3}\.\d{1,3}$")]
    body: Body


class MendedOperation(Strict):
    """What stands in the place of an operation; None: nothing does. One without a body keeps the body that was there."""

    number: Annotated[str, StringConstraints(pattern=r"^\d{1,3}$")]
    operation: Operation | None


class Repair(StructuredReply):
    """A reply to faults: what it does not name stays as it is."""

    claims: Annotated[tuple[MendedClaim, ...], Field(max_length=400)] = ()
    operations: Annotated[tuple[MendedOperation, ...], Field(max_length=60)] = ()

    def merged(self, proposal: Proposal, asked: Collection[str]) -> Proposal:
        """``proposal`` with the mended parts that were ``asked`` for, and the claims of operations that were: of one
        that is shown whole it may be a claim that is mended. Raises ProposalError for a part that is mended twice.
        """
        claims = [each for each in self.claims if {each.number, each.number.partition(".")[0]} & {*asked}]
        operations = [each for each in self.operations if each.number in asked]
        counted = Counter([*(each.number for each in claims), *(each.number for each in operations)])
        if twice := [number for number, times in counted.items() if times > 1]:
            raise ProposalError("reply_schema", f"the repair mends {twice[0]} twice")
        bodies = {each.number: each.body for each in claims}
        mended = {each.number: each.operation for each in operations}
        kept: list[Operation | None] = []
        for number, operation in enumerate(proposal.operations, start=1):
            whole = _with_bodies(operation, number, bodies)
            kept.append(_over(whole, mended[str(number)]) if str(number) in mended else whole)
        try:
            return Proposal(operations=tuple(operation for operation in kept if operation is not None))
        except ValidationError as error:
            raise ProposalError("reply_schema", "the repair does not fit into the proposal") from error


def without(proposal: Proposal, numbers: Collection[str]) -> Proposal:
    """``proposal`` without the parts of these numbers."""
    claims = tuple(MendedClaim(number=number, body=()) for number in numbers if "." in number)
    operations = tuple(MendedOperation(number=number, operation=None) for number in numbers if "." not in number)
    return Repair(claims=claims, operations=operations).merged(proposal, numbers)


def touched(proposal: Proposal, numbers: Collection[str]) -> set[str]:
    """The slugs of the pages that the operations of these parts work on."""
    those = {number.partition(".")[0] for number in numbers}
    at = [operation for number, operation in enumerate(proposal.operations, start=1) if str(number) in those]
    named = [operation for operation in at if not isinstance(operation, Create)]
    return {slug for each in named for slug in (each.page, getattr(each, "other", ""), getattr(each, "to", "")) if slug}


def schema(asked: Collection[str], types: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a repair, in the form providers enforce; without operations where none is asked for."""
    if any("." not in number for number in asked):
        return provider_schema(Repair, types)
    claim = closed_object(text={"type": "string"}, quotes={"type": "array", "items": {"type": "string"}})
    mended = closed_object(number={"type": "string"}, body={"type": "array", "items": claim})
    return closed_object(claims={"type": "array", "items": mended})


def parts_of(proposal: Proposal) -> Iterator[tuple[str, Operation | Claim]]:
    """Every operation and every claim with its number."""
    for number, operation in enumerate(proposal.operations, start=1):
        yield str(number), operation
        yield from ((f"{number}.{at}", claim) for at, claim in enumerate(claims_of(operation), start=1))


def claims_of(operation: Operation) -> tuple[Claim, ...]:
    if isinstance(operation, Mark | Regrouping):
        return ()
    return (operation.claim,) if isinstance(operation, Dispute) else operation.body


def previous(text: str) -> Proposal | None:
    """The proposal of an earlier reply, in either form; None when it is none: then all of it has to be asked for again."""
    try:
        return Proposal.parse(search_replace.to_json(text) if text.lstrip("`\n ").startswith("<") else text)
    except ProposalError:
        return None


def asked_for(faults: Sequence[Finding]) -> tuple[str, ...] | None:
    """The numbers that ``faults`` are about, a claim's only where its operation is not shown; None: the whole proposal."""
    if not all(fault.places for fault in faults):
        return None
    numbers = sorted(
        {place for fault in faults for place in fault.places}, key=lambda n: [int(x) for x in n.split(".")]
    )
    whole = {number for number in numbers if "." not in number and not is_named_only(number, faults)}
    return tuple(number for number in numbers if "." not in number or number.partition(".")[0] not in whole)


def are_lost_disputes(faults: Sequence[Finding], text: str) -> bool:
    """True where all that is wrong with the reply ``text`` is that the passages of disputes are nowhere."""
    proposal = previous(text) if faults else None
    places = [place for fault in faults for place in fault.places if fault.code == "passage_not_found"]
    at = [proposal.operations[int(place) - 1] for place in places] if proposal is not None else []
    return bool(at) and len(at) == len(faults) and all(isinstance(operation, Dispute) for operation in at)


def is_named_only(number: str, faults: Sequence[Finding]) -> bool:
    """True for an operation of which nothing but the title, or the page, is wrong: its body need not be shown."""
    return all(
        fault.code in ("title_unknown", "page_exists", "page_unknown") for fault in faults if number in fault.places
    )


def _over(old: Operation | None, new: Operation | None) -> Operation | None:
    """``new``, with the body of ``old`` where it has none of its own."""
    if not isinstance(new, Create | Add | Replace) or not isinstance(old, Create | Add | Replace) or new.body:
        return new
    return new.model_copy(update={"body": old.body})


def _with_bodies(operation: Operation, number: int, bodies: dict[str, tuple[Claim, ...]]) -> Operation | None:
    claims = claims_of(operation)
    mended = [bodies.get(f"{number}.{at}", (claim,)) for at, claim in enumerate(claims, start=1)]
    body = tuple(claim for some in mended for claim in some)
    if isinstance(operation, Mark | Regrouping) or body == claims:
        return operation
    if isinstance(operation, Dispute):
        return operation.model_copy(update={"claim": body[0]}) if len(body) == 1 else None
    return operation.model_copy(update={"body": body})
