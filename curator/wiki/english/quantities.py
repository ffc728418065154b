"""The numbers of a text, in digits and in words, each with its unit and what it counts; and its dates."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from curator.wiki.english.spelled import WORDS, follows, scaled, spelled, with_parts
from curator.wiki.english.words import Phrase, StemmedWord

_TIMES = {"twice": 2, "doubled": 2, "doubles": 2, "thrice": 3, "tripled": 3, "triples": 3}
UNITS: dict[str, tuple[str, float]] = {
    form: (kind, factor)
    for forms, kind, factor in (
        ("ns nanosecond nanoseconds", "time", 1e-9),
        ("us usec µs microsecond microseconds", "time", 1e-6),
        ("ms msec millisecond milliseconds", "time", 1e-3),
        ("s sec secs second seconds", "time", 1),
        ("min mins minute minutes", "time", 60),
        ("h hr hrs hour hours", "time", 3_600),
        ("day days", "time", 86_400),
        ("fortnight fortnights", "time", 1_209_600),
        ("century centuries", "time", 3_153_600_000),
        ("week weeks", "time", 604_800),
        ("byte bytes", "size", 1),
        ("kb kib kilobyte kilobytes", "size", 1e3),
        ("mb mib megabyte megabytes", "size", 1e6),
        ("gb gib gigabyte gigabytes", "size", 1e9),
        ("tb tib terabyte terabytes", "size", 1e12),
        ("mm millimetre millimetres millimeter millimeters", "length", 1e-3),
        ("cm centimetre centimetres centimeter centimeters", "length", 1e-2),
        ("m metre metres meter meters", "length", 1),
        ("km kilometre kilometres kilometer kilometers", "length", 1e3),
        ("mile miles mi", "length", 1609.344),
        ("foot feet ft", "length", 0.3048),
        ("inch inches", "length", 0.0254),
        ("yard yards", "length", 0.9144),
        ("ml millilitre millilitres milliliter milliliters", "volume", 1e-3),
        ("l litre litres liter liters", "volume", 1),
        ("cup cups", "volume", 0.24),
        ("lb lbs", "weight", 453.6),
        ("pound pounds gbp", "pounds", 1),
        ("oz ounce ounces", "weight", 28.35),
        ("dollar dollars usd", "dollars", 1),
        ("euro euros eur", "euros", 1),
        ("mg milligram milligrams", "weight", 1e-3),
        ("g gram grams", "weight", 1),
        ("kg kilogram kilograms", "weight", 1e3),
        ("t ton tons tonne tonnes", "weight", 1e6),
        ("month months", "time", 2_628_000),
        ("year years", "time", 31_536_000),
        ("decade decades", "time", 315_360_000),
        ("times fold x", "times", 1),
        ("percent percentage", "share", 0.01),
        ("degree degrees", "degrees", 1),
    )
    for form in forms.split()
}
_HALF_A_DAY = 12 * 60
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2})?")
_MILLIONS = {"m": 1e6, "mn": 1e6, "bn": 1e9, "k": 1e3}
_CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
_SPANS = frozenset("minute hour day week month year decade".split())
"""Units before which an ``a`` is a number."""
_PREPOSITIONS = frozenset("of in for with at by to on from than per within during under over between".split())
_ARTICLES = frozenset("the a an his her its their our my your this that these those".split())
_ANOTHER = frozenset("full whole further additional extra entire".split())
_BEFORE_UNITS = _ANOTHER | frozenset("a an of the more consecutive".split())
"""Words that may stand between a number and its unit: ``two full years``."""
_FRACTIONS = {"half": 0.5, "quarter": 0.25}
_AGO = frozenset("ago later earlier long old each apart ahead late early".split())
MONTHS = {
    name[:length]: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(), start=1
    )
    for length in (3, len(name))
} | {"sept": 9}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<y>\d{4})(?P<mark>[-/.])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})\b(?![./-]\d)",
        r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>[12]\d{3})\b",
        r"\b(?P<m>0?[1-9]|1[0-2])/(?P<y>1[5-9]\d\d|20\d\d)\b",
        rf"\b(?P<d>\d{{1,2}})(?=\s?(?:to|and|until|till|through|-|–)\s?\d{{1,2}}\s(?P<n>{_MONTH})\b(?:\s(?P<y>\d{{4}})\b)?)",
        r"\b(?P<y>[12]\d{3})-(?P<m>0[1-9]|1[0-2])\b(?!-\d)",
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[\s-]\s*(?:of\s+)?(?P<n>{_MONTH})\b\.?(?:,?[\s-]\s*(?P<y>\d{{4}})\b)?",
        rf"\b(?P<n>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d|\.\d)(?:,?\s+(?P<y>\d{{4}})\b)?",
        rf"\b(?P<n>{_MONTH})\b\.?,?\s+(?:of\s+)?(?P<y>\d{{4}})\b",
    )
)
_ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth".split())
_YEARS, _LAST_YEAR = 1000, 2100
"""Numbers that are a decade's, before a mere "s": 1920s."""
REACH = 3
"""Words between a number and what it counts, at most."""


