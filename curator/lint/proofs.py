"""Evidence, held once more against the bytes of the sources: what a page quotes stands where it says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from curator.citation import Citation
from curator.errors import CuratorError
from curator.evidence import Evidence
from curator.finding import Finding
from curator.lint.leaf import Cited, Leaf

Read = Callable[[str], Evidence]
"""A source by its path, ready to be asked for quotes. Raises SourceError."""


def check(leaf: Leaf, source: str, read: Read) -> list[Finding]:
    """What does not hold of the citations of ``source`` on a page. Citations of pages of a book are not looked at."""
    mine = [cited for cited in leaf.cited if cited.citation.path == source and cited.citation.lines is not None]
    if not mine:
        return []
    try:
        evidence = read(source)
    except CuratorError as error:
        message = f"{source} cannot be read, so its citations were not checked: {' '.join(error.message.split())}"
        return [Finding("evidence_unchecked", leaf.path, message, mine[0].line, "warn", error.hint)]
    return list(_faults(leaf, mine, evidence))


def _faults(leaf: Leaf, mine: list[Cited], evidence: Evidence) -> Iterator[Finding]:
    for cited in mine:
        if stands(cited.citation, evidence) or evidence.holds(cited.citation):
            continue
        place = moved(cited.citation, evidence)
        if place is not None:
            message = (
                f"[^{cited.label}]: these words are at {place.anchor} of the source, not at {cited.citation.anchor}"
            )
            hint = f"curate lint --fix writes #{place.anchor}"
            yield Finding("evidence_moved", leaf.path, message, cited.line, "warn", hint)
        else:
            message = f"[^{cited.label}]: these words are not in {cited.citation.path}: {_shown(cited.citation.quote)}"
            hint = "quote the source's own words, or take the claim out"
            yield Finding("evidence_missing", leaf.path, message, cited.line, "error", hint)


def stands(citation: Citation, evidence: Evidence) -> bool:
    """True when the words stand letter by letter between spaces in the lines named: most do, and that is soon seen.

    False says nothing. Where markup or a URL might hide words from a reader, it takes ``Evidence.holds`` to tell.
    """
    if citation.lines is None or not any(map(str.isalnum, citation.quote)):
        return False
    first, last = citation.lines
    lines = evidence.document.lines
    at = bisect_left(lines, (first, ""))
    text = " ".join(line for number, line in lines[at : at + last - first + 1] if number <= last)
    return _BARE.search(text) is None and f" {citation.quote} " in f" {' '.join(text.split())} "


_BARE = re.compile(r"\]|<http|://")


def moved(citation: Citation, evidence: Evidence) -> Citation | None:
    """The citation with the anchor where its words do stand, word for word; None when they stand nowhere."""
    found = evidence.find(citation.quote)
    if not isinstance(found, list) or len(found) != 1:
        return None
    there = Citation(citation.path, found[0].anchor, citation.quote)
    return there if there.anchor != citation.anchor and evidence.holds(there) else None


def _shown(quote: str) -> str:
    return repr(quote if len(quote) <= 60 else f"{quote[:59]}…")
