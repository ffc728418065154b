"""How much of a claim is there at all: its content, its reason, the members of its lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.ordinary import is_modifier
from curator.wiki.english.quantities import UNITS, dates, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.derived import is_reckoned
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.rules.numbers import shares_number
from curator.wiki.support.rules.strength import FREQUENCY
from curator.wiki.support.rules.times import lasts_between_dates

_GIVEN = frozenset(
    "because since therefore thus so hence as reason reasons due avoid otherwise caused causes owing result results".split()
)
"""Words with which a source gives reasons."""
_BECAUSE = frozenset(("due to", "owing to", "thanks to", "caused by", "order to", "so that"))
_REASONED = frozenset("because since therefore due owing".split())
"""Words with which a source gives a reason of its own."""
_AMBIGUOUS = frozenset(("since", "as"))
_ADVERBIAL = frozenset("without within with by in on at".split())
"""Words with which an adverb of several words begins: ``exclusively and without waiting``."""
_AND = frozenset(("and", "or"))
_DETERMINERS = frozenset("the a an its their this these".split())
_SENTENCE = frozenset(
    "because since so as which who that when if while is are was were be has have had can may must will would should do "
    "does to not by without".split()
)
"""Words that no member of a list of names has."""
_MONTHS = frozenset(
    map(stem, "january february march april june july august september october november december".split())
)
LIGHT = frozenset(
    map(
        stem,
        "tell occur go happen leave get give make take let put come know say call use need want able way thing kind cannot "
        "become set keep seem remain exist apply allow provide give begin start two three four five six seven eight nine "
        "ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter "
        "twice unless except whether nobody none according among upon mean".split(),
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
        "record state announce introduce outline set look show tell note first last".split(),
    )
)
"""Words in which what a head tells is said."""
_ROUGHLY = frozenset("little nearly almost roughly around approximately exactly good".split())
"""Words beside a time that is worked out."""
_HALVING = frozenset((";", "–", "—"))
_PARTING = frozenset((";", "–", "—", "(", ")", ":"))
_NOTHING = frozenset("nothing nobody none".split())
_MEASURES = frozenset((*UNITS, *WORDS, "th", "st", "nd", "rd", "eighteenth", "nineteenth", "twentieth"))
"""Words of amounts, which are judged as numbers."""
_ENOUGH = 3
_FEW = 3
"""Words of a line that is but a title."""
_LONGEST_MEMBER = 4
"""Words of one member of a list."""


def not_covered(case: Case) -> Iterator[str]:
    """The sentences quoted have none of the claim's words; or one, and the whole source none of its others."""
    light = LIGHT | _OF_HEADS if case.context.kinds <= {"heading", "field"} else LIGHT
    counts = case.claim.lowers & UNITS.keys() and (quantities(case.context.stated) or dates(case.context.stated))
    measures = _MEASURES - case.context.stated.lowers if counts else frozenset[str]()
    claim, whole = (
        _told(case, [word for word in words if word.stem not in light and word.lower not in measures])
        for words in (case.claim.content, case.whole.content)
    )
    own = [word for word in claim if word.lower not in FREQUENCY]
    if len(own) < 2:
        own = whole
    covered = [word for word in own if _is_covered(case, word)]
    stated = [word for word in own if _is_stated(case, word)]
    if (
        len(own) < 2
        or all(word.text[0].isupper() for word in own)
        or len(stated) > 1
        or _is_mostly_stated(case)
        or shares_number(case.claim, case.context.stated)
        or is_reckoned(case)
    ):
        return
    months = _MONTHS & case.whole.stems & case.context.stated.stems
    if (not stated and not months) or (stated and _is_nowhere_else(case, own, stated)):
        missing = [word.text for word in own if word not in covered] or [word.text for word in own]
        yield f"what is quoted says nothing of {_listed(missing)}: quote more, or say less"


