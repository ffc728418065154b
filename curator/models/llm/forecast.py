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
from curator.models.verification import AT_ONCE

TYPICAL_ANSWER = 1_500
"""Tokens of an answer, as long as the wiki's own history does not show it."""
_NOTES = 0.3
"""The share of a long source that its notes come to, about."""
_A_CLAIM, _LEAST_CLAIM = 70, 40
"""Tokens of a claim with its quotes in an answer: usual, and of a short one."""
_A_VERDICT, _A_LONG_VERDICT = 12, 40
_READER_SYSTEM = 1_200
"""Tokens of a second reader's prompt without claims and pieces of the source, about."""
_MOST_PIECES = AT_ONCE * 1_200
"""Tokens of the pieces that 20 claims are shown with at most, about."""
_FAULTS = 3_000
"""Tokens that the list of faults in a repair round has at most, about."""


@dataclass(frozen=True)
class ReadingForecast:
    """Tokens of a second reader's requests and answers: as expected, and at most, with the claims of a repair round."""

    calls: int
    prompt: int
    completion: int
    most_prompt: int
    most_completion: int


@dataclass(frozen=True)
class Forecast(ReadingForecast):
    """The same of an author: at most with one repair round."""

    longest: int
    """The longest single prompt; the budget must allow it together with the longest answer."""


def forecast_reading(request: Request, answer: int, most_answer: int) -> ReadingForecast:
    """Estimate what a second reader takes for the claims of an answer of so many tokens; every piece is shown once."""
    size = estimate_tokens(request.source.document.text)
    calls = _requests(answer // _A_CLAIM)
    most_calls = _requests(most_answer // _LEAST_CLAIM)
    return ReadingForecast(
        calls=calls,
        prompt=calls * _READER_SYSTEM + answer + min(size, calls * _MOST_PIECES),
        completion=answer // _A_CLAIM * _A_VERDICT,
        most_prompt=int(2 * MARGIN * (most_calls * (_READER_SYSTEM + min(size, _MOST_PIECES)) + most_answer)),
        most_completion=2 * most_calls * AT_ONCE * _A_LONG_VERDICT,
    )


def _requests(claims: int) -> int:
    return max(1, -(-claims // AT_ONCE))


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
