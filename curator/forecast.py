"""What taking a source in will take of a language model, told before anything is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from curator import prompts, proposal
from curator.language_model import split
from curator.model import Request
from curator.prompts import ReplyFormat
from curator.tokens import estimate

TYPICAL_ANSWER = 1_500
"""Tokens of an answer, as long as the wiki's own history does not tell."""
_NOTES = 0.3
"""How much of a long source its notes come to, about."""


@dataclass(frozen=True)
class Forecast:
    """Tokens of the questions, and of the answers: as expected, and at most, with one repair round."""

    calls: int
    prompt: int
    completion: int
    most_prompt: int
    most_completion: int


def forecast(request: Request, form: ReplyFormat, window_tokens: int, most_answer: int, answer: int) -> Forecast:
    """``answer``: tokens that an answer is expected to have; ``most_answer``: all it may have."""
    text = request.source.document.text
    schema: dict[str, Any] | None = proposal.schema() if form == "json" else None
    last = prompts.ingest(request, form, schema, ()).tokens
    windows = 0
    if (size := estimate(text)) > window_tokens:
        parts = [part for part in split(text, window_tokens) if part.strip()]
        windows = sum(prompts.window(request, part, 1, len(parts)).tokens for part in parts)
        last += min(int(size * _NOTES), window_tokens) - size
        calls = len(parts) + 1
    else:
        calls = 1
    answer = min(answer, most_answer)
    return Forecast(
        calls=calls,
        prompt=windows + last,
        completion=calls * answer,
        most_prompt=windows + 2 * last + most_answer,
        most_completion=(calls + 1) * most_answer,
    )
