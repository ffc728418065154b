"""Which sources are copies of each other, and so one witness: their words are the same but for a few.

Two texts are held to be copies where four in five of the runs of four words of the longer are in the other one, whatever
the case, the white space and the marks are. Only the sources of one page are ever compared, and read for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from pathlib import PurePosixPath

from curator.wiki.sources.authority import Reads, SourceWeight, independent
from curator.wiki.sources.formats import FORMATS

_SHARED = 0.8
_RUN = 4
"""Words in a row."""
_LEAST = 24
"""Such runs; of a text with fewer all have to be the same."""
_LONGEST = 200_000
"""Characters of a source that are compared."""
_MOST_COMPARED = 12
"""Sources of a page; more than that many witnesses raise no figure."""
_NO_TEXT = frozenset(("pdf", "docx", "odt", "pptx", "xlsx", "epub", "rtf"))
"""Formats whose words are not in the bytes as they are."""
_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"<[^<>]{0,500}>")
_FOOTNOTE = re.compile(r"^\[\^[^\[\]\n]{1,200}\]: {0,9}\"?sources/[^\n]{1,400}?#(?:L|p|par|t=)\d", re.MULTILINE)


def witnesses(sources: Sequence[SourceWeight], read: Reads) -> int:
    """How many of ``sources`` are independent: by their bytes, their names and their words.

    What is itself a page of a wiki, by footnotes that lead into ``sources/``, bears out no other source.
    """
    held = [source for source in sources if not source.superseded]
    most = independent(held)
    if most < 2:
        return most
    texts = [_text(source, read) for source in held[:_MOST_COMPARED]]
    own = [(source, text) for source, text in zip(held, texts, strict=False) if not _FOOTNOTE.search(text)]
    runs = [_runs(text) for _, text in own]
    apart = _most_apart(list(range(len(runs))), [[are_copies(one, other) for other in runs] for one in runs])
    more = held[_MOST_COMPARED:]
    return max(1, min(independent([*(source for source, _ in own), *more]), apart + len(more)))


def repeats(source: SourceWeight, page: str) -> bool:
    """True for a source that says next to nothing that does not stand on ``page`` already, in the same words."""
    mine, there = _runs(source.text), _runs(page)
    return len(mine) >= _LEAST and len(mine & there) >= _SHARED * len(mine)


def are_copies(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether the texts with these runs of words are copies."""
    shorter, longer = sorted((len(one), len(other)))
    return bool(shorter) and (one == other if shorter < _LEAST else len(one & other) >= _SHARED * longer)


def _text(source: SourceWeight, read: Reads) -> str:
    format = FORMATS.get(PurePosixPath(source.path).suffix.lower(), "")
    text = source.text or ("" if format in _NO_TEXT else read(source.path) or "")
    return unescape(_TAG.sub(" ", text[: 4 * _LONGEST])) if format == "html" else text


@lru_cache(maxsize=64)
def _runs(text: str) -> frozenset[int]:
    """Of each run of words, and of the words of a text that has no more than one run."""
    words = _WORD.findall(text[:_LONGEST].casefold())
    runs = zip(*(words[at:] for at in range(_RUN)), strict=False)
    return frozenset(map(hash, runs)) or frozenset(map(hash, words))


def _most_apart(left: list[int], copies: Sequence[Sequence[bool]]) -> int:
    """The size of the largest choice of texts of which none is a copy of another: one more text never makes it less."""
    if not left:
        return 0
    first, *others = left
    apart = [each for each in others if not copies[first][each]]
    if len(apart) == len(others):
        return 1 + _most_apart(others, copies)
    return max(1 + _most_apart(apart, copies), _most_apart(others, copies))
