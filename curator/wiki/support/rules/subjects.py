"""Of whom it is said at all: what stands under one name, in one row, list or field, given to another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import is_not, shown

_LONGEST = 3
"""Words of a name, at most."""
_LIST = re.compile(r"(?:^|(?<=[.;\n]))\s*([A-Z][\w ]{1,30}):\s+([^.:;\n]{2,400})")
_MEMBERS = re.compile(r"[,;]|\band\b")
_ROLE = re.compile(r"([A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*)*)\s*\(([a-z][a-z -]{2,30})\)")
_BEING = frozenset(
    "is was were are be been being who has had in the a an as acting also served serves acted elected appointed made "
    "chosen for it".split()
)
"""Words between a name and what its bearer is."""
_PARTICLES = frozenset("of the de del da di du la le van von der den ter zu zur y e bin ibn al".split())
_Name = tuple[str, ...]


def subject_swapped(case: Case) -> Iterator[str]:
    """What the source says of one, under its name, the claim says of another one of the same list."""
    own = [label for label in case.context.labels.own if label.content]
    if own and case.is_close and not any(word.stem in case.whole.stems for label in own for word in label.content):
        for label in case.context.labels.others:
            names = {word.stem for word in label.content}
            if 0 < len(names) <= _LONGEST and names <= case.whole.stems and not names & _told(case):
                yield f"what is quoted is said of {shown(own[0].words)!r}, the claim says it of {shown(label.words)!r}"
                return
    yield from _other_row(case)
    yield from _other_lists(case)


def _other_row(case: Case) -> Iterator[str]:
    """Another row's name, or the page's, over what the row of something else says."""
    own = [label for label in case.context.labels.own if label.content]
    if "row" not in case.context.kinds or any(case.whole.has_kin_of(word) for label in own for word in label.content):
        return
    stated = case.context.stated.stems
    for label in case.context.labels.others if own else ():
        names = {word.stem for word in label.content}
        if 0 < len(names) <= _LONGEST and names <= case.whole.stems and not names & stated:
            yield f"what is quoted is said of {shown(own[0].words)!r}, the claim says it of {shown(label.words)!r}"
            return
    leads = [word for word in case.claim.words[:_LONGEST] if word.is_content][:1]
    if len(own) == 1 and case.context.kinds == {"row"} and any(word.stem in case.context.known.stems for word in leads):
        yield f"what is quoted is said of {shown(own[0].words)!r}, the claim says it of {leads[0].text!r}"


def _told(case: Case) -> frozenset[str]:
    """The stems of what is stated and known."""
    return case.context.known.stems | case.context.stated.stems | case.context.headings.stems


def _other_lists(case: Case) -> Iterator[str]:
    """The claim gives a label, or a role in brackets, to a name that stands in another list, or has another's role."""
    in_head = "field" in case.context.kinds  # whose labels are no words that a claim would take
    lists = {} if in_head else dict(_lists(case.context.around))
    for sentence in case.claim.sentences if lists else ():
        if any(map(is_not, sentence)):
            continue
        yield from _other_label(sentence, lists)
        yield from _other_role(sentence, case, frozenset().union(*lists.values()))


def _other_label(sentence: tuple[StemmedWord, ...], lists: Mapping[str, frozenset[_Name]]) -> Iterator[str]:
    """``Eva Strand was present``, where the source has her under ``Absent``."""
    for label, members in lists.items():
        for other in lists.keys() - {label}:
            for name in members - lists[other]:
                if _is_told_of(name, other, sentence):
                    yield f"what is quoted lists {' '.join(name)!r} under {label!r}, the claim under {other!r}"
                    return


def _other_role(sentence: tuple[StemmedWord, ...], case: Case, names: frozenset[_Name]) -> Iterator[str]:
    """``Jonas Berg was in the chair``, where the source has ``Mira Holm (chair), Jonas Berg``."""
    said = frozenset(word.stem for word in sentence)
    held = [(_stems(name), stem(role.split()[-1])) for name, role in _ROLE.findall(case.context.around.plain)]
    for name in names if held else ():
        own = {role for other, role in held if other == name}
        for holder, role in held:
            if holder == name or role in own or not _is_in(name, said) or _is_in(holder, said):
                continue
            if _is_told_of(name, role, sentence):
                yield f"what is quoted says {role!r} of {' '.join(holder)!r}, the claim of {' '.join(name)!r}"
                return


def _is_told_of(name: _Name, role: str, sentence: tuple[StemmedWord, ...]) -> bool:
    """True for ``<name> was in the <role>``, ``<role> <name>`` and ``<role> by <name>``."""
    words = [word for word in sentence if word.lower != "by"]
    for at, word in enumerate(words):
        if word.stem == name[-1]:
            behind = next((each for each in words[at + 1 :] if each.lower not in _BEING), None)
            if behind is not None and behind.stem == role:
                return True
    return any(one.stem == role and other.stem == name[0] for one, other in pairwise(words))


def _lists(text: Phrase) -> Iterator[tuple[str, frozenset[_Name]]]:
    """The last word of each label, and the names of its list without what stands in brackets."""
    for label, members in _LIST.findall(text.plain):
        bare = [re.sub(r"\([^)]*\)", "", member).strip() for member in _MEMBERS.split(members)]
        names = frozenset(_stems(member) for member in bare if _is_name(member))
        if names:
            yield stem(label.split()[-1].lower()), names


def _is_name(member: str) -> bool:
    """True for ``Eva Strand``, ``Jan van der Meer``; not for ``Take votes amongst the Developers``."""
    words = member.split()
    return member[:1].isupper() and all(word[:1].isupper() or word in _PARTICLES for word in words)


def _stems(name: str) -> _Name:
    return tuple(word.stem for word in phrase(name).words)


def _is_in(name: _Name, said: frozenset[str]) -> bool:
    return bool(name) and set(name) <= said
