"""Where terms stand in sentences, and how much a sentence is about the term in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from curator.extractive.lexicon import BEHIND_A_NAME, DETERMINERS, VERBS
from curator.extractive.sentences import Sentence, Word
from curator.extractive.terms import Term

ABOUT, DEFINES = 1.0, 2.0
_IS = re.compile(
    r"[\"”'’`]?(?: \([^)]*\))?(?:,[^,]{3,60},)? (?:(?:is|are|was|were) (?:(?:also|simply|just|essentially|usually) )?"
    r"(?:an?|the|one|any|those|where|when|called|made|defined|used|meant|designed|intended|how)\b"
    r"|(?:refers? to|means?|denotes?|consists? of|describes?|represents?|contains?|specif(?:y|ies)|defines?|stands? for)\b)"
)
_CALLED = re.compile(
    r"(?:called|known as|termed|referred to as|named|so-called|term|concept of|notion of)(?: an?| the)? [\"“'‘`]?$"
)


@dataclass(frozen=True)
class Mention:
    """One occurrence. ``about``: 2 the sentence defines the term, 1 the term is its subject, less: it only occurs."""

    sentence: Sentence
    first: int
    last: int
    about: float


def find(sentences: Iterable[Sentence], terms: Iterable[Term]) -> dict[str, list[Mention]]:
    """The mentions of each term, by its key; where two terms overlap, the longer one is meant."""
    starts: dict[str, list[tuple[tuple[str, ...], Term]]] = defaultdict(list)
    for term in terms:
        for key in term.keys:
            words = tuple(key.split())
            starts[words[0]].append((words, term))
    for ways in starts.values():
        ways.sort(key=lambda way: (-len(way[0]), way[0]))
    found: dict[str, list[Mention]] = defaultdict(list)
    for sentence in sentences:
        for first, last, term in _longest(sentence, starts):
            written = sentence.plain[sentence.words[first].start : sentence.words[last].end]
            if " ".join(sentence.keys[first : last + 1]) == term.key:
                term.written[written] += 1
            found[term.key].append(Mention(sentence, first, last, _aboutness(sentence, first, last)))
    return found


def _longest(
    sentence: Sentence, starts: dict[str, list[tuple[tuple[str, ...], Term]]]
) -> Iterator[tuple[int, int, Term]]:
    keys, at = sentence.keys, 0
    while at < len(keys):
        for words, term in starts.get(keys[at], ()):
            last = at + len(words) - 1
            if keys[at : last + 1] == words and _is_meant(sentence, at, last, term):
                yield at, last, term
                at = last
                break
        at += 1


def _is_meant(sentence: Sentence, first: int, last: int, term: Term) -> bool:
    words, plain = sentence.words, sentence.plain
    if term.cased and not words[first].written[:1].isupper():
        return False
    gaps = (plain[words[i].end : words[i + 1].start] for i in range(first, last))
    return all(len(gap) <= 1 or gap == "``" for gap in gaps)


def _aboutness(sentence: Sentence, first: int, last: int) -> float:
    words, plain = sentence.words, sentence.plain
    before = [word.written.casefold() for word in words[:first]]
    behind = plain[words[last].end :]
    is_head = _ends_a_phrase(words, last, plain)
    if sentence.label and words[last].end <= len(sentence.label) + 1 and plain.startswith(sentence.label):
        return DEFINES if first == 0 else 0.5
    if _CALLED.search(plain[: words[first].start]) and is_head:
        return DEFINES
    if all(word in DETERMINERS for word in before) and first <= 3:
        if _IS.match(behind):
            return DEFINES
        return ABOUT if is_head else 0.45
    if not is_head:
        return 0.15
    if first <= 4 and not any(word in VERBS for word in before):
        return 0.7
    return 0.4 if first <= 8 else 0.2


def _ends_a_phrase(words: Sequence[Word], last: int, plain: str) -> bool:
    """True when no noun follows that the term would only modify: ``wheel`` in ``wheel file``."""
    if last + 1 >= len(words):
        return True
    word, behind = words[last], words[last + 1]
    gap = plain[word.end : behind.start]
    if gap.strip("\"'”’` *") or gap != " ":
        return gap != "-" and gap != "."
    following = behind.written.casefold()
    return (
        following in BEHIND_A_NAME
        or following in VERBS
        or following.endswith(("ly", "n't"))
        or (following.endswith("ed") and len(following) > 4)
        or behind.written.isupper()
    )
