"""Texts that an expression may take long over, made from its own parse tree: what its repeats fit, again and again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from support.expressions import Expression

REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_ORDINARY = "a0 \n-._A\"'([<*`|:,é"
_CHOICES = 5


def hostile(one: Expression) -> Iterator[tuple[str, str]]:
    """Pairs of what a text begins with and what it then repeats."""
    tree = _parser.parse(one.pattern, one.flags & ~re.LOCALE)
    letters = "".join(dict.fromkeys(_letters(tree)))[:24] + _ORDINARY
    for before, unit in _repeats(list(tree), "", letters):
        if unit:
            yield before, unit
            yield "", unit
        if before:
            yield "", before
            yield "", before + unit


def _letters(tree: Iterable[Any]) -> Iterator[str]:
    for op, value in tree:
        if op in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(value)
        elif op is sre.IN:
            yield from (
                chr(item if kind is sre.LITERAL else item[0])
                for kind, item in value
                if kind in (sre.LITERAL, sre.RANGE)
            )
        else:
            yield from (letter for inner in _inner(op, value) for letter in _letters(inner))


def _inner(op: Any, value: Any) -> list[Any]:
    if op in REPEATS:
        return [value[2]]
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.BRANCH:
        return list(value[1])
    if op is sre.ATOMIC_GROUP:
        return [value]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    if op is sre.GROUPREF_EXISTS:
        return [each for each in value[1:] if each is not None]
    return []


def _repeats(tree: list[Any], before: str, letters: str) -> Iterator[tuple[str, str]]:
    """For each repeat in ``tree``: a sample of what stands before it, and samples of what it repeats."""
    for op, value in tree:
        if op in REPEATS and value[1] > 8:
            for sample in _samples(list(value[2]), letters):
                yield before, sample
        for inner in _inner(op, value):
            if op is sre.ASSERT and value[0] < 0:
                continue
            yield from _repeats(list(inner), before, letters)
        before += _sample([(op, value)], letters)
    yield before, ""


def _samples(tree: list[Any], letters: str) -> list[str]:
    """Some texts that ``tree`` fits: of a single set one for each letter in it."""
    if len(tree) == 1:
        op, value = tree[0]
        if op in (sre.IN, sre.NOT_LITERAL, sre.ANY):
            return [letter for letter in letters if fits((op, value), letter)][: _CHOICES * 4]
        if op is sre.SUBPATTERN:
            return _samples(list(value[3]), letters)
        if op is sre.BRANCH:
            return [_sample(list(branch), letters) for branch in value[1]][:_CHOICES]
    plain = _sample(tree, letters)
    found = [plain]
    for at, (op, value) in enumerate(tree):
        if op in (sre.IN, sre.NOT_LITERAL, sre.ANY, sre.MAX_REPEAT, sre.SUBPATTERN, sre.BRANCH):
            inner = (
                _samples(list(value[2]) if op is sre.MAX_REPEAT else [(op, value)], letters) if len(tree) > 1 else []
            )
            found += [_sample(tree[:at], letters) + one + _sample(tree[at + 1 :], letters) for one in inner[:_CHOICES]]
    return list(dict.fromkeys(found))[: 4 * _CHOICES]


def _sample(tree: list[Any], letters: str) -> str:
    found = ""
    for op, value in tree:
        if op is sre.LITERAL:
            found += chr(value)
        elif op in (sre.IN, sre.NOT_LITERAL, sre.ANY):
            found += next((letter for letter in letters if fits((op, value), letter)), "")
        elif op is sre.BRANCH:
            found += _sample(list(value[1][0]), letters)
        elif op is sre.SUBPATTERN:
            found += _sample(list(value[3]), letters)
        elif op is sre.ATOMIC_GROUP:
            found += _sample(list(value), letters)
        elif op in REPEATS:
            found += _sample(list(value[2]), letters) * max(1, min(value[0], 80))
    return found


def fits(node: tuple[Any, Any], letter: str) -> bool:
    op, value = node
    if op is sre.ANY:
        return letter != "\n"
    if op is sre.NOT_LITERAL:
        return letter != chr(value)
    negated, found = False, False
    for kind, item in value:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            found |= letter == chr(item)
        elif kind is sre.RANGE:
            found |= item[0] <= ord(letter) <= item[1]
        else:
            name = str(item).rpartition("_")[2]
            fits = {"DIGIT": letter.isdigit(), "SPACE": letter.isspace(), "WORD": letter.isalnum() or letter == "_"}[
                name
            ]
            found |= fits != ("NOT" in str(item))
    return found != negated
