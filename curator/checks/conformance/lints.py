"""The maintenance pass, as the handshake heeds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.finding import Finding
from curator.wiki import validation
from curator.wiki.validation import Failure
from curator.wiki.workspace import manifest, refs

LINTS = frozenset(
    {
        *("entry_orphan", "claim_stale", "contradiction_unresolved", "source_required", "confidence_low"),
        *("wiki_schema_drift", "lint_invalid", "lint_unknown", "lint_failed"),
    }
)
"""What the standard and KNOWLEDGE.md ask of the maintenance pass, and what keeps it from being done. Whether these fail a
wiki is for their severities to say; what curator asks for beyond them is a warning: another runtime need not know of it."""
_SEEN_BEFORE = frozenset(
    {
        *(validation.LINK_BROKEN, validation.LINK_TO_SOURCE, validation.SOURCE_UNRESOLVED, "relation_broken"),
        *(validation.SOURCE_NOT_FOUND, validation.SOURCE_MISMATCH, "manifest_invalid"),
        *(manifest.INVALID, manifest.MISSING, "frontmatter_unreadable", "index_missing", "log_missing"),
    }
)
"""What lints find and the steps before them have found already."""


def lints_run(wiki: WikiUnderTest) -> Iterator[Failure]:
    """What the maintenance pass finds, and nothing before it did."""
    if wiki.is_view:
        return
    declared = {*wiki.declared("lints", "id")}
    for finding in wiki.lints():
        told = Failure(**{item.name: getattr(finding, item.name) for item in fields(Finding)})
        is_ours = told.code not in LINTS and told.code not in declared
        is_view = told.path.endswith(f"/{refs.FILE}")  # to the lints any markdown below the root is a page
        if told.code not in _SEEN_BEFORE and not is_view:
            yield replace(told, severity="warn") if is_ours and told.severity == "error" else told
