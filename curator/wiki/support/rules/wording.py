"""A claim in the very words of its source, but for one thing: another word in a word's place, or words put in between.

Who says a thing in words of their own changes more than one word, so that no paraphrase is met.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

from curator.wiki.english.quantities import MONTHS, UNITS, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.coverage import IN_OTHER_WORDS, LIGHT, same_side
from curator.wiki.support.rules.derived import is_restated
from curator.wiki.support.rules.names import OF_SOURCE, SHORT_NAMES, is_of_mail, is_shortened
from curator.wiki.support.rules.negating import shown
from curator.wiki.support.rules.status import are_apart

_LOOSE = frozenset("only also a an the this that these those it its they is are was were be been has have had".split())
"""Words that nobody misses between two others."""
_BEFORE_NOUNS = frozenset(
    "the a an of in on at for with by from as than and or all any each every no only its their his her because when "
    "while if that".split()
)
_JOINED = frozenset(("and", "or", "their", "its"))
_NONE = frozenset("no not nothing nobody none".split())
_VERBAL = frozenset("is are was were be been being has have had not to can may must will should would could".split())
"""Words behind which a verb or a participle stands."""
_PASSIVE = frozenset("is are was were been be".split())
_ARTICLES = frozenset(("a", "an", "the"))
_BESIDE = r"(?:and|or|nor|with|than|versus|vs\.?)\s(?:an?\s|the\s)?"
_TOLD_BEFORE = frozenset("the these those two three both".split())
"""Words that stand for ``a or b``, which was named before."""
_FIRST_PERSON = frozenset("i'd i'm i've i'll we'd we're we've we'll".split())
_POINTING = frozenset("this these that those such".split())
"""Words before what was named before: ``This array`` may be ``metadata.requires``."""
_PREPOSITIONS = frozenset("of at in on for with by from into".split())
_OF = frozenset("of at in".split())
_HALVING = frozenset((";", "–", "—"))
_LOOSELY_USED = LIGHT | frozenset(
    map(stem, "specify combine require seem appear year annual define doubt sceptical describe".split())
)
"""Words in the place of which many others may stand."""
_PAIR = 2
_MANY = 200
"""Words of a sentence that nobody compares word by word."""
_SHARED, _FEWEST, _LONGEST = 3, 2, 4
"""Content words that both have, at least, and beside names and numbers; words that differ, at most."""


def word_exchanged(case: Case) -> Iterator[str]:
    """The source's sentence with another name, number, unit or thing in one place."""
    common = case.source.vocabulary.lower_case
    for difference in _differences(case):
        ours, theirs = difference.told
        if not ours or not difference.theirs:
            continue
        is_denied = difference.theirs[0].lower in _NONE and not any(word.lower in _NONE for word in difference.mine)
        if " but " in case.context.stated.flat and "only" in case.claim.lowers:
            continue  # "nobody but him" is "only he"
        is_sure = bool(theirs) and _are_sure(ours, common) and _are_sure(theirs, common)
        is_known = any(word.stem in case.context.known.stems for word in ours) and not _are_apart(case, ours, theirs)
        starts = {words[0].lower for words in (difference.mine, difference.theirs) if not words[0].tells}
        is_listed = any(word.lower in ("and", "or") for word in difference.theirs[1:-1])
        is_told_before = is_listed and {word.lower for word in difference.mine} <= _TOLD_BEFORE
        is_told_before |= _beside(difference.source, difference.theirs)[0] in _POINTING
        is_told_before |= " used to " in case.claim.flat and " no longer " in case.context.stated.flat
        named = case.context.known.stems | case.source.opening.stems
        is_speaker = all(word.stem in named for word in ours if word.is_content)
        is_told_before |= is_speaker and bool(theirs) and {word.lower for word in theirs} <= _FIRST_PERSON
        if (
            _is_short_form(ours, theirs)
            or is_known
            or is_told_before
            or (theirs and all(word.stem in case.whole.stems for word in theirs))
            or len(starts) > 1
            or _are_same(ours, theirs)
            or _is_restated(case, difference)
        ):
            continue
        if is_denied or is_sure or _is_thing(case, difference) or _is_other_word(case, difference):
            yield f"the source says {shown(difference.theirs)!r} where the claim says {shown(difference.mine)!r}"
            return
    yield from _another_undergoes(case)


