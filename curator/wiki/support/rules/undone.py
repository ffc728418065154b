"""Small words that take a statement back, or change what it is of: formerly, so-called, because for although, only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.hedges import DOUBTING, HEDGES
from curator.wiki.support.rules.negating import NOT

_UNDOING = re.compile(
    r"\b(?:formerly|supposedly|allegedly|reportedly|purportedly|ostensibly|so-called|anything but|far from|hardly|scarcely"
    r"|less than (?!\d|an? |the |one|two|three|half|full|before|usual|average)[a-z]+$|nay"
    r"|too(?= [a-z]+)(?! [a-z]+ (?:for|to)\b))\b",
    re.IGNORECASE,
)
_PAST = frozenset(
    "former formerly once earlier previous previously used renamed now until till before originally was were had old "
    "longer ago changed replaced since today became".split()
)
_SAID = frozenset(
    "said says say told reported reports claim claims claimed according believed believes alleged rumour rumoured rumored "
    "supposed thought hardly scarcely barely few little rarely seldom far".split()
)
_SCARE = re.compile(r"(?<!\w)[\"“]([a-z][a-z-]+)[\"”](?!\w)")
_QUOTING = re.compile(
    r"\b(?:call\w*|describ\w*|sa(?:y|ys|id)|term\w*|nam\w*|words?|phrase\w*|label\w*|known|mean\w*|read\w*|writ\w+|titl\w*"
    r"|messages?|keys?|values?|options?|strings?|text|commands?|tags?|fields?|keywords?|modes?|prefix\w*|suffix\w*|titled?"
    r"|quot\w*|refer\w*|so|as|by|entr(?:y|ies)|letters?|types?|columns?|parameters?|settings?|functions?|tables?)\b",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\((?:!|\?|sic|!!|\?!)\)")
_ARTICLES = frozenset(("a", "an", "the"))


def word_undoes(case: Case) -> Iterator[str]:
    """``Formerly``, ``supposedly``, ``so-called``, ``anything but``, a word in quotation marks of doubt, ``(!)``."""
    stated = case.context.stated
    if stated.lowers.isdisjoint(_PAST | _SAID | HEDGES | DOUBTING | NOT):
        found = _UNDOING.search(case.written.rstrip(". "))
        if found and found[0].lower() not in stated.plain.lower() and not _is_excess(found[0], stated):
            yield f"what is quoted has no {found[0]!r}"
            return
    found = _MARKED.search(case.written)
    if found and found[0] not in case.source.layout.text:
        yield f"what is quoted has no {found[0]!r}"
        return
    for found in _SCARE.finditer(case.written):
        is_said = found[1] in stated.lowers and not re.search(rf"[\"“'‘`*_]{found[1]}", case.source.layout.text)
        if is_said and not _QUOTING.search(_SCARE.sub(" ", case.written)):
            yield f"the source says {found[1]!r} without quotation marks"
            return


def _is_excess(word: str, stated: Phrase) -> bool:
    """True for the ``too`` of "grazing too heavily", which is overgrazing."""
    return word.lower() == "too" and any(each.startswith(("over", "excess")) for each in stated.lowers)


def label_apart(case: Case) -> Iterator[str]:
    """``Cottar: a freeman may own land``, where the source says something else of a cottar."""
    at = len(case.whole.words) - len(case.claim.words)
    label = [word for word in case.whole.words[: max(at, 0)] if word.is_content]
    if not label or len(label) > 2 or case.context.kinds != {"paragraph"}:
        return
    near = case.context.stated.stems | case.context.headings.stems | case.context.known.stems
    if any(word.stem in near for word in label):
        return
    begins = [words[:3] for words in case.context.section.sentences]
    is_subject = any(words[0].lower in _ARTICLES and label[0].stem in {word.stem for word in words} for words in begins)
    if is_subject and any(words[0].lower in _ARTICLES for words in case.context.stated.sentences):
        yield f"what is quoted says nothing of {label[0].text!r}"