@dataclass(frozen=True)
class Quantity:
    """A number in a text."""

    shown: str
    value: str
    """In digits, without grouping: ``1250``, ``3.9``, ``1.1.117``."""
    counted: tuple[str, ...]
    """Stems of the content words behind it in its clause, the next ones."""
    named: str
    """The word just before it, as the name that a version belongs to; empty where a small word stands there."""
    kind: str = ""
    """What its unit measures; empty without one."""
    amount: float = 0.0
    unit: float = 1.0
    """The amount of one of its unit."""
    worded: bool = False
    code: bool = False
    at: int = 0
    """The place of its first word in the text."""

    @property
    def is_mere_one(self) -> bool:
        """True for a "one" in words, which may count nothing."""
        return self.worded and self.value == "1" and not self.kind

    def is_about(self, other: Quantity) -> bool:
        """True for the same amount of the same, rounded or not; a time of day may leave open whether it is before noon."""
        if self.kind == other.kind == "clock":
            apart = abs(self.amount - other.amount)
            return apart == 0 or (apart == _HALF_A_DAY and not (":" in self.shown and ":" in other.shown))
        if self.kind != other.kind:
            return False
        is_close = math.isclose(self.amount, other.amount, rel_tol=0.02)  # 5 miles are 8 km
        return is_close and (self.unit != other.unit or self.amount == other.amount or self.rounds(other.amount))

    def rounds(self, amount: float) -> bool:
        """True when ``amount`` is this number once it is rounded to as many places as are shown."""
        places = len(self.value.partition(".")[2])
        zeros = len(self.value) - len(self.value.rstrip("0")) if not places and len(self.value) > 1 else 0
        return abs(self.amount - amount) <= 0.5001 * self.unit * 10.0 ** (zeros - places)


@dataclass(frozen=True)
class Date:
    """A date, so far as it is given."""

    shown: str
    year: int = 0
    month: int = 0
    day: int = 0

    def agrees(self, other: Date) -> bool:
        mine, theirs = (self.year, self.month, self.day), (other.year, other.month, other.day)
        return all(not ours or not its or ours == its for ours, its in zip(mine, theirs, strict=True))


@lru_cache(maxsize=2_048)
def dates(text: Phrase) -> tuple[Date, ...]:
    """The dates in ``text``."""
    found = []
    for start, end, match in _date_spans(text.plain):
        groups = match.groupdict()
        month = groups.get("m") or MONTHS.get((groups.get("n") or "").lower(), 0)
        found.append(Date(text.plain[start:end], int(groups.get("y") or 0), int(month), int(groups.get("d") or 0)))
    return tuple(found)


@lru_cache(maxsize=2_048)
def _date_spans(plain: str) -> tuple[tuple[int, int, re.Match[str]], ...]:
    found: list[tuple[int, int, re.Match[str]]] = []
    taken: set[int] = set()
    for pattern in _DATES:
        for match in pattern.finditer(plain):
            is_verb = " may" in match[0]  # "1.2.9 may need"
            if not is_verb and taken.isdisjoint(range(*match.span())):
                taken.update(range(*match.span()))
                found.append((*match.span(), match))
    return tuple(found)


def months_named(text: Phrase) -> frozenset[int]:
    """The months that it names, in full or short: ``October``, ``Oct.``, ``early oct``; not the verbs may and march."""
    named = (word for word in text.words if word.text[0].isupper() or word.lower not in ("may", "mar", "march"))
    return frozenset(MONTHS[word.lower] for word in named if word.lower in MONTHS)