def _is_short_form(ours: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> bool:
    """True for ``UTC`` and what it is short for, whichever of them the source has."""
    for short, long in ((ours, theirs), (theirs, ours)):
        words = [word.lower for word in long]
        if len(short) == len(words) == 1 and is_shortened(long[0], short):
            return True
        if len(short) == 1 and len(words) > 1 and short[0].text.isupper():
            initials = "".join(word[0] for word in words)
            return short[0].lower in (initials, SHORT_NAMES.get(" ".join(words)))
    return False


def _another_undergoes(case: Case) -> Iterator[str]:
    """``Oxalic acid was not approved``, where the source says "did not approve thymol" and sets the two side by side."""
    held = [*_objects(case.context.stated)]
    for clause in case.claim.clauses:
        at = next((at for at, word in enumerate(clause) if at and word.lower in _PASSIVE), len(clause))
        verb = next((word for word in clause[at:] if word.is_content), None)
        ours = [word for word in clause[:at] if word.is_content]
        if verb is None or not verb.lower.endswith(("ed", "en")) or not 0 < len(ours) <= _LONGEST:
            continue
        others = [things for governor, things in held if governor == verb.stem]
        if len(others) != 1 or any(word.stem in case.claim.stems for word in others[0]):
            continue
        if _are_apart(case, ours, others[0]):
            yield f"the source says {verb.text!r} of {shown(others[0])!r}, the claim of {shown(ours)!r}"
            return


def _objects(text: Phrase) -> Iterator[tuple[str, list[StemmedWord]]]:
    """Every content word with the content words straight behind it: ``approve thymol``."""
    for clause in text.clauses:
        for at, word in enumerate(clause):
            behind = clause[at + 1 :]
            behind = behind[1:] if behind and behind[0].lower in _ARTICLES else behind
            things = [*takewhile(lambda each: each.is_content, behind)][:_LONGEST]
            if word.is_content and things:
                yield word.stem, things


def _are_apart(case: Case, ours: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> bool:
    """True for two that the source sets side by side somewhere, which are two things then: ``thymol with oxalic acid``."""
    if not ours or not theirs:
        return False
    one, other = (re.escape(shown(words)) for words in (ours, theirs))
    sides = rf"\b{one}\s{_BESIDE}{other}\b|\b{other}\s{_BESIDE}{one}\b"
    return re.search(sides, case.source.layout.text, re.IGNORECASE) is not None


def words_put_in(case: Case) -> Iterator[str]:
    """The source's sentence with words put in that stand nowhere near: ``thymol, made of bones, removes mites``."""
    for difference in _differences(case):
        told = [word for word in difference.mine if word.is_content and word.lower not in MONTHS]
        known = case.context.known.stems | LIGHT | case.context.spelled_out
        ours = [word for word in told if word.stem not in known and not is_of_mail(case, word)]
        if len(OF_SOURCE & {word.lower for word in ours}) > 1:
            continue  # "when the document was written"
        is_strange = not any(case.context.around.has_kin_of(word) for word in ours)
        if not difference.theirs and len(ours) > 1 and is_strange:
            yield f"what is quoted says nothing of {shown(difference.mine)!r}: leave it out"
            return


@dataclass(frozen=True)
class _Difference:
    """The one place where a sentence of the claim differs from one of the source."""

    mine: tuple[StemmedWord, ...]
    theirs: tuple[StemmedWord, ...]
    sentence: tuple[StemmedWord, ...]
    """The claim's."""
    source: tuple[StemmedWord, ...]

    @property
    def told(self) -> tuple[list[StemmedWord], list[StemmedWord]]:
        """The content words and numbers on both sides."""
        mine, theirs = ([word for word in words if word.tells] for words in (self.mine, self.theirs))
        return mine, theirs


def _differences(case: Case) -> Iterator[_Difference]:
    for said in case.claim.sentences:
        mine = _without_page(case, said)
        found = [[*_difference(mine, theirs)] for theirs in case.context.stated.parted(_HALVING)]
        if all(each is not None for difference in found for each in difference):
            yield from (each for difference in found for each in difference if each is not None)


def _without_page(case: Case, words: Sequence[StemmedWord]) -> Sequence[StemmedWord]:
    """The words of a sentence without an ``of the page's thing``, which the source leaves to be understood."""
    own, kept = case.context.known.stems - case.context.stated.stems, list[StemmedWord]()
    for word in words:
        of = next((each.lower for each in reversed(kept) if each.lower != "the"), "")
        if word.stem in own and word.is_content and of in _OF:
            del kept[max(at for at, each in enumerate(kept) if each.lower == of) + 1 :]
        else:
            kept.append(word)
    while kept and kept[-1].lower in _OF:
        kept.pop()
    return [word for word, behind in zip(kept, [*kept[1:], None], strict=True) if not _is_left(word, behind, words)]


def _is_left(word: StemmedWord, behind: StemmedWord | None, words: Sequence[StemmedWord]) -> bool:
    """True for an ``of`` behind which nothing stands any more."""
    at = words.index(word)
    return word.lower in _OF and behind is not None and words[at + 1] is not behind


def _difference(mine: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> Iterator[_Difference | None]:
    """Where they differ, if that is but one place; None where they do not, and nothing where they do in more."""
    claim, source = ([word for word in words if word.lower not in _LOOSE] for words in (mine, _without_asides(theirs)))
    ours, its = ([word.stem if word.is_content else word.lower for word in words] for words in (claim, source))
    if len({*ours} & {*its}) < _FEWEST or max(len(ours), len(its)) > _MANY:
        return
    codes = SequenceMatcher(None, ours, its, autojunk=False).get_opcodes()
    # The source may say more before and behind.
    parts = [each for each in codes if each[0] != "equal" and not (each[0] == "insert" and each[1] in (0, len(claim)))]
    if not parts:
        yield None
    if len(parts) != 1 or parts[0][0] == "insert":
        return
    _, first, last, start, end = parts[0]
    if last == len(claim):  # the source may go on behind it
        end = min(end, start + last - first)
    same = sum(word.tells for word in (*claim[:first], *claim[last:]))
    fewest = _FEWEST if _are_sure((*claim[first:last], *source[start:end])) else _SHARED
    if same >= fewest and (end == start or max(last - first, end - start) <= _LONGEST):
        yield _Difference(tuple(claim[first:last]), tuple(source[start:end]), tuple(mine), tuple(theirs))


def _without_asides(words: Sequence[StemmedWord]) -> Iterator[StemmedWord]:
    """The words of a sentence outside its brackets."""
    is_aside = False
    for word in words:
        is_aside = word.after == "(" or (is_aside and word.after != ")")
        if not is_aside:
            yield word


def _are_sure(words: Sequence[StemmedWord], common: Collection[str] = ()) -> bool:
    """True for names, code, numbers and units, for which nobody has other words.

    The first word of a sentence is a name where it is none of the ``common`` ones.
    """
    return all(
        word.code
        or word.is_number
        or word.lower in UNITS
        or word.lower in WORDS
        or (
            word.text[0].isupper()
            and (not word.begins or (bool(common) and word.lower not in common and not word.lower.endswith("ly")))
        )
        for word in words
    )


def _are_same(ours: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> bool:
    """True where some word is the other's, its synonym or the same unit in short."""
    stems = {word.stem for word in theirs}
    units = {UNITS[word.lower] for word in theirs if word.lower in UNITS}
    return any(
        word.stem in stems or SYNONYMS.get(word.stem, frozenset()) & stems or UNITS.get(word.lower) in units
        for word in ours
    )


def _is_restated(case: Case, difference: _Difference) -> bool:
    """True where a number that differs is the same amount in another form: two weeks for a fortnight."""
    ours = [each for each in quantities(case.claim) if case.claim.words[each.at] in difference.mine]
    stated = case.context.stated
    held = [each for each in quantities(stated) if {*stated.words[each.at : each.at + 2]} & {*difference.theirs}]
    units = [UNITS[word.lower] for word in difference.theirs if word.lower in UNITS]
    return any(is_restated(case, each, held) or (each.kind, each.amount) in units for each in ours)


def _is_thing(case: Case, difference: _Difference) -> bool:
    """True for a noun that stands in a noun's place and nowhere in the sentences quoted."""
    mine, theirs = difference.mine, difference.theirs
    before, behind = _beside(difference.sentence, mine)
    is_noun = all(word.is_content or word.lower in _JOINED for word in (*mine, *theirs))
    if not is_noun or before in _VERBAL:
        return False
    article, _ = _beside(difference.source, theirs)
    is_modifier = behind is not None and behind.is_content and not behind.lower.endswith(("s", "ed"))
    is_strange = not any(
        case.context.stated.has_kin_of(word) or word.lower in UNITS or word.lower.endswith(("ly", "ed", "ing"))
        for word in mine
    )
    in_place = not before or before in _BEFORE_NOUNS or mine[0].text[0].isupper() or article in ("a", "an", "the")
    return is_strange and not is_modifier and in_place


def _is_other_word(case: Case, difference: _Difference) -> bool:
    """True for one word in the place of another that it does not stand for: ``drink it`` for ``fear it``."""
    if "row" in case.context.kinds:
        return False  # a cell stands under a head, and whoever tells it makes a sentence of both
    words = [*difference.told[0], *difference.told[1]]
    small = {word.lower for word in (*difference.mine, *difference.theirs) if word not in words}
    if len(words) != _PAIR or not difference.told[0] or not difference.told[1] or not small <= _PREPOSITIONS:
        return False
    is_plain = all(
        word.is_content and word.stem not in _LOOSELY_USED and not word.lower.endswith("ly") for word in words
    )
    mine, theirs = words
    are_states = {mine.stem, theirs.stem} <= IN_OTHER_WORDS and not are_apart(mine.stem, theirs.stem)
    is_alike = mine.stem in same_side(theirs.stem) or are_states
    return is_plain and not is_alike and not case.context.stated.has_kin_of(mine)


def _beside(sentence: Sequence[StemmedWord], words: Sequence[StemmedWord]) -> tuple[str, StemmedWord | None]:
    """The word right before ``words`` in their sentence, and the one behind them in their clause."""
    first, last = sentence.index(words[0]), sentence.index(words[-1]) + 1
    behind = sentence[last] if last < len(sentence) and sentence[last].clause == words[-1].clause else None
    return sentence[first - 1].lower if first else "", behind
