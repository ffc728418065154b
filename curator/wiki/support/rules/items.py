"""The members of a claim's lists, and which of them what is quoted does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.wiki.english.quantities import MONTHS
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.coverage import is_covered, is_stated

_AND = frozenset(("and", "or"))
_ASIDES = frozenset(("example", "instance"))
"""Of ``for example``, between the commas of a list."""
_SENTENCE = frozenset(
    "because since so as which who that what how where whatever when if while is are was were be has have had can may "
    "must will would should do does to not by without".split()
)
"""Words that no member of a list of names has."""
_LONGEST_MEMBER = 4
"""Words of one member of a list."""


def item_unknown(case: Case) -> Iterator[str]:
    """One member of a list is in none of what is quoted, while the others are."""
    for members, is_sure in _lists(case.claim.words):
        content = [[word for word in member if word.is_content and word.lower not in _ASIDES] for member in members]
        if any(word.lower in _SENTENCE for member in members for word in member):
            continue
        asked = [words for words in content[not is_sure :] if not any(word.lower in MONTHS for word in words)]
        missing = [words for words in asked if words and not any(is_covered(case, word) for word in words)]
        missing = [words for words in missing if len(words) > 1 or not is_stated(case, words[0])]
        held = [words for words in content if words and all(is_covered(case, word) for word in words)]
        named = [words for words in content if words and all(word.stem in case.context.stated.stems for word in words)]
        strange = [words for words in asked if len(named) >= 2 and _has_strange_name(case, words)]
        if strange or (missing and len(held) >= 2):
            for words in strange or missing:
                yield f"{' '.join(word.text for word in words)!r} is not among what is quoted"


def _has_strange_name(case: Case, words: Sequence[StemmedWord]) -> bool:
    """True for ``the Brin lens``; not for ``modifying its XML file``, which only names what is quoted more exactly."""
    strange = [word for word in words if _is_strange_name(case, word)]
    others = [word for word in words if word not in strange]
    return bool(strange) and not (len(others) > len(strange) and all(is_stated(case, word) for word in others))


def _is_strange_name(case: Case, word: StemmedWord) -> bool:
    """True for a name or code that the very sentences quoted do not have; nobody says it in another word."""
    is_listed = "row" in case.context.kinds or len(case.context.spans) > 1
    listed = case.context.around if is_listed else case.context.stated
    held = f"{listed.plain}\n{case.context.led.plain}\n{case.context.known.plain}".lower()
    is_name = word.code or (word.text[0].isupper() and not word.begins)
    return is_name and word.lower not in held and word.stem not in listed.stems


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
