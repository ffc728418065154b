"""Where the files lie that the tests read."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
PROJECT = TESTS.parent
SAMPLE = PROJECT / "sample-wiki"
DOCS = PROJECT / "docs"
FIXTURES = TESTS / "fixtures"
SHARED = PROJECT.parent / "shared"
"""What lies beside the project where its standards and its corpus are at hand; tests that need it skip without."""
