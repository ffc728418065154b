"""Claims that somebody wrote down with what is to be found: tests/cases/support."""

from __future__ import annotations

from itertools import groupby

import pytest

from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import ANY_LANGUAGE, RULES, Judge
from support.claim_cases import claim_cases

CASES = list(claim_cases())
FILES = {file: list(cases) for file, cases in groupby(CASES, key=lambda case: case.file)}


@pytest.mark.parametrize("file", FILES)
def test_claims_are_judged_as_was_written_down(file: str) -> None:
    """One test for a file: there are a thousand claims, and a test of its own costs as much as a judgement."""
    judge = Judge(Evidence(f"sources/{file}", Document.from_text(FILES[file][0].source)))

    wrong = {}
    for case in FILES[file]:
        found = {finding.code for finding in judge.judge(case.claim, case.quotes, case.names).findings}
        if not (case.codes <= found if case.codes else not found):
            wrong[case.claim, *case.quotes] = f"found {sorted(found)}, wanted {sorted(case.codes)}"
    assert wrong == {}


def test_every_rule_has_a_case() -> None:
    assert {rule.__name__ for rule in (*RULES, *ANY_LANGUAGE)} <= {code for case in CASES for code in case.codes}
