"""How many tokens a text has, estimated: 4 letters of a Latin script to a token, 1.5 of any other.

Only used to keep prompts within their budget; what an answer really cost is what the provider says.
"""

from __future__ import annotations


def estimate(text: str) -> int:
    if text.isascii():
        return len(text) // 4 + 1
    plain = sum(1 for c in text if c < "\u0250" or "\u2010" <= c <= "\u2044")
    return int(plain / 4 + (len(text) - plain) / 1.5) + 1
