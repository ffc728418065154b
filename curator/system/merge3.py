"""Three versions of a text become one: what each of two hands did to the base, as long as they did not touch the same line.

Unlike with ``git merge-file``, changes that merely touch each other are no clash: two ingests add below the same
paragraph all the time. The unit is a line with the blank lines behind it, so that a paragraph comes and goes with its gap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise


@dataclass(frozen=True)
class Clash:
    """What both sides changed, each in its own way: lines, none where a side has none left."""

    base: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


@dataclass(frozen=True)
class Merged:
    """``text`` has our side wherever there is a clash."""

    text: str
    clashes: tuple[Clash, ...] = ()


def merge(base: str, ours: str, theirs: str, stays: Callable[[str], bool] | None = None) -> Merged:
    """``ours`` with what ``theirs`` did to ``base``. A line of the base that ``stays`` is not taken away by ``theirs``."""
    if theirs in (base, ours):
        return Merged(ours)
    if ours == base and stays is None:
        return Merged(theirs)
    return _Merge(_Lines.of(base), _Lines.of(ours), _Lines.of(theirs), stays).result()


@dataclass(frozen=True)
class _Lines:
    """The lines that are not empty, the first one standing for the text's beginning, and the newlines behind each."""

    texts: list[str]
    gaps: list[int]

    @classmethod
    def of(cls, text: str) -> _Lines:
        lead = len(text) - len(text.lstrip("\n"))
        found = re.findall(r"([^\n]+)(\n*)", text)
        return cls(["", *(line for line, _ in found)], [lead, *(len(gap) for _, gap in found)])


@dataclass(frozen=True)
class _Edit:
    """The base's lines ``start`` to ``end`` become the lines ``new`` of its side."""

    side: int
    start: int
    end: int
    new: range


_Place = tuple[int | None, int | None, int | None]
"""Where a line of the result stands in ours, theirs and the base."""


@dataclass
class _Merge:
    """One merge of texts in lines."""

    base: _Lines
    ours: _Lines
    theirs: _Lines
    stays: Callable[[str], bool] | None

    def result(self) -> Merged:
        places: list[_Place] = []
        clashes: list[Clash] = []
        at = 0
        for cluster in _clusters([*self._edits(0), *self._edits(1)]):
            start, end = cluster[0].start, max(edit.end for edit in cluster)
            places += self._kept(at, start)
            sides = [self._side(cluster, side, start, end) for side in (0, 1)]
            chosen = self._chosen(cluster, sides)
            if chosen is None:
                clashes.append(Clash(tuple(self.base.texts[start:end]), *map(self._texts, sides)))
            places += sides[0] if chosen is None else chosen
            at = end
        places += self._kept(at, len(self.base.texts))
        return Merged(self._joined(places), tuple(clashes))

    # -- edits ---------------------------------------------------------------------------------------------------

    @cached_property
    def _versions(self) -> tuple[_Lines, _Lines, _Lines]:
        return (self.ours, self.theirs, self.base)

    @cached_property
    def _opcodes(self) -> list[Sequence[tuple[str, int, int, int, int]]]:
        return [
            SequenceMatcher(None, self.base.texts, side.texts, autojunk=False).get_opcodes()
            for side in (self.ours, self.theirs)
        ]

    @cached_property
    def _same(self) -> list[dict[int, int]]:
        """Where each line of the base that a side left alone stands on that side."""
        return [
            {i: c + i - a for tag, a, b, c, _ in opcodes if tag == "equal" for i in range(a, b)}
            for opcodes in self._opcodes
        ]

    def _edits(self, side: int) -> Iterator[_Edit]:
        """What a side did. Lines that only went are an edit each: what the other side put between them is no clash."""
        for tag, a, b, c, d in self._opcodes[side]:
            if tag == "delete":
                yield from (part for at in range(a, b) for part in self._sparing(_Edit(side, at, at + 1, range(0))))
            elif tag != "equal":
                yield from self._sparing(_Edit(side, a, b, range(c, d)))

    def _sparing(self, edit: _Edit) -> Iterator[_Edit]:
        """``edit`` in parts, around the lines that stay; those count as left alone."""
        start, new = edit.start, edit.new
        for at in range(edit.start, edit.end):
            if edit.side == 1 and self.stays is not None and self.stays(self.base.texts[at]):
                if at > start or new:
                    yield _Edit(1, start, at, new)
                start, new = at + 1, range(0)
        if start < edit.end or new:
            yield _Edit(edit.side, start, edit.end, new)

    # -- choice --------------------------------------------------------------------------------------------------

    def _chosen(self, cluster: Sequence[_Edit], sides: list[list[_Place]]) -> list[_Place] | None:
        """The lines of a stretch that one side changed, or both in the same way; None when they clash."""
        touched = {edit.side for edit in cluster}
        if len(touched) == 1:
            return sides[touched.pop()]
        if self._texts(sides[0]) == self._texts(sides[1]):
            return sides[0]
        if all(edit.start == edit.end for edit in cluster):  # both only put lines in
            return sides[0] + sides[1]
        if not any(edit.new for edit in cluster):  # both only took lines away
            left = {place[2] for place in sides[1]}
            return [place for place in sides[0] if place[2] in left]
        return None

    def _side(self, cluster: Sequence[_Edit], side: int, start: int, end: int) -> list[_Place]:
        """The lines that ``side`` makes of the base's ``start`` to ``end``."""
        places: list[_Place] = []
        for edit in (edit for edit in cluster if edit.side == side):
            places += self._kept(start, edit.start)
            places += [(i, None, None) if side == 0 else (None, i, None) for i in edit.new]
            start = edit.end
        return places + self._kept(start, end)

    def _kept(self, start: int, end: int) -> list[_Place]:
        return [(self._same[0].get(i), self._same[1].get(i), i) for i in range(start, end)]

    # -- text ----------------------------------------------------------------------------------------------------

    def _text(self, place: _Place) -> str:
        return next(version.texts[i] for version, i in zip(self._versions, place, strict=True) if i is not None)

    def _texts(self, places: Sequence[_Place]) -> tuple[str, ...]:
        return tuple(map(self._text, places))

    def _joined(self, places: list[_Place]) -> str:
        parts = [self._text(one) + "\n" * self._gap(one, other) for one, other in pairwise(places)]
        return "".join([*parts, *map(self._text, places[-1:])]) + "\n" * self.ours.gaps[-1]

    def _gap(self, one: _Place, other: _Place) -> int:
        """The newlines between two lines: as where they stand together, else as many as either of them had there."""
        ours, theirs, base = (
            version.gaps[i] if i is not None and j == i + 1 else None
            for version, i, j in zip(self._versions, one, other, strict=True)
        )
        if ours is not None and theirs is not None:
            return theirs if ours == base else ours
        if ours is not None or theirs is not None:
            return ours if ours is not None else theirs or 0
        after = [version.gaps[i] for version, i in zip(self._versions, one, strict=True) if i is not None]
        before = [version.gaps[i - 1] for version, i in zip(self._versions, other, strict=True) if i]
        return max(1, *after, *before) if self._text(one) else max(after)


def _clusters(edits: list[_Edit]) -> Iterator[list[_Edit]]:
    """Edits that overlap, together; those that only touch are apart. An insertion at a line comes before a change of it."""
    cluster: list[_Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end, edit.side)):
        if cluster and edit.start >= max(other.end for other in cluster):
            same_spot = edit.start == edit.end == cluster[-1].start == cluster[-1].end
            if not same_spot:
                yield cluster
                cluster = []
        cluster.append(edit)
    if cluster:
        yield cluster
