"""A chat that somebody saved: each message begins with when it was sent, ``[02/05/25, 18:05:02] Bea: hi all``."""

from __future__ import annotations

import re
from collections.abc import Iterable

DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}")
SENT = re.compile(
    rf"\u200e?\[?(?P<day>{DAY.pattern}),? "
    r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
    r"(?:\]| [-–]) (?=\S)"
)
"""What a message begins with, in the forms of the programs that most people chat with."""
WHO = re.compile(r"(?P<who>[^\s:][^:\n]{0,40}): (?=\S)")
"""Who wrote it, behind that; the program's own messages have none."""
_FEWEST = 3


def is_chat(lines: Iterable[str]) -> bool:
    """True for lines of which several are messages, with who wrote them, and the first begins as one."""
    told = [line for line in lines if line.strip()]
    if not told or SENT.match(told[0]) is None:
        return False
    sent = [(line, found) for line in told if (found := SENT.match(line))]
    said = sum(WHO.match(line, found.end()) is not None for line, found in sent)
    return said >= _FEWEST and 2 * said >= len(sent)
