"""The sections of a source that are called like a thing: what they say is told on its page, passage by passage.

It is told as it stands there: what leans on the words before has them before itself, and ``this operator`` is the thing.
Statements from elsewhere stand behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import dropwhile, takewhile

from curator.models.extractive import telling
from curator.models.extractive.parsing.line import CLAUSE
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.telling import Part
from curator.models.extractive.terms import quality
from curator.models.extractive.terms.terms import Term
from curator.wiki.english.spelled import is_number
from curator.wiki.pages.names import name_key

_MOST, _LONGEST = 12, 3_200
"""Passages, and their characters: a page has to be read, and its thing is told of in other places as well."""
_LEAST = 0.36
"""How well a sentence stands behind the one before it: what points to another place, or tells what ``we`` did, does not."""
_BEFORE = frozenset(
    "the a an of on about handling handle using use what is are definition overview introduction to defining".split()
)
_BEHIND = frozenset("section overview handling specification definition".split())
"""Words of a heading beside the name of what the section is about: ``Handling of pre-releases``."""
_KINDS = frozenset(
    "clause command field file format function header key option rule section specifier table type".split()
)
"""Words at the end of a name that a heading may leave out: a fog horn is not what a section ``Fog`` is on."""
Path = tuple[str, ...]
"""The headings above a passage."""


class OwnSections:
    """Those of one source; one that is called by a part of a name is told of one thing alone."""

    def __init__(self, reading: SourceReading) -> None:
        self.reading = reading
        self._all = {passage.first.path for passage in reading.passages}
        self._told: set[Path] = set()

    def runs(self, term: Term, lead: Sentence, named: Collection[int]) -> tuple[Part, ...]:
        """The passages on ``term``, in their order; ``lead`` says what it is, those with the numbers ``named`` name it."""
        paths = self._paths(term, lead)
        found: list[Part] = []
        size, is_lost = 0, False
        for passage in self.reading.passages:
            if passage.first.path not in paths and (passage.leans or not _has_form(passage.run[-1].code, term)):
                continue
            run = () if is_lost and passage.leans else (*self._fit(passage.run, term, named),)
            is_lost = len(run) < len(passage.run)
            size += sum(len(each.quote) + len(each.code) for each in run)
            if len(found) == _MOST or size > _LONGEST:
                break
            found += [run] if run else []
        return tuple(found)

    def opening(self, lead: Sentence, named: Collection[int]) -> Part:
        """What ``lead`` is told with, and what stands before it in its passage, where each of that is ``named`` and counts
        nothing: an opening stands under no heading that says which document has it so.
        """
        part = self.reading.parts.get(lead.index, (lead,))
        run = next((p.run for p in self.reading.passages if any(each.index == lead.index for each in p.run)), ())
        before = [*takewhile(lambda each: each.index != lead.index, run)]
        is_of_thing = part[0].index == lead.index and all(
            each.index in named and not any(map(is_number, each.keys)) for each in before
        )
        return (*before, *part) if is_of_thing else part

    def _paths(self, term: Term, lead: Sentence) -> set[Path]:
        called = {path for path in self._all if is_called(path[-1] if path else self.reading.own_title, term)}
        if not called and lead.path and lead.path not in self._told and _is_begun(lead.path[-1], term):
            called = {lead.path}
        alike = Counter(name_key(path[-1]) for path in called if path)
        if any(count > 1 for count in alike.values()):  # the time limit of the server, and that of the client
            called = {path for path in called if path and (alike[name_key(path[-1])] == 1 or path == lead.path)}
        self._told |= called
        return called

    def _fit(self, run: Part, term: Term, named: Collection[int]) -> Iterator[Sentence]:
        """``run`` up to where it speaks of its document, or of another thing that is called so: ``CRATE``, and a crate."""
        for each in telling.without_its_place(self.reading, run):
            said = f" {' '.join(each.keys)} "
            is_other = each.index not in named and any(f" {key} " in said for key in term.keys)
            is_fit = each.listed or quality.fitness(each, self.reading.english, alone=False) >= _LEAST
            if is_other or not is_fit or quality.points_elsewhere(each):
                return
            yield each


def is_called(heading: str, term: Term) -> bool:
    """True for the heading of a section on ``term``."""
    number = CLAUSE.match(heading)
    heading = heading[number.end() :] if number else heading
    words = [*dropwhile(_BEFORE.__contains__, name_key(heading).split())]
    while len(words) > 1 and words[-1] in _BEHIND and " ".join(words) not in term.keys:
        words.pop()
    return " ".join(words) in term.keys or name_key(heading) in term.keys


def _has_form(code: str, term: Term) -> bool:
    """True for code that says how what goes by one word of code is made up: ``authorization_list = [[chain_id, ...``."""
    return any(
        re.search(rf"^[ \t]*{re.escape(form)} =(?!=)", code, re.MULTILINE) for form in term.written if "_" in form
    )


def _is_begun(heading: str, term: Term) -> bool:
    """True for ``Compatible release`` where a compatible release clause is defined."""
    begun = f"{name_key(heading)} "
    return any(key.startswith(begun) and key.removeprefix(begun) in _KINDS for key in term.keys)
