"""What a claim stands under on its page is said of it."""

from __future__ import annotations

import pytest

from curator.wiki.pages import markdown
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import Judge
from curator.wiki.support.written import judged, written_claims

RULES = "# Balcony\n\nForbidden:\n\n- charcoal grills on the balcony\n- drying carpets over the rail\n"


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("- Forbidden:\n  - charcoal grills on the balcony [^a]\n", set()),
        ("Forbidden:\n\n- charcoal grills on the balcony [^a]\n", set()),
        ("- charcoal grills on the balcony [^a]\n", {"set_aside"}),
        ("Forbidden:\n\n## Allowed\n\n- charcoal grills on the balcony [^a]\n", {"set_aside"}),
        ("Forbidden:\n\nThis is the balcony.\n\n- charcoal grills on the balcony [^a]\n", {"set_aside"}),
        ("Nothing is forbidden:\n\n- charcoal grills on the balcony [^a]\n", {"set_aside"}),
        ("- Forbidden:\n  - smoke\n- charcoal grills on the balcony [^a]\n", {"set_aside"}),
    ],
)
def test_what_is_forbidden_is_told_under_what_says_so(page: str, found: set[str]) -> None:
    evidence = Evidence("sources/rules.md", Document.from_text(RULES))
    cited = evidence.find("charcoal grills on the balcony")
    assert isinstance(cited, list)
    (claim,) = (each for each in written_claims(page, markdown.scan(page)) if each.block.citations)

    verdict = judged(claim, {"a": cited[0]}, Judge(evidence), (), (), in_english=True)

    assert verdict is not None
    assert {each.code for each in verdict.findings} == found
