"""The date that a line begins with: ``2024-06-15``, ``June 2024``, ``In 1998``, ``1998-2003``, ``19th century``."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

Point = tuple[int, int, int, str]
"""Year, month, day and time; 0 and empty where they are not told, so that a year comes before its months.
A year BC is negative.
"""

_MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_MONTH = rf"(?:{'|'.join(name[:3] for name in _MONTHS)})[a-z]*\.?"
_SEASON = "|".join(_SEASONS)
_YEAR = r"[12]\d{3}"
_WHOLE_MONTH = rf"(?:{'|'.join(f'{name}|{name[:3]}' for name in _MONTHS)}|sept)(?![a-z])\.?"
_NUMBERED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_WHEN = {"early": 1, "mid": 6, "middle": 6, "late": 10, "end": 12}
"""The month that a part of a year is sorted by, where no other is told."""
_BC, _AD = r"(?-i:B\.?C\.?(?:E\b\.?)?)", r"(?-i:A\.?D\b\.?|C\.?E\b\.?)"
_POINT = "|".join(
    (
        rf"(?P<iso>{_YEAR}(?P<sep>[-/.])\d\d(?P=sep)\d\d)(?:[ T]+(?:at )?(?P<time>\d\d:\d\d(?::\d\d)?)Z?)?",
        rf"(?P<packed>{_YEAR}(?:0[1-9]|1[0-2])[0-3]\d)",
        rf"(?P<slashed>\d{{1,2}}/\d{{1,2}}/{_YEAR})",
        rf"(?P<weeks>{_YEAR})-?W(?P<week>\d\d)(?:-?(?P<weekday>[1-7]))?",
        rf"(?P<century>\d{{1,2}})(?:st|nd|rd|th) century(?P<before> {_BC})?",
        rf"(?P<bc>\d{{1,4}}) ?(?:{_BC}|(?=[-–—]\d{{1,4}} ?{_BC}))",
        rf"{_AD} (?P<ad>\d{{1,4}})|(?P<ce>\d{{1,4}}) ?{_AD}",
        rf"(?:FY ?|(?:fiscal|financial) year )(?P<fy>{_YEAR})(?:/\d\d(?:\d\d)?)?",
        rf"(?P<dotted>\d{{1,2}}\.\d{{1,2}}\.{_YEAR})",
        rf"(?P<first>\d{{1,2}})(?:(?:st|nd|rd|th|\.)? (?:of )?|-)(?P<of>{_MONTH})(?:,? |-)(?P<in>{_YEAR})",
        rf"(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>{_YEAR})",
        rf"(?P<named>{_MONTH}),? (?:of )?(?P<its>{_YEAR})",
        rf"(?P<season>{_SEASON}),? (?:of )?(?P<then>{_YEAR})",
        rf"Q(?P<quarter>[1-4])[ /-]?(?P<qyear>{_YEAR})",
        rf"(?P<yearq>{_YEAR})[ /-]?Q(?P<itsq>[1-4])",
        rf"H(?P<half>[12])[ /-]?(?P<hyear>{_YEAR})",
        rf"(?P<nth>{'|'.join(_NUMBERED)}) (?P<part>quarter|half) (?:of )?(?P<pyear>{_YEAR})",
        rf"(?P<yfirst>{_YEAR}),? (?P<ymonth>{_WHOLE_MONTH})(?: (?P<yday>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?",
        rf"(?P<iyear>{_YEAR})-(?P<imonth>0[1-9]|1[0-2])(?!\d)",
        rf"(?P<bare>{_YEAR})(?:s\b)?",
    )
)
_OTHER_MONTHS = (
    "januar jänner februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre "
    "octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
"""Of German, French and Spanish, as far as English has no such name."""
_OF_A_YEAR = re.compile(r"年|-(?:0[1-9]|1[0-2])(?!\d)")
_BEFORE_YEAR = re.compile(
    rf"(?:\b(?:{_WHOLE_MONTH}|{_OTHER_MONTHS.replace(' ', '|')})(?:[ -]\d{{1,2}}(?:st|nd|rd|th)?)?(?:,| de|-)?"
    rf"|\b(?:{_SEASON}|Q[1-4]|in|since|until|year|im|seit|bis|Jahre?|en|depuis|desde)|\d{{1,2}}([./-])\d{{1,2}}\1)\s*\Z",
    re.IGNORECASE,
)
"""What a year stands behind where it is one: a month, a day of one, in English or another language, a word of time."""
_DAY = "mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun"
_DATE = re.compile(rf"(?:{_POINT})(?!\w)", re.IGNORECASE)
_LEAD = re.compile(
    r"[\s(\[]*(?:(?:in|on|since|from|between|before|after|by|until|around|about|circa|ca?\.|as of"
    r"|(?P<when>early|mid|late)(?: in|-)?|(?:at )?(?:the )?(?:beginning|start|(?P<stage>middle|end)) of|the year|the"
    rf"|(?:{_DAY})(?:day)?(?![a-z]),?)\s*)*",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"\s*(?:-|–|—|\bto\b|\buntil\b|\btill\b|\band\b|\bthrough\b)\s*", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:[-:,;.)\]|/–—]|\Z)")
"""What stands between a date and the event: a number is none when the sentence just goes on (``1500 hives``)."""


@dataclass(frozen=True, order=True)
class PointInTime:
    """When something was; a span of time by its beginning, then by its end."""

    start: Point
    end: Point


def leading(text: str) -> PointInTime | None:
    """The date ``text`` begins with; None when it begins with none."""
    found = behind(text)
    return found[0] if found is not None else None


def written(text: str) -> str:
    """The date ``text`` begins with, as ``YYYY-MM-DD`` or as much of that as it tells; empty when it begins with none."""
    found, end = behind(text) or (None, 0)
    if found is None or found.start[0] < 1000:
        return ""
    if not found.start[1] and "century" in text[:end].casefold():  # no year of four digits is told
        return ""
    return "-".join(f"{part:02}" for part in found.start[:3] if part)


def has_date_of(text: str, year: str) -> bool:
    """True when a date of ``year`` stands in ``text``: its month or day beside it, or a word like "in" before it."""
    spots = (match.span() for match in re.finditer(rf"(?<![0-9A-Za-z_]){year}(?=\W|年|\Z)", text))
    return any(_OF_A_YEAR.match(text, end) or _BEFORE_YEAR.search(text[max(0, at - 30) : at]) for at, end in spots)


def behind(text: str) -> tuple[PointInTime, int] | None:
    """The date ``text`` begins with, and the offset behind it."""
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    first = _DATE.match(text, at)
    start = _point(first) if first else None
    if first is None or start is None:
        return None
    told = _WHEN[(lead["when"] or lead["stage"]).casefold()] if lead and (lead["when"] or lead["stage"]) else 0
    if told and first["bare"] is not None:
        start = (start[0], told, 0, "")
    elif told and first["century"] is not None:
        start = (start[0] + 8 * told, 0, 0, "")
    until = _UP_TO.match(text, first.end())
    last = _DATE.match(text, until.end()) if until else None
    end = _point(last) if last else None
    stop = last.end() if last is not None and end is not None else first.end()
    before = text[:at].strip(" ([*_").casefold()
    is_bare = not before and (first["bare"] or first["packed"])
    if end is None and (is_bare or (first["century"] and before in ("", "the"))) and not _PARTS.match(text, stop):
        return None
    return PointInTime(start, end if end is not None and end >= start else start), stop


def _point(match: re.Match[str]) -> Point | None:
    """None for what is no day of the calendar."""
    part = match.groupdict()
    if part["iso"]:
        year, month, day = (int(number) for number in part["iso"].split(part["sep"]))
    elif part["packed"]:
        year, month, day = int(part["packed"][:4]), int(part["packed"][4:6]), int(part["packed"][6:])
    elif part["slashed"]:
        return _slashed(*(int(number) for number in part["slashed"].split("/")))
    elif part["weeks"]:
        return _week(int(part["weeks"]), int(part["week"]), int(part["weekday"] or 1))
    elif part["century"]:
        return (-100 if part["before"] else 100) * (int(part["century"]) - (not part["before"])), 0, 0, ""
    elif part["dotted"]:
        day, month, year = (int(number) for number in part["dotted"].split("."))
    elif part["first"]:
        year, month, day = int(part["in"]), _month(part["of"]), int(part["first"])
    elif part["month"]:
        year, month, day = int(part["year"]), _month(part["month"]), int(part["day"])
    elif part["named"]:
        year, month, day = int(part["its"]), _month(part["named"]), 0
    elif part["season"]:
        year, month, day = int(part["then"]), _SEASONS[part["season"].casefold()], 0
    elif part["quarter"]:
        year, month, day = int(part["qyear"]), 3 * int(part["quarter"]) - 2, 0
    elif part["yearq"]:
        year, month, day = int(part["yearq"]), 3 * int(part["itsq"]) - 2, 0
    elif part["half"]:
        year, month, day = int(part["hyear"]), 6 * int(part["half"]) - 5, 0
    elif part["nth"]:
        length = 3 if part["part"].casefold() == "quarter" else 6
        year, month, day = int(part["pyear"]), length * (_NUMBERED[part["nth"].casefold()] - 1) + 1, 0
    elif part["yfirst"]:
        year, month, day = int(part["yfirst"]), _month(part["ymonth"]), int(part["yday"] or 0)
    elif part["iyear"]:
        year, month, day = int(part["iyear"]), int(part["imonth"]), 0
    else:
        year = int(part["bare"] or part["fy"] or part["ad"] or part["ce"] or -int(part["bc"] or 0))
        return year, 0, 0, ""
    try:
        date(year, month, day or 1)
    except ValueError:
        return None
    return year, month, day, part["time"] or ""


def _slashed(first: int, second: int, year: int) -> Point | None:
    """``3/15/2016`` and ``15/3/2016``; of ``3/4/2016``, which is read both ways, only the year is told."""
    day, month = max(first, second), min(first, second)
    if not 1 <= month <= 12 or day > calendar.monthrange(year, month)[1]:
        return None
    return (year, month, day, "") if day > 12 or day == month else (year, 0, 0, "")


def _week(year: int, week: int, weekday: int) -> Point | None:
    try:
        monday = date.fromisocalendar(year, week, weekday)
    except ValueError:
        return None
    return monday.year, monday.month, monday.day, ""


def _month(written: str) -> int:
    """0 for a word that only begins like one: ``Marble``."""
    name = written.rstrip(".").casefold()
    return next(
        (n for month, n in _MONTHS.items() if month == name or (len(name) in (3, 4) and month.startswith(name))), 0
    )