@lru_cache(maxsize=2_048)
def quantities(text: Phrase) -> tuple[Quantity, ...]:
    """The numbers in ``text`` that are no part of a date."""
    taken = _words_of_dates(text)
    found = []
    words = text.words
    at = 0
    while at < len(words):
        if at in taken or _is_ordinal(words, at):
            at += 1
            continue
        quantity, after = _quantity(words, at)
        if quantity is not None:
            found.append(quantity)
        at = after
    return tuple(found)


def _is_ordinal(words: tuple[StemmedWord, ...], at: int) -> bool:
    """True for the number of ``2nd`` and the ``twenty`` of ``twenty-fourth``, which count nothing."""
    behind = words[at + 1].lower if at + 1 < len(words) else ""
    is_tens = words[at].lower in ("twenty", "thirty") and behind in _ORDINALS
    return is_tens or (words[at].is_number and behind in ("st", "nd", "rd", "th"))


@lru_cache(maxsize=2_048)
def date_places(text: Phrase) -> tuple[tuple[int, Date], ...]:
    """The dates in ``text``, each with the place of its first word; none where they cannot be told apart."""
    taken = sorted(_words_of_dates(text))
    firsts = [at for at in taken if at - 1 not in taken]
    found = dates(text)
    in_order = sorted(found, key=lambda date: text.plain.index(date.shown))
    return tuple(zip(firsts, in_order, strict=True)) if len(firsts) == len(found) else ()


def _words_of_dates(text: Phrase) -> set[int]:
    """Which words belong to a date: those that its spans hold, counted in order."""
    shown = [text.plain[start:end] for start, end, _ in sorted(_date_spans(text.plain), key=lambda span: span[0])]
    flat = [word.text for word in text.words]
    taken: set[int] = set()
    at = 0
    for date in shown:
        pieces = re.findall(r"\d+|[^\W\d]+", date)
        for start in range(at, len(flat)):
            joined = [
                piece for word in flat[start : start + len(pieces)] for piece in re.findall(r"\d+|[^\W\d]+", word)
            ]
            if joined[: len(pieces)] == pieces:
                taken.update(range(start, start + len(pieces)))
                at = start + len(pieces)
                break
    return taken


def _quantity(words: tuple[StemmedWord, ...], at: int) -> tuple[Quantity | None, int]:
    """The number that begins at word ``at``, and the place of the word behind it."""
    word = words[at]
    if word.lower in _TIMES:
        return _made(words, at, at, _TIMES[word.lower], "times"), at + 1
    clock = _clock(words, at)
    if clock is not None:
        return clock
    value, after = _value(words, at)
    if value is None:
        return None, at + 1
    if after < len(words) and words[after].lower == "orders" and follows(words, after, "of", "magnitude"):
        return _made(words, at, after + 2, 10.0**value, "times"), after + 3
    return _made(words, at, after - 1, value, ""), after


def _value(words: tuple[StemmedWord, ...], at: int) -> tuple[float | None, int]:
    """What the words from ``at`` on say in numbers; of a version number, and of a ratio such as ``60:40``, -1."""
    word = words[at]
    if word.is_number:
        number = _ungrouped(word.text)
        value = float(number) if number.count(".") < 2 and ":" not in number else -1.0
        value, after = scaled(words, at + 1, value)
        return with_parts(words, after, value) if value > 0 else (value, after)
    if word.lower in _FRACTIONS and at + 1 < len(words) and words[at + 1].lower in UNITS and not words[at + 1].after:
        return _FRACTIONS[word.lower], at + 1  # "a quarter century"
    of = at > 0 and words[at - 1].lower == "of"
    more = at + 1 < len(words) and words[at + 1].lower in _ANOTHER
    if (word.lower in ("a", "an") and _is_span(words, at + 1 + more) and not of) or (
        word.lower == "another" and _is_span(words, at + 1)
    ):
        return (1.5 if follows(words, at + 1, "and", "a", "half") else 1.0), at + 1
    return spelled(words, at)


