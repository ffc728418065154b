"""docs/conformance.md, the conformance suite and the standard's texts say the same.

A test of the suite quotes its clause in its docstring; the table has the clause under its heading, with the test and the
modules that keep it, or with the reason why it is not kept. Where the texts lie beside the project they are held against
the table: every clause stands in them word for word, and none of their MUST, SHOULD and MAY is passed over.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from support.clauses import REASONS, table_rows
from support.places import DOCS, PROJECT, SHARED, TESTS

TABLE = (DOCS / "conformance.md").read_text("utf-8")
SUITE = sorted(set(Path(__file__).parent.glob("test_*.py")) - {Path(__file__)})
KEYWORDS = re.compile(r"\b(?:MUST|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b")


@dataclass(frozen=True)
class Row:
    """One clause of the table."""

    heading: str
    clause: str
    kept_in: str
    tests: tuple[tuple[str, str], ...]
    """Module and name."""

    @property
    def reason(self) -> str:
        """Why it is not kept; empty where it is."""
        return self.kept_in if self.kept_in.startswith(REASONS) else ""


@dataclass(frozen=True)
class Proof:
    """One test of the suite."""

    module: str
    name: str
    heading: str
    clause: str
    is_expected_to_fail: bool


def rows() -> Iterator[Row]:
    return (Row(*row) for row in table_rows(TABLE))


def suite() -> Iterator[Proof]:
    for file in SUITE:
        for node in functions(file.stem):
            said = " ".join((ast.get_docstring(node) or "").split())
            heading, _, quoted = said.partition(": “")
            fails = any("xfail" in ast.dump(each) for each in node.decorator_list)
            yield Proof(file.stem, node.name, heading, quoted.partition("”")[0], fails)


@cache
def functions(module: str) -> tuple[ast.FunctionDef, ...]:
    """The tests of a module."""
    tree = ast.parse(next(TESTS.rglob(f"{module}.py")).read_text("utf-8"))
    return tuple(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))


def bare(text: str) -> str:
    """``text`` as it is compared: one text has lost spaces, another has marks of markdown."""
    return re.sub(r"[\s`*]", "", text)


# -- the table and the suite ---------------------------------------------------------------------------------------


def test_a_row_names_modules_and_tests_that_are_there_or_a_reason() -> None:
    for row in rows():
        kept = re.findall(r"`(curator/[^`]+)`", row.kept_in)

        assert row.reason or (kept and row.tests), row
        assert all((PROJECT / path).is_file() for path in kept), row
        assert all(name in {test.name for test in functions(module)} for module, name in row.tests), row


def test_a_test_of_the_suite_quotes_a_clause_of_the_table() -> None:
    listed = {(row.heading, bare(row.clause), *named) for row in rows() for named in row.tests}

    for test in suite():
        assert test.clause, f"{test.module}::{test.name} quotes no clause"
        wanted = (test.heading, bare(test.clause), test.module, test.name)
        assert wanted in listed, f"docs/conformance.md has no row of {wanted}"


def test_what_is_expected_to_fail_is_told_with_its_reason() -> None:
    reasons = {named: row.reason for row in rows() for named in row.tests if row.reason}

    assert {(test.module, test.name) for test in suite() if test.is_expected_to_fail} == set(reasons)


# -- the table and the texts ---------------------------------------------------------------------------------------


@cache
def seed() -> dict[str, str]:
    """The seed's text by heading, as far as the table has them: one it has not would be part of the one above it."""
    text = _read("seeds/aip-10-knowledge-md.txt").partition("\nResources\n")[0]
    found: dict[str, int] = {}
    for name in dict.fromkeys(row.heading for row in rows()):
        # One heading stands behind the last words of the section above it.
        place = re.compile(rf"{re.escape(name)}$", re.MULTILINE).search(text, max(found.values(), default=0) + 1)
        if place is not None:
            found[name] = place.start()
    ends = [*list(found.values())[1:], len(text)]
    return {name: text[start:end] for (name, start), end in zip(found.items(), ends, strict=True)}


@cache
def later() -> dict[str, str]:
    """What later drafts added, by the words in bold face it begins with."""
    text = _read("ADDENDA.md").partition("\n## AIP-10")[2].partition("\n## ")[0]
    parts = re.finditer(r"^\*\*(.*?)\*\*(.*?)(?=^\*\*|\Z)", text, re.DOTALL | re.MULTILINE)
    return {re.sub(r"[`.]+$|`", "", part[1]): f"{part[1]} {part[2]}" for part in parts}


def texts() -> dict[str, str]:
    schema = _read("schemas/aip-10-knowledge.schema.json").replace("\\\\", "\\")
    return {**seed(), **later(), "JSON Schema": schema}


def _read(path: str) -> str:
    file = SHARED / "spec" / path
    if not file.is_file():
        pytest.skip(f"the standards are not beside the project: there is no ../shared/spec/{path}")
    return file.read_text("utf-8")


def covered(heading: str, text: str) -> list[bool]:
    """Which characters of a bare text are part of a row's clause."""
    marks = [False] * len(text)
    for row in rows():
        for found in re.finditer(re.escape(bare(row.clause)), text) if row.heading == heading else ():
            marks[found.start() : found.end()] = [True] * (found.end() - found.start())
    return marks


def test_every_clause_stands_in_the_texts_word_for_word() -> None:
    for row in rows():
        assert bare(row.clause) in bare(texts()[row.heading]), row


def test_no_must_should_or_may_is_passed_over() -> None:
    assert len(seed()) > 15
    for heading, text in seed().items():
        marks = covered(heading, bare(text))
        for keyword in KEYWORDS.finditer(text):
            around = text[max(0, keyword.start() - 60) : keyword.end() + 60]
            assert marks[len(bare(text[: keyword.start()]))], f"{heading}: no row for: …{around}…"


def test_no_sentence_of_the_later_drafts_is_passed_over() -> None:
    assert len(later()) == 10
    for heading, text in later().items():
        marks, whole = covered(heading, bare(text)), bare(text)
        end = r"(?<=[.,])\s+" if heading == "Error codes" else r"(?<=\.)\s+"
        for sentence in filter(None, map(bare, re.split(end, text.partition(heading)[2].strip(" .")))):
            at = whole.index(sentence)
            assert any(marks[at : at + len(sentence)]), f"{heading}: no row for: {sentence}"
