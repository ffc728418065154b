"""Words that a quote may not differ in, and words that it may: what turns or bounds a statement, and what does neither."""

from __future__ import annotations

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
