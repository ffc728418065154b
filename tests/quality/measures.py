"""What is counted of a folder of pages, and of the material for a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quality.corpus import AskedQuestion, Corpus, ExpectedFact, ExpectedRelation, NamedThing
from quality.matching import folded, has_words, key, shows, units
from quality.pages import PageFile, PageFolder, PageLink

_MARKED = re.compile(
    r"contradict|conflict|disagree|differs? from|in dispute|disputed|supersed|replaced|replaces|no longer|obsolete"
    r"|withdrawn|formerly|previously|earlier|until|at first|originally|instead of|since \w+ ?\d{4}|was changed",
    re.IGNORECASE,
)
_STATEMENT = 6
_RELATIONS = ("contradicts", "supersedes", "superseded_by", "supersededBy")

Material = Callable[[str, int], str]
"""What is shown for a question, within so many tokens."""


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    found: int
    of: int

    def __str__(self) -> str:
        return f"{self.found} of {self.of}" if self.of else "–"


def share(held: Iterable[bool]) -> Share:
    found = list(held)
    return Share(sum(found), len(found))


# -- facts and material -------------------------------------------------------------------------------------------


def kept(facts: Sequence[ExpectedFact], folder: PageFolder, *, with_notes: bool = False) -> Iterator[ExpectedFact]:
    """The facts that some page states; ``with_notes``: also those that only stand in a footnote."""
    texts = [page.body + (f"\n\n{page.notes}" if with_notes else "") for page in folder.pages]
    return (fact for fact in facts if any(shows(text, fact) for text in texts))


def shown(questions: Sequence[AskedQuestion], material: Material, tokens: int) -> dict[str, list[bool]]:
    """Of each question by its number, which of its facts the material shows."""
    found = {}
    for question in questions:
        text = material(question.text, tokens)
        found[question.number] = [shows(text, fact) for fact in question.facts]
    return found


# -- names --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NameCounts:
    """How the things of a corpus and the pages go together."""

    one_page: tuple[str, ...]
    no_page: tuple[str, ...]
    several_pages: tuple[str, ...]
    """Things that are there twice, with their pages."""
    two_things: tuple[str, ...]
    """Pages that are called by the names of two things."""


def names(things: Sequence[NamedThing], folder: PageFolder) -> NameCounts:
    """Pages are those of a thing by their title or slug; pages that tell what one source says are none."""
    pages = [page for page in folder.pages if not page.is_of_a_source]
    by_thing = {thing.name: [page for page in pages if page.titles & thing.spellings] for thing in things}
    glued = {page.path: [thing.name for thing in things if page.names & thing.spellings] for page in pages}
    return NameCounts(
        tuple(name for name, found in by_thing.items() if len(found) == 1),
        tuple(name for name, found in by_thing.items() if not found),
        tuple(f"{name}: {_paths(found)}" for name, found in by_thing.items() if len(found) > 1),
        tuple(f"{path}: {', '.join(found)}" for path, found in glued.items() if len(found) > 1),
    )


def alike(folder: PageFolder) -> tuple[str, ...]:
    """Groups of pages that are called the same but for case, plural, zeros in numbers and white space: likely one thing."""
    groups: dict[str, list[PageFile]] = {}
    for page in folder.pages:
        for name in {_bare(title) for title in page.titles}:
            groups.setdefault(name, []).append(page)
    return tuple(dict.fromkeys(_paths(group) for group in groups.values() if len(group) > 1))


def repeated(folder: PageFolder) -> Share:
    """Of the statements on pages, those that stand word by word on another one, too; a few words are no statement."""
    told: dict[str, set[str]] = {}
    for page in folder.pages:
        for unit in _unit_list(page.body):
            words = folded(unit)
            if words.count(" ") >= _STATEMENT and not unit.lstrip().startswith("#"):
                told.setdefault(words, set()).add(page.path)
    return share(len(pages) > 1 for pages in told.values())


def _bare(title: str) -> str:
    words = re.sub(r"\b0+(?=\d)", "", title).split()
    return "".join(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


def _paths(pages: Iterable[PageFile]) -> str:
    return ", ".join(page.path for page in pages)


# -- links --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinkCounts:
    """Links by the labels of a corpus: those judged right, and places to be linked that are."""

    right: Share
    linked: Share
    wrong: tuple[str, ...]
    all: int


def links(corpus: Corpus, folder: PageFolder) -> LinkCounts:
    """A link is judged by the first label that has its text and all its words; one without a label is not counted.

    What is no name in a sentence may be linked in a list of pages, and as code.
    """
    things = {thing.name: thing.spellings for thing in corpus.things}
    found = [link for page in folder.pages for link in page.links]
    right, wrong = 0, []
    for link in found:
        label = next(
            (each for each in corpus.links if each.text == key(link.text) and _near(link.unit, each.near)), None
        )
        if label is None or (label.to is None and not link.is_in_text):
            continue
        target = folder.resolved(link.target)
        meant = things.get(label.to or "", frozenset({key(label.to or "")}))
        if label.to is not None and target is not None and target.names & meant:
            right += 1
        else:
            wrong.append(f"{link.page}: {link.text} → {link.target}")
    return LinkCounts(
        Share(right, right + len(wrong)), share(_wanted(corpus, folder, things)), tuple(wrong), len(found)
    )


def _wanted(corpus: Corpus, folder: PageFolder, things: dict[str, frozenset[str]]) -> Iterator[bool]:
    """For each page and thing that it names and that has a page of its own: whether it links there at all."""
    for label in {(each.text, each.near, each.to): each for each in corpus.links if each.to is not None}.values():
        meant = things.get(label.to or "", frozenset())
        own = {page.path for page in folder.pages if page.names & meant}
        for page in folder.pages if own else ():
            named = [unit for unit in units(page.body) if f" {label.text} " in f" {folded(unit)} "]
            if page.path not in own and any(_near(unit, label.near) for unit in named):
                yield any(_goes_to(link, own, folder) for link in page.links)


def _goes_to(link: PageLink, own: set[str], folder: PageFolder) -> bool:
    target = folder.resolved(link.target)
    return target is not None and target.path in own


def _near(unit: str, words: tuple[str, ...]) -> bool:
    return has_words(unit, words)


# -- contradictions and supersessions -----------------------------------------------------------------------------


@dataclass(frozen=True)
class RelationCounts:
    """Of the expected relations of a kind."""

    kept: Share
    """Both statements stand somewhere."""
    told: Share
    """Both stand somewhere, and whoever reads the first learns of the other: see ``_tells``."""
    marked: Share
    """Told by the head of a page or in words, not only because both stand on one page."""
    missed: tuple[str, ...]


def relations(expected: Sequence[ExpectedRelation], folder: PageFolder) -> RelationCounts:
    judged = [_judged(relation, folder) for relation in expected]
    return RelationCounts(
        share(each[0] for each in judged),
        share(each[1] for each in judged),
        share(each[2] for each in judged),
        tuple(relation.first.spans[0] for relation, each in zip(expected, judged, strict=True) if not each[1]),
    )


def _judged(relation: ExpectedRelation, folder: PageFolder) -> tuple[bool, bool, bool]:
    first = [page for page in folder.pages if shows(page.body, relation.first)]
    then = {page.path: page for page in folder.pages if shows(page.body, relation.then)}
    kept = bool(first and then)
    marked = [_is_linked(page, then, folder) or _is_marked(page, relation.first) for page in first]
    told = [mark or page.path in then for mark, page in zip(marked, first, strict=True)]
    return kept, kept and all(told), kept and all(told) and any(marked)


def _is_linked(page: PageFile, others: dict[str, PageFile], folder: PageFolder) -> bool:
    """Whether the head of ``page`` and one of ``others`` name each other as disagreeing, or one the other as replaced."""
    ours = {found.path for target in _related(page) if (found := folder.resolved(target))}
    theirs = (found for other in others.values() for target in _related(other) if (found := folder.resolved(target)))
    return not ours.isdisjoint(others) or any(found.path == page.path for found in theirs)


def _related(page: PageFile) -> list[str]:
    return [target for field in _RELATIONS for target in page.related(field)]


def _is_marked(page: PageFile, fact: ExpectedFact) -> bool:
    """Whether the page says beside the statement that there is another, or that it is of the past."""
    return any(_MARKED.search(unit) and shows(unit, fact) for unit in _unit_list(page.body))


@lru_cache(maxsize=2048)
def _unit_list(text: str) -> tuple[str, ...]:
    return tuple(units(text))
