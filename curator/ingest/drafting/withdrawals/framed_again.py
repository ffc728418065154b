"""What a changed source says around words that it still has: a new heading or lead-in may take them back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.system.text import shortened
from curator.wiki.pages.citation import Citation
from curator.wiki.support.judge import Judge

_TAKEN_BACK = re.compile(
    r"\b(?:myths?|misconceptions?|errors|mistakes|popular error|falsehoods?|lies|fiction|novel|legends?|rumou?rs?"
    r"|hoax(?:es)?|jokes?|dreams?|tales?|superstitions?|invented|imaginary|hypothetical|simulated|false|untrue|wrong|incorrect"
    r"|nonsense|forged|forger(?:y|ies)|fraud|withdrawn|rejected|retracted|revoked|repealed|cancelled|turned down|voted down"
    r"|obsolete|outdated|superseded|former(?:ly)?|no longer|refuted|disproved|claim(?:s|ed)?|alleg\w+|anonymous"
    r"|test data)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r":\s*\Z|\b(?:below|following|follows?|next|these|rest)\b", re.IGNORECASE)
"""How a sentence ends, or what it has, that says something of those behind it."""
_NEAR = 400
"""Characters before the words, of their own paragraph and of the block before it."""


def taken_back(now: Judge, was: Judge, new: Sequence[Citation], old: Sequence[Citation]) -> str:
    """What the source says now around the words cited, had not said before, and takes them back; empty for nothing."""
    known = " ".join(was.evidence.document.text.split())
    for text in _around(now, new):
        said = " ".join(text.split())
        if said not in known and _TAKEN_BACK.search(said):
            return f"it stands now under {shortened(said)}"
    kinds = [set(_kinds(judge, cited)) for judge, cited in ((now, new), (was, old))]
    return "it stands now in code" if "code" in kinds[0] and "code" not in kinds[1] else ""


def _around(judge: Judge, cited: Sequence[Citation]) -> Iterator[str]:
    """The headings over the words cited, and each sentence before them that points at them."""
    layout = judge.source.layout
    for at, start in _places(judge, cited):
        block = layout.blocks[at]
        yield from (layout.of(layout.blocks[each]) for each in block.headings)
        led = [at - 1] if at and layout.blocks[at - 1].kind != "heading" else []
        run = min(layout.run(at), default=at) if block.kind in ("item", "row") else at
        led += [run - 1] if run and layout.blocks[run - 1].kind == "paragraph" else []
        before = [layout.of(layout.blocks[each]) for each in led] + [
            layout.text[max(block.start, start - _NEAR) : start]
        ]
        for text in before:
            yield from (each for each in re.split(r"(?<=[.!?])\s+|\n\s*\n", text[-_NEAR:]) if _POINTS.search(each))


def _kinds(judge: Judge, cited: Sequence[Citation]) -> Iterator[str]:
    yield from (judge.source.layout.blocks[at].kind for at, _ in _places(judge, cited))


def _places(judge: Judge, cited: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """The blocks that the words stand in, each with where they begin."""
    for span in filter(None, map(judge.evidence.place, cited)):
        yield from ((at, span[0]) for at in judge.source.layout.touched(*span)[:1])
