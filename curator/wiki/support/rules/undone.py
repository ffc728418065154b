"""Small words that take a statement back, formerly or so-called; a label that what is quoted says nothing of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.support.case import Case
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
    "excessive excessively over "
    "said says say told reported reports claim claims claimed according believed believes alleged rumour rumoured rumored "
    "supposed thought hardly scarcely barely few little rarely seldom far".split()
)
_ARTICLES = frozenset(("a", "an", "the"))


def word_undoes(case: Case) -> Iterator[str]:
    """``Formerly``, ``supposedly``, ``so-called``, ``anything but``."""
    stated = case.context.stated
    if stated.lowers.isdisjoint(_PAST | _SAID | HEDGES | DOUBTING | NOT):
        found = _UNDOING.search(case.written.rstrip(". "))
        if found and found[0].lower() not in stated.plain.lower():
            yield f"what is quoted has no {found[0]!r}"
            return


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
