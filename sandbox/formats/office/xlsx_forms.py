"""What a cell's number format shows around its value, or in its place: words, a sign, thousands, percent.

Of digits a value has all: a format rounds what is shown, but hides nothing of the meaning.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"\"([^\"]*)\"?|\\(.)|[_*].|\[([^\[\]]*)\]?|(.)", re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d{1,15}(?:\.\d{1,15})?)")
_NOT_LETTERS_OF_DAYS = re.compile(r'"[^"]*"|\[(?!h|m|s)[^\[\]]*\]|\\.|_.|General', re.IGNORECASE)
_OUTER = re.compile(r"(?:\"[^\"]*\"?|\\.|[_*].|\[[^\[\]]*\]?|[^;])*", re.DOTALL)


class Form(NamedTuple):
    """One section of a format."""

    code: str
    before: str
    after: str
    """The words around the value."""
    has_place: bool
    """True where the value itself is shown."""
    condition: str
    thousands: int
    """How often it is divided by a thousand."""
    percent: int
    """How often it is taken by the hundred."""
    has_words: bool
    """True where what is around it changes what it says."""

    @property
    def is_empty(self) -> bool:
        return not self.has_place and not (self.before + self.after).strip()

    def around(self, value: str) -> str:
        return f"{self.before}{value if self.has_place else ''}{self.after}".strip() if self.has_words else value


def is_day(code: str) -> bool:
    return bool(code) and re.search(r"[dmyhs]", _NOT_LETTERS_OF_DAYS.sub("", code), re.IGNORECASE) is not None


def changes(code: str) -> bool:
    """True for a format that shows something else than the value."""
    return any(form.is_empty or form.has_words for form in sections(code))


@lru_cache(maxsize=512)
def sections(code: str) -> tuple[Form, ...]:
    """The sections of a format, that of any value where it has none."""
    if not code:
        return (_AS_IT_IS,)
    found, at = [], 0
    while at <= len(code):
        end = match.end() if (match := _OUTER.match(code, at)) else len(code)
        found.append(_section(code[at:end]))
        at = end + 1
    return tuple(found)


def form_of_number(code: str, number: float) -> tuple[Form, float]:
    """The section for ``number``, and the number as the section has it."""
    forms = sections(code)[:3]
    first = forms[0]
    if any(form.condition for form in forms):
        return _by_condition(forms, number), number
    if len(forms) > 1 and number < 0:
        return forms[1], abs(number) if forms[1].has_words else number
    return (forms[2] if len(forms) == 3 and number == 0 else first), number


def form_of_text(code: str) -> Form:
    """The section for words."""
    forms = sections(code)
    if len(forms) > 3:
        return forms[3] if "General" not in forms[3].code else _AS_IT_IS
    return next((form for form in forms if "@" in form.code and form.has_place), _AS_IT_IS)


def _by_condition(forms: tuple[Form, ...], number: float) -> Form:
    for at, form in enumerate(forms):
        if form.condition and _holds(form.condition, number):
            return form
        if not form.condition and (at == len(forms) - 1 or (at == 1 and number < 0)):
            return form
    return forms[-1]


def _holds(condition: str, number: float) -> bool:
    if not (said := _CONDITION.fullmatch(condition)):
        return False
    less, same, more = number < (than := float(said[2])), number == than, number > than
    return {"<": less, ">": more, "=": same, "<=": less or same, ">=": more or same, "<>": not same}[said[1]]


def _section(code: str) -> Form:
    words, plain, condition = ["", ""], "", ""
    for quoted, escaped, bracket, other in _TOKEN.findall(code):
        is_behind = _PLACE.search(plain) is not None
        if _CONDITION.fullmatch(bracket):
            condition = bracket
        elif bracket.startswith("$"):  # a currency, or any word
            words[is_behind] += bracket[1:].partition("-")[0] if _is_said(bracket.partition("-")[0]) else ""
        elif other and other not in " -":
            plain += other
            words[1] = words[1] if _is_said(words[1]) or not _PLACE.match(other) else ""
        elif not bracket:
            words[is_behind] += quoted or escaped or other
    said = re.sub(r"\[[^\[\]]*\]|[_*].", "", code)
    has_words = said.startswith("-") or _is_said(words[0] + words[1])
    has_place = is_day(code) or _PLACE.search(plain) is not None
    by_thousand = re.search(r"[0#?](,+)(?=[^0#?]*$)", plain)
    thousands = len(by_thousand[1]) if by_thousand else 0
    return Form(code, words[0], words[1], has_place, condition, thousands, plain.count("%"), has_words)


def _is_said(words: str) -> bool:
    return any(sign.isalnum() or sign in "%‰" for sign in words)


_PLACE = re.compile(r"[0#?@dmyhs]|General", re.IGNORECASE)
_AS_IT_IS = _section("@")
