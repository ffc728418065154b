"""What turned round: opposites beside the same word, the two sides of a comparison, names that changed places, versions
from which on or up to which something holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.compared import turned_by_numbers
from curator.wiki.support.rules.negating import NOT

_OPPOSITES = (
    "more|less fewer,most|least fewest,many|few,easier easy|harder hard difficult,simpler simple|complicated complex,"
    "faster fast quicker quick|slower slow,before prior preceding|after subsequent following,older|newer,old|new,"
    "earlier early previous|later late recent latest current,ahead beforehand|afterwards afterward,above|below,"
    "higher high|lower low,larger large bigger big|smaller small,longer long|shorter short,"
    "stronger strong|weaker weak,strengthen|weaken,increase rise grow gain|decrease fall drop shrink lose,"
    "better good best|worse bad worst,first|last,minimum|maximum,optional|required mandatory compulsory,"
    "common frequent|rare uncommon,widely|rarely seldom,allow permit|forbid prohibit disallow,include|exclude,"
    "enable|disable,valid|invalid,mutable|immutable,public|private,static|dynamic,start begin|stop end,accept|reject,"
    "safe|unsafe dangerous,cheap|expensive,internal|external,local|global remote,warm hot|cold cool,dry|wet,"
    "positive|negative,import|export,open|close shut,left|right,top|bottom,inner|outer,success succeed|failure fail,"
    "improve|worsen degrade,win|lose,beneficial|harmful,advantage|disadvantage,possible|impossible,legal|illegal,"
    "automatic|manual,explicit|implicit,lossless|lossy,absolute|relative,strict|lenient loose,backward|forward,"
    "previous|next,unlimited|limited,equal|unequal different,sealed|open,read|write,encourage recommend|discourage,"
    "recommended|discouraged,raise|lower reduce,increase|reduce,boot startup|shutdown,"
    "gain|loss,wide|narrow,deep|shallow,true|false,"
    "ancestor parent superclass|descendant child subclass,eager|lazy,major|minor,senior|junior,"
    "north northern|south southern,east eastern|west western,"
    "expand expansion|shrink shrinkage contraction,efficient efficiently|inefficient slow slower,"
    "shared|exclusive,near nearest close closest|far farthest distant,sooner|later longer,double-blind blinded|open-label,"
    "perpetual permanent|temporary limited,mild|severe,male|female,parent parents|child offspring nestling,guilty|innocent,"
    "voluntary|compulsory mandatory,morning|evening,day daytime|night,dawn|dusk,indoors indoor|outdoors outdoor,raw|cooked,"
    "empty|full,winter|summer,spring|autumn,ahead|behind,inside|outside,approve pass|reject defeat,carry carried|reject "
    "defeat,ally|enemy,debit|credit,buyer|seller,lender|borrower,landlord|tenant,employer|employee,plaintiff|defendant,"
    "closer together|farther further apart,winner|loser,upgrade|downgrade,"
    "vertical|horizontal,sender|recipient receiver,solid|liquid,acid acidic|alkaline,urban|rural,rise|fall"
)
OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in _OPPOSITES.split(","):
    _left, _right = ([stem(word) for word in side.split()] for side in _pair.split("|"))
    for _side, _other in ((_left, _right), (_right, _left)):
        for _word in _side:
            OPPOSITES[_word] = OPPOSITES.get(_word, frozenset()) | frozenset(_other)
_SAME_TIME = tuple(
    frozenset(map(stem, words.split()))
    for words in ("before earlier previous prior ago", "after later subsequent following")
)
_BOTH_WAYS = (_SAME_TIME[0] | {stem("ahead")}, _SAME_TIME[1])
_POLES = (
    frozenset(map(stem, "more larger bigger higher longer greater increase rise grow gain expand".split())),
    frozenset(map(stem, "less fewer smaller lower shorter decrease fall drop shrink lose".split())),
)
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_NO_OPPOSITES = frozenset("mistake mistakes mistaken mistook mistaking".split())
"""What begins as a negated word does and is none: one may be taken, or mistaken, for the other."""
_ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth".split())
_REACH = 3
_MANY_NAMES = 30
"""Names of a sentence in which nobody looks for two that changed places."""
"""Content words beside an opposite that it may belong to."""
_UNDONE = frozenset("broken breaks breaking lack lacks lacking loss missing absent".split())
"""Words beside which a thing is there no more, as behind a "not": compatibility is broken."""


def turned_round(case: Case) -> Iterator[str]:
    """The claim says the opposite (easier, harder) beside a word that it shares with the source."""
    stated, claim = case.context.stated, case.claim
    for at, word in enumerate(claim.words):
        opposites = _opposites(word, stated, is_listed=not case.rewords(word.clause))
        if not opposites or word.code or word.stem in stated.stems or _is_idiom(claim.words, at):
            continue
        if any(same & stated.stems for same in _SAME_TIME if word.stem in same):
            continue  # "a year before" is "a year earlier"
        mine_too, theirs_too = _clause_of(claim, word), _about(stated, opposites)
        if any(all(same & theirs_too and same & mine_too for same in ways) for ways in (_BOTH_WAYS, _POLES)):
            continue  # after one and before another, on both sides; "smaller ones grow" is "less gets larger"
        if any(_are_swapped(*sides) for sides in _pairs(stated, claim)):
            continue  # "less than B" is what "B is more" says
        alike = {each for opposite in opposites for each in OPPOSITES.get(opposite, frozenset((word.stem,)))}
        mine = _beside(claim.words, at) - _all_beside(stated, alike) - _all_beside(claim, opposites)
        found = [(place, other) for place, other in enumerate(stated.words) if other.stem in opposites]
        negated = {_is_negated(stated, place) for place, _ in found} - {_is_negated(claim, at)}
        for place, other in found if not negated else ():
            if mine & _beside(stated.words, place):
                yield f"the source says {other.text!r} where the claim says {word.text!r}"
                return


def ordinal_turned(case: Case) -> Iterator[str]:
    """The first of something, where the source says that of the third."""
    stated, claim = case.context.stated, case.claim
    for word, behind in pairwise(claim.words):
        negated = any(each.lower in NOT for each in (*claim.words, *stated.words))
        if negated or word.lower not in _ORDINALS or word.lower in case.context.around.lowers or not behind.is_content:
            continue
        for other, thing in pairwise(stated.words):
            if other.lower in _ORDINALS and thing.stem == behind.stem:
                yield f"the source says {other.text!r} where the claim says {word.text!r}"
                return


def sides_swapped(case: Case) -> Iterator[str]:
    """In "A is more than B" the two sides have changed places."""
    pairs = list(_pairs(case.context.stated, case.claim))
    for one, other in pairs:
        if any(each == other for each, _ in pairs):
            continue
        if one.degree == other.degree and _are_swapped(one, other):
            yield f"the sides of the comparison ({other.degree}) have changed places"
            return
    yield from turned_by_numbers(case)


def places_swapped(case: Case) -> Iterator[str]:
    """Two names stand in the order of the source's sentence only when they change places."""
    claim = [word for word in case.claim.words if word.is_content or word.is_number]
    compares = "than" in case.claim.lowers  # the two sides of a comparison need be no names
    if "by" in case.claim.lowers or {"from", "to"} <= case.claim.lowers or len(claim) < 4 or case.is_reworded:
        return
    names = [at for at, word in enumerate(claim) if compares or word.code or word.is_number or word.text[0].isupper()]
    mine = [word.stem for word in claim]
    for sentence in case.context.stated.sentences:
        theirs = [word.stem for word in sentence if word.is_content or word.is_number]
        differs = compares and _degrees(sentence) != _degrees(case.claim.words)
        if differs or any(word.lower == "by" for word in sentence):
            continue
        once = [at for at in names if mine.count(mine[at]) == theirs.count(mine[at]) == 1]
        for first, second in combinations(once[:_MANY_NAMES], 2):
            if not _fits_swapped(mine, theirs, first, second):
                continue
            if not _is_bound(case.claim.words, sentence, claim[first], claim[second]):
                yield f"{claim[first].text!r} and {claim[second].text!r} have changed places"
                return


