"""Numbers, in digits and in words, with what they count.

A number is held when it stands in what the quotes state. Where the quotes give the same thing another number (``two
notations``, ``100 microseconds``, ``Python 3.9``), a number from elsewhere does not do.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from curator.wiki.english.quantities import (
    REACH,
    UNITS,
    Quantity,
    dates,
    quantities,
)
from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.counted import parts_of
from curator.wiki.support.rules.derived import SMALL, is_derived, is_worked_out, is_year_reckoned

_NO_MEASURES = ("times", "share")
_VAGUE = frozenset(map(stem, "time way thing part part kind version case use one other case number example".split()))
_ENDINGS = frozenset("st nd rd th".split())
_SPELLED = frozenset(
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth".split()
)
_PER = frozenset("per a an each every".split())
_RATED = 7
"""Words from a number to what it is given per, at most."""
_RAISED = re.compile(r"\d[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+")
"""A number with a power."""

_SPELLED_OUT = 4
"""Letters of a unit that is a word."""


def number_unknown(case: Case) -> Iterator[str]:
    """A number that what is quoted does not state, or gives to something else."""
    yield from _ordinals_unknown(case)
    yield from _units_exchanged(case)
    if not quantities(case.whole):
        return
    yield from _powers_unknown(case)
    stated, around, in_row = quantities(case.context.stated), _around(case), case.context.kinds == {"row"}
    known = {quantity.value for quantity in quantities(case.context.known)}
    own = {quantity.value for quantity in stated} | {str(date.year) for date in dates(case.context.stated)}
    own |= {value.removesuffix(".0") for value in own}  # "two point zero"
    mine = {quantity.value for quantity in quantities(case.whole)}
    beside = {quantity.value for quantity in around} | {str(date.year) for date in dates(case.context.around)}
    beside |= case.context.numbers_of_addresses
    for quantity in quantities(case.whole):
        if (
            _in_code(case, quantity)
            or (quantity.value in known and quantity.value not in own)
            or (quantity.worded and f"{quantity.shown.lower()}s" in case.context.stated.lowers)
            or _is_year_of_source(case, quantity, own)
            or _is_in_name(case, quantity)
            or (in_row and quantity.shown.lower() in ("a", "an"))
        ):
            continue
        if other := _other_part(quantity, case):
            yield f"{quantity.shown!r} is not the part that is quoted: {other}"
            continue
        rivals = [
            shown for shown, value in _rivals(quantity, stated, in_row=in_row) if value not in mine or quantity.kind
        ]
        if quantity.value not in own and not any(quantity.is_about(other) for other in stated if quantity.kind):
            rivals += _in_its_place(quantity, case.whole, stated, case.context.stated)
        in_its_place = case.is_verbatim and quantity.worded and len(rivals) == 1 and quantity.value not in own | beside
        if per := _other_rate(case, quantity, stated):
            yield f"{quantity.shown!r} is {per!r} in what is quoted"
        elif rivals and (in_its_place or not is_derived(case, quantity, around)):
            yield f"{quantity.shown!r} stands against {rivals[0]!r} in what is quoted"
        elif (other := _other_year(case, quantity, own)) and other not in mine:
            yield f"{quantity.shown!r} is not the year {other!r} that is quoted"
        elif quantity.value not in own and quantity.value not in beside and not is_worked_out(case, quantity, around):
            yield f"the number {quantity.shown!r} is not in what is quoted: quote where it stands, or leave it out"


def _is_in_name(case: Case, quantity: Quantity) -> bool:
    """True for the 3 of ``Python 3`` and of ``version 3``, where what is quoted has ``Python3`` and ``v3``."""
    before = case.whole.words[quantity.at - 1].lower if quantity.at else ""
    short = before[:1] if before == "version" else before
    return bool(short) and f"{short}{quantity.value}" in case.context.around.lowers


def _units_exchanged(case: Case) -> Iterator[str]:
    """``In kilobytes``, where what is quoted is in bytes, and neither gives a number."""
    for word in case.claim.words:
        kind, factor = UNITS.get(word.lower, ("", 0.0))
        is_long = kind == "time" and factor >= UNITS["day"][1]  # "daily" may be told as a week's
        if not kind or len(word.text) < _SPELLED_OUT or is_long or word.lower == "second":
            continue
        near = [UNITS[each.lower] for each in case.context.around.words if each.lower in UNITS]
        stated = [each for each in case.context.stated.words if UNITS.get(each.lower, ("", 0.0))[0] == kind]
        numbers = (*quantities(case.claim), *quantities(case.context.stated))
        if stated and (kind, factor) not in near and all(each.kind != kind for each in numbers):
            yield f"the source says {stated[0].text!r} where the claim says {word.text!r}"
            return


def _other_rate(case: Case, quantity: Quantity, stated: Iterable[Quantity]) -> str:
    """The ``per mole`` that the source has behind the number that the claim has per litre."""
    mine = _per(case.whole, quantity)
    if mine is None or case.context.stated.has_kin_of(mine):
        return ""
    same = [_per(case.context.stated, other) for other in stated if other.value == quantity.value]
    if same and mine.lower in UNITS and case.context.kinds == {"row"}:  # a table's head has it: "price a month"
        led = pairwise(case.context.led.words)
        heads = {word.text: UNITS[word.lower] for per, word in led if per.lower in _PER and word.lower in UNITS}
        return "" if UNITS[mine.lower] in heads.values() else " or ".join(f"per {head}" for head in heads)
    return f"per {same[0].text}" if same and same[0] is not None and all(each is not None for each in same) else ""


def _per(text: Phrase, quantity: Quantity) -> StemmedWord | None:
    """What a number is given per: the word behind ``per``, or behind the ``a`` of ``12 euros a year``, close behind it."""
    words = text.words[quantity.at : quantity.at + _RATED]
    near = [word for word in words if word.clause == words[0].clause]
    return next(
        (
            word
            for before, per, word in zip(near, near[1:], near[2:], strict=False)
            if before.tells and per.lower in _PER
        ),
        None,
    )


def _around(case: Case) -> tuple[Quantity, ...]:
    """The numbers around what is quoted; of a table's rows those of the rows, their head and what leads to them."""
    if case.context.kinds != {"row"}:
        return quantities(case.context.around)
    near = (case.context.stated, case.context.led, case.context.headings)
    return tuple(quantity for text in near for quantity in quantities(text))


