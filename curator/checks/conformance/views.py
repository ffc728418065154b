"""The views: each one's chain resolves, and nothing in it is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.errors import FrontmatterError
from curator.finding import Severity
from curator.wiki.pages import frontmatter
from curator.wiki.validation import Failure
from curator.wiki.workspace import chain, constraints, effective, manifest, overlay, refs
from curator.wiki.workspace.chain import Notice
from curator.wiki.workspace.define import of_manifest
from curator.wiki.workspace.effective import Effective, Refusal

REFUSED = frozenset(
    {
        chain.CYCLE,
        chain.TOO_DEEP,
        chain.MISSING,
        constraints.CONSTRAINT_CONFLICT,
        constraints.SOFTENING_REFUSED,
        constraints.REBINDING_REFUSED,
        constraints.WEAKENING_REFUSED,
        overlay.TOMBSTONE_BLOCKED,
    }
)
"""Loading goes on past these, with a warning; a manifest that has them does not say what holds, and does not conform."""


def views_resolve(wiki: WikiUnderTest) -> Iterator[Failure]:
    """The manifest itself when it is a view, every view of it, and those that the settings name."""
    mine = [wiki.at] if wiki.read(refs.FILE) is not None else []
    there = dict.fromkeys(at for at in wiki.named.values() if wiki.read_at(at) is not None)
    for name, at in wiki.named.items():
        if at not in there:
            yield Failure(manifest.MISSING, at, f"views.{name} of curator.toml leads here, where no {refs.FILE} is")
    for at in dict.fromkeys([*mine, *there, *sorted({*wiki.views} - {wiki.at})]):
        if at == wiki.at or at in there or _is_ours(at, wiki):
            yield from _of_view(at, wiki)


def _is_ours(at: str, wiki: WikiUnderTest) -> bool:
    """True for a view whose parents lead here, or nowhere; what extends nothing is no view."""
    visited = [at]
    while (written := _extends(wiki.read_at(visited[-1]))) is not None:
        above = refs.beside(visited[-1], written)
        if above == wiki.at or above in visited or wiki.read_at(above) is None:
            return True
        visited.append(above)
    return False


def _extends(written: str | None) -> str | None:
    try:
        value = frontmatter.read(written or "").get("extends")
    except FrontmatterError:
        return None
    return value if isinstance(value, str) else None


def _of_view(at: str, wiki: WikiUnderTest) -> Iterator[Failure]:
    shown = at.removeprefix(f"{wiki.root}/")
    found = effective.compose(wiki.read_at(at) or "", at, wiki.read_at, wiki.host)
    if isinstance(found, Refusal):
        if at != wiki.at or found.findings[0].code == effective.UNRESOLVABLE:  # its own shape was looked at before
            yield from (replace(of_manifest(finding), path=shown) for finding in found.findings)
        return
    for notice in (*found.notices, *overlay.refused_by_constraints(found.manifests, wiki.pages_of)):
        if notice.at in (at, "") or len(found.manifests) == 1:
            yield _told(notice, found, shown)


def _told(notice: Notice, found: Effective, shown: str) -> Failure:
    is_alone = len(found.manifests) == 1 and found.manifests[0].extends is not None
    is_refused = notice.code in REFUSED or (notice.code == manifest.INVALID and is_alone)
    severity: Severity = "error" if is_refused else "warn"
    return Failure(notice.code, shown, notice.message, severity=severity, field=_field_of(notice))


def _field_of(notice: Notice) -> str:
    where = re.match(r"([a-zA-Z][\w.-]*): ", notice.message)
    return where[1] if where else "extends" if notice.code.startswith("knowledge_extends") else ""