def _degrees(words: Sequence[StemmedWord]) -> frozenset[str]:
    """The ``than`` of a comparison, and what is compared: more, less, older."""
    return frozenset(
        word.lower for word in words if word.lower in ("than", "more", "less") or word.lower.endswith("er")
    )


def _is_bound(
    claim: Sequence[StemmedWord], sentence: Sequence[StemmedWord], one: StemmedWord, two: StemmedWord
) -> bool:
    """True where each has the small word before it that it has in the source, and not the other's: per 100, in 300."""
    ours = {behind.stem: before.lower for before, behind in pairwise(claim) if behind in (one, two)}
    theirs = {behind.stem: before.lower for before, behind in pairwise(sentence) if behind.stem in (one.stem, two.stem)}
    small = {before.lower for before in claim if not before.is_content and not before.is_number}
    return ours == theirs and len({*ours.values()} & small) == 2


def _opposites(word: StemmedWord, stated: Phrase, *, is_listed: bool) -> frozenset[str]:
    """The stems of its opposites there: those that are listed, and ``unusable`` for ``usable``."""
    found = set(OPPOSITES.get(word.stem, ())) if is_listed else set()
    if is_listed and word.lower.endswith("est"):
        found |= OPPOSITES.get(stem(f"{word.lower[:-3]}er"), frozenset())
    if is_listed and word.lower.endswith("er"):
        other = [each for each in stated.words if each.lower.endswith("er")]
        found |= {each.stem for each in other if _bases(word.lower) & _opposed(_bases(each.lower))}
    found |= {stem(f"{each.removesuffix('er')}est") for each in found if each.endswith("er")}
    return ((_bare(word.lower) | found) & stated.stems) | _negated(stated).get(word.stem, frozenset())


