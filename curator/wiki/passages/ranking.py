"""Which passages answer a question: BM25 over passages with the title and the headings they stand under.

What else counts, each measured: how much of the question a passage has, words that stand together in both, what stands
right beside it, words that the best passages share, and that a question for a number or a day finds one. Words are
compared by their stems. The same passages and question give the same order, whatever process asks.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.stop_words import FRAMING, STOP, WORD, telling_words
from curator.wiki.pages.names import SPACELESS

_K1 = 1.2
_B = 0.5
_USUAL = 60.0
"""Words of a passage of usual length: one constant, so that a score does not depend on what else was found."""
_TITLE, _HEADING, _BESIDE = 1.0, 1.0, 0.2
"""What a word weighs there, compared to one of the passage itself."""
_TOGETHER = 0.5
"""What two words of the question that stand side by side add, compared to what they weigh."""
_NEW_WORDS = 8
"""How many words of the best passages are looked for as well."""
_NEW = 0.3
"""What the best of them weighs, compared to the most telling word of the question."""
_FEW = 20
"""So many passages say half as surely as many do which words go together."""
_TOLD = 0.1
_EARLIER = 0.5
"""What a word of the question before weighs, compared to one of the question itself; of the one before that, half of it."""
_NAME, _FRAME = 1.5, 0.5
"""What a word weighs that is written like a name, and one that a question is put with: how do they *differ*."""
_FRAMING = frozenset(map(stem, FRAMING))
_WRITTEN = re.compile(r"(\A\W*|[.?!:]\s+)?(\w+(?:[.+-]+\w+)*)")
"""A word as it is written, and whether it begins a sentence."""
_WANTED = (
    (
        re.compile(r"\bhow (?:many|much|long|often|old|far|big|large|heavy|high|warm|hot|cold)\b", re.IGNORECASE),
        re.compile(r"\d|\b(?:once|twice|one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE),
    ),
    (
        re.compile(r"\b(?:when|what (?:day|month|year|season))\b", re.IGNORECASE),
        re.compile(
            r"\b(?:1\d{3}|20\d{2}|January|February|March|April|May|June|July|August|September|October|November|December"
            r"|spring|summer|autumn|winter)\b"
        ),
    ),
    (re.compile(r"何[时時年]|什[么麼]时候|什麼時候|哪年|いつ|多少"), re.compile(r"\d")),
)
"""What questions ask for in English, Chinese and Japanese, and how it looks in an answer."""


_FIELDS = (
    (re.compile(r"\b(?:turned down|thrown out|voted down)\b", re.IGNORECASE), r"\g<0> rejected"),
    (re.compile(r"\b(?:given up(?: on)?|taken back)\b", re.IGNORECASE), r"\g<0> withdrawn"),
    (re.compile(r"\b(?:put off|shelved|postponed)\b", re.IGNORECASE), r"\g<0> deferred"),
    (re.compile(r"\b(?:who (?:has |have )?(?:wrote|written)|written by)\b", re.IGNORECASE), "author"),
    (re.compile(r"\b(?:who|whom) (?:\w+ )?proposed\b", re.IGNORECASE), r"\g<0> author"),
    (re.compile(r"\b(?:rejected|withdrawn|accepted|deferred|superseded)\b", re.IGNORECASE), r"\g<0> status"),
)
"""What questions ask of a document as a whole, and how its head calls that."""
_MEANS = re.compile(r"\A\W*what (?:do(?:es)? (.{1,60}?) mean|is meant by (.{1,60}?))\W*\Z", re.IGNORECASE)
"""What asks for a definition."""


def as_heads_say(question: str) -> str:
    """``question`` with what the heads of documents call that which it asks for: an author, a status.

    What a word means is what the thing is.
    """
    if (asked := _MEANS.match(question)) is not None:
        return f"what is {asked[1] or asked[2]}"
    for asks, field in _FIELDS:
        question = asks.sub(field, question, count=1)
    return question


_DEFINITION = re.compile(
    r"\A\W*(?:what|who)(?:\s+(?:is|are|was|were)|['’]s)\s+(?:an?\s+|the\s+)?(\S.{0,60}?)\W*\Z", re.IGNORECASE
)
_DEFINED = 0.5
"""What a passage gains that says what a thing is, where this is all that is asked."""


def defining(question: str) -> re.Pattern[str] | None:
    """How a passage says what the thing is, where ``question`` asks that and nothing else: "A wheel is ..."."""
    found = _DEFINITION.match(question)
    if found is None:
        return None
    thing = r"\W+".join(map(re.escape, WORD.findall(found[1])))
    return re.compile(rf"(?:\A|[.:;(\n])\W*(?:an?\s+|the\s+)?{thing}\W+(?:is|are|was|were|means?)\b", re.IGNORECASE)


def has_wanted(question: str, text: str) -> bool:
    """True when ``text`` has a number or a time, and ``question`` asks for one."""
    return any(wants.search(question) and has.search(text) for wants, has in _WANTED)


def _names_in(question: str) -> Iterator[str]:
    """The words written like names: with a digit or an underscore, with a capital letter that begins no sentence."""
    for found in _WRITTEN.finditer(question):
        begins, word = found.groups()
        if any(each.isupper() or each in "_0123456789" for each in (word if begins is None else word[1:])):
            yield word


@dataclass(frozen=True)
class RankedText:
    """What is ranked: a passage's words, and those that stand over it."""

    text: str
    title: str = ""
    heading: str = ""
    """With what leads in to it."""
    beside: str = ""
    """What stands right before and behind it."""

    @cached_property
    def terms(self) -> tuple[str, ...]:
        return terms(self.text)

    @cached_property
    def around(self) -> Mapping[str, float]:
        """The words over it, each with what it weighs compared to one of the passage itself."""
        found: dict[str, float] = {}
        for text, weight in self._over:
            for each in stems_in(text):
                found[each] = found.get(each, 0.0) + weight
        return found

    @property
    def _over(self) -> tuple[tuple[str, float], ...]:
        return (self.title, _TITLE), (self.heading, _HEADING), (self.beside, _BESIDE)


