"""A proposal: what a model wants changed, as small operations with their quotes.

The model's answer is one of the two texts that come in from outside, so it is parsed once, here, strictly: unknown keys,
missing keys and wrong types are errors. What an operation would do to the wiki is decided elsewhere, by code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from curator.models.structured_reply import Strict, StructuredReply
from curator.wiki.pages.page import KINDS, LONGEST_TITLE

MAX_QUOTES = 20
"""For one claim; a table needs a few."""

LONGEST_CLAIM = 16_000
"""Characters: a source's own example, and a table that has all the rows of the source's, may be long."""

Kind = Annotated[str, StringConstraints(pattern=rf"^({'|'.join(KINDS)}|[A-Z][A-Za-z0-9]*)$", max_length=96)]
"""One of ``KINDS``, or in PascalCase an entity type of the wiki: which it has, the proposal cannot know."""
Title = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TITLE)]
Slug = Annotated[str, StringConstraints(max_length=96)]


class Claim(Strict):
    """One markdown block: a paragraph, a list item (``- ...``), a table (``| ... |`` lines) or a heading (``## ...``)."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_CLAIM)]
    quotes: tuple[str, ...] = Field(default=(), max_length=MAX_QUOTES)
    """Verbatim words of the source that state this; a heading needs none."""


MOST_CLAIMS = 200
"""Of one operation."""
Body = Annotated[tuple[Claim, ...], Field(max_length=MOST_CLAIMS)]


class Create(Strict):
    """A new page."""

    op: Literal["create"]
    kind: Kind
    title: Title
    aliases: tuple[Title, ...] = Field(default=(), max_length=20)
    body: Body


class Replace(Strict):
    """In ``page``, put ``body`` in the place of exactly this ``passage``."""

    op: Literal["replace"]
    page: Slug
    passage: Annotated[str, StringConstraints(min_length=1)]
    body: Body


class Add(Strict):
    """Add ``body`` at the end of a section of ``page``; one it has not is made; for none, code finds the place."""

    op: Literal["add"]
    page: Slug
    section: str = ""
    body: Body


class Dispute(Strict):
    """The source says otherwise than ``passage`` in ``page``; ``claim`` is what it says.

    Which of the two stays current is for the wiki's conflictResolution to say, not for the model.
    """

    op: Literal["dispute"]
    page: Slug
    passage: Annotated[str, StringConstraints(min_length=1)]
    claim: Claim


class Mark(Strict):
    """Set relations of ``page``; ``aliases`` are other names for it in the source. ``confidence`` only ever lowers.

    ``quotes``: the words of the source that state the relations; a field of its head needs none.
    """

    op: Literal["mark"]
    page: Slug
    contradicts: tuple[Slug, ...] = Field(default=(), max_length=20)
    supersedes: tuple[Slug, ...] = Field(default=(), max_length=20)
    aliases: tuple[Title, ...] = Field(default=(), max_length=20)
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    quotes: tuple[str, ...] = Field(default=(), max_length=MAX_QUOTES)


class Rename(Strict):
    """Give ``page`` another title, one that the source has for it; its slug stays, the title that it had is an alias."""

    op: Literal["rename"]
    page: Slug
    title: Title


class Merge(Strict):
    """Make ``other`` part of ``page``: the source gives one thing both names."""

    op: Literal["merge"]
    page: Slug
    other: Slug


class Move(Strict):
    """Put the statement ``passage`` of ``page``, as it is, on the page ``to``, which it names."""

    op: Literal["move"]
    page: Slug
    passage: Annotated[str, StringConstraints(min_length=1)]
    to: Slug


Regrouping = Rename | Merge | Move
"""What states nothing new: pages get other names, become one, or give statements to others."""
Operation = Annotated[Create | Replace | Add | Dispute | Mark | Regrouping, Field(discriminator="op")]


class Proposal(StructuredReply):
    """All operations for one source. It has no text but the claims: what is not cited is not kept."""

    operations: tuple[Operation, ...] = Field(max_length=60)


NO_PROPOSAL = Proposal(operations=())


def schema(types: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON Schema of a proposal, in the form providers enforce: every key required, no others, unions as anyOf.

    ``types`` are the entity types that a page may be of, beside the kinds.
    """
    return provider_schema(Proposal, types)


def provider_schema(reply: type[StructuredReply], types: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply that has operations, in that form."""
    found: dict[str, Any] = _for_providers(reply.model_json_schema())
    found["$defs"]["Create"]["properties"]["kind"] = {"type": "string", "enum": [*KINDS, *types]}
    return found


_DROPPED = {
    "discriminator",
    "default",
    "title",
    "description",
    "maxItems",
    "maxLength",
    "minLength",
    "minimum",
    "maximum",
    "pattern",
}


def _for_providers(node: Any, *, names: bool = False) -> Any:
    """``names``: the keys of ``node`` are names of properties or definitions, not keywords."""
    if isinstance(node, list):
        return [_for_providers(item) for item in node]
    if not isinstance(node, dict):
        return node
    result = {
        ("anyOf" if key == "oneOf" and not names else key): _for_providers(value, names=key in ("properties", "$defs"))
        for key, value in node.items()
        if names or key not in _DROPPED
    }
    if not names and "properties" in result:
        result["required"] = list(result["properties"])
        result["additionalProperties"] = False
    return result