def _powers_unknown(case: Case) -> Iterator[str]:
    """A power such as ``10³``, where what is quoted has neither that nor ``10^3`` or ``10**3``."""
    near = f"{case.context.around.plain}\n{case.context.known.plain}"
    for power in dict.fromkeys(_RAISED.findall(case.whole.plain)):
        base, raised = power[0], unicodedata.normalize("NFKC", power[1:])
        if not any(form in near for form in (power, f"{base}^{raised}", f"{base}**{raised}")):
            yield f"the number {power!r} is not in what is quoted"


def _ordinals_unknown(case: Case) -> Iterator[str]:
    """``The 14th system``, where nothing near has that number, as such or in a date."""
    for word, behind in pairwise(case.claim.words):
        if not (word.text.isdecimal() and behind.lower in _ENDINGS and not behind.after and int(word.text) > SMALL):
            continue
        near = (case.context.around, case.context.known)
        is_dated = any(word.text in date.shown for date in dates(case.claim)) or " century " in case.claim.flat
        if not is_dated and not any(word.text in text.lowers or _SPELLED & {*text.lowers} for text in near):
            yield f"the number '{word.text}{behind.text}' is not in what is quoted"


def shares_number(claim: Phrase, stated: Phrase) -> bool:
    """True when both give the same day, or the same amount, of a unit or of more than a few."""
    theirs = quantities(stated)
    if any(date.month and date.agrees(other) for date in dates(claim) for other in dates(stated) if other.month):
        return True
    return any(
        quantity.kind == other.kind and math.isclose(quantity.amount, other.amount, rel_tol=0.02)
        for quantity in quantities(claim)
        if quantity.kind or quantity.amount > SMALL
        for other in theirs
    )


def _other_year(case: Case, quantity: Quantity, own: set[str]) -> str:
    """The one year that the sentences quoted give, where the claim's stands only around them."""
    years = [value for value in own if _is_year(value)]
    if is_year_reckoned(case, quantity) or _is_year_of_source(case, quantity, set()):
        return ""
    near = {other.value for text in (case.context.headings, case.context.led) for other in quantities(text)}
    if (
        " that year " in case.context.stated.flat
        or len(years) != 1
        or quantity.worded
        or not _is_year(quantity.value)
        or quantity.kind
        or quantity.value in {*own, *near}
    ):
        return ""
    return years[0]


