"""The tables of clauses in docs/conformance*.md, as tests read them."""

from __future__ import annotations

import re
from collections.abc import Iterator

REASONS = ("deliberately not done: ", "not kept: ", "no clause: ")
"""How a row begins that says why a clause has no test."""
Names = tuple[tuple[str, str], ...]


def table_rows(text: str) -> Iterator[tuple[str, str, str, Names]]:
    """Heading, clause, where it is kept or why not, and the tests by module and name, of each row."""
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line.startswith("| ") and "| kept in |" not in line:
            clause, _, kept_in, tests = re.split(r"(?<!\\)\|", line.strip()[1:-1])
            named = re.findall(r"`(test_\w+)::(test_\w+)`", tests)
            yield heading, re.sub(r"\\(.)", r"\1", clause.strip()), kept_in.strip(), tuple(named)
