"""Whether what a source says in a dispute is said of the page's thing, or of another one that shares a word with it.

"The speed limit in the inner basin of Lisk is 30 knots" contradicts nothing on the page of another harbour.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from curator.models.proposal import Claim
from curator.wiki.english.stop_words import STOP
from curator.wiki.english.words import StemmedWord, phrase
from curator.wiki.naming.regrouping import bare_names
from curator.wiki.naming.terms import PlacedWords, Terms, key, terms_of
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.sources.evidence import Missing
from curator.wiki.support.context import Context
from curator.wiki.support.judge import Judge

_LEAST_WORD = 4
"""Letters of a title's last such word, which may stand for it: ``the relay``."""
_SUBJECT_END = re.compile(
    r"\b(?:is|are|was|were|has|have|had|may|might|can|cannot|could|must|should|shall|will|would|do|does|did|of|in|on|at|for|"
    r"with|to|from|by|near|that|which|who|while|when|after|before|under|over|during|[\w-]+ed)\b|[,;:(]",
    re.IGNORECASE,
)
_ANYBODY = frozenset("nobody everybody everyone anybody anyone somebody someone people one nothing everything".split())
"""Subjects that are no other thing's."""
_SPEAKER = re.compile(r"\A(?:[\w.’'-]+ ){1,6}?(?:says?|said|reports?|reported|writes?|wrote) (?!to\b)(?:that )?")
"""Who says the rest of a sentence, which is its subject no more than its date is."""
_DEFINITE = re.compile(r"\W*(?:the|this|our) (\w+)", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\bof (?:the )?([A-Z][\w’'-]+)")


def speaks_of_another(page: Page, block: Block, claim: Claim, judge: Judge) -> bool:
    """True where the sentences quoted for ``claim``, which disputes ``block``, speak of another thing than the page."""
    terms = terms_of(judge.evidence)
    if not terms.is_english or page.kind in DERIVED:
        return False
    if page.kind == "summary":
        return _is_each_ones_own(page.title, terms.title, block.text, claim.text)
    names = bare_names(page)
    if not any(_is_named(name, terms) for name in names):
        return True
    passages = [passage for quote in claim.quotes for passage in _passages(quote, judge)]
    return bool(passages) and not any(
        _may_be_of(passage, names, page, block) or _is_of_kind(passage, names, terms) for passage in passages
    )


def _is_each_ones_own(title: str, other: str, text: str, claim: str) -> bool:
    """True where two documents, ``First trial of thymol`` and another, say something of ``the trial``: each of its own.

    Where their titles are the same but for numbers, as those of two editions are, or one has all words of the other, as
    that of an erratum, it may be one thing.
    """
    subjects = [found[1] for found in map(_DEFINITE.match, (without_marks(text), claim)) if found]
    stems = {word.stem for subject in subjects for word in phrase(subject).words}
    one, two = ({word.stem for word in phrase(each).content if not word.is_number} for each in (title, other))
    return len(subjects) == 2 and len(stems) == 1 and stems <= one and not (one <= two or two <= one)


def _passages(quote: str, judge: Judge) -> Sequence[str]:
    found = Context.of_quote(judge.source, quote)
    return () if isinstance(found, Missing) else tuple(found.passages)


def _is_named(name: str, terms: Terms) -> bool:
    last = [word for word in key(name).split() if len(word) >= _LEAST_WORD][-1:]
    return terms.states(name) or any(map(terms.states, last))


def _is_of_kind(passage: str, names: Sequence[str], terms: Terms) -> bool:
    """True for a sentence on oolong, on the page of tea, in a source that says: "Oolong is a tea"."""
    told = {key(word.text) for word in phrase(passage).words if word.is_content}
    flat = key(terms.text)
    kinds = (
        each
        for name in names
        for each in re.findall(rf"(\w+) (?:is|are) an? (?:\w+ ){{0,2}}{re.escape(key(name))}\b", flat)
    )
    return any(kind in told for kind in kinds)


def _may_be_of(passage: str, names: Sequence[str], page: Page, block: Block) -> bool:
    """True where a sentence names the page's thing, or names nothing that neither the page nor the statement has."""
    words = PlacedWords.of(passage)
    if any(True for name in names for _ in words.places(name)):
        return True
    known = {word.stem for text in (page.body, *names) for word in phrase(text).words}
    if any(word.stem not in known for each in _OF_ANOTHER.findall(passage) for word in phrase(each).words):
        return False
    subject = phrase(_SUBJECT_END.split(_SPEAKER.sub("", passage), maxsplit=1)[0]).words
    statement = page.body[block.start : block.end].replace("|", " ")
    told = {word.stem for text in (statement, *names) for word in phrase(text).words}
    telling = [word for word in subject if word.lower not in STOP]
    shared = [word for word in telling if word.stem in told]
    if _is_name_of_another(telling, known):
        # "the Berg Line", where the page is the Halden Line: "line" alone is no name.
        shared = [word for word in shared if word.text[:1].isupper() and not re.search(rf"\b{word.lower}\b", page.body)]
    return not telling or telling[0].lower in _ANYBODY or bool(shared)


def _is_name_of_another(words: Sequence[StemmedWord], known: Collection[str]) -> bool:
    """True where two words in capitals stand together, one of which is not ``known``."""
    return any(
        one.text[:1].isupper() and other.text[:1].isupper() and not {one.stem, other.stem} <= {*known}
        for one, other in pairwise(words)
    )
