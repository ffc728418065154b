"""Numbers, in digits and in words, with what they count, and dates.

- A date is held by the source when some date there agrees in year, month and day, so far as both give them.
- A number is held when it stands in what the quotes state. Where the quotes give the same thing another number (``two
  notations``, ``100 microseconds``, ``Python 3.9``), a number from elsewhere does not do.
- Units of time, size and length, fractions, multiples and orders of magnitude are worked out: a tenth of a millisecond is
  100 microseconds, two orders of magnitude are 100 times.
- A small number may be the count of what a list or the claim itself enumerates.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from curator.wiki.english.quantities import REACH, UNITS, Date, Quantity, dates, quantities
from curator.wiki.english.spelled import SCALES
from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.names import OF_SOURCE
from curator.wiki.support.rules.negation import NOT

_SMALL = 12
"""Up to here a number may count what is enumerated."""
_NO_MEASURES = ("times", "share")
_VAGUE = frozenset(map(stem, "time way thing part part kind version case use one other case number example".split()))
_TOTAL = frozenset(
    "together total altogether combined sum both difference more fewer left remaining rest all other".split()
)
_ABOUT = frozenset("about around approximately roughly some circa almost nearly close".split())
_NEARLY = frozenset("nearly almost under just close".split())
_OVER = frozenset("over above than well just exceeding".split())
_AT = frozenset("at from until till by past to around about before after and between".split())
_FEW = 4
_AGAIN = frozenset(map(stem, "duplicate repeat again both double".split()))
_RELATIVE = frozenset("yesterday tomorrow yesterday's tomorrow's".split())
_NOON = 12 * 60
_DAYS_OF_YEAR, _DAYS_OF_MONTH = 365.25, 30.44
_PRODUCT = re.compile(r"\b(\d{1,9})\s?[*×]\s?(\d{1,9})\b")
_OFFSET = re.compile(r"(?<![\w+-])([+-])(\d{2}):?(\d{2})(?![\d:-])")
_BYTE = re.compile(r"\b0x[0-9a-fA-F]{2}\b")
_IDENTIFIER = re.compile(r"\b[A-Z]{1,9}(?:[-/]\w{1,12}){1,5}\b")


def date_unknown(case: Case) -> Iterator[str]:
    """A day, month or year that what is quoted does not give."""
    if not dates(case.whole):
        return
    near = dates(case.context.stated) or dates(case.context.around) or dates(case.context.section)
    held = [*near, *dates(case.context.known)]
    if OF_SOURCE & case.whole.lowers:
        held += dates(case.source.opening)
    for date in dates(case.whole):
        years = {quantity.value for quantity in quantities(case.context.around)}
        alone = not date.month and str(date.year) in years
        if not alone and not any(date.agrees(other) for other in held) and not _is_told_relative(case, date):
            yield f"the date {date.shown!r} is not in what is quoted"


def _is_told_relative(case: Case, date: Date) -> bool:
    """True for the day before the one that is quoted, where what is quoted says ``yesterday``."""
    if not _RELATIVE & case.context.stated.lowers or not date.day:
        return False
    near = [*dates(case.context.stated), *dates(case.context.around), *dates(case.context.section)]
    return any(
        abs(date.day - other.day) == 1 and replace(date, day=other.day).agrees(other) for other in near if other.day
    )


def number_unknown(case: Case) -> Iterator[str]:
    """A number that what is quoted does not state, or gives to something else."""
    if not quantities(case.whole):
        return
    stated, around = quantities(case.context.stated), quantities(case.context.around)
    known = {quantity.value for quantity in quantities(case.context.known)}
    own = {quantity.value for quantity in stated} | {str(date.year) for date in dates(case.context.stated)}
    mine = {quantity.value for quantity in quantities(case.whole)}
    beside = {quantity.value for quantity in around} | {str(date.year) for date in dates(case.context.around)}
    for quantity in quantities(case.whole):
        if (
            _in_code(case, quantity)
            or _is_offset(case, quantity)
            or (quantity.value in known and quantity.value not in own)
        ):
            continue
        rivals = [shown for shown, value in _rivals(quantity, stated) if value not in mine or quantity.kind]
        if quantity.value not in own and not any(other.is_about(quantity) for other in stated if quantity.kind):
            rivals += _in_its_place(quantity, case.whole, stated, case.context.stated)
        if rivals and not _is_derived(case, quantity, around):
            yield f"{quantity.shown!r} stands against {rivals[0]!r} in what is quoted"
        elif other := _other_year(case, quantity, own):
            yield f"{quantity.shown!r} is not the year {other!r} that is quoted"
        elif quantity.value not in own and quantity.value not in beside and not _worked_out(case, quantity, around):
            yield f"the number {quantity.shown!r} is not in what is quoted: quote where it stands, or leave it out"


def shares_number(claim: Phrase, stated: Phrase) -> bool:
    """True when both give the same day, or the same amount, of a unit or of more than a few."""
    theirs = quantities(stated)
    if any(date.month and date.agrees(other) for date in dates(claim) for other in dates(stated) if other.month):
        return True
    return any(
        quantity.kind == other.kind and math.isclose(quantity.amount, other.amount, rel_tol=0.02)
        for quantity in quantities(claim)
        if quantity.kind or quantity.amount > _SMALL
        for other in theirs
    )


def _other_year(case: Case, quantity: Quantity, own: set[str]) -> str:
    """The one year that the sentences quoted give, where the claim's stands only around them."""
    years = [value for value in own if _is_year(value)]
    near = {other.value for text in (case.context.headings, case.context.led) for other in quantities(text)}
    if (
        " that year " in case.context.stated.flat
        or len(years) != 1
        or not _is_year(quantity.value)
        or quantity.kind
        or quantity.value in {*own, *near}
    ):
        return ""
    return years[0]


