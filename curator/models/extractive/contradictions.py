"""Statements that cannot both hold: ``The keeper checks each lantern every 14 days``, and elsewhere every 30 days.

They give one value of one thing, and not the same. A clause is compared, not the
whole sentence: what a part of it gives as a reason has nothing to do with the value. Two clauses speak of one value when
every word of the shorter stands in the longer, or in the name of its page, and

- both count the same unit, and neither bounds it (``at least``) where the other does not;
- neither has a condition (``in fog``), a year, a name or a number of a thing that the other has not;
- both say what holds, or both what has to be, or both what is to come (``will cost 32 euros from 2027``).

A statement that tells a change (``is moved to``, ``is dropped``) need not say as much again of what it changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.models.extractive.parsing.lexicon import AUXILIARIES, CALENDAR, STOP, VERBS
from curator.wiki.english.stems import stem

_CARRYING = frozenset(
    "new old small large big bad good great best better first second third last least different previous next former "
    "latter current specific single double multiple simple main major certain up down off out below above "
    "inside outside".split()
)
_EMPTY = (STOP - _CARRYING) | AUXILIARIES
_CLAUSE = re.compile(r"[;:]\s|,\s(?!\d)|\s(?:that|because|while|but|although|whereas)\s")
_MONTHS = "january february march april may june july august september october november december".split()
_DATE = re.compile(
    rf"(?:\d{{1,2}} (?:{'|'.join(_MONTHS)}) \d{{4}}|(?:{'|'.join(_MONTHS)}) \d{{1,2}}, \d{{4}})", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NUMBER = re.compile(
    r"(?<![\w.,-])(?P<sign>minus |-)?(?P<number>\d+(?:[.,]\d+)*)(?:\s?(?P<mark>[%°€$£])|[ -](?P<unit>[^\W\d_]+))?(?!\w)"
)
_SPELLED = dict(
    zip("one two three four five six seven eight nine ten eleven twelve".split(), map(str, range(1, 13)), strict=True)
)
_MAY_COUNT = re.compile(rf"\d|\b(?:{'|'.join(_SPELLED)})\b", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:at (?:least|most)|up to|no more|more than|less than|fewer than|over|under|about|around|nearly|almost|roughly"
    r"|only|between|or more|or less|maximum|minimum|max|min|average|mean)\b"
)
_ALIKE = {"up to": "at most", "maximum": "at most", "minimum": "at least"}
"""Bounds that say what another one says."""
_RULE = re.compile(
    r"\b(?:must|shall|should|may|can|could|might|has to|have to|need(?:s|ed)? to|required)\b", re.IGNORECASE
)
_PER = re.compile(r"\bper \d+\b")
_NOT = re.compile(r"\b(?:not|no|never|without|nor|neither)\b|n't\b")
_CONDITION = frozenset(
    "if when unless during for under with without in at on after before as while where than per".split()
)
_WILL = re.compile(r"\b(?:will|going to)\b")
_FROM = re.compile(
    r"\b(?:(?:from|as of|starting|beginning)(?: in)?(?: [A-Z][a-z]+)? (?:1[5-9]|20)\d\d"
    r"|next (?:year|month|week|season|spring|summer|autumn|winter))\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:(?:moved|postponed|extended|raised|lowered|changed|reduced|increased|brought forward|put off|shortened) to"
    r"|now)\b"
)
_ONCE = frozenset(
    map(stem, "born died founded invented built established opened discovered introduced created".split())
)


@dataclass(frozen=True)
class ValueClause:
    """A clause with the one value that it gives."""

    unit: str
    value: str
    words: frozenset[str]
    """The stems of what it says beside the value."""
    names: frozenset[str] = frozenset()
    """Capitalised words, and numbers that name a thing."""
    conditional: frozenset[str] = frozenset()
    """Those of ``words`` that stand in a condition."""
    years: frozenset[str] = frozenset()
    bounds: frozenset[str] = frozenset()
    is_rule: bool = False
    is_denied: bool = False
    changes: bool = False
    is_to_come: bool = False


ValueStatement = tuple[ValueClause, ...]
"""The values that a statement gives."""


def value_statement(plain: str) -> ValueStatement:
    """Read ``plain``, a statement without markup."""
    return tuple(_clauses(plain))


def disagree(new: ValueStatement, old: ValueStatement, own: frozenset[str], context: frozenset[str]) -> bool:
    """True when both give one value of one thing, and not the same.

    ``own`` are the words of the new one's document, ``context`` those of the old one's page: what they name goes without
    saying.
    """
    return any(_differ(one, other, own, context) for one in new for other in old)


class StatementsByValue:
    """What a source says, by what it gives values of: few of its statements may disagree with one of another source."""

    def __init__(self, plain: Sequence[str]) -> None:
        self._said = [value_statement(each) for each in plain]
        self._by_unit: dict[str, set[int]] = {}
        for at, each in enumerate(self._said):
            for clause in each:
                self._by_unit.setdefault(clause.unit, set()).add(at)

    def against(self, old: ValueStatement, own: frozenset[str], context: frozenset[str]) -> int:
        """The place of the first that disagrees with ``old``; -1 for none. See ``disagree``."""
        alike = (self._by_unit.get(clause.unit, set()) for clause in old)
        return next((at for at in sorted(set().union(*alike)) if disagree(self._said[at], old, own, context)), -1)


def context_of(names: tuple[str, ...]) -> frozenset[str]:
    """The words of the names of a page."""
    return frozenset(word for name in names for word in (*_stems(name), *re.findall(r"\d+", name)))


_MEASURES = frozenset(
    "kg g mg t km m cm mm l ml bar volt volts watt watts litre litres liter liters gram grams kilogram kilograms "
    "kilometre kilometres kilometer kilometers metre metres meter meters second seconds minute minutes hour hours day days "
    "night nights week weeks month months year years percent degree degrees euro euros dollar dollars byte bytes kb mb "
    "gb hz khz w kw".split()
)
"""What is surely counted, also behind a name."""


# -- reading -------------------------------------------------------------------------------------------------------


def _clauses(plain: str) -> Iterator[ValueClause]:
    sentence = 0
    for stop in [*re.finditer(r"(?<=[.!?])\s+(?=[A-Z])", plain), None]:
        text = plain[sentence : stop.start() if stop else len(plain)]
        sentence = stop.end() if stop else len(plain)
        label = re.match(r"([^.;:!?]{2,60}): (?=\d|minus )", text)  # a property and its value
        for part in [text.replace(": ", " ", 1)] if label else _CLAUSE.split(text):
            yield from _value_clause(part, opens=text.startswith(part))


def _value_clause(text: str, *, opens: bool) -> Iterator[ValueClause]:
    """The clause as a value, when it has just one."""
    if not _MAY_COUNT.search(text):
        return
    dates = _DATE.findall(text)
    bare = _PER.sub(" ", _DATE.sub(" ", text))
    values = [found for found in counted(bare) if not _YEAR.fullmatch(found[1])]
    years = _YEAR.findall(bare)
    if len(dates) == 1 and not values:
        unit, value, taken = "date", " ".join(dates[0].casefold().replace(",", "").split()), dates[0]
    elif len(values) == 1 and not dates:
        unit, value, taken = values[0]
    elif len(years) == 1 and not values and not dates and _ONCE & set(_stems(bare)):
        unit, value, taken = "year", years[0], years[0]
        years = []
    else:
        return
    rest = text.replace(taken, " ", 1)
    yield ValueClause(
        unit,
        value,
        frozenset(_stems(rest.replace("up to", " "))),
        frozenset(_names(rest, opens=opens)),
        frozenset(_conditional(rest)),
        frozenset(years),
        frozenset(_ALIKE.get(each, each) for each in _BOUND.findall(text.casefold())),
        bool(_RULE.search(text)),
        bool(_NOT.search(text)),
        bool(_CHANGES.search(text)),
        bool(_WILL.search(text) and _FROM.search(text)),
    )


def counted(text: str) -> Iterator[tuple[str, str, str]]:
    """Unit, number and how both are written, of each number that counts something."""
    for match in _NUMBER.finditer(text):
        unit = match["mark"] or (match["unit"] or "").casefold()
        named = re.search(r"(?<!\w)[A-Z]\w*+ \Z", text[: match.start()]) and not match["mark"] and unit not in _MEASURES
        if unit and unit not in _EMPTY and unit not in VERBS and unit not in CALENDAR and not named:
            yield stem(unit), f"{'-' if match['sign'] else ''}{match['number'].replace(',', '.')}", match[0]
    for match in re.finditer(rf"\b({'|'.join(_SPELLED)}) ([^\W\d_]{{3,}})", text, re.IGNORECASE):
        if match[2].casefold() not in _EMPTY:
            yield stem(match[2]), _SPELLED[match[1].casefold()], match[0]


def _stems(text: str) -> Iterator[str]:
    for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", _CHANGES.sub(" ", text)):
        if word.casefold() not in _EMPTY and len(word) > 1:
            yield stem(word)


def _names(text: str, *, opens: bool) -> Iterator[str]:
    for match in re.finditer(r"[^\W\d_][\w-]*|\d+", text):
        word = match[0]
        begins = opens and not text[: match.start()].strip()
        if word.isdigit() and not _YEAR.fullmatch(word):
            yield word
        elif word[0].isupper() and not begins:
            yield stem(word)


def _conditional(text: str) -> Iterator[str]:
    """The stems of the three words behind a word that begins a condition."""
    words = re.findall(r"[^\W\d_]+", text)
    for at, word in enumerate(words):
        if word.casefold() in _CONDITION:
            yield from _stems(" ".join(words[at + 1 : at + 4]))


# -- comparing -----------------------------------------------------------------------------------------------------


def _differ(new: ValueClause, old: ValueClause, own: frozenset[str], context: frozenset[str]) -> bool:
    same_frame = (new.bounds, new.is_denied, new.is_to_come) == (old.bounds, old.is_denied, old.is_to_come)
    if new.unit != old.unit or new.value == old.value or not same_frame:
        return False
    if new.years != old.years and new.years and old.years:
        return False
    if not (new.names <= old.words | old.names | context and old.names <= new.words | new.names | own):
        return False
    shared = new.words & old.words
    if new.unit == "date" and not (new.changes or (new.is_rule and old.is_rule) or shared & _ONCE):
        return False
    if new.changes:
        return len(shared) >= 2 and 3 * len(shared) >= 2 * min(len(new.words), len(old.words))
    same = own & context if own <= context or context <= own else frozenset()
    if new.is_rule != old.is_rule or not shared or len(shared | same) < 2:
        return False
    extra = ((new.words - old.words) | (old.words - new.words)) - own - context
    is_within = new.words <= old.words | context or old.words <= new.words | own
    return is_within and len(extra) <= len(shared) and not extra & (new.conditional | old.conditional)
