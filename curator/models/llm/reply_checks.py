"""Rules on the raw reply of a model, before it is read as a proposal (research C4; C1 and C2 are in ``proposal.py``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.finding import Finding

RUN = 40
"""So many words of the system prompt in a row are no coincidence."""


def secrets_in(reply: str, nonce: str, system: str) -> list[Finding]:
    """reply_leaks_prompt (C4): the reply repeats the request's nonce, or 40 words in a row of the system prompt.

    A model that does so was led by text in the source, and the rest of its reply is not to be trusted either.
    """
    spoken = _unescaped(reply)
    if nonce and (nonce in reply or nonce.casefold() in re.sub(r"[\s_-]", "", spoken).casefold()):
        return [Finding("reply_leaks_prompt", "proposal", "the reply repeats the mark that fences the source")]
    if _share_a_run(_words(spoken), _words(system)):
        return [Finding("reply_leaks_prompt", "proposal", "the reply repeats its instructions")]
    return []


def _share_a_run(spoken: list[str], secret: list[str]) -> bool:
    """Whether ``RUN`` words in a row are in both.

    Such a run has half of itself, from some multiple of that on: where no such half is shared, there is no need to look at
    each run.
    """
    half, text = RUN // 2, f" {' '.join(secret)} "
    halves = (spoken[start : start + half] for start in range(0, len(spoken) - half + 1, half))
    if not any(f" {' '.join(each)} " in text for each in halves):
        return False
    runs = set(_runs(secret))
    return any(run in runs for run in _runs(spoken))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def _unescaped(reply: str) -> str:
    """The words of a JSON text: escaped characters read, escaped line breaks as spaces."""
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), reply)
    return re.sub(r"\\.", " ", text)