def _is_mostly_stated(case: Case) -> bool:
    """True when at least three of the claim's words, its names among them, are half of it and stand in the quotes."""
    told = {word.stem: word for word in case.whole.content if word.stem not in LIGHT}
    shared = [word for word in told.values() if _is_stated(case, word)]
    return len(shared) >= _ENOUGH and 2 * len(shared) >= len(told)


def part_uncovered(case: Case) -> Iterator[str]:
    """A sentence, a clause behind a dash or in brackets, or a label, of whose words none is near what is quoted."""
    parts = tuple(case.whole.parted(_PARTING))
    for part in parts:
        own = [word for word in part if word.is_content and word.lower not in _NOTHING]
        is_bare = not any(
            word.code or word.is_number or word.lower in UNITS or (word.text[0].isupper() and not word.begins)
            for word in part
        )
        is_few = len(parts) == 1 and len(own) < _ENOUGH and not _NOTHING & case.whole.lowers
        if own and is_bare and not is_few and not any(_is_covered(case, word) for word in own) and _tells(part, own):
            yield f"what is quoted says nothing of {_listed([word.text for word in own])}: quote more, or leave it out"
            return
    for part in case.whole.parted(_HALVING) if "row" not in case.context.kinds and "|" not in case.whole.plain else ():
        own = [word for word in part if word.is_content]
        is_alone = len(own) == 1 and not any(word.is_number or word.code for word in part)
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
    if not (case.context.kinds <= {"field", "heading"} or (not said and case.context.kinds <= {"field", "paragraph"})):
        return
    own = [word for word in _told(case, case.claim.content) if word.stem not in LIGHT and word.stem not in _OF_HEADS]
    if lasts_between_dates(case):
        own = [word for word in own if word.lower not in UNITS and word.lower not in _ROUGHLY]
    missing = [word.text for word in own if not stated.has_kin_of(word) and not word.code]
    is_strange = bool(missing) and not any(stated.has_kin_of(word) for word in case.claim.content)
    if len(missing) > 1 or (is_strange and case.context.kinds == {"heading"}):
        yield f"what is quoted is only {stated.plain.strip()[:60]!r}, which does not say {_listed(missing)}"


def _is_mere_title(case: Case) -> bool:
    """True for a line of a few words, such as ``4. Other matters``, that shares none with the claim."""
    told = {word.stem for word in case.context.stated.content}
    is_line = case.context.kinds <= {"item", "heading"} and 0 < len(told) <= _FEW
    is_reckoned = case.context.lent or any(word.is_number or word.code for word in case.whole.words)
    return is_line and not is_reckoned and not any(_is_stated(case, word) for word in case.whole.content)


def _is_nowhere_else(case: Case, own: Sequence[StemmedWord], stated: Sequence[StemmedWord]) -> bool:
    """True when the whole source has none of at least two words beside the one that is quoted: ``Tea cures the flu``.

    A claim in other words than its source's still has some that the source has elsewhere.
    """
    others = [word for word in own if word not in stated]
    found = [word for word in others if case.source.vocabulary.has_kin_of(word)]
    return len(others) > 1 and not found and not quantities(case.whole) and not NOT & case.whole.lowers


def cause_unknown(case: Case) -> Iterator[str]:
    """A reason (because, since, so that) most of which is not in what is quoted."""
    for reason, is_aim in _reasons(case):
        told = _told(case, [word for word in reason if word.is_content])
        if len(told) == 1 and _is_attribute(reason, told[0]):
            continue
        missing = [word.text for word in told if not _is_covered(case, word)]
        gives_one = bool(_GIVEN & case.context.stated.lowers)
        another = bool(_REASONED & case.context.stated.lowers) and not any(_is_stated(case, word) for word in told)
        unstated = [word for word in told if not _is_stated(case, word)]
        elsewhere = (
            not is_aim and len(told) > 1 and (2 * len(unstated) > len(told) if not gives_one else unstated == told)
        )
        most = 2 * len(missing) > len(told) and not (gives_one or is_aim)
        if told and (another or elsewhere or most or len(missing) == len(told)):
            strange = missing or [word.text for word in unstated]
            yield f"the reason given is not in what is quoted: {_listed(strange)}"


