"""Claims that somebody wrote down with what is to be found: tests/cases/support."""

from __future__ import annotations

import pytest

from curator.wiki.sources.source import Document
from curator.wiki.support.judge import ANY_LANGUAGE, RULES, judge
from support.claim_cases import ClaimCase, claim_cases

CASES = list(claim_cases())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_claim_is_judged_as_was_written_down(case: ClaimCase) -> None:
    verdict = judge(case.claim, case.quotes, Document.from_text(case.source), case.names)

    found = {finding.code for finding in verdict.findings}
    assert case.codes <= found if case.codes else not verdict.findings


def test_every_rule_has_a_case() -> None:
    assert {rule.__name__ for rule in (*RULES, *ANY_LANGUAGE)} <= {code for case in CASES for code in case.codes}