def _is_year(value: str) -> bool:
    return value.isdecimal() and 1000 <= int(value) <= 2100


def _in_code(case: Case, quantity: Quantity) -> bool:
    return quantity.code and f" {quantity.shown} " in case.context.around.flat


def _rivals(quantity: Quantity, stated: Iterable[Quantity]) -> list[tuple[str, str]]:
    """The other numbers that the quotes give to what the claim gives ``quantity`` to, if none is the same."""
    if quantity.is_mere_one:
        return []
    if any(other.value == quantity.value and not other.kind for other in stated):
        return []  # "a small one takes 40 minutes, a large one 65"
    measured = [other for other in stated if quantity.kind and other.kind == quantity.kind]
    if measured:
        same = any(other.is_about(quantity) for other in measured)
        return [] if same else [(other.shown, other.value) for other in measured]
    alike = [other for other in stated if other.value == quantity.value]
    if quantity.kind and alike and quantity.kind not in _NO_MEASURES:
        return [(f"{other.shown} ({other.kind})", "") for other in alike if other.kind not in ("", *_NO_MEASURES)]
    counted = {word for word in quantity.counted if word not in _VAGUE}
    others = [
        other
        for other in stated
        if (quantity.named and other.named == quantity.named)
        or (not quantity.kind and not other.kind and counted & set(other.counted[:REACH]) and _is_count(other))
    ]
    if any(other.value == quantity.value for other in others) or not (quantity.named or _is_count(quantity)):
        return []
    shared = [" ".join(sorted(counted & set(other.counted))) for other in others]
    return [(f"{other.shown} {words}".strip(), other.value) for other, words in zip(others, shared, strict=True)]


def _in_its_place(quantity: Quantity, claim: Phrase, stated: Iterable[Quantity], source: Phrase) -> list[str]:
    """The other number that the source has between the very words between which the claim has this one: 9 of 12."""
    beside = _beside(claim, quantity)
    return [other.shown for other in stated if beside is not None and _beside(source, other) == beside]


def _beside(text: Phrase, quantity: Quantity) -> tuple[str, str] | None:
    """The last content word before a number in its sentence, and the first number or content word behind it."""
    values = {each.at: each.value for each in quantities(text)}
    words, at = text.words, quantity.at
    before = [word.stem for word in words[:at] if word.sentence == words[at].sentence and word.is_content]
    behind = [
        values.get(place, word.stem)
        for place, word in enumerate(words[at + 1 :], start=at + 1)
        if word.sentence == words[at].sentence and (place in values or word.is_content)
    ]
    return (before[-1], behind[0]) if before and behind else None


def _is_offset(case: Case, quantity: Quantity) -> bool:
    """True for the ``03:30`` of ``+03:30``, which the source may write ``+0330``."""
    held = {*_OFFSET.findall(case.context.stated.plain)} & {*_OFFSET.findall(case.whole.plain)}
    return any(quantity.shown.replace(":", "") == hour + minute for _, hour, minute in held)


