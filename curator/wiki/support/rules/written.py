"""What is written into a claim beside its words; the wall asks the same of whole pages."""

from __future__ import annotations

from collections.abc import Iterator

from curator.wiki.pages.foreign import foreign_fault
from curator.wiki.pages.signs import number_fault, sign_fault
from curator.wiki.support.context import Case

_ITEMS = 20
"""Items that any list may have before this one."""


def foreign_markup(case: Case) -> Iterator[str]:
    """Markup that other readers of Markdown hide, strike out, fill in or run."""
    if fault := foreign_fault(case.written.replace("||", "| |") if case.written.startswith("|") else case.written):
        yield fault


def sign_unknown(case: Case) -> Iterator[str]:
    """A check mark, a star, a ``DONE`` that the source does not have; the number of an item that counts nothing."""
    source = case.source.evidence.document.text
    fault = sign_fault(case.written, source) or number_fault(case.written, source, _ITEMS)
    if fault:
        yield fault
