"""What a head tells in its fields: ``Author: Mira Holm``, ``Sponsor: Jonas Berg``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import is_not

_FIELD = re.compile(r"^([A-Z][\w -]{1,30}):[ \t]*(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_ROLES = frozenset(
    map(stem, "author sponsor delegate editor reviewer translator publisher maintainer owner chair secretary".split())
)
"""Words for what somebody is, by which a head calls its fields."""


def field_exchanged(case: Case) -> Iterator[str]:
    """Somebody is called what the head calls only another one: ``Its author is Jonas Berg`` of a sponsor."""
    if "field" not in case.context.kinds:
        return
    fields = {key: value for key, value in _fields(case.context.stated.plain) if key in _ROLES}
    if len(fields) < 2:
        return
    for clause in case.claim.clauses:
        said = {word.stem for word in clause if word.stem in _ROLES}
        if len(said) != 1 or any(map(is_not, clause)):
            continue
        role = next(iter(said))
        for word in clause:
            is_name = word.text[0].isupper() and word.stem not in _ROLES and word.is_content
            there = {key for key, value in fields.items() if word.stem in value.stems}
            if is_name and there and role in fields and role not in there:
                yield f"the source has {word.text!r} under {min(there)!r}, not under {role!r}"
                return


def _fields(text: str) -> Iterator[tuple[str, Phrase]]:
    for match in _FIELD.finditer(text):
        words = [each.stem for each in phrase(match[1].replace("-", " ")).words]
        if words:
            yield words[-1], phrase(match[2])