def _is_year_of_source(case: Case, quantity: Quantity, own: set[str]) -> bool:
    """True for the year that the source's first lines give for all it tells, where what is quoted gives none."""
    if not _is_year(quantity.value) or any(_is_year(value) for value in own):
        return False
    opening = case.source.opening
    years = {other.value for other in quantities(opening) if _is_year(other.value)}
    return quantity.value in years | {str(date.year) for date in dates(opening)}


def _is_year(value: str) -> bool:
    return value.isdecimal() and 1000 <= int(value) <= 2100


def _in_code(case: Case, quantity: Quantity) -> bool:
    return quantity.code and f" {quantity.shown} " in case.context.around.flat


def _rivals(quantity: Quantity, stated: Iterable[Quantity], *, in_row: bool) -> list[tuple[str, str]]:
    """The other numbers that the quotes give to what the claim gives ``quantity`` to, if none is the same."""
    if quantity.is_mere_one:
        return []
    if not in_row and any(other.value == quantity.value and not other.kind for other in stated):
        return []  # "a small one takes 40 minutes, a large one 65"
    measured = [other for other in stated if quantity.kind and other.kind == quantity.kind]
    if measured:
        same = any(quantity.is_about(other) for other in measured)
        return [] if same else [(other.shown, other.value) for other in measured]
    alike = [other for other in stated if other.value == quantity.value]
    if quantity.kind and alike and quantity.kind not in _NO_MEASURES:
        return [(f"{other.shown} ({other.kind})", "") for other in alike if other.kind not in ("", *_NO_MEASURES)]
    counted = {word for word in quantity.counted if word not in _VAGUE}
    others = [
        other
        for other in stated
        if (quantity.named and other.named == quantity.named)
        or (
            not (quantity.kind or other.kind or _is_version(quantity))
            and counted & set(other.counted[:REACH])
            and _is_count(other)
        )
    ]
    if any(other.value == quantity.value for other in others) or not (quantity.named or _is_count(quantity)):
        return []
    shared = [" ".join(sorted(counted & set(other.counted))) for other in others]
    return [(f"{other.shown} {words}".strip(), other.value) for other, words in zip(others, shared, strict=True)]


def _other_part(quantity: Quantity, case: Case) -> str:
    """The ``9 of 12`` that is quoted, where the claim says 12 of 12, or 12 of 9."""
    mine = [each for each in parts_of(case.claim) if quantity.value in each]
    held = [*parts_of(case.context.stated)]
    for part, whole in mine:
        others = [each for each in held if each[1] == whole or each == (whole, part)]
        rests = {f"{float(each[1]) - float(each[0]):g}" for each in others}
        if others and (part, whole) not in held and part not in rests:
            return " of ".join(others[0])
    return ""


def _in_its_place(quantity: Quantity, claim: Phrase, stated: Iterable[Quantity], source: Phrase) -> list[str]:
    """The other number that the source has between the very words between which the claim has this one: 9 of 12."""
    beside = _beside(claim, quantity.at, {each.at: each.value for each in quantities(claim)})
    values = {each.at: each.value for each in quantities(source)}
    return [other.shown for other in stated if beside is not None and _beside(source, other.at, values) == beside]


def _beside(text: Phrase, at: int, values: Mapping[int, str]) -> tuple[str, str] | None:
    """The last content word before the number at ``at`` in its sentence, and the first number or content word behind it.

    ``values`` are those of all numbers of the text, by their places.
    """
    words, sentence = text.words, text.words[at].sentence
    before = next((place for place in range(at - 1, -1, -1) if words[place].is_content), None)
    behind = next((place for place in range(at + 1, len(words)) if place in values or words[place].is_content), None)
    if before is None or behind is None or not words[before].sentence == words[behind].sentence == sentence:
        return None
    return words[before].stem, values.get(behind, words[behind].stem)


def _is_version(quantity: Quantity) -> bool:
    """True for the 2.1 of ``Quillbox 2.1 added two formats``, which counts nothing."""
    return "." in quantity.value and bool(quantity.named)


def _is_count(quantity: Quantity) -> bool:
    return quantity.value.isdecimal()
