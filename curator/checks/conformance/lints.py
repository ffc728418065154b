"""What lint finds, as far as it counts for validation."""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.wiki.validation import ENTRY_INVALID, LINK_BROKEN, Failure
from curator.wiki.workspace import refs

LINTS = frozenset(
    {
        *("entry_orphan", "claim_stale", "contradiction_unresolved", "source_required", "confidence_low"),
        *("wiki_schema_drift", "lint_invalid", "lint_unknown", "lint_failed"),
        "evidence_missing",
    }
)
"""What the standard and KNOWLEDGE.md ask of the maintenance pass, and what keeps it from being done. Whether these fail a
wiki is for their severities to say; what curator asks for beyond them is a warning: another runtime need not know of it.
But not words that a page cites and its source does not have: that is false for everybody."""
STEP = "lints"
_CALLED = {"relation_broken": LINK_BROKEN, "frontmatter_unreadable": ENTRY_INVALID}
"""What the standard calls two things that lints tell more closely."""


def lints_run(wiki: WikiUnderTest) -> Iterator[Failure]:
    """What the maintenance pass finds, by the codes of the standard where it has some."""
    if wiki.is_view:
        return
    declared = {*wiki.declared("lints", "id")}
    for finding in wiki.lints():
        if finding.path.endswith(f"/{refs.FILE}"):  # a view: to the lints any markdown below the root is a page
            continue
        code = _CALLED.get(finding.code, finding.code)
        is_ours = code not in LINTS and code not in declared
        severity = "warn" if is_ours and finding.severity == "error" else finding.severity
        # Made once: there may be as many as the wiki has pages.
        about = finding.message, finding.line, severity, finding.hint, finding.places, finding.other
        yield Failure(code, finding.path, *about, step=STEP)
