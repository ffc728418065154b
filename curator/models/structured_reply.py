"""A model's reply as JSON, read strictly: unknown keys, missing keys, wrong types and twin keys are errors."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from curator.errors import ProposalError

MAX_REPLY_BYTES = 512_000

_FENCED = re.compile(r"\A```(?:json)?[^\S\n]*+\n(.*)\n```\Z", re.DOTALL)


class Strict(BaseModel):
    """A part of a reply; nothing is converted and nothing is passed over."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class StructuredReply(Strict):
    """A whole reply."""

    quotes_itself: ClassVar[bool] = True
    """False: an error tells what kind of fault there is, and repeats no word of the reply."""

    @classmethod
    def parse(cls, reply: str) -> Self:
        """Read it. Raises ProposalError: reply_too_large, reply_not_json, reply_schema (rules C1 and C2 of the wall)."""
        if len(reply.encode("utf-8", "replace")) > MAX_REPLY_BYTES:
            raise ProposalError("reply_too_large", f"the reply has more than {MAX_REPLY_BYTES:,} bytes")
        text = reply.strip()
        fenced = _FENCED.match(text)
        try:
            value = json.loads(fenced[1] if fenced else text, object_pairs_hook=_no_twins)
        except (ValueError, RecursionError) as error:
            seen = f": {_start(reply)}" if cls.quotes_itself else ""
            raise ProposalError("reply_not_json", f"the reply is not one JSON object{seen}") from error
        try:
            return cls.model_validate_json(json.dumps(value))
        except ValidationError as error:
            wrong = _problems(error) if cls.quotes_itself else _kinds(error)
            raise ProposalError("reply_schema", f"the reply does not fit the schema: {wrong}") from error

    def dumps(self) -> str:
        """The JSON that ``parse`` reads."""
        return self.model_dump_json()


def closed_object(**properties: Any) -> dict[str, Any]:
    """A JSON Schema in the form providers enforce: every key required, no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _start(reply: str) -> str:
    flat = " ".join(reply.split())
    return repr(flat[:60] + ("…" if len(flat) > 60 else "")) if flat else "it is empty"


def _problems(error: ValidationError) -> str:
    found = [
        f"{'.'.join(map(str, p['loc'])) or 'reply'}: {p['msg'].replace(' after validation', '')}"
        for p in error.errors(include_url=False)[:5]
    ]
    more = error.error_count() - len(found)
    return "; ".join(found) + (f"; and {more} more" if more > 0 else "")


def _kinds(error: ValidationError) -> str:
    """pydantic's own names of what is wrong; never the keys or values that were sent."""
    return ", ".join(sorted({problem["type"] for problem in error.errors(include_url=False, include_input=False)}))
