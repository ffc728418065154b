"""How much an expression has to look at before it gives a text up: counted on its parse tree, not timed.

For every place where it may begin, all ways to read on are followed at once and counted; an engine follows them one
after another when all of them fail. Approximate where it cannot matter: a repeat with an upper bound stands for one or
two rounds, a look ahead that has a repeat in it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from support.expressions import Expression
from support.hostile_texts import REPEATS, fits, hostile

Guard = Callable[[str, int], bool]
"""Whether it goes on at a place of a text."""
Edge = tuple[tuple[Guard, ...], Callable[[str], bool], int]
_SETS = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
_TIMES = (4, 8, 12, 24)
"""Times that a text repeats what is hostile in it."""
_MOST_BRANCHES = 30
_MOST_ROUNDS = 80
_TOO_MUCH = 1_000_000


def grows(one: Expression) -> str:
    """A text that costs almost three times as much when it is twice as long; empty where there is none."""
    tree = _parser.parse(one.pattern, one.flags & ~re.LOCALE)
    if not _has_loop(tree):
        return ""
    machine = _Machine(one, tree)
    for before, unit in dict.fromkeys(hostile(one)):
        least, less, short, long = (before + unit * times + "\0" for times in _TIMES)
        if 2 * (first := machine.cost(least)) <= 3 * len(least):
            continue  # what costs more than twice a text's letters below costs more than this here
        if (few := machine.cost(short)) <= 2 * len(short) or few - machine.cost(less) <= machine.cost(less) - first:
            continue  # the same again for the same again: a line
        if machine.cost(long) > 2.8 * few:
            return f"{before!r} + {unit!r} * n"
    return ""


def _has_loop(tree: Any) -> bool:
    return "MAXREPEAT" in repr(list(tree))


@dataclass(frozen=True, eq=False, slots=True)
class _Ways:
    """How many ways are at which states; known with what comes of it, for texts are many and of the same letters."""

    counts: frozenset[tuple[int, int]]
    count: int
    after: dict[tuple[str, str], _Ways] = field(default_factory=dict)
    """By the letters before and after a place: what is there one letter on."""


class _Machine:
    """The expression as states, with edges that take a character and edges that take none."""

    def __init__(self, one: Expression, tree: Any) -> None:
        self._searched, self._flags, self._pattern = one.searched, one.flags, one.compiled()
        self._takes: list[list[tuple[Callable[[str], bool], int]]] = [[]]
        self._skips: list[list[tuple[Guard | None, int]]] = [[]]
        self._known: dict[int, list[Edge]] = {}
        self._taken: dict[tuple[int, str], list[tuple[tuple[Guard, ...], int]]] = {}
        self._far = 1
        """Letters on each side of a place that a guard looks at."""
        self._build(list(tree), 0)
        self._first = _Ways(frozenset({(0, 1)}), 1)
        self._all = {self._first.counts: self._first}

    def cost(self, text: str) -> int:
        """The characters that are looked at, over all ways and all places, up to a limit."""
        far, match_at, end = self._far, self._pattern.match, len(text)
        around = [(text[max(at - far, 0) : at], text[at : at + far]) for at in range(end)]
        total = at = 0
        while at <= end and total < _TOO_MUCH:
            if (match := match_at(text, at)) is None:
                total += self._ways(text, at, around)
                at += 1
            else:
                total += match.end() - at + 1
                at = max(at + 1, match.end())
            if not self._searched:
                break
        return total

    def _ways(self, text: str, at: int, around: list[tuple[str, str]]) -> int:
        now = self._first
        total = now.count
        while at < len(around) and total < _TOO_MUCH:
            now = now.after.get(around[at]) or self._step(now, around[at], text, at)
            if not now.count:
                break
            total += now.count
            at += 1
        return total

    def _step(self, now: _Ways, around: tuple[str, str], text: str, at: int) -> _Ways:
        reached: dict[int, int] = {}
        for state, count in now.counts:
            for guards, then in self._taking(state, text[at]):
                if not guards or all(guard(text, at) for guard in guards):
                    reached[then] = reached.get(then, 0) + count
        counts = frozenset(reached.items())
        now.after[around] = found = self._all.setdefault(counts, _Ways(counts, sum(reached.values())))
        return found

    def _taking(self, state: int, character: str) -> list[tuple[tuple[Guard, ...], int]]:
        """The edges from ``state`` that take a character."""
        if (found := self._taken.get((state, character))) is None:
            found = [(guards, then) for guards, takes, then in self._edges(state) if takes(character)]
            self._taken[state, character] = found
        return found

    def _edges(self, state: int) -> list[Edge]:
        """The ways on from ``state``, with all that has to hold before the character is taken."""
        if state not in self._known:
            self._known[state] = list(self._found(state, (), frozenset()))
        return self._known[state]

    def _found(self, state: int, guards: tuple[Guard, ...], over: frozenset[int]) -> Iterator[Edge]:
        yield from ((guards, takes, then) for takes, then in self._takes[state])
        for guard, then in self._skips[state]:
            if then not in over:
                yield from self._found(then, guards if guard is None else (*guards, guard), over | {state})

    # -- from the tree ---------------------------------------------------------------------------------------------

    def _state(self) -> int:
        self._takes.append([])
        self._skips.append([])
        return len(self._takes) - 1

    def _build(self, tree: list[Any], start: int) -> int:
        for node in tree:
            start = self._node(node, start)
        return start

    def _node(self, node: tuple[Any, Any], start: int) -> int:
        op, value = node
        if op in _SETS:
            end = self._state()
            self._takes[start].append((self._taker(node), end))
            return end
        if op in REPEATS:
            return self._repeat(node, start)
        if op is sre.SUBPATTERN:
            return self._build(list(value[3]), start)
        if op is sre.ATOMIC_GROUP:
            return self._build(list(value), start)
        end = self._state()
        if op is sre.BRANCH:
            loops = [branch for branch in value[1] if _has_loop(branch)]
            for branch in (*loops, *value[1][:_MOST_BRANCHES]):
                self._skips[self._build(list(branch), self._beside(start))].append((None, end))
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            self._skips[start].append((self._look(value, op is sre.ASSERT), end))
            if value[0] > 0:
                self._build(list(value[1]), self._beside(start))
        elif op is sre.AT:
            self._skips[start].append((self._place(str(value)), end))
        else:  # what a group has found, or whether it has
            self._skips[start].append((None, end))
        return end

    def _beside(self, start: int) -> int:
        begin = self._state()
        self._skips[start].append((None, begin))
        return begin

    def _repeat(self, node: tuple[Any, Any], start: int) -> int:
        op, (least, most, body) = node
        for _ in range(min(least, _MOST_ROUNDS)):
            start = self._build(list(body), start)
        loop, end = self._beside(start), self._state()
        is_set = op is sre.POSSESSIVE_REPEAT and len(body) == 1 and body[0][0] in _SETS
        takes = self._taker(body[0]) if is_set else None
        stops = None if takes is None else lambda text, at: not (at < len(text) and takes(text[at]))
        self._skips[loop].append((stops if most is sre.MAXREPEAT else None, end))
        if most is sre.MAXREPEAT:
            self._skips[self._build(list(body), loop)].append((None, loop))
        elif most > least:
            self._skips[self._build(list(body), loop)].append((None, end))
        return end

    def _taker(self, node: tuple[Any, Any]) -> Callable[[str], bool]:
        known: dict[str, bool] = {}
        small = self._flags & re.IGNORECASE

        def takes(letter: str) -> bool:
            if letter not in known:
                if node[0] is sre.LITERAL:
                    found = chr(node[1]) in ({letter, letter.lower(), letter.upper()} if small else letter)
                elif node[0] is sre.ANY:
                    found = letter != "\n" or bool(self._flags & re.DOTALL)
                else:
                    found = fits(node, letter) or bool(
                        small and (fits(node, letter.lower()) or fits(node, letter.upper()))
                    )
                known[letter] = found
            return known[letter]

        return takes

    def _look(self, value: tuple[int, Any], wanted: bool) -> Guard | None:
        direction, body = value
        if any(op not in _SETS for op, _ in body):
            return None
        takers = [self._taker(node) for node in body]
        self._far = max(self._far, len(takers))

        def holds(text: str, at: int) -> bool:
            start = at if direction > 0 else at - len(takers)
            seen = text[max(start, 0) : start + len(takers)]
            return (
                start >= 0
                and len(seen) == len(takers)
                and all(takes(letter) for takes, letter in zip(takers, seen, strict=True))
            ) == wanted

        return holds

    def _place(self, name: str) -> Guard:
        lines = bool(self._flags & re.MULTILINE) and "STRING" not in name
        if "BOUNDARY" in name:
            wanted = "NON" not in name
            return lambda text, at: (_is_word(text[at - 1 : at]) != _is_word(text[at : at + 1])) == wanted
        if "BEGINNING" in name:
            return lambda text, at: at == 0 or (lines and text[at - 1] == "\n")
        return lambda text, at: at >= len(text) or (lines and text[at] == "\n")


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"