def _is_attribute(words: Sequence[StemmedWord], word: StemmedWord) -> bool:
    """True for the ``new`` of ``the new default``: an adjective more is no other reason."""
    at = words.index(word)
    behind = words[at + 1 : at + 2]
    return (
        bool(at and behind) and words[at - 1].lower in _DETERMINERS and is_modifier(word.lower) and behind[0].is_content
    )


def item_unknown(case: Case) -> Iterator[str]:
    """One member of a list is in none of what is quoted, while the others are."""
    for members, is_sure in _lists(case.claim.words):
        content = [[word for word in member if word.is_content] for member in members]
        if any(word.lower in _SENTENCE for member in members for word in member):
            continue
        if any(member and member[0].lower in _ADVERBIAL for member in members):
            continue
        asked = content if is_sure else content[1:]
        missing = [words for words in asked if words and not any(_is_covered(case, word) for word in words)]
        missing = [words for words in missing if len(words) > 1 or not _is_stated(case, words[0])]
        held = [words for words in content if words and all(_is_covered(case, word) for word in words)]
        named = [words for words in content if words and all(word.stem in case.context.stated.stems for word in words)]
        strange = [words for words in asked if len(named) >= 2 and any(_is_strange_name(case, word) for word in words)]
        if strange or (missing and len(held) >= 2):
            for words in strange or missing:
                yield f"{' '.join(word.text for word in words)!r} is not among what is quoted"


def _is_strange_name(case: Case, word: StemmedWord) -> bool:
    """True for a name or code that the very sentences quoted do not have; nobody says it in another word."""
    is_listed = "row" in case.context.kinds or len(case.context.spans) > 1
    listed = case.context.around if is_listed else case.context.stated
    held = f"{listed.plain}\n{case.context.led.plain}\n{case.context.known.plain}".lower()
    is_name = word.code or (word.text[0].isupper() and not word.begins)
    return is_name and word.lower not in held and word.stem not in listed.stems


def _tells(part: Sequence[StemmedWord], own: Sequence[StemmedWord]) -> bool:
    """True for words enough to say something; light ones count where they stand under a "nothing"."""
    telling = [word for word in own if word.stem not in LIGHT]
    return len(telling) > 1 or any(word.lower in _NOTHING for word in part)


def _told(case: Case, words: Sequence[StemmedWord]) -> list[StemmedWord]:
    """Those of ``words`` that say something: the names of page and source say nothing new."""
    found: dict[str, StemmedWord] = {}
    for word in words:
        if word.stem not in case.context.known.stems and word.stem not in _MONTHS:
            found.setdefault(word.stem, word)
    return list(found.values())


def _is_covered(case: Case, word: StemmedWord) -> bool:
    return case.context.around.has_kin_of(word) or word.stem in case.context.known.stems


def _is_stated(case: Case, word: StemmedWord) -> bool:
    alike = SYNONYMS.get(word.stem, frozenset()) | _same_side(word.stem)
    if alike & case.context.stated.stems:
        return True
    if case.context.stated.plain.rstrip().endswith(":") and case.context.around.has_kin_of(word):
        return True  # it leads to a list that says so
    return case.context.stated.has_kin_of(word) or (bool(case.context.cells) and case.context.led.has_kin_of(word))


@lru_cache(maxsize=4_096)
def _same_side(key: str) -> frozenset[str]:
    """The words that have the same opposite: ``later``, ``subsequent``."""
    return frozenset(each for other in OPPOSITES.get(key, ()) for each in OPPOSITES[other])


