"""How many tokens the ingest of a source will take, estimated before a model is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from curator.models import proposal
from curator.models.llm import prompts
from curator.models.llm.budget import MARGIN
from curator.models.llm.language_model import split
from curator.models.llm.prompts import ReplyFormat
from curator.models.port import Request, estimate_tokens

TYPICAL_ANSWER = 1_500
"""Tokens of an answer, as long as the wiki's own history does not show it."""
_NOTES = 0.3
"""The share of a long source that its notes come to, about."""
_FAULTS = 3_000
"""Tokens that the list of faults in a repair round has at most, about."""


@dataclass(frozen=True)
class Forecast:
    """Tokens of prompts and answers: as expected, and at most, with one repair round."""

    calls: int
    prompt: int
    completion: int
    most_prompt: int
    most_completion: int
    longest: int
    """The longest single prompt; the budget must allow it together with the longest answer."""


def forecast(request: Request, form: ReplyFormat, window_tokens: int, most_answer: int, answer: int) -> Forecast:
    """Estimate an ingest. ``answer``: the tokens expected of an answer; ``most_answer``: the most it may have."""
    text = request.source.document.text
    types = [each.name for each in request.policy.types]
    schema: dict[str, Any] | None = proposal.schema(types) if form == "json" else None
    last = most_last = prompts.ingest(request, form, schema, ()).tokens
    windows: list[int] = []
    if (size := estimate_tokens(text)) > window_tokens:
        parts = [part for part in split(text, window_tokens) if part.strip()]
        windows = [prompts.window(request, part, n, len(parts)).tokens for n, part in enumerate(parts, start=1)]
        last += min(int(size * _NOTES), window_tokens) - size
        most_last += window_tokens - size
    calls = len(windows) + 1
    return Forecast(
        calls=calls,
        prompt=sum(windows) + last,
        completion=calls * min(answer, most_answer),
        most_prompt=int(MARGIN * (sum(windows) + 2 * most_last + most_answer + _FAULTS)),
        most_completion=(calls + 1) * most_answer,
        longest=int(MARGIN * max(*windows, most_last, 0)),
    )