def _clock(words: tuple[StemmedWord, ...], at: int) -> tuple[Quantity, int] | None:
    """A time of day: ``20:00``, ``8.30 p.m.``, ``eight o'clock``; its amount is in minutes."""
    word = words[at]
    if not (word.text[:1].isdigit() or word.lower in WORDS):
        return None
    time = _TIME.fullmatch(word.text) or _TIME.fullmatch(f"{_ungrouped(word.text)}:00" if word.is_number else "")
    hour, minute = (int(time[1]), int(time[2])) if time else (int(WORDS.get(word.lower, 99)), 0)
    behind = [each.lower for each in words[at + 1 : at + 3]]
    half = next((mark for mark in "ap" if behind[:1] == [f"{mark}m"] or behind == [mark, "m"]), "")
    marked = half or behind[:1] == ["o'clock"]
    if hour > 24 or minute > 59 or not (marked or ":" in word.text):
        return None
    hour = hour % 12 + 12 * (half == "p") if half else hour
    after = at + 1 + (0 if not marked else 2 if behind == [half, "m"] else 1)
    shown = " ".join(each.text for each in words[at:after])
    return Quantity(
        shown, f"{hour}:{minute:02}", (), "", "clock", 60 * hour + minute, 1, not word.is_number, word.code, at
    ), after


def _is_span(words: tuple[StemmedWord, ...], at: int) -> bool:
    """True for the ``week`` of ``for a week``; not for ``a minute change`` or ``a day trip``."""
    if at >= len(words) or words[at].lower not in _SPANS:
        return False
    behind = words[at + 1] if at + 1 < len(words) else None
    return behind is None or behind.clause != words[at].clause or not behind.is_content or behind.lower in _AGO


def _made(words: tuple[StemmedWord, ...], first: int, last: int, value: float, kind: str) -> Quantity:
    word = words[first]
    shown = " ".join(each.text for each in words[first : last + 1])
    text = _ungrouped(word.text) if word.is_number and first == last else f"{value:.6f}".rstrip("0").rstrip(".")
    text = text.lstrip("0") or text if text.isdecimal() else text
    behind = [each for each in words[last + 1 : last + 2 + REACH] if each.clause == words[last].clause]
    factor, before = 1.0, words[first - 1] if first and not word.after else None
    if not kind and word.after[-1:] in _CURRENCIES:
        kind = _CURRENCIES[word.after[-1:]]
    if kind in _CURRENCIES.values() and behind and behind[0].lower in _MILLIONS:
        factor, text = _MILLIONS[behind[0].lower], ""
    if not kind and before and word.is_number and UNITS.get(before.lower, ("",))[0] in _CURRENCIES.values():
        kind = UNITS[before.lower][0]  # "USD 40", and not the "a" of "40 dollars a month"
    if (
        len(behind) > 1
        and behind[0].lower in _MILLIONS
        and UNITS.get(behind[1].lower, ("",))[0] in _CURRENCIES.values()
    ):
        kind, factor, text = UNITS[behind[1].lower][0], _MILLIONS[behind[0].lower], ""
    for each in behind[:3]:  # "100 microseconds", "seven thousandths of a second"
        is_decade = each is behind[0] and each.text == "s" and word.is_number and _YEARS <= value < _LAST_YEAR
        if not kind and each.lower in UNITS and each.lower not in ("a", "an") and not is_decade:
            kind, factor = UNITS[each.lower]
        if each.lower not in _BEFORE_UNITS:
            break
    stop = next((place for place, each in enumerate(behind) if each.lower in _PREPOSITIONS), len(behind))
    is_alone = bool(behind) and behind[0].lower in _ARTICLES  # "in 2038 the Office refused it"
    counted = () if is_alone else tuple(each.stem for each in behind[:stop] if each.is_content)[:REACH]
    named = before.stem if before is not None and before.is_content and not before.is_number else ""
    return Quantity(shown, text, counted, named, kind, value * factor, factor, not word.is_number, word.code, first)


def _ungrouped(number: str) -> str:
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", number):
        number = number.replace(",", "")
    number = number.replace(",", ".").removesuffix(".x")
    # "70.0" is 70, and "2.0" is a version.
    return number.removesuffix(".0") if number.count(".") == 1 and len(number) > len("2.0") else number
