"""Who does it and to whom, and from where to where.

Every word of such a claim may stand in the source. What is compared is where it stands: a rule speaks only when both
things are there and each is where the source has the other.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import pairwise, product, takewhile

from curator.wiki.english.stems import PAST
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.rules.values import joins_adjectives, pieces_of

_ROLES = {
    **{word: word for word in "from to by with for over against than before after until".split()},
    "into": "to",
    "onto": "to",
    "till": "until",
}
_OTHER_ROLES = frozenset("about under over in on at".split())
"""Prepositions that end what the one before them governs."""
_INSTEAD = frozenset(("instead", "rather"))
_RELATIVE = frozenset(("whose", "which", "whom"))
"""Words behind a preposition that governs none of what follows: ``by whose advertising the server asks``."""
_OPPOSED = frozenset(
    frozenset(pair)
    for pair in (
        ("from", "to"),
        ("from", "until"),
        ("before", "after"),
        ("before", ""),
        ("after", ""),
        ("instead", ""),
        ("instead", "with"),
        ("by", ""),
        ("by", "to"),
    )
)
"""Roles that tell one side from the other; an empty one is that of a subject or an object."""
_PERSONS = frozenset(("you", "we", "they"))
AUXILIARIES = frozenset(
    "is are was were be been being am has have had do does did will would shall should can could may might must to "
    "not".split()
)
_FINITE = frozenset("is are was were has have had will would shall should can could may might must".split())
_BE = frozenset("is are was were be been being".split())
_BEFORE_VERBS = AUXILIARIES | frozenset("who which that it he she they we you i never also then now".split())
_BEFORE_NOUNS = frozenset(
    "the a an this that these those its their his her of in on at for with by from each every no".split()
)
_BEHIND_PARTICIPLES = frozenset("in at on for with from here there above below".split())
_AGAINST = {"for": "against", "against": "for", "inside": "outside", "outside": "inside"}
_HALVING = frozenset((";", ":", "—", "–"))
_OPPOSING = frozenset(("while", "whereas", "but"))
_CONTRASTING = frozenset("instead rather than unlike but only".split())
_TIMES = frozenset(("before", "after"))
_TWO = {0, 1}
_MOST = 0.3
"""Of so much of what a piece of the source says alone the claim has to speak."""
_GOVERNED = 3
"""Words that a preposition governs, at most."""


def roles_swapped(case: Case) -> Iterator[str]:
    """Who does it and whom it is done to, or from where and to where, have changed places."""
    for mine in case.claim.sentences:
        for theirs in case.context.stated.sentences:
            fields = sum(word.after == ":" for word in theirs) > 1  # a head, run together
            pair = None if fields else _swapped_roles(_roles(mine), _roles(theirs)) or _swapped_sides(mine, theirs)
            if (
                pair
                and not _is_owned(pair, (*mine, *theirs))
                and not all(_are_behind(pair, each) for each in (mine, theirs))
            ):
                yield f"{_written(pair[0], case)!r} and {_written(pair[1], case)!r} have changed places"
                return
            if of := _of_swapped(mine, theirs):
                yield f"{_written(of[0], case)!r} and {_written(of[1], case)!r} have changed places"
                return
            if taken := _taken_too(mine, theirs):
                yield f"the source says something rather than {taken!r}, the claim has both"
                return
            for was, now in _side_taken(mine, theirs):
                yield f"the source says {was!r} where the claim says {now!r}"
                return
    for ours, others in product((pieces_of, _halves_of), repeat=2):
        numbers = {word.stem for word in case.claim.words if word.is_number and not case.source.is_version(word.text)}
        named = numbers | {word.stem for word in case.claim.words if word.code or word.text[0].isupper()}
        only = named if ours is others is pieces_of else None
        for one, other in _crossed(_places(case.claim, ours), _places(case.context.stated, others), only):
            yield f"the claim says of {_written(one, case)!r} what the source says of {_written(other, case)!r}"
            return


def _written(stem: str, case: Case) -> str:
    """A word as the claim, or the source, writes it."""
    words = (*case.claim.words, *case.context.stated.words)
    return next((word.text for word in words if word.stem == stem), stem)


def _are_behind(pair: tuple[str, str], words: Sequence[StemmedWord]) -> bool:
    """True for ``before the syrup is given`` and ``before they give it``: both stand behind what tells the time."""
    places = [at for at, word in enumerate(words) if word.lower in ("before", "after")]
    return bool(places) and all(word.stem not in pair for word in words[: places[0]])


def _is_owned(pair: tuple[str, str], words: Sequence[StemmedWord]) -> bool:
    """True where one is said to be the other's: ``the tree's backend`` is ``the backend of the tree``."""
    return any(word.stem in pair and word.text.endswith(("'s", "’s", "s'", "s’")) for word in words)


def _roles(sentence: Sequence[StemmedWord]) -> dict[str, set[str]]:
    """Each content word by its stem, with the prepositions that govern it; an empty one for none."""
    found: dict[str, set[str]] = {}
    role, left = "", 0
    for at, word in enumerate(sentence):
        if at and word.clause != sentence[at - 1].clause:
            role = ""
        behind = sentence[at + 1].lower if at + 1 < len(sentence) else ""
        if word.lower in _INSTEAD and behind in ("of", "than"):
            role, left = "instead", _GOVERNED
        elif word.lower in _ROLES and role != "instead" and behind not in _RELATIVE:
            role, left = _ROLES[word.lower], _GOVERNED
        elif word.lower in _OTHER_ROLES and role != "instead":
            role, left = "", 0
        elif word.lower in AUXILIARIES or word.lower in ("who", "which", "that"):
            role = ""
        elif _is_thing(word) and word.lower != "existing":  # "the existing formats" are "the formats that existed"
            found.setdefault(word.stem, set()).add(role if left > 0 else "")
            behind_name = at + 1 < len(sentence) and sentence[at + 1].text[0].isupper() and not sentence[at + 1].after
            left -= not (word.text[0].isupper() and behind_name)  # a name is one thing
    return found


def _is_thing(word: StemmedWord) -> bool:
    return word.tells or word.lower in _PERSONS


def _swapped_roles(mine: dict[str, set[str]], theirs: dict[str, set[str]]) -> tuple[str, str] | None:
    shared = [stem for stem in mine if len(mine[stem]) == 1 and len(theirs.get(stem, ())) == 1]
    changed = [
        (stem, next(iter(theirs[stem])), next(iter(mine[stem]))) for stem in shared if mine[stem] != theirs[stem]
    ]
    for one, was, now in changed:
        if one[0].isdecimal() and {was, now} == {"from", "to"}:
            return f"from {one}", f"to {one}"
        for other, then, after in changed:
            alike = one[0].isdecimal() == other[0].isdecimal()
            if (was, now) == (after, then) and frozenset((was, now)) in _OPPOSED and alike:
                return one, other
    return None


def _swapped_sides(mine: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> tuple[str, str] | None:
    """Two words that stand on the other sides of a verb that both sentences have, in the same voice."""
    for at, verb in enumerate(mine):
        place = next((place for place, other in enumerate(theirs) if other.stem == verb.stem), None)
        if {word.lower for word in mine} & _TIMES != {word.lower for word in theirs} & _TIMES:
            continue  # "A runs before B" is "B runs after A"
        if place is None or not (is_verb(mine, at) and is_verb(theirs, place)):
            continue
        (left, right), (before, behind) = sides_of(mine, at), sides_of(theirs, place)
        if is_passive(mine, at) and is_passive(theirs, place):
            right, behind = _agents_of(mine, at), _agents_of(theirs, place)
        elif is_passive(mine, at) != is_passive(theirs, place):
            is_mine = is_passive(mine, at)
            by = _agents_of(mine, at) if is_mine else _agents_of(theirs, place)
            left, right, before, behind = (by, left, before, behind) if is_mine else (left, right, by, before)
        for one in left & behind:
            for two in right & before:
                named = one.isdecimal() and _count(mine, two) == _count(theirs, two)  # "Notice 12 replaces the notice"
                once = (one, verb.stem) if named else (one, two, verb.stem)
                if one != two and all(_count(sentence, stem) == 1 for sentence in (mine, theirs) for stem in once):
                    return one, two
    return None


def _of_swapped(mine: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> tuple[str, str] | None:
    """``B is the daughter of A``, where the source says that of A."""
    held = set(_relations(theirs))
    swapped = [(one, other) for one, thing, other in _relations(mine) if (other, thing, one) in held and one != other]
    return swapped[0] if swapped else None


def _relations(words: Sequence[StemmedWord]) -> Iterator[tuple[str, str, str]]:
    """Every ``A is the daughter of B``: the name A, the relation, and the name B."""
    for at in range(1, len(words) - 3):
        article, thing, of = words[at : at + 3]
        is_said = words[at - 1].lower in ("is", "was")
        is_of = (is_said or article.after == ",") and article.lower in ("a", "an", "the") and of.lower == "of"
        before = [*takewhile(lambda word: word.text[0].isupper(), reversed(words[: at - is_said]))][::-1]
        behind = [*takewhile(lambda word: word.text[0].isupper(), words[at + 3 :])]
        if is_of and before and behind:
            yield " ".join(word.text for word in before), thing.stem, " ".join(word.text for word in behind)


def _taken_too(mine: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> str:
    """``The yard and the crew``, where the source says the yard rather than the crew."""
    told, held = _roles(mine), _roles(theirs)
    if any(word.lower in _CONTRASTING or word.lower in NOT for word in mine):
        return ""
    behind = {each.stem for at, word in enumerate(mine) if word.lower == "and" for each in mine[at + 1 : at + 3]}
    return next((each for each in told if held.get(each) == {"instead"} and each in behind), "")


def _agents_of(words: Sequence[StemmedWord], at: int) -> set[str]:
    """The things behind the ``by`` of the passive verb at ``at``, or its ``with``: ``replaced with``."""
    if not (words[at].lower.endswith(("ed", "en")) or words[at].lower in PAST):
        return set()
    clause = [word for word in words[at + 1 :] if word.clause == words[at].clause]
    by = next((place for place, word in enumerate(clause) if word.lower in ("by", "with")), len(clause))
    return _group(clause[by + 1 :])


def _side_taken(mine: Sequence[StemmedWord], theirs: Sequence[StemmedWord]) -> Iterator[tuple[str, str]]:
    """``voted for`` where the source has ``voted against``, and nowhere ``voted for``."""
    for verb, side in pairwise(mine):
        other = _AGAINST.get(side.lower, "")
        sides = {behind.lower for before, behind in pairwise(theirs) if before.stem == verb.stem}
        if other in sides and side.lower not in sides and (verb.is_content or verb.lower in _BE):
            yield f"{verb.text} {other}", f"{verb.text} {side.lower}"


def _crossed(mine: dict[str, int], theirs: dict[str, int], named: Container[str] | None) -> Iterator[tuple[str, str]]:
    """Two words each of which has what the source says of the other: A may and B must not, for B may and A must not.

    With ``named``, only where two of the four words are among these.
    """
    met: dict[tuple[int, int], list[str]] = {}
    for stem in mine:
        if stem in theirs:
            met.setdefault((theirs[stem], mine[stem]), []).append(stem)
    has_name = {key: named is None or any(stem in named for stem in stems) for key, stems in met.items()}
    for one, here in met:
        for other, there in met:
            if not (one < other and here != there and (one, there) in met and (other, here) in met):
                continue
            if min(_share(mine, theirs, one), _share(mine, theirs, other)) < _MOST:
                continue  # of what a piece of the source says the claim has but a word: nothing of it is exchanged
            across = has_name[one, here] and has_name[other, there]
            denied = any("not" in met[key] for key in ((one, here), (other, there), (one, there), (other, here)))
            if across or denied or (has_name[one, there] and has_name[other, here]):
                yield met[one, here][0], met[other, here][0]


def _share(mine: dict[str, int], theirs: dict[str, int], piece: int) -> float:
    """How much of what stands in a piece of the source, and in no other, the claim has."""
    told = [stem for stem, place in theirs.items() if place == piece]
    return sum(stem in mine for stem in told) / len(told)


def _places(text: Phrase, pieces: Callable[[Phrase], list[int]]) -> dict[str, int]:
    """The content words and numbers that stand in one of the ``pieces`` only, by stem, with the number of it.

    So does the "not" of a text of two pieces.
    """
    found: dict[str, set[int]] = {}
    numbers = pieces(text)
    all_pieces = {*numbers}
    for word, piece in zip(text.words, numbers, strict=True):
        if word.tells and not word.lower.endswith("ly"):
            found.setdefault(word.stem, set()).add(piece)
        elif word.lower in NOT and all_pieces == _TWO:
            found.setdefault("not", set()).add(piece)
    return {stem: next(iter(places)) for stem, places in found.items() if len(places) == 1}


def _halves_of(text: Phrase) -> list[int]:
    """For each word the number of the sentence, or the half of one at ``;``, ``while``, ``, and``, that it stands in."""
    found: list[int] = []
    for at, (last, word) in enumerate(zip((None, *text.words), text.words, strict=False)):
        parted = last is not None and (
            word.sentence != last.sentence
            or word.after in _HALVING
            or (word.lower in _OPPOSING and not joins_adjectives(text.words, at))
            or (word.after == "," and word.lower == "and")
        )
        found.append((found[-1] if found else 0) + parted)
    return found


def _count(sentence: Sequence[StemmedWord], stem: str) -> int:
    return sum(word.stem == stem for word in sentence)


def is_verb(words: Sequence[StemmedWord], at: int) -> bool:
    word = words[at]
    if not word.is_content or word.code or at == 0 or word.clause != words[at - 1].clause:
        return False
    before = words[at - 1].lower
    behind = words[at + 1].lower if at + 1 < len(words) else ""
    if (behind == "of" and before not in _BE) or behind in _FINITE:
        return False  # "late returns of books", "racing eights are"
    if before in _BEFORE_VERBS or before.endswith("ly"):
        return True
    inflected = word.lower.endswith(("s", "ed")) and not word.lower.endswith(("ss", "us"))
    inflected = inflected or word.lower in PAST
    follows = _is_thing(words[at - 1]) and at + 1 < len(words) and words[at + 1].clause == word.clause
    return before not in _BEFORE_NOUNS and follows and (inflected or before in _PERSONS)


def is_passive(words: Sequence[StemmedWord], at: int) -> bool:
    behind = words[at + 1].lower if at + 1 < len(words) else ""
    if behind == "by":
        return words[at].lower.endswith(("ed", "en")) or words[at].lower in PAST
    if at and words[at - 1].is_content and words[at].lower.endswith("ed") and behind in _BEHIND_PARTICIPLES:
        return True  # "the mechanism introduced in version 3"
    near = [word.lower for word in words[max(0, at - 3) : at] if word.clause == words[at].clause]
    cleft = max((place + 1 for place, word in enumerate(near) if word in ("what", "that", "who", "which")), default=0)
    return bool(_BE & {*near[cleft:]}) and not words[at].lower.endswith("ing")


def sides_of(words: Sequence[StemmedWord], at: int) -> tuple[set[str], set[str]]:
    """The things of the nearest group of words before the verb at ``at``, and of the nearest behind it."""
    clause = words[at].clause
    before = [word for word in words[:at] if word.clause == clause][::-1]
    return _group(before), _group([word for word in words[at + 1 :] if word.clause == clause])


def _group(words: Sequence[StemmedWord]) -> set[str]:
    """The first things of ``words`` that stand together."""
    found: set[str] = set()
    for word in words:
        if _is_thing(word) and not word.lower.endswith("ly"):
            found.add(word.stem)
        elif found:
            break
    return found
