"""Whose fault it is: which claims of a proposal wrote the line that a rule of the wall has something against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from curator.checks.rules import OF_STATEMENTS
from curator.finding import Finding
from curator.ingest.drafting.drafted import Draft, words_of_line


def with_places(faults: Sequence[Finding], draft: Draft) -> tuple[Finding, ...]:
    """``faults`` with the numbers of the claims that wrote their lines, which a repair is asked for; else of the page's
    operations.
    """
    return tuple(
        replace(fault, places=_claims(fault, draft) or draft.operations.get(fault.path, ())) for fault in faults
    )


def of_statements(faults: Sequence[Finding], is_by_code: bool = False) -> dict[str, Finding]:
    """By the number of a claim, what is against it, where each of ``faults`` may be of one statement alone; else none.

    Of what code has written (``is_by_code``) each may be: the source is to blame, and nobody to be distrusted. Else a
    fault of the whole (a path, a smuggled link) stands for a reply that nobody should trust, whatever else it says.
    """
    may_be = all(fault.places and (is_by_code or fault.code in OF_STATEMENTS) for fault in faults)
    found = {place: fault for fault in reversed(faults) for place in fault.places}
    return found if may_be and all("." in place for place in found) else {}


def _claims(fault: Finding, draft: Draft) -> tuple[str, ...]:
    page = draft.wiki.page_at(fault.path)
    if page is None or fault.line is None:
        return ()
    codes = (b.text for b in page.outline.blocks if b.kind == "code" and page.line_of(b.line) == fault.line)
    said = " ".join(next(codes, "").split()) or words_of_line(page.text.split("\n")[fault.line - 1])
    by = (each.places for each in draft.written if each.path == fault.path and said in each.lines)
    return tuple(dict.fromkeys(chain.from_iterable(by)))
