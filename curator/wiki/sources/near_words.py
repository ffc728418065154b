"""The run of a source's words that says nearly what was quoted: what differs could carry no other meaning."""

from __future__ import annotations

import re

TURNING = frozenset(
    "no not never none nor neither without cannot must should shall may might can could hardly rarely seldom barely "
    "only except unless all any every always more less before after above below until least most non "
    "nicht kein keine keinen keinem keiner keines nie niemals ohne nur weder "
    "ne pas jamais sans aucun aucune nunca sin sólo ningún ninguno ninguna mai senza não sem "
    "niet geen nooit zonder inte ikke aldrig utan uden nie bez nigdy не нет ни никогда без только".split()
) | {
    f"{stem}nt"
    for stem in "ca do does did is are was were has have had wo would could should must need might ai sha".split()
}
"""Folded words that turn or bound a statement."""
SMALL = frozenset("a an the that this these those which also then thus such its their".split())
"""Folded words that models drop, add and change without meaning another thing."""
_SAME_STEM = 4
"""Letters that two forms of one word begin with, at least."""
_PLAIN = re.compile(r"[a-z\u00df-\u024f\u0400-\u04ff]+")


def best_fit(wanted: list[str], window: list[str], allowed: int) -> tuple[int, int, int] | None:
    """The run of ``window`` nearest to ``wanted``: (words that differ, start, end), or None when none is near enough.

    Word-level edit distance with a free beginning and end in ``window``; each cell carries where its run began. Words that
    may not differ cost more than is allowed.
    """
    costs = {word: 1 if word in SMALL else allowed + 1 for word in {*wanted, *window}}
    row = [(0, start) for start in range(len(window) + 1)]
    for i, word in enumerate(wanted):
        # What turns the statement could stand just outside a run that need not begin and end as the quote does.
        cost = allowed + 1 if i in (0, len(wanted) - 1) else costs[word]
        last, row = row, [(row[0][0] + cost, 0)]
        for j, other in enumerate(window, start=1):
            at_edge = i in (0, len(wanted) - 1)
            change = 0 if word == other else 1 if not at_edge and _means_the_same(word, other) else allowed + 1
            row.append(
                min(
                    (last[j - 1][0] + change, last[j - 1][1]),
                    (last[j][0] + cost, last[j][1]),
                    (row[-1][0] + costs[other], row[-1][1]),
                )
            )
    runs = sorted((distance, start, end) for end, (distance, start) in enumerate(row) if distance <= allowed)
    return runs[0] if runs else None


def _means_the_same(word: str, other: str) -> bool:
    """True for two small words, and for two forms of one word; not for ``possible`` and ``impossible``, or a number."""
    if word in SMALL or other in SMALL:
        return word in SMALL and other in SMALL
    if word in TURNING or other in TURNING or not (_PLAIN.fullmatch(word) and _PLAIN.fullmatch(other)):
        return False
    stem = next(
        (at for at, (one, two) in enumerate(zip(word, other, strict=False)) if one != two), min(len(word), len(other))
    )
    return stem >= _SAME_STEM and len(word) - stem <= 3 and len(other) - stem <= 3