def terms(text: str) -> tuple[str, ...]:
    """The stems of the words in ``text``; of scripts that write no spaces, pairs of characters."""
    found: list[str] = []
    for word in WORD.findall(text):
        if not word.isascii() and SPACELESS.search(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        else:
            found.append(word.lstrip("0") or "0" if word.isdigit() else stem(word))
    return tuple(found)


@lru_cache(maxsize=4_096)
def stems_in(text: str) -> frozenset[str]:
    return frozenset(terms(text))


@dataclass(frozen=True)
class PassageQuery:
    """A question, as passages are ranked by it: its telling words, each with what it weighs."""

    text: str
    weights: Mapping[str, float]
    pairs: Mapping[tuple[str, str], float]

    @cached_property
    def definition(self) -> re.Pattern[str] | None:
        return defining(self.text)

    def asks_only(self, names: Iterable[str]) -> bool:
        """True where the question is one of ``names``, and what only asks: "What is a wheel?"."""
        asked = telling_terms(self.text, only=True)
        return any(asked == telling_terms(name) for name in names) if asked else False

    @classmethod
    def of(cls, text: str, count: int, holding: Mapping[str, int], earlier: Sequence[str] = ()) -> PassageQuery:
        """``holding``: in how many of ``count`` passages each of its words stands. ``earlier``: what was spoken of before,
        the last first."""
        weights: dict[str, float] = {}
        pairs: dict[tuple[str, str], float] = {}
        for back, each in enumerate((text, *earlier)):
            asked = telling_terms(each, only=bool(earlier))
            names = set(terms(" ".join(_names_in(each))))
            for term in asked:
                rare = math.log(1 + (count + 0.5) / (holding.get(term, 0) + 0.5))
                kind = _NAME if term in names else _FRAME if term in _FRAMING else 1.0
                weights.setdefault(term, rare * kind * _EARLIER**back)
            for one, other in pairwise(asked):
                if one != other:
                    pairs.setdefault((one, other), (weights[one] + weights[other]) / 2)
        return cls(text, weights, pairs)

    @classmethod
    def over(cls, text: str, passages: Iterable[RankedText], earlier: Sequence[str] = ()) -> PassageQuery:
        """The query with its words weighed by how many of ``passages`` have them."""
        wanted = {term for each in (text, *earlier) for term in telling_terms(each)}
        counts: Counter[str] = Counter()
        total = 0
        for each in passages:
            total += 1
            counts.update(wanted.intersection(each.terms))
        return cls.of(text, total, counts, earlier)

    def score(self, passage: RankedText) -> float:
        """How well ``passage`` answers; 0 where it has no word of the question."""
        found = passage.terms
        counts = Counter(each for each in found if each in self.weights)
        around = {each: weight for each, weight in passage.around.items() if each in self.weights}
        if not counts and not around:
            return 0.0
        norm = _K1 * (1 - _B + _B * len(found) / _USUAL)
        score = covered = 0.0
        for each, weight in self.weights.items():
            beside = around.get(each, 0.0)
            often = counts[each] + beside
            score += weight * often * (_K1 + 1) / (often + norm)
            covered += weight if counts[each] else weight * min(0.5, beside)
        score += _TOGETHER * sum(self.pairs[pair] for pair in set(pairwise(found)).intersection(self.pairs))
        share = covered / (sum(self.weights.values()) or 1.0)
        told = _TOLD * has_wanted(self.text, passage.text)
        if self.definition is not None and self.definition.search(passage.text):
            told += _DEFINED
        return round(score * (0.4 + 0.6 * share) * (1 + told), 6)

    def widened(self, best: Sequence[tuple[RankedText, float]], among: Sequence[RankedText]) -> PassageQuery:
        """The query with a little of the words that its ``best`` passages, each with its score, share: one asks for a flag,
        and the answer speaks of an option. ``among``: all that were found, by which it is seen how telling a word is."""
        if not self.weights:
            return self
        shares: Counter[str] = Counter()
        for passage, score in best:
            for term in {each for each in passage.terms if len(each) > 2} - self.weights.keys() - STOP:
                shares[term] += score  # type: ignore[assignment]
        holding = Counter(term for passage in among for term in shares.keys() & set(passage.terms))
        worth = {
            term: share * math.log((len(among) + 1) / (holding[term] + 1))
            for term, share in shares.items()
            if holding[term] > 1
        }
        new = sorted(worth, key=lambda term: (-round(worth[term], 6), term))[:_NEW_WORDS]
        sure = len(among) / (len(among) + _FEW)
        most = sure * _NEW * max(self.weights.values()) / (worth[new[0]] or 1.0) if new else 0.0
        return replace(self, weights={**self.weights, **{term: most * worth[term] for term in new}})


def telling_terms(text: str, only: bool = False) -> list[str]:
    """Their stems, each once."""
    return list(dict.fromkeys(terms(" ".join(telling_words(text, only)))))
