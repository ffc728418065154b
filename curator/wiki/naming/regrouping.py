"""Whether pages may be regrouped for a source: another title, two pages become one, a statement goes to another page.

Nothing new is stated by that, so nothing can be quoted for it. What proves it are the source's own names for things, by
the same laws as titles and aliases, and what the pages say.
"""

from __future__ import annotations

from collections.abc import Sequence

from curator.wiki.english.pointing import POINTS_BACK
from curator.wiki.naming.aliases import alias_fault, is_one_thing
from curator.wiki.naming.brackets import bracket_fault
from curator.wiki.naming.labels import IsPage
from curator.wiki.naming.terms import PlacedWords, Terms, key
from curator.wiki.naming.titles import QUALIFIED, title_fault
from curator.wiki.pages import editing
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key, spelling_tells
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.pages.removal import human_spans

_OWN_SUMMARY = "a summary is its source's own: what it says and is called stays"
_OWNED = "a part of it is its user's own"
_BEFORE_SHORT = frozenset(map(key, "the our this of by and to for in with".split()))
"""What the short form of a name stands behind, where no other name ends in it."""


def rename_fault(page: Page, title: str, terms: Terms, is_page: IsPage) -> str:
    """Why ``page`` may not get the title; empty when it may: the source calls its thing so, or its field is added."""
    if page.kind == "summary":
        return _OWN_SUMMARY
    if set(key(title).split()) < set(key(page.title).split()):
        return "it says less than the title that the page has; a short form is an alias"
    qualified = QUALIFIED.match(title)
    if qualified and key(qualified["name"]) in map(key, (page.title, *page.aliases)):
        if not terms.is_english:
            told = terms.states(qualified["by"]) or any(PlacedWords.of(page.body).places(qualified["by"]))
            return "" if told and terms.states(qualified["name"]) else "neither source nor page speaks of that"
        said = (without_marks(block.text) for block in page.outline.blocks if block.kind in CLAIMS)
        texts = (*terms.sentences, *map(PlacedWords.of, (*terms.own, *said)))
        fault = "" if terms.states(qualified["name"]) else f"the source does not speak of {qualified['name']!r}"
        return fault or bracket_fault(qualified["name"], qualified["by"], texts)

    def is_other_page(name: str) -> bool:
        return is_page(name) and name_key(name) not in map(name_key, (page.title, *page.aliases))

    if fault := title_fault(page.kind, title, terms, is_other_page):
        return fault
    return "" if title in page.aliases else alias_fault(title, page.title, page.kind, terms)


def merge_fault(page: Page, other: Page, terms: Terms) -> str:
    """Why ``other`` may not become part of ``page``; empty when it may: the source says that both names are one thing's."""
    if "summary" in (page.kind, other.kind):
        return _OWN_SUMMARY
    if page.kind != other.kind and {page.kind, other.kind} & set(DERIVED):
        return f"a {other.kind} is no part of a {page.kind}"
    if "<!--" in page.body or "<!--" in other.body:
        return _OWNED
    related = {*page.contradicts, *page.supersedes, *other.contradicts, *other.supersedes}
    if related & {page.slug, other.slug}:
        return "one of them contradicts or supersedes the other"
    if spelling_tells(page.title, other.title, terms.text):
        return "capitals tell their names apart"
    if any(
        is_one_thing(name, other.title, terms) or _is_in_short(name, other.title, terms)
        for name in (page.title, *page.aliases)
    ):
        return ""
    return f"the source does not say that {page.title!r} and {other.title!r} are one thing"


def _is_in_short(one: str, other: str, terms: Terms) -> bool:
    """True when a source that is titled by the longer name calls its thing by the end of that, too: Node.js Release Working
    Group, the Release Working Group. Nothing else that it names may end so, and a single word is no such name.
    """
    short, long = sorted((one, other), key=len)
    first, tail = key(long).removesuffix(key(short)).split(), key(short).split()
    if len(tail) < 2 or not first or not key(long).endswith(f" {key(short)}"):
        return False
    if key(terms.title) != key(long):
        return False
    found = False
    for sentence in terms.sentences:
        for start, _ in sentence.places(short):
            before = [word for word, at, _ in sentence.words if at < start]
            is_short = before[-len(first) :] != first
            if is_short and before and before[-1] not in _BEFORE_SHORT:
                return False
            found = found or is_short
    return found


def move_fault(page: Page, block: Block, target: Page, terms: Terms) -> str:
    """Why the statement ``block`` may not go from ``page`` to ``target``; empty when it may: it speaks of that one."""
    if "summary" in (page.kind, target.kind):
        return _OWN_SUMMARY
    if {page.kind, target.kind} & set(DERIVED):
        return "what timelines and comparisons say has its place there"
    if not any(terms.states(name) for name in bare_names(target)):
        return f"the source does not speak of {target.title!r}"
    return _standing_fault(page, block) or _subject_fault(page, without_marks(block.text), target)


def above(page: Page, block: Block) -> list[Block]:
    """The headings that ``block`` stands under, outermost first, the page's title apart."""
    found: list[Block] = []
    for heading in page.outline.headings:
        if heading.start < block.start:
            found = [*(each for each in found if each.level < heading.level), heading]
    return [heading for heading in found if heading.level > 1]


def _standing_fault(page: Page, block: Block) -> str:
    """Why ``block`` cannot be taken from where it stands."""
    claims = [each for each in page.outline.blocks if each.kind in CLAIMS]
    at = claims.index(block)
    if block.kind == "row" or any(block.start < each.start < block.end for each in claims):
        return "only a paragraph or a list item without others in it moves"
    if any(start < block.end and block.start < end for start, end in human_spans(page.body, page.outline.blocks)):
        return _OWNED
    if at == 0:
        return "a page keeps the statement that it opens with"
    behind = claims[at + 1] if at + 1 < len(claims) else None
    if any(editing.lead_of(each.text) for each in (block, behind) if each is not None):
        return "two statements that disagree stay beside each other"
    if POINTS_BACK.match(block.text) or (behind is not None and POINTS_BACK.match(behind.text)):
        return "it is understood only beside the statement that it stands next to"
    headings = above(page, block)
    if len(headings) > 1 or (headings and sum(above(page, each) == headings for each in claims) == 1):
        return "the headings that it stands under are part of what it says"
    return ""


def _subject_fault(page: Page, text: str, target: Page) -> str:
    words = PlacedWords.of(text)
    named = _first(target, words)
    if named is None:
        return f"it does not name {target.title!r}"
    own = _first(page, words)
    is_told_apart = QUALIFIED.match(target.title) is not None and key(bare_names(page)[0]) == key(bare_names(target)[0])
    if own is not None and own <= named and not is_told_apart:
        return f"it speaks of {page.title!r} first"
    return ""


def _first(page: Page, words: PlacedWords) -> int | None:
    """Where ``page`` is first named among ``words``; by a title that says its field only where that is named, too."""
    field = QUALIFIED.match(page.title)
    if field and next(words.places(field["by"]), None) is None:
        return None
    return min((start for name in bare_names(page) for start, _ in words.places(name)), default=None)


def bare_names(page: Page) -> Sequence[str]:
    """The title without what it says in brackets, and the aliases."""
    field = QUALIFIED.match(page.title)
    return (field["name"] if field else page.title, *page.aliases)
