"""docs/conformance-packs.md, the tests it names and the texts of the standard say the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from support.clauses import REASONS, table_rows
from support.places import DOCS, PROJECT, SHARED, TESTS

SEEDS = {
    "001": "agent-knowledge-v0.5.0.txt",
    "002": "agent-knowledge-adding-support.txt",
    "003": "agent-knowledge-discovery-and-loading.txt",
    "004": "agent-knowledge-runtime-standard.txt",
}
KEYWORDS = re.compile(r"\b(?:MUST|SHOULD|MAY|must|should)\b")


@dataclass(frozen=True)
class ClauseRow:
    """One clause of the table."""

    seed: str
    clause: str
    kept_in: str
    tests: tuple[tuple[str, str], ...]


def rows() -> Iterator[ClauseRow]:
    table = (DOCS / "conformance-packs.md").read_text("utf-8")
    return (ClauseRow(heading[:3], clause, kept, tests) for heading, clause, kept, tests in table_rows(table))


@cache
def functions_of(module: str) -> frozenset[str]:
    tree = ast.parse(next(TESTS.rglob(f"{module}.py")).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def bare(text: str) -> str:
    """``text`` as it is compared: without spaces, and the marks of lists and code."""
    return re.sub(r"[\s`•-]", "", text)


def seed_text(seed: str) -> str:
    file = SHARED / "spec" / "seeds" / SEEDS[seed]
    if not file.is_file():
        pytest.skip("the standards are not beside the project")
    return file.read_text("utf-8")


def test_a_row_names_modules_and_tests_that_are_there_or_a_reason() -> None:
    for row in rows():
        kept = re.findall(r"`(curator/[^`]+)`", row.kept_in)

        assert row.kept_in.startswith(REASONS) or (kept and row.tests), row
        assert all((PROJECT / path).is_file() for path in kept), row
        assert all(name in functions_of(module) for module, name in row.tests), row


@pytest.mark.parametrize("seed", SEEDS)
def test_every_clause_stands_in_the_text_word_for_word_and_none_is_passed_over(seed: str) -> None:
    text = seed_text(seed)
    whole = bare(text)
    marks = [False] * (len(whole) + 1)
    for row in (row for row in rows() if row.seed == seed):
        clause = bare(row.clause)
        assert clause in whole, row
        for found in re.finditer(re.escape(clause), whole):
            marks[found.start() : found.end()] = [True] * len(clause)
    for keyword in KEYWORDS.finditer(text):
        around = " ".join(text[max(0, keyword.start() - 60) : keyword.end() + 60].split())
        assert marks[len(bare(text[: keyword.start()]))], f"{seed}: no row for: …{around}…"
