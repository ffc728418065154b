"""A passage of a page or a source, and the document that it was cut from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from curator.wiki.pages.citation import Anchor, Citation
from curator.wiki.pages.page import Page
from curator.wiki.passages.ranking import stems_in
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.sources.source import Document

_BEFORE_FIELD = re.compile(r"\n(?=[A-Za-z][\w-]*(?: [\w-]+){0,2}:[ \t])")
"""Where a line of a document's head begins: ``Status: Final``, ``status: draft``."""


@dataclass(frozen=True)
class Passage:
    """One paragraph, list item, table row or code block as it reads: links by their words, no citation marks.

    Blocks of links that only lead to other pages are no passages.
    """

    kind: str
    text: str
    citations: tuple[Citation, ...] = ()
    head: str = ""
    """For a table row: the head of its table, and the rule under it."""
    headings: tuple[str, ...] = ()
    """The headings that it stands under, the outermost first; the title of the whole is none of them."""
    anchor: str = ""
    """Where it stands in its file: ``L12``, ``L12-L15``, ``p3``."""
    lead: str = ""
    """The words that lead in to it: what stands before a list and ends in a colon."""
    beside: str = ""
    """What stands right before and behind it under the same heading, for passages that come without their document."""
    pages: tuple[str, ...] = ()
    """Of a source's passage: the slugs of pages that cite words of it, as far as it is known."""
    place: int = field(default=0, compare=False)
    """Its place among what was found for a question, 1 the best; 0 for one that nobody looked for."""
    standing: str = ""
    """Why none of the documents it rests on holds as a whole: "pep-0665: rejected, superseded"; empty where one does."""

    @property
    def heading(self) -> str:
        return " > ".join(self.headings)


@dataclass(frozen=True, eq=False)
class Reading:
    """A page or a source as a model is shown it. Compared by identity."""

    name: str
    """What quotes call it by: a page's slug, a source's path."""
    path: str
    title: str
    names: tuple[str, ...]
    """All it is called."""
    passages: tuple[Passage, ...]
    page: Page | None = None
    """None for a source."""
    whole: Reading | None = None
    """The whole document, where these are only some of its passages; of a source nobody has it at hand."""

    @property
    def is_source(self) -> bool:
        return self.page is None

    @property
    def is_summary(self) -> bool:
        return self.page is not None and self.page.kind == "summary"

    @property
    def state(self) -> str:
        """Why a source does not hold as a whole, as its passages have it; a page's passages rest on different ones."""
        return next((each.standing.rpartition(": ")[2] for each in self.passages if self.is_source), "")

    @property
    def text(self) -> str:
        """The passages in order, with the headings that they stand under."""
        return joined(self.passages, self.title)

    @property
    def context(self) -> str:
        """What of the document is known here, shown or not."""
        return (self.whole or self).text

    def only(self, passages: Sequence[Passage]) -> Reading:
        """The same document with these passages only."""
        return replace(self, passages=tuple(passages), whole=self.whole or self)

    def find(self, words: str) -> tuple[Passage, ...] | Missing:
        """The passages in which ``words`` stand, by the same tolerance as quotes of sources."""
        found = self._evidence.find(words)
        if isinstance(found, Missing):
            return found
        numbers = [number for citation in found for number in _span(citation)]
        return tuple(self.passages[number - 1] for number in dict.fromkeys(numbers))

    @cached_property
    def _evidence(self) -> Evidence:
        """Each passage is a line, or several of its number; so the anchor of what is found says which."""
        lines = tuple(
            (number, " ".join(line.split()))
            for number, each in enumerate(self.passages, start=1)
            for line in _BEFORE_FIELD.split(each.text)
        )
        return Evidence(self.path, Document(lines or ((1, ""),)))


def shown_each(passages: Sequence[Passage], title: str = "") -> list[str]:
    """How each passage of one document reads after the one before: headings, heads of tables and lead-ins once."""
    told: list[str] = []
    before = Passage("", "")
    for each, over in zip(passages, headings_of_each(passages, title), strict=True):
        heading = "".join(f"{line}\n" for line in over)
        lead = each.lead if heading or each.lead != before.lead else ""
        head = each.head if heading or each.head != before.head else ""
        said = f"[rests on {each.standing}]" if each.standing and each.kind != "source" else ""
        told.append(heading + "\n".join(filter(None, (lead, said, head, _listed(each)))))
        before = each
    return told


def headings_of_each(passages: Sequence[Passage], title: str = "") -> list[list[str]]:
    """The lines of headings over each passage of one document, as far as they tell something.

    A heading stands until another of its level; one whose words the passage has all, or the document's ``title``, is left
    out, unless it has to end what stands over the passage before.
    """
    found: list[list[str]] = []
    standing: dict[int, str] = {}
    for each in passages:
        over = each.headings
        told = stems_in("\n".join((title, each.lead, each.head, each.text)))
        wrong = [level for level, heading in standing.items() if over[level : level + 1] != (heading,)]
        ends = min(*wrong, len(over) - 1) if wrong else None
        lines = []
        for level, heading in enumerate(over):
            if level != ends and (standing.get(level) == heading or stems_in(heading) <= told):
                continue
            lines.append(f"{'#' * min(level + 2, 6)} {heading}")
            standing = {at: one for at, one in standing.items() if at < level} | {level: heading}
        found.append(lines)
    return found


def joined(passages: Sequence[Passage], title: str = "") -> str:
    """Passages of one document as one text: rows of one table and items of one list stay together."""
    told = shown_each(passages, title)
    text = told[0] if told else ""
    for before, each, words in zip(passages, passages[1:], told[1:], strict=False):
        close = (
            each.kind == before.kind
            and each.kind in ("row", "item")
            and (each.head, each.lead) == (before.head, before.lead)
        )
        text += ("\n" if close and each.headings == before.headings else "\n\n") + words
    return text


def _listed(passage: Passage) -> str:
    return f"- {passage.text}" if passage.kind == "item" else passage.text


def _span(citation: Citation) -> range:
    place = citation.place
    return range(place.first, place.last + 1) if place is not None else range(0)


def overlap(one: Anchor | None, other: Anchor | None) -> bool:
    """True where two places of one source have something in common."""
    if one is None or other is None or one.unit != other.unit:
        return False
    return one.first <= other.last and other.first <= one.last
