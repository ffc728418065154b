"""A source that quotes are held against: letter by letter first, as most of them stand, which is soon seen."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

from curator.wiki.pages.citation import Anchor, Citation
from curator.wiki.sources.evidence import Evidence

_TELLING = re.compile(r"[^\W_]")


class QuickEvidence(Evidence):
    """The evidence of one source, asked by one page after the other."""

    def holds(self, citation: Citation) -> bool:
        return self.stands(citation) or super().holds(citation)

    def stands(self, citation: Citation) -> bool:
        """True when the words stand letter by letter between spaces in the lines named. False says nothing."""
        said = self._said.get(citation.anchor)
        if said is None:
            said = self._said[citation.anchor] = self._said_at(citation.anchor)
        return f" {citation.quote} " in said and _TELLING.search(citation.quote) is not None

    @cached_property
    def _said(self) -> dict[str, str]:
        """What the lines of an anchor say, as far as it was asked for."""
        return {}

    def _said_at(self, anchor: str) -> str:
        """The words of the lines that ``L3``, ``L3-L5`` or ``p3`` names, a space apart.

        None of them where markup or a URL might hide some from a reader: it takes ``Evidence.holds`` to tell.
        """
        place = Anchor.parse(anchor)
        if place is None or place.unit != self.document.unit:
            return ""
        is_one = place.unit == "line" and place.first == place.last
        text = self._by_number.get(place.first, "") if is_one else self._text(place.first, place.last)
        return "" if "]" in text or "://" in text or "<" in text or ":`" in text else f" {' '.join(text.split())} "

    def _text(self, first: int, last: int) -> str:
        lines = self.document.lines
        at = bisect_left(lines, (first, ""))
        return " ".join(line for number, line in lines[at : at + last - first + 1] if number <= last)

    @cached_property
    def _by_number(self) -> dict[int, str]:
        return dict(reversed(self.document.lines))  # of twins the first counts
