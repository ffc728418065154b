"""What leads a reader of a page about, and tells nothing: menus of links to other places of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from curator.models.extractive.parsing.line import POINTS_ON, TextBlock

_WITHIN = re.compile(r"(?:\*\*\[!\]\*\*\s+)?[*_]{0,3}\[[^\[\]]+\]\((?:#[^()\s]*|\{\{[^()]*|\s*)\)[*_]{0,3}[.,;:]?")
"""A link to another place of its page or its site, whose address a template makes, or made and left none."""


def menu_items(whole: str, blocks: Sequence[TextBlock]) -> Iterator[TextBlock]:
    """The items of lists whose items are all links to where their matter is told, and end no sentence."""
    for (kind, path), run in groupby(enumerate(blocks), key=lambda each: (each[1].kind, each[1].path)):
        (at, first), *others = run
        found = [first, *(item for _, item in others)]
        lead = whole[blocks[at - 1].start : blocks[at - 1].end] if at and blocks[at - 1].path == path else ""
        is_led = lead.endswith(":") and POINTS_ON.search(lead) is not None
        is_menu = kind == "item" and len(found) > 1 and not is_led
        if is_menu and all(_WITHIN.fullmatch(whole, each.start, each.end) for each in found):
            yield from found
