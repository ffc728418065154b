"""Whether a source speaks of another thing that is called as a page is: a capability of Linux, a capability of a package.

Told where both say what the thing is, in other words throughout, and nothing else that they say has to do with each other;
or where the one is a planet, and the other a metal. In doubt it is one thing: what is parted wrongly is told twice, and
found by nobody in the second place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.wiki.english.stems import stem
from curator.wiki.english.words import phrase
from curator.wiki.pages import editing
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.page import Page

_LEAST_TOLD = 6
"""Telling words that both need, beside the name: of less nobody can say what it is about."""
_MOST_SHARED = 0.05
"""Share of the words of the shorter that both may have in common."""
_FIRST = 3
"""Statements among which the one stands that says what the thing is."""
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?|\]\]|[`*]")
_KIND = re.compile(
    r"(?:\([^()]{0,80}\),? )?(?:is|are|was|were) (?:an?|the|one of the) (?:(?:kind|type|sort|form) of (?:an? )?)?"
    r"(?P<kind>[\w'’-]+(?: [\w'’-]+){0,5}?)(?= (?:of|that|which|who|whose|for|in|on|at|to|used|with|by|from|and|or|between|"
    r"near|where|when|as|held|given|made|called|taken|under|within|offered|born)\b|[,.;:()]|\Z)"
)

_PERSON = re.compile(
    r"(?:er|or|ist|ian|man|woman|eer|king|queen|monk|nun|poet|saint|judge|priest|smith|captain|pilot)\Z"
)
"""How a word ends that says who somebody is."""
_APART = {
    kind: at
    for at, kinds in enumerate(
        (
            "dog cat horse cow sheep goat pig hen bird fish snake spider insect beetle butterfly frog rabbit animal mammal",
            "plant tree shrub flower herb grass fern moss",
            "planet moon asteroid comet galaxy constellation",
            "metal gas mineral alloy acid",
            "city town village river lake island mountain volcano country",
            "ship ferry yacht car motorcycle locomotive rocket",
            "disease virus bacterium",
            "language library framework database browser compiler editor",
        )
    )
    for kind in kinds.split()
}
"""Words for what a thing is, of which those on one line can be said of one thing, and those on two lines of no thing."""
_Told = tuple[str, Sequence[str]]
"""What a thing is said to be, and all that is said of it."""


def other_kind(page: Page, statements: Sequence[str]) -> str:
    """The kind of thing that ``statements``, by another source, are about, when it is not the one of ``page``; else empty.

    Both are called as the page is.
    """
    mine = [_plain(without_marks(block.text)) for block in page.outline.blocks if block.kind in editing.CLAIMS]
    theirs = [_plain(text) for text in statements]
    names = (page.title, *page.aliases)
    known, told = (next(_kinds(names, texts), "") for texts in (mine, theirs))
    called = {word.stem for name in names for word in phrase(name).words}
    if not known or not told or (_stems([known]) - called) & (_stems([told]) - called):
        return ""
    words, others = _stems(mine) - called, _stems(theirs) - called
    head = told.split()[-1]
    if _are_person_and_thing(names, (known, mine), (told, theirs)):
        return head
    at, other = (_APART.get(kind.split()[-1]) for kind in (told, known))
    if at is not None and other is not None and at != other:
        return head
    if stem(head) in words | called or stem(known.split()[-1]) in others:
        return ""
    least = min(len(words), len(others))
    return head if least >= _LEAST_TOLD and len(words & others) <= _MOST_SHARED * least else ""


def _are_person_and_thing(names: Sequence[str], one: _Told, other: _Told) -> bool:
    """True where one side calls somebody by a name that the other side never writes without ``the``, as a ship's."""
    called = "|".join(re.escape(name) for name in names if " " in name and name.istitle())
    bare, articled = (re.compile(rf"\W*{the}(?:{called}) (?={_KIND.pattern})") for the in ("", "[Tt]he "))
    for (kind, who), (_, what) in ((one, other), (other, one)) if called else ():
        is_person = _PERSON.search(kind) and any(map(bare.match, who)) and not any(map(articled.match, who))
        if is_person and any(map(articled.match, what)) and not any(map(bare.match, what)):
            return True
    return False


def are_kinds_apart(page: Page, statements: Sequence[str], name: str) -> bool:
    """True where ``statements`` on a thing that is spelt as ``name`` say what it is, and no word of that is the page's.

    For a name in other capitals only, which tell two things apart by themselves where the rest does not speak against it;
    for the same name it is a reason to ask.
    """
    mine = [_plain(without_marks(block.text)) for block in page.outline.blocks if block.kind in editing.CLAIMS]
    known = next(_kinds((page.title, *page.aliases), mine), "")
    told = next(_kinds((name,), [_plain(text) for text in statements]), "")
    held = _stems([*mine, page.title])
    return bool(known and told) and not _stems([known]) & _stems([told, *statements]) and not _stems([told]) & held


def kind_of(page: Page) -> str:
    """The word for what ``page`` says that its thing is, ``mite``; empty where that is a word of its name, or not said."""
    mine = [_plain(without_marks(block.text)) for block in page.outline.blocks if block.kind in editing.CLAIMS]
    names = (page.title, *page.aliases)
    head = next(_kinds(names, mine), "").split()[-1:]
    return "" if not head or stem(head[0]) in _stems(names) else head[0]


def unlike_kind(page: Page, by: str) -> str:
    """What one of the sources of ``page`` has its thing be, and says nothing there of a ``by``: keeper, for a ferry."""
    told: dict[str, list[str]] = {}
    for block in page.outline.blocks:
        if block.kind in editing.CLAIMS:
            for path in {page.citations[label].path for label in block.citations if label in page.citations}:
                told.setdefault(path, []).append(_plain(without_marks(block.text)))
    wanted = _stems([by])
    kinds = (
        next(_kinds((page.title, *page.aliases), texts), "") for texts in told.values() if not wanted & _stems(texts)
    )
    return next(filter(None, kinds), "")


def _kinds(names: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """What the first of ``texts`` say that a thing of one of ``names`` is."""
    called = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    start = re.compile(rf"\W*(?:(?:an?|the)\s+)?(?:{called}) (?={_KIND.pattern})", re.IGNORECASE)
    for text in texts[:_FIRST]:
        if found := start.match(text):
            yield found["kind"].strip().lower()


def _plain(text: str) -> str:
    return " ".join(_LINK.sub("", text).split())


def _stems(texts: Sequence[str]) -> set[str]:
    return {word.stem for text in texts for word in phrase(text).content}
