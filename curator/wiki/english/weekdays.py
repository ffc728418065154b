"""The days of the week that a text names in short, as notes do."""

from __future__ import annotations

import re

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase

_DAYS = {day[:3]: day for day in "monday tuesday wednesday thursday friday saturday sunday".split()}
_DAY = r"(?:[Mm]on|[Tt]ues?|[Ww]eds?|[Tt]hu(?:rs?)?|[Ff]ri|[Ss]at|[Ss]un)"
SHORT_DAY = re.compile(
    r"\b(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat(?! (?:down|on|in|at|by)\b)|tues?|thurs?)\b(?!['’])"
    r"|\bSun\b(?=\W*\Z|[.,:;)!/–+&-]|\s*[/–+&-]|\.? ?\d)"
    rf"|\b{_DAY}(?=\s?[-–/+&]\s?{_DAY}\b)|(?<=[-–/+&]){_DAY}\b(?![-'’])"
)
"""A day of the week in short; ``Sun`` and ``sat`` only where they can be nothing else."""


def weekdays_named(text: Phrase) -> frozenset[str]:
    """The stems of the days of the week that it names in short, as notes do: ``Tue/Fri``, ``mon-thu``, ``Thurs``."""
    found = (match[0].lower()[:3] for match in SHORT_DAY.finditer(text.plain))
    return frozenset(stem(_DAYS[day]) for day in found)