def _bases(word: str) -> frozenset[str]:
    """The stems of ``narrow`` and ``wide`` for ``narrower`` and ``wider``."""
    return frozenset(map(stem, (word.removesuffix("er"), word.removesuffix("r"), f"{word.removesuffix('ier')}y")))


def _opposed(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(other for each in stems for other in OPPOSITES.get(each, ()))


@lru_cache(maxsize=2_048)
def _negated(text: Phrase) -> dict[str, frozenset[str]]:
    """The stems of its words with a negating prefix, by the stems of what they negate."""
    found: dict[str, frozenset[str]] = {}
    for word in text.words:
        for bare in _bare(word.lower):
            found[bare] = found.get(bare, frozenset()) | {word.stem}
    return found


def _is_idiom(words: Sequence[StemmedWord], at: int) -> bool:
    """True for ``short of`` and ``as long as``, which say nothing of a length."""
    before, behind = (words[place].lower if 0 <= place < len(words) else "" for place in (at - 1, at + 1))
    return words[at].lower == "unlike" or (words[at].lower == "short" and behind == "of") or before == behind == "as"


def _clause_of(text: Phrase, word: StemmedWord) -> frozenset[str]:
    return frozenset(each.stem for each in text.words if each.clause == word.clause)


def _about(text: Phrase, stems: frozenset[str]) -> frozenset[str]:
    """The stems of the clauses in which one of ``stems`` stands."""
    clauses = {word.clause for word in text.words if word.stem in stems}
    return frozenset(word.stem for word in text.words if word.clause in clauses)


def _bare(word: str) -> frozenset[str]:
    """The stem of ``usable`` for ``unusable``."""
    if word in _NO_OPPOSITES:
        return frozenset()
    prefixes = [prefix for prefix in _PREFIXES if word.startswith(prefix) and len(word) > len(prefix) + 3]
    return frozenset(stem(word.removeprefix(prefix)) for prefix in prefixes)


def _is_negated(text: Phrase, at: int) -> bool:
    word = text.words[at]
    near = [each for each in text.words[max(0, at - 5) : at] if each.clause == word.clause]
    behind = [each.lower for each in text.words[at + 1 : at + 4] if each.clause == word.clause]
    if _UNDONE & {*behind, *(each.lower for each in near)}:
        return True
    return any(each.lower in NOT or each.lower == "unless" or each.lower.endswith("n't") for each in near)


def _beside(words: Sequence[StemmedWord], at: int) -> set[str]:
    """The stems of the content words nearest to place ``at`` in its sentence."""
    behind = [word for word in words[at + 1 : at + 9] if word.sentence == words[at].sentence]
    before = [word for word in words[max(0, at - 8) : at] if word.sentence == words[at].sentence]
    ahead = [word.stem for word in behind if word.is_content][:_REACH]
    back = [word.stem for word in reversed(before) if word.is_content][:_REACH]
    return {*ahead, *back} - set(OPPOSITES)


def _all_beside(text: Phrase, stems: Iterable[str]) -> set[str]:
    """What stands beside any of the words with ``stems``."""
    return {
        key
        for at, word in enumerate(text.words)
        if word.stem in stems and not word.code
        for key in _beside(text.words, at)
    }


@dataclass(frozen=True)
class _Comparison:
    """``left is more than right``, by stems."""

    degree: str
    left: frozenset[str]
    right: frozenset[str]


def _pairs(stated: Phrase, claim: Phrase) -> Iterator[tuple[_Comparison, _Comparison]]:
    """Every comparison of the source that has both sides with every one of the claim."""
    yield from ((one, other) for one in _comparisons(stated) if one.right for other in _comparisons(claim))


def _are_swapped(one: _Comparison, other: _Comparison) -> bool:
    only_left, only_right = one.left - one.right, one.right - one.left
    if other.right:  # the verb may stand on either left side
        return bool(other.left & only_right and other.right & only_left and not other.right & only_right)
    return bool(other.left & only_right and not other.left & only_left)


def _comparisons(text: Phrase) -> Iterator[_Comparison]:
    """Every comparison in a clause; where no ``than`` follows, without its right side."""
    for clause in text.clauses:
        for at, word in enumerate(clause):
            is_more = word.lower in ("more", "less") and at + 1 < len(clause)
            if not is_more and not (word.lower.endswith("er") and word.stem in OPPOSITES):
                continue
            than = next((place for place in range(at, len(clause)) if clause[place].lower == "than"), None)
            left = frozenset(each.stem for each in clause[:at] if each.is_content)
            right = frozenset(each.stem for each in clause[than + 1 :] if each.is_content) if than else frozenset()
            yield _Comparison(f"{word.lower} {clause[at + 1].lower}" if is_more else word.lower, left, right)


def _fits_swapped(mine: list[str], theirs: list[str], first: int, second: int) -> bool:
    """True when all that is shared is in order once both names, which stand once on either side, change places."""
    one, two = mine[first], mine[second]
    if one.startswith(two) or two.startswith(one):
        return False
    if second == first + 1 or theirs.index(one) < theirs.index(two):
        return False
    swapped = list(mine)
    swapped[first], swapped[second] = two, one
    before, after = _in_order(mine, theirs), _in_order(swapped, theirs)
    return after >= before + 2 and after == sum(word in theirs for word in mine)


def _in_order(mine: list[str], theirs: list[str]) -> int:
    """The length of the longest run of words that stand in both in the same order."""
    row = [0] * (len(theirs) + 1)
    for word in mine:
        last = row
        row = [0]
        for at, other in enumerate(theirs):
            row.append(last[at] + 1 if word == other else max(last[at + 1], row[at]))
    return row[-1]
