"""Changes for the tests of the wall: one source, a page as it was, and pages as somebody wants them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from curator.checks.rules import broken_by
from curator.checks.rules.change import Change
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import NOW, STAMP, page, source, wiki

OOLONG = """Oolong notes, 2026-03-01

Oolong is a tea that is partly oxidised before it is fired.
Oolong is grown in Fujian and on Taiwan, see https://tea.example.org/oolong?lang=en for a map.
A pot of oolong is brewed with water of 90 degrees for 3 minutes.

    kettle --heat 90
    pour   --minutes 3

Use the filter {{ leaf }} in a template, says <oolong@example.org>.
"""
PATH = "sources/oolong.txt"
PARTLY = '[^oolong-1]: sources/oolong.txt#L3 "Oolong is a tea that is partly oxidised"'
GROWN = '[^oolong-2]: sources/oolong.txt#L4 "Oolong is grown in Fujian and on Taiwan"'
BREWED = '[^oolong-3]: sources/oolong.txt#L5 "brewed with water of 90 degrees for 3 minutes"'

OLD_NOTE = '[^old-1]: sources/old.txt#L1 "tea is a drink made from leaves"'
TEA = page(
    "tea",
    f"""Tea is a drink made from leaves. [^old-1]

## Making

Water is boiled in a kettle. [^old-1]

- Black tea takes boiling water. [^old-1]
- Green tea takes 80 degrees.

## Kinds

| kind | colour |
| --- | --- |
| black | red [^old-1] |
| green | pale |

Tea is sold loose and in bags.

{OLD_NOTE}""",
)
"""A page of the wiki, some of it cited, some of it as its user wrote it."""


def change(
    before: Iterable[Page],
    after: Iterable[Page],
    *,
    source_text: str = OOLONG,
    path: str = PATH,
    policy: CurationPolicy | None = None,
    diffs: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
    authority: str = "secondary",
    settled: Mapping[str, frozenset[str]] | None = None,
    worn: Mapping[str, frozenset[str]] | None = None,
) -> Change:
    """The change from the pages ``before`` that puts ``after`` over them; the diffs are made from the two."""
    base = wiki(*before, **(files or {}))
    taken = source(source_text, path, authority)
    changed = {page.path: page for page in after}
    made = {path: diff.between(path, _text(base, path), page.text) for path, page in changed.items()}
    judge = Judge(Evidence(taken.path, taken.document))
    new, policy = Wiki(base.store, changed), policy or CurationPolicy()
    return Change(taken, judge, policy, base, new, diffs or made, NOW, settled or {}, worn or {})


def fresh(body: str, slug: str = "oolong", **fields: Any) -> Page:
    """A new page on the source, as curator would make it."""
    kind = str(fields.pop("kind", "concept"))
    return page(slug, body, kind, **{"sources": [PATH], "updated_at": STAMP, **fields})


def edited(old: Page, *swaps: tuple[str, str], add: str = "", notes: str = "", **fields: Any) -> Page:
    """``old`` with pieces of its body swapped, text added before its footnotes, and dated as curator does it."""
    body = old.body
    for piece, new in swaps:
        assert piece in body
        body = body.replace(piece, new, 1)
    if add:
        at = body.find("[^old-1]:")
        body = f"{body.rstrip()}\n\n{add}\n" if at < 0 else f"{body[:at]}{add}\n\n{body[at:]}"
    if notes:
        body = f"{body.rstrip()}\n{notes}\n"
    made = old.with_body(body)
    sources = [*old.sources, PATH] if made.cites(PATH) else list(old.sources)
    return made.with_fields(**{"sources": sources, "updated_at": STAMP, **fields})


def codes(of: Change) -> set[str]:
    """The codes of all rules that the change breaks."""
    return {finding.code for finding in broken_by(of)}


def form_codes(of: Change) -> set[str]:
    """The same for a test of how something is written: what its toy claims say is not judged."""
    return codes(of) - {"claim_unsupported"}


def _text(base: Wiki, path: str) -> str | None:
    old = base.page_at(path)
    return old.text if old is not None else None