def _reasons(case: Case) -> Iterator[tuple[list[StemmedWord], bool]]:
    """What stands behind a because, to the end of its sentence; and whether it is an aim, which a mere "to" may give."""
    words = case.claim.words
    for at, word in enumerate(words):
        pair = f"{word.lower} {words[at + 1].lower}" if at + 1 < len(words) else ""
        if word.lower == "because" or pair in _BECAUSE or _begins_reason(words, at):
            yield _to_the_end(words, at + 1), pair == "so that"


def _begins_reason(words: Sequence[StemmedWord], at: int) -> bool:
    """True for ``, as it ...`` and ``, since they ...``; not for ``, as in ...`` or ``, since 3.9``."""
    if words[at].lower not in _AMBIGUOUS or words[at].after != "," or at + 1 == len(words):
        return False
    return not words[at + 1].is_number and words[at + 1].lower not in (
        "in",
        "for",
        "with",
        "well",
        "of",
        "to",
        "if",
        "a",
        "an",
    )


def _to_the_end(words: Sequence[StemmedWord], at: int) -> list[StemmedWord]:
    """The words from ``at`` to the end of the sentence, or to a semicolon."""
    reason: list[StemmedWord] = []
    for word in words[at:]:
        if word.sentence != words[at].sentence or word.after == ";":
            break
        reason.append(word)
    return reason


def _lists(words: Sequence[StemmedWord]) -> Iterator[tuple[list[list[StemmedWord]], bool]]:
    """Every ``a, b and c`` of three members or more: the members, and whether the first is sure."""
    start = 0
    while start < len(words):
        sentence = [word for word in words[start:] if word.sentence == words[start].sentence]
        start += len(sentence)
        yield from _lists_in(sentence)


def _lists_in(sentence: Sequence[StemmedWord]) -> Iterator[tuple[list[list[StemmedWord]], bool]]:
    pieces: list[list[StemmedWord]] = [[]]
    marks: list[str] = []
    for word in sentence:
        if word.after == "," or word.lower in _AND:
            if not (word.lower in _AND and not pieces[-1]):
                pieces.append([])
                marks.append("and" if word.lower in _AND else ",")
            elif marks:
                marks[-1] = "and"
        elif word.after:
            yield from _members(pieces, marks)
            pieces, marks = [[]], []
        if word.lower not in _AND:
            pieces[-1].append(word)
    yield from _members(pieces, marks)


def _members(pieces: list[list[StemmedWord]], marks: list[str]) -> Iterator[tuple[list[list[StemmedWord]], bool]]:
    for at, mark in enumerate(marks):
        if mark != "and" or at == 0 or marks[at - 1] != ",":
            continue
        first = at
        while first > 0 and marks[first - 1] == "," and len(pieces[first]) <= _LONGEST_MEMBER:
            first -= 1
        inner = pieces[first + 1 : at + 1]
        # Of a long first piece nobody knows where its member begins: "on two platforms, VMS and Amiga".
        is_sure = len(pieces[first]) <= _LONGEST_MEMBER
        yield [_end(pieces[first]), *inner, _beginning(pieces[at + 1])], is_sure


def _end(words: list[StemmedWord]) -> list[StemmedWord]:
    """The first member of a list, of which nobody knows where it begins: its last words, and no verb before them."""
    last = max((at for at, word in enumerate(words) if word.lower in _SENTENCE), default=-1)
    return words[last + 1 :][-2:]


def _beginning(words: list[StemmedWord]) -> list[StemmedWord]:
    """The last member of a list, of which nobody knows where it ends: its first content word."""
    if [word.lower for word in words[1:2]] == ["to"]:
        return words[:2]  # "turns to": a verb, and no name
    words = words[: next((at for at, word in enumerate(words) if word.lower in _SENTENCE and at), len(words))]
    return [word for word in words if word.is_content][:1] if len(words) > _LONGEST_MEMBER else words


def _listed(words: Sequence[str]) -> str:
    return ", ".join(repr(word) for word in dict.fromkeys(words[:8]))
