"""A chat that somebody saved: each message begins with when it was sent, ``[02/05/25, 18:05:02] Bea: hi all``."""

from __future__ import annotations

import re
from collections.abc import Iterable

SENT = re.compile(
    r"\u200e?\[?(?P<day>\d{1,4}[./-]\d{1,2}[./-]\d{2,4}),? "
    r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
    r"(?:\]| [-–]) (?=\S)"
)
"""What a message begins with, in the forms of the programs that most people chat with."""
WHO = re.compile(r"(?P<who>[^\s:][^:\n]{0,40}): (?=\S)")
"""Who wrote it, behind that; the program's own messages have none."""
_FEWEST = 3


def is_chat(lines: Iterable[str]) -> bool:
    """True for lines of which several, and the first, begin as messages do."""
    told = [line for line in lines if line.strip()]
    return bool(told) and SENT.match(told[0]) is not None and sum(map(bool, map(SENT.match, told))) >= _FEWEST
