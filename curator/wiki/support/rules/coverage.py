"""How much of a claim is there at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.quantities import UNITS, dates, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT, is_not
from curator.wiki.support.rules.numbers import shares_number
from curator.wiki.support.rules.states import DUTY_WORDS
from curator.wiki.support.rules.status import STATUSES
from curator.wiki.support.rules.strength import FREQUENCY

_MONTHS = frozenset(
    map(stem, "january february march april june july august september october november december".split())
)
LIGHT = frozenset(
    map(
        stem,
        "tell occur go happen leave get give make take let put come know say call use need want able way thing kind cannot "
        "become set keep seem remain exist apply allow provide give begin start two three four five six seven eight nine "
        "ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter "
        "twice unless except whether nobody none according among upon mean turn bring keep hold person "
        "people anybody ought permit oblige forbid prohibit".split(),
    )
)
"""Words so common that having none of them tells nothing."""
_OF_HEADS = frozenset(
    map(
        stem,
        "write author authored create publish date day year status type kind title version propose proposal sponsor editor "
        "edit discuss discussion post supersede replace require number name call release adopt draft document page source "
        "text article person people format topic language license target maintain issue register report compare describe "
        "present study discuss deal treat cover concern explain account contain list summarize examine investigate "
        "record state announce introduce outline set look show tell note first last time mid early late "
        "earlier later once twice place entry again end "
        "open take make direct mail list archive stand resolve resolution".split(),
    )
)
"""Words in which what a head tells is said."""
_HALVING = frozenset((";", "–", "—"))
_PARTING = frozenset((";", "–", "—", "(", ")", ":"))
_NOTHING = frozenset("nothing nobody none".split())
_MEASURES = frozenset((*UNITS, *WORDS, "th", "st", "nd", "rd", "eighteenth", "nineteenth", "twentieth"))
"""Words of amounts, which are judged as numbers."""
_FEW_MISSING = 2
"""Words that a claim may have of its own beside a mere date or name."""
_ENOUGH = 3
_IS = frozenset("is are was were been".split())
_ARTICLES = frozenset(("a", "an", "the"))
_LEAST = 4
"""Of so many words that the claim says of its subject, more than one has to be quoted."""
_LINKING = frozenset("that which who whose whom where when in of for on at by with from to and or if".split())
"""Words with which what a thing is said to be goes on to something else."""
_NAME = 4
"""Words of what a sentence is about, at most."""
_FORBIDDEN = frozenset(map(stem, ("forbidden", "prohibited")))
IN_OTHER_WORDS = (
    DUTY_WORDS
    | STATUSES.keys()
    | frozenset(map(stem, "possible impossible allowed permitted best carry new add".split()))
)
"""What is said in many other words, by may, must and can: ``status_unknown`` judges in which state a thing is."""
_FEW = 3
"""Words of a line that is but a title."""
_SHORT = 3
"""Words of a title that is but a name, at most."""
_LONG = 5
"""Words of its own by which a claim that shares one with the quote is in quite other words, and no plain invention."""
_SENTENCE = 8
"""Words in small letters of a field that tells more than a name or a date, at least."""


def not_covered(case: Case) -> Iterator[str]:
    """The sentences quoted have none of the claim's words; or one, and the whole source none of its others."""
    if other := _said_otherwise(case):
        yield f"what is quoted says of the same what it is, and nothing of {listed([word.text for word in other])}"
    else:
        yield from apart_from_claim(case)


def apart_from_claim(case: Case) -> Iterator[str]:
    """The sentences quoted have next to nothing of the claim's words, whatever they say of its subject."""
    light = LIGHT | _OF_HEADS if case.context.kinds <= {"heading", "field"} else LIGHT
    counts = case.claim.lowers & UNITS.keys() and (quantities(case.context.stated) or dates(case.context.stated))
    measures = _MEASURES - case.context.stated.lowers if counts else frozenset[str]()
    claim, whole = (
        told_by(case, [word for word in words if word.stem not in light and word.lower not in measures])
        for words in (case.claim.content, case.whole.content)
    )
    own = [word for word in claim if word.lower not in FREQUENCY]
    if len(own) < 2:
        own = whole
    subject = _shared_subject(case)
    if len(predicate := [word for word in own if word.stem not in subject]) > _FEW_MISSING:
        own = predicate
    covered = [word for word in own if is_covered(case, word)]
    stated = [word for word in own if is_stated(case, word)]
    if (
        len(own) < 2
        or all(word.text[0].isupper() for word in own)
        or len(stated) > 1
        or _is_mostly_stated(case, subject)
        or shares_number(case.claim, case.context.stated)
    ):
        return
    months = _MONTHS & case.whole.stems & case.context.stated.stems
    said = stated or _of_titles(case)
    is_unsaid = _is_nowhere_else(case, own, said) if said else not months
    if is_unsaid or _stands_elsewhere(case, [word for word in own if word not in covered]):
        missing = [word.text for word in own if word not in covered] or [word.text for word in own]
        yield f"what is quoted says nothing of {listed(missing)}: quote more, or say less"


