"""The cases of tests/cases/support: sources, and claims on them with what is to be found.

A file is a source of its name, a line ``%%%``, and cases with a blank line between: ``claim:``, one ``quote:`` or several,
perhaps ``page:``, and ``verdict:``, which is ``supported`` or the codes that have to be found (others may be found too).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "cases" / "support"


@dataclass(frozen=True)
class ClaimCase:
    """One claim, its quotes, and the codes to be found; none when it is supported."""

    file: str
    source: str
    claim: str
    quotes: tuple[str, ...]
    names: tuple[str, ...]
    codes: frozenset[str]


def claim_cases() -> Iterator[ClaimCase]:
    for file in sorted(FOLDER.glob("*.md")):
        source, _, cases = file.read_text("utf-8").partition("\n%%%\n")
        for case in cases.strip().split("\n\n"):
            fields = [line.partition(": ")[::2] for line in case.split("\n")]
            codes = dict(fields)["verdict"].replace(",", " ").split()
            yield ClaimCase(
                file.name,
                source,
                dict(fields)["claim"],
                tuple(value for name, value in fields if name == "quote"),
                tuple(value for name, value in fields if name == "page"),
                frozenset(codes) - {"supported"},
            )
