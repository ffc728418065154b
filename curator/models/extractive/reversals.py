"""Statements that a later one takes back in their own words: ``The valve cannot be opened by hand``, and elsewhere
``Since 2020 the valve can be opened by hand``.

The later one tells that it is a change (``since``, ``as of``, ``now``, ``no longer``); both are of the page's thing, in
the same words in the same order, and

- one of them is denied, and the other not; or
- both count one unit behind the same verb, and not the same number of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from curator.models.extractive.contradictions import counted
from curator.models.extractive.parsing.lexicon import STOP, VERBS
from curator.wiki.english.stems import stem

_PART = re.compile(r";\s+|(?<=[.!?])\s+(?=\W?[A-Z])")
_WORD = re.compile(r"no_longer|[^\W_]+(?:['’._-][^\W_]+)*")
_SINCE = re.compile(
    r"(?:since|(as of|from|starting (?:with|in|from)|beginning (?:with|in))) ([^,;]{2,50}?)(?:, | on,? |(?<=\d) )(?=\w)",
    re.IGNORECASE,
)
_AT_END = re.compile(r",? (?:since|(as of)) ([^,;]{2,50})\Z")
_TIME = re.compile(r"\b(?:(?:1[5-9]|20)\d\d\b|(?:version|release|edition|revision)\b|[A-Z]\w*+ \d)")
"""What "as of" and "from" need behind them to tell a time: "from 3 metres on" is a place."""
_ANY_MORE = re.compile(r"\bany ?more\b")
_NO_LONGER, _NUMBER = re.compile(r"\bno longer\b"), re.compile(r"\bNos?\.? ?(?=\d)|\bnos?\. ?(?=\d)")
_MODALS = {
    word: words.split()[0]
    for words in ("can cannot can't", "may", "must mustn't shall", "should shouldn't")
    for word in words.split()
}
_AUXILIARIES = frozenset("is are do does has have".split())
_CONTRACTED = frozenset("cannot can't isn't aren't doesn't don't won't hasn't haven't mustn't shouldn't".split())
_NOT = _CONTRACTED | frozenset("not no never no_longer".split())
_ADVERBS = frozenset("now also yet still already".split())
_DENIES = {
    "is not": {"is"},
    "can not": {"can", "may", "must", "should"},
    "may no longer": {"may"},
    "must not": {"may", "must", "should"},
    "should not": {"must", "should"},
    "no longer must": {"must"},
    "no longer should": {"should"},
}
"""What cannot hold beside a denial. Much can be done that must not be; and what "may not" be, may be another day."""
_EMPTY = _NOT | _AUXILIARIES | _ADVERBS | frozenset((*_MODALS, *"the a an be been".split()))
"""What two statements that are told alike need not both have."""
_POINTING = frozenset("this that these those it they he she there we you one both such".split())
_PREPOSITIONS = frozenset("of with for in on at from by to".split())
_BEFORE_VALUES = frozenset(map(stem, STOP | VERBS))
_COUNTED = "# "
_FEWEST = 3
"""Words said of a thing that goes by one word without a capital, at least: "the argument is now required" is of many."""


@dataclass(frozen=True)
class _Told:
    words: tuple[str, ...]
    """All that tell something, stemmed, with the unit in the place of the number that is counted."""
    value: str
    says: str
    """Whether it is so, or may be, or must: ``is``, ``is not``, ``can``, ``can not``, ``no longer must``."""
    is_change: bool
    text: str


@dataclass(frozen=True)
class _Change:
    place: int
    told: _Told
    said: Sequence[str]
    """The words behind the name."""


class Reversals:
    """What a source says that it changes, by the first word of the thing."""

    def __init__(self, plain: Sequence[str]) -> None:
        self._changes: dict[str, list[tuple[int, _Told]]] = {}
        for at, each in enumerate(plain):
            for told in _told(each):
                if told.is_change and told.words:
                    self._changes.setdefault(told.words[0], []).append((at, told))

    def about(self, names: Collection[str]) -> Sequence[_Change]:
        """Those of a thing that has ``names``."""
        by_name = [(stems, name) for name in names if (stems := _stems(name)) and stems[0] in self._changes]
        found = [
            (at, told, _said_of(told, stems, name)) for stems, name in by_name for at, told in self._changes[stems[0]]
        ]
        return [_Change(at, told, said) for at, told, said in found if said]


def taken_back(old: str, changes: Sequence[_Change]) -> int:
    """The place of the first of ``changes`` that takes back the statement ``old``; -1 for none.

    One that says more than a sentence is left alone: the rest of it may hold.
    """
    said = [*_told(old)] if changes and len(_PART.split(old.strip())) == 1 else []
    return next((new.place for one in said for new in changes if not one.is_change and _takes_back(new, one)), -1)


def _takes_back(change: _Change, old: _Told) -> bool:
    new = change.told
    if new.words != old.words:
        return False
    if new.value == old.value:
        return old.says in _DENIES.get(new.says, ()) or new.says in _DENIES.get(old.says, ())
    at = next(at for at, word in enumerate(change.said) if word.startswith(_COUNTED))
    is_behind_verb = at == 1 or (at > 1 and change.said[at - 1] in _BEFORE_VALUES)
    is_behind_verb = is_behind_verb and change.said[0] not in _PREPOSITIONS
    return is_behind_verb and new.says == old.says


def _said_of(told: _Told, stems: Sequence[str], name: str) -> Sequence[str]:
    """What a statement says that begins with the name; nothing where that is too little to be surely of this thing."""
    rest = told.words[len(stems) :]
    is_proper = len(stems) > 1 or re.search(rf"(?<=\w ){re.escape(name)}\b", told.text) is not None
    is_proper = is_proper and any(letter.isupper() for letter in name)
    is_of = told.words[: len(stems)] == tuple(stems) and len(rest) >= (1 if is_proper else _FEWEST)
    return rest if is_of else ()


def _told(plain: str) -> Iterator[_Told]:
    for part in _PART.split(plain):
        text = _NO_LONGER.sub("no_longer", _ANY_MORE.sub("now", _NUMBER.sub("number ", part.strip().rstrip(".!"))))
        is_since = False
        for found in (_SINCE.match(text), _AT_END.search(text)):
            if found is not None and not is_since and (not found[1] or _TIME.search(found[2])):
                text, is_since = text[: found.start()] + text[found.end() :], True
        said = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
        says = _says([word for word in said if word not in _ADVERBS])
        if not said or said[0] in _POINTING or not says:
            continue
        is_now = "now" in said or "no_longer" in said
        start, end, unit, value = _value(text)
        words = (*_stems(text[:start]), f"{_COUNTED}{unit}", *_stems(text[end:])) if value else (*_stems(text),)
        yield _Told(words, value, says, is_since or is_now, text)


def _says(said: Sequence[str]) -> str:
    """Which of ``_DENIES`` a sentence of these words is; empty where it denies a part of itself, or has two modal verbs."""
    modals = {_MODALS[word] for word in said if word in _MODALS}
    denials = [at for at, word in enumerate(said) if word in _NOT]
    modal = "".join(modals)
    if len(modals) > 1 or len(denials) > 1:
        return ""
    if not denials:
        return modal or "is"
    at = denials[0]
    word, before, behind = said[at], said[at - 1] if at else "", said[at + 1] if at + 1 < len(said) else ""
    if not modal:
        is_whole = word in _CONTRACTED or word in ("never", "no_longer") or before in _AUXILIARIES
        return "is not" if is_whole or (word == "no" and before in VERBS) else ""
    if word == "no_longer" and behind in _MODALS:
        return {"can": "can not", "may": "may no longer"}.get(modal, f"no longer {modal}")
    if word not in _CONTRACTED and before not in _MODALS:
        return ""
    return f"{modal} not" if modal != "may" else "" if word == "not" else "may no longer"


def _stems(text: str) -> list[str]:
    words = (word.casefold().replace("’", "'") for word in _WORD.findall(text))
    return [stem(word) for word in words if word not in _EMPTY]


def _value(text: str) -> tuple[int, int, str, str]:
    """Where the one number stands that counts something, its unit and itself; empty where there is none, or several."""
    found = [*counted(text)]
    at = text.find(found[0][2]) if len(found) == 1 else -1
    return (at, at + len(found[0][2]), found[0][0], found[0][1]) if at > 0 else (0, 0, "", "")