def _said_otherwise(case: Case) -> list[StemmedWord]:
    """What the claim says that its subject is, where the quotes have none of it and say of the same what it is.

    ``X is a harmless butterfly``, where the source says ``X is a parasitic mite``: the name in front bears out nothing.
    """
    held = [subject for subject, words in _predications(case.context.stated) if not any(map(is_not, words))]
    for subject, predicate in _predications(case.claim):
        if not any(subject <= other or other <= subject for other in held) or any(map(is_not, predicate)):
            continue
        if any(word.code or word.is_number for word in predicate):
            continue
        own = [word for word in predicate if word.is_content and word.stem not in LIGHT - _FORBIDDEN]
        told = [word for word in takewhile(lambda word: word.lower not in _LINKING, predicate) if word in own]
        is_thing = bool(predicate) and predicate[0].lower in _ARTICLES
        is_held = is_stated(case, told[-1]) if is_thing and told else any(_is_near(case, word) for word in told)
        is_other_way = any(word.stem in IN_OTHER_WORDS for word in own)
        is_little = _LEAST * sum(is_stated(case, word) for word in own) <= len(own)
        if told and is_little and not (is_held or is_other_way):
            return told
    return []


def _shared_subject(case: Case) -> frozenset[str]:
    """What the sentence quoted says to be ``a`` so-and-so, where the claim names it: the name bears out nothing."""
    held = [*_predications(case.context.stated)]
    if len(held) != 1 or len(case.context.stated.sentences) > 1 or held[0][1][0].lower not in _ARTICLES:
        return frozenset()
    return held[0][0] if held[0][0] <= case.claim.stems else frozenset()


def _predications(text: Phrase) -> Iterator[tuple[frozenset[str], Sequence[StemmedWord]]]:
    """What each sentence is about, when it says with ``is`` what that is, and what it says of it; empty for ``it``."""
    for sentence in text.sentences:
        at = next((at for at, word in enumerate(sentence) if word.lower in _IS), 0)
        first = sentence[0].clause
        subject = frozenset(word.stem for word in sentence[:at] if word.tells and word.clause == first)
        is_of_it = sentence[at].clause == first or sentence[at].after == ","  # an aside stands between
        if 0 < at < len(sentence) - 1 and len(subject) <= _NAME and is_of_it:
            yield subject, sentence[at + 1 :]


def _is_near(case: Case, word: StemmedWord) -> bool:
    opposites = OPPOSITES.get(word.stem, frozenset())
    return is_stated(case, word) or is_covered(case, word) or bool(opposites & case.context.around.stems)


def _of_titles(case: Case) -> list[StemmedWord]:
    """The claim's words that stand in the quotes and in a long title: the ``build`` of "On the minimum a build needs"."""
    titles = [title for title in map(phrase, (*case.context.names, *case.source.named)) if len(title.content) > _SHORT]
    ordinary = frozenset().union(*(title.stems for title in titles))
    words = (word for word in case.claim.content if word.stem in ordinary and word.text.islower())
    return [word for word in words if case.context.stated.has_kin_of(word)]


def _is_mostly_stated(case: Case, subject: frozenset[str]) -> bool:
    """True when at least three of the claim's words, its names among them, are half of it and stand in the quotes."""
    told = {word.stem: word for word in case.whole.content if word.stem not in LIGHT | subject}
    shared = [word for word in told.values() if is_stated(case, word)]
    return len(shared) >= _ENOUGH and 2 * len(shared) >= len(told)


def part_uncovered(case: Case) -> Iterator[str]:
    """A sentence, a clause behind a dash or in brackets, or a label, of whose words none is near what is quoted."""
    parts = tuple(case.whole.parted(_PARTING))
    says_nothing = bool(_NOTHING & case.whole.lowers)
    for part in parts if says_nothing or not case.is_reworded else ():
        own = [word for word in part if word.is_content and word.lower not in _NOTHING]
        is_bare = not any(
            word.code or word.is_number or word.lower in UNITS or (word.text[0].isupper() and not word.begins)
            for word in part
        )
        is_few = len(parts) == 1 and len(own) < _ENOUGH and not _NOTHING & case.whole.lowers
        if own and is_bare and not is_few and not any(is_covered(case, word) for word in own) and _tells(part, own):
            yield f"what is quoted says nothing of {listed([word.text for word in own])}: quote more, or leave it out"
            return
    is_prose = "row" not in case.context.kinds and "|" not in case.whole.plain
    for part in case.whole.parted(_HALVING) if is_prose else ():
        own = [word for word in part if word.is_content]
        is_alone = len(own) == 1 and not any(word.is_number or word.code for word in part)
        is_alone = is_alone and (len(parts) == 1 or not case.is_reworded)
        if is_alone and own[0].stem not in case.context.known.stems and not case.source.vocabulary.has_kin_of(own[0]):
            yield f"what is quoted says nothing of {own[0].text!r}: leave it out"
            return


