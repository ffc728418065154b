"""docs/conformance.md names modules and tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "docs" / "conformance.md").read_text("utf-8")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ") and "kept in" not in line]


def test_every_row_that_is_filled_in_names_a_module_and_a_test() -> None:
    for row in ROWS:
        kept = re.findall(r"`(curator/\S+)`", row[2])
        tests = re.findall(r"`(test_\w+)::(test_\w+)`", row[3]) if len(row) > 3 else []

        assert bool(kept) == bool(tests) == (row[2].strip(" |") != "not yet"), row
        assert all((TESTS.parent / path).is_file() for path in kept), row
        assert all(name in _tests_of(module) for module, name in tests), row


def _tests_of(module: str) -> set[str]:
    tree = ast.parse((TESTS / f"{module}.py").read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
