"""What is no word: markup and marks, the sign of a number, the case of a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.pages.foreign import foreign_fault
from curator.wiki.pages.signs import number_fault, sign_fault
from curator.wiki.support.case import Case

_NUMBER = r"\d+(?:[.,]\d+)*"
_SIGNED = re.compile(rf"(?P<sign>±|\+/-|[-−–+])?(?P<number>(?<![\d.,]){_NUMBER})")
_JOINED = re.compile(r"(?:\d ?|[\w)\]%])\Z")
"""What stands before a sign that is none: ``2003-2006``."""
_SIGNS = {"−": "-", "–": "-", "+/-": "±"}
_ALIKE = {"": ("+",), "+": ("",)}
_BELOW = re.compile(
    r"\b(?:minus|negative|plus|below|los[est]\w*|f[ae]ll\w*|drop\w*|decreas\w*|declin\w*|reduc\w*|shr\w+|debt|owes?"
    r"|defici\w*|exponents?|powers?)\b",
    re.IGNORECASE,
)
"""Words that say what a minus says."""
_EITHER = re.compile(
    r"\b(?:within|either|error|margin|toleranc\w*|accura\w*|uncertain\w*|about|give or take)\b", re.IGNORECASE
)
"""Words that say what ``±`` says."""
_MEASURED = r"W|Wh|V|VA|A|Ah|Hz|Pa|J|g|m|N|Nm|Ω|bit|b|B|bps|T|H|F|s|l|L|mol|M|eV|Bq|Sv|Gy|cd|lm"
_UNIT = re.compile(rf"(?P<number>{_NUMBER})\s?(?P<unit>(?P<prefix>[kKmMGTPµμunp]?)(?P<rest>{_MEASURED}))(?![\w'’])")
_CODE = re.compile(r"`[^`]*`")
_ITEMS = 20
"""Items that any list may have before this one."""


def sign_turned(case: Case) -> Iterator[str]:
    """A sign that the source does not have there: ``-5`` for ``5``, ``MW`` for ``mW``."""
    mine, stated = _CODE.sub(" ", case.written), case.context.stated.plain
    yield from (_signs(case, mine, stated) if case.written else ())
    yield from _units(mine, stated)


def _signs(case: Case, mine: str, stated: str) -> Iterator[str]:
    theirs: dict[str, set[str]] = {}
    for sign, number in _signed(stated):
        theirs.setdefault(number, set()).add(sign)
    below = any(_BELOW.search(text) for text in (case.whole.plain, stated))
    either = any(_EITHER.search(text) for text in (case.whole.plain, stated))
    for sign, number in _signed(mine):
        held = theirs.get(number, set())
        alike = (
            {sign, *_ALIKE.get(sign, "")}
            | ({"", "-"} if below else set())
            | ({"±"} if sign != "+" and either else set())
        )
        if held and sign not in held and not held & alike:
            yield f"the source has {min(held)}{number} where the claim has {sign}{number}"
            return


def _signed(text: str) -> Iterator[tuple[str, str]]:
    for found in _SIGNED.finditer(text):
        sign = found["sign"] or ""
        is_range = sign in ("-", "–", "−", "+") and _JOINED.search(text[max(0, found.start() - 2) : found.start()])
        yield "" if is_range else _SIGNS.get(sign, sign), found["number"]


def _units(mine: str, stated: str) -> Iterator[str]:
    theirs: dict[str, set[str]] = {}
    for found in _UNIT.finditer(stated):
        theirs.setdefault(found["number"], set()).add(found["unit"])
    for found in _UNIT.finditer(mine):
        unit, held = found["unit"], theirs.get(found["number"], set())
        alike = [each for each in held if each != unit and _may_be_taken_for(each, unit)]
        if alike and unit not in held:
            yield f"the source has {found['number']} {alike[0]} where the claim has {found['number']} {unit}"
            return


def _may_be_taken_for(one: str, other: str) -> bool:
    """True for units that differ in the case of their prefix alone, or in having one."""
    same_case = one[1:] == other[1:] and {one[0], other[0]} == {"m", "M"} and len(one) > 1
    bits = one[:-1].lower() == other[:-1].lower() and {one[-1], other[-1]} == {"b", "B"}
    return same_case or bits or one[1:] == other or one == other[1:]


def foreign_markup(case: Case) -> Iterator[str]:
    """Markup that other readers of Markdown hide, strike out, fill in or run."""
    if fault := foreign_fault(case.written.replace("||", "| |") if case.written.startswith("|") else case.written):
        yield fault


def sign_unknown(case: Case) -> Iterator[str]:
    """A check mark, a star, a ``DONE`` that the source does not have; the number of an item that counts nothing."""
    source = case.source.evidence.document.text
    fault = sign_fault(case.written, source) or number_fault(case.written, source, _ITEMS)
    if fault:
        yield fault