def quote_says_little(case: Case) -> Iterator[str]:
    """The quote is only a date, a name or a field of the head, and the claim says more than such a one tells."""
    stated = case.context.stated
    if _is_mere_title(case):
        yield f"what is quoted is only {stated.plain.strip()[:60]!r}, which says nothing of the claim"
        return
    said = [word for word in stated.words if word.is_content and not word.text[0].isupper()]
    if len(said) >= _SENTENCE or not (
        case.context.kinds <= {"field", "heading"} or (not said and case.context.kinds <= {"field", "paragraph"})
    ):
        return
    own = [word for word in told_by(case, case.claim.content) if word.stem not in LIGHT and word.stem not in _OF_HEADS]
    addresses = case.context.addresses
    missing = [
        word.text for word in own if not stated.has_kin_of(word) and not word.code and word.lower not in addresses
    ]
    is_strange = bool(missing) and not any(stated.has_kin_of(word) for word in case.claim.content)
    if len(missing) > _FEW_MISSING or (is_strange and case.context.kinds == {"heading"}):
        yield f"what is quoted is only {stated.plain.strip()[:60]!r}, which does not say {listed(missing)}"


def _is_mere_title(case: Case) -> bool:
    """True for a line of a few words, such as ``4. Other matters``, that shares none with the claim."""
    told = {word.stem for word in case.context.stated.content}
    is_line = case.context.kinds <= {"item", "heading"} and 0 < len(told) <= _FEW
    is_reckoned = case.context.lent or any(word.is_number or word.code for word in case.whole.words)
    is_repeated = case.whole.lowers <= case.context.stated.lowers
    return (
        is_line
        and not is_reckoned
        and not is_repeated
        and not any(is_stated(case, word) for word in case.whole.content)
    )


def _is_nowhere_else(case: Case, own: Sequence[StemmedWord], stated: Sequence[StemmedWord]) -> bool:
    """True when the whole source has none of at least two words beside the one that is quoted: ``Tea cures the flu``.

    A claim in other words than its source's still has some that the source has elsewhere.
    """
    others = [word for word in own if word not in stated]
    found = [word for word in others if case.source.vocabulary.has_kin_of(word)]
    return 1 < len(others) < _LONG and not found and not quantities(case.whole) and not NOT & case.whole.lowers


def _stands_elsewhere(case: Case, own: Sequence[StemmedWord]) -> bool:
    """True when a sentence of the source has two thirds of the words that stand nowhere near: quote that."""
    told = {word.stem for word in own}
    shared = (len(told & sentence.stems) for sentence in case.source.sentences)
    return max(shared, default=0) >= max(_ENOUGH, 2 * len(told) / 3)


def _tells(part: Sequence[StemmedWord], own: Sequence[StemmedWord]) -> bool:
    """True for words enough to say something; light ones count where they stand under a "nothing"."""
    telling = [word for word in own if word.stem not in LIGHT]
    return len(telling) > 1 or any(word.lower in _NOTHING for word in part)


def told_by(case: Case, words: Sequence[StemmedWord]) -> list[StemmedWord]:
    """Those of ``words`` that say something: the names of page and source say nothing new."""
    found: dict[str, StemmedWord] = {}
    for word in words:
        if word.stem not in case.context.known.stems and word.stem not in _MONTHS:
            found.setdefault(word.stem, word)
    return list(found.values())


def is_covered(case: Case, word: StemmedWord) -> bool:
    return case.context.around.has_kin_of(word) or word.stem in case.context.known.stems


def is_stated(case: Case, word: StemmedWord) -> bool:
    alike = SYNONYMS.get(word.stem, frozenset()) | same_side(word.stem)
    if alike & case.context.stated.stems:
        return True
    if case.context.stated.plain.rstrip().endswith(":") and case.context.around.has_kin_of(word):
        return True  # it leads to a list that says so
    return case.context.stated.has_kin_of(word) or (bool(case.context.cells) and case.context.led.has_kin_of(word))


@lru_cache(maxsize=4_096)
def same_side(key: str) -> frozenset[str]:
    """The words that have the same opposite: ``later``, ``subsequent``."""
    return frozenset(each for other in OPPOSITES.get(key, ()) for each in OPPOSITES[other])


def listed(words: Sequence[str]) -> str:
    return ", ".join(repr(word) for word in dict.fromkeys(words[:8]))