def _counts_bytes(case: Case, quantity: Quantity) -> bool:
    """True for the ``two bytes`` that the claim writes out, as the source does: ``0xc2 and 0xa9``."""
    written = _BYTE.findall(case.whole.plain)
    is_theirs = {*written} <= {*_BYTE.findall(case.context.stated.plain)}
    return is_theirs and quantity.kind == "size" and quantity.amount == len(written)


def _is_count(quantity: Quantity) -> bool:
    return quantity.value.isdecimal()


def _worked_out(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for a number that is another form of one, or counts what is listed."""
    if quantity.is_mere_one or _counts_bytes(case, quantity):
        return True
    if quantity.worded and quantity.value == "0" and case.context.stated.lowers & NOT:
        return True
    if quantity.shown.lower() == "twice" and case.context.stated.stems & _AGAIN:
        return True
    if any(other.is_about(quantity) for other in around if quantity.kind) or _is_hour(case, quantity, around):
        return True
    if _is_of_identifier(case, quantity) or _is_product(case, quantity):
        return True
    if _is_derived(case, quantity, around) or _is_scaled(case, quantity, around):
        return True
    if not quantity.value.isdecimal() or "." in quantity.shown or int(quantity.value) > _SMALL or quantity.kind:
        return False
    commas = sum(word.after == "," for word in case.whole.words)
    joined = any(word.lower in ("and", "or") for word in case.whole.words)
    own = {commas + 1, commas + 1 + joined, sum(word.code for word in case.whole.words)}
    for sentence in case.context.stated.sentences:
        members = sum(word.after == "," for word in sentence) + 1
        own |= {members, members + 1} if any(word.lower in ("and", "or") for word in sentence) else {members}
    listed = dates(case.context.stated)
    own |= {len(listed), *Counter((date.year, date.month) for date in listed).values()}
    counts = case.context.counts | own
    before = case.whole.words[quantity.at - 1].lower if quantity.at else ""
    left = {count - 1 for count in counts} if before in ("other", "remaining") else set[int]()
    return int(quantity.value) in counts | left


def _is_derived(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for a sum, a share or a span of years that follows from what is quoted."""
    stated = quantities(case.context.stated)
    if _is_added_up(case, quantity) or _is_share(case, quantity, stated) or _is_rounded(case, quantity, stated):
        return True
    if quantity.kind == "times" and len(stated) <= _FEW:
        pairs = ((one, two) for one in stated for two in stated if one.kind == two.kind and two.amount > 0)
        return any(math.isclose(quantity.amount, one.amount / two.amount, rel_tol=0.1) for one, two in pairs)
    return quantity.kind == "time" and (_is_span_of_years(case, quantity) or _is_between_dates(case, quantity))


def lasts_between_dates(case: Case) -> bool:
    """True for a claim with the time between the two dates that are quoted, and none besides."""
    times = (each for each in quantities(case.claim) if each.kind == "time")
    return len(dates(case.context.stated)) == 2 and any(_is_between_dates(case, each) for each in times)


def _is_rounded(case: Case, quantity: Quantity, stated: Iterable[Quantity]) -> bool:
    """True for ``about 120,000`` and ``nearly 120,000`` of the 118,000 that is quoted, and for ``over 110,000``."""
    before = {word.lower for word in case.whole.words[max(0, quantity.at - 3) : quantity.at]}
    alike = [other.amount / quantity.amount for other in stated if other.kind == quantity.kind and quantity.amount > 0]
    about = before & _ABOUT and any(0.94 <= ratio <= 1.06 for ratio in alike)
    below = before & _NEARLY and any(0.9 <= ratio <= 1 for ratio in alike)
    above = before & _OVER and "not" not in before and "no" not in before and any(1 <= ratio <= 1.15 for ratio in alike)
    return bool(about or below or above)


def _is_hour(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for the ``eight`` of ``at eight in the evening`` and of ``half past eight``, and for ``12:00`` of ``noon``."""
    if quantity.kind == "clock":
        words = case.context.around.lowers
        noon = quantity.amount == _NOON and words & {"noon", "midday"}
        return bool(noon or (quantity.amount in (0, 2 * _NOON) and "midnight" in words))
    before = {word.lower for word in case.whole.words[max(0, quantity.at - 2) : quantity.at]}
    hours = {(int(other.amount) // 60 + late) % 12 for other in around if other.kind == "clock" for late in (0, 1)}
    return not quantity.kind and bool(before & _AT) and quantity.amount <= _SMALL and quantity.amount % 12 in hours


def _is_between_dates(case: Case, quantity: Quantity) -> bool:
    """True for the ``eleven weeks`` between 17 May and 2 August."""
    held = [date for date in dates(case.context.stated) if date.month and date.day]
    is_one_year = any(not date.year for date in held)
    years = [0 if is_one_year else date.year for date in held]
    days = [
        _DAYS_OF_YEAR * year + _DAYS_OF_MONTH * date.month + date.day for year, date in zip(years, held, strict=True)
    ]
    apart = {abs(one - two) for one in days for two in days}
    return any(math.isclose(quantity.amount, 86_400 * each, rel_tol=0.1) for each in apart if each)


def _is_share(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for a fifth where 20 per cent are quoted, and for 20 per cent of "one in five" or "10 of 50"."""
    share = quantity.amount if quantity.kind == "share" or 0 < quantity.amount < 1 else 0
    near = list(around)
    ratios = [one.amount / two.amount for one, two in pairwise(near) if one.amount <= two.amount and two.amount]
    if quantity.amount > _SMALL and {"one", "1"} & {
        word.lower for word in case.whole.words[max(0, quantity.at - 3) : quantity.at]
    }:
        share = 1 / quantity.amount  # "one in 500"
    return bool(share) and any(
        math.isclose(share, other, rel_tol=0.02) for each in near for other in (each.amount, each.amount / 100, *ratios)
    )


def _is_scaled(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for 11.9 million of the 11.9 in a table whose head says in millions."""
    scale = next((word for word in quantity.shown.lower().split() if word in SCALES), "")
    plain = quantity.shown.split()[0].replace(",", "")
    words = case.context.around.stems | case.context.section.stems
    return bool(scale) and scale in words and any(other.shown == plain for other in around)


def _is_span_of_years(case: Case, quantity: Quantity) -> bool:
    """True for the years between two years that are quoted, and for one of two spans that make up one that is."""
    year = UNITS["year"][1]
    text = case.context.around if quantity.amount > _SMALL * year else case.context.stated
    around = quantities(text)
    spoken = [int(other.value) for other in around if other.value.isdecimal() and 1000 <= int(other.value) <= 2200]
    years = {*spoken, *(date.year for date in dates(text) if date.year)}
    if any(math.isclose(quantity.amount, year * abs(one - two)) for one in years for two in years if one != two):
        return True
    spans = [each.amount for each in quantities(case.claim) if each.kind == "time"]
    totals = [one + two for one, two in pairwise(spans) if quantity.amount in (one, two)]
    held = [other.amount for other in around if other.kind == "time"]
    return any(math.isclose(total, amount, rel_tol=0.02) for total in totals for amount in held)


def _is_added_up(case: Case, quantity: Quantity) -> bool:
    """True for the sum or the difference of two numbers of a kind that are quoted; of small ones if the claim says so."""
    stated = list(quantities(case.context.stated)[:_SMALL])
    said = _TOTAL & case.whole.lowers and len(stated) <= _FEW
    stated = [other for other in stated if said or not other.is_mere_one]
    if not (said or quantity.kind or quantity.amount > _SMALL):
        return False
    amounts = [other.amount for other in stated if other.kind == quantity.kind]
    if len(amounts) > 2 and math.isclose(quantity.amount, sum(amounts), rel_tol=0.001):
        return True
    kinds = (quantity.kind, "")  # "from 22 degrees to 9"
    alike = [other for other in stated if other.kind in kinds]
    pairs = [(one, two) for one in alike for two in alike if one is not two]
    return any(
        math.isclose(quantity.amount, abs(result), rel_tol=0.001)
        for one, two in pairs
        for result in (one.amount + two.amount, one.amount - two.amount)
    )


def _is_product(case: Case, quantity: Quantity) -> bool:
    """True for the million of ``1000*1000``."""
    products = (int(one) * int(two) for one, two in _PRODUCT.findall(case.context.stated.plain))
    return any(math.isclose(quantity.amount, product) for product in products)


def _is_of_identifier(case: Case, quantity: Quantity) -> bool:
    """True for a number in the identifier that the source bears in its opening lines: ``NW-2021-0417``."""
    opening = case.source.opening.plain
    return any(
        quantity.shown in re.split(r"\W", identifier) and identifier in opening
        for identifier in _IDENTIFIER.findall(case.whole.plain)
    )
