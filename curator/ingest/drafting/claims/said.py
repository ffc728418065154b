"""Whether a page says already what a claim says: nothing is told twice, in slightly other words either."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator.models.proposal import Claim
from curator.wiki.english.words import phrase
from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.page import Page
from curator.wiki.support.rewording import lost

_LEAST_TOLD = 5
"""Telling words of a statement that may be told by another in more words."""
_TARGET = re.compile(r"(?<=\[\[)[^\[\]|]*\|")
"""What a link with words of its own leads to."""


def is_said(text: str, page: Page) -> bool:
    """True when ``page`` says all of ``text`` already: in the same words with other marks and links, or with more words.

    A line of it counts, too.
    """
    known = {gist(block.text) for block in page.outline.blocks}
    paragraphs = (page.body[block.start : block.end] for block in page.outline.blocks if block.kind == "paragraph")
    known |= {gist(line) for paragraph in paragraphs for line in paragraph.split("\n")}
    blocks = markdown.scan(text).blocks
    code = {gist(block.text) for block in page.outline.blocks if block.kind == "code"}
    if not {gist(block.text) for block in blocks if block.kind == "code"} <= code:
        return False
    said = {gist(block.text): block.text for block in blocks if block.kind in editing.CLAIMS}
    told = [without_marks(block.text) for block in page.outline.blocks if block.kind in ("paragraph", "item")]
    return all(key in known or _is_told(without_marks(words), told) for key, words in said.items())


def _is_told(statement: str, told: Sequence[str]) -> bool:
    """True when one of ``told`` has all telling words of ``statement``, in their order, and takes nothing of it back."""
    mine = [word.stem for word in phrase(statement).content]
    if len(mine) < _LEAST_TOLD:
        return False
    return any(
        _in_order(mine, [w.stem for w in phrase(other).content]) and not lost(statement, other) for other in told
    )


def _in_order(words: Sequence[str], others: Sequence[str]) -> bool:
    rest = iter(others)
    return all(word in rest for word in words)


def repeats(claim: Claim, passage: str) -> bool:
    """True for a claim that is a whole block of ``passage`` again, and quotes nothing new."""
    said = gist(claim.text)
    return bool(said) and not claim.quotes and said in gists(passage)


def gists(passage: str) -> set[str]:
    return {gist(block.text) for block in markdown.scan(passage).blocks} - {""} if passage else set()


def as_it_was(claim: Claim, passage: str) -> str:
    """The block of ``passage`` that ``claim`` repeats, with its own links and marks; its bullet is the claim's."""
    said = gist(claim.text)
    block = next(block for block in markdown.scan(passage).blocks if gist(block.text) == said)
    bullet = editing.BULLET.match(claim.text)
    return (bullet[0] if bullet else "") + editing.without_bullet(passage[block.start : block.end])


def gist(text: str) -> str:
    """What two wordings share when they say the same with other marks."""
    return editing.words_of(without_marks(_TARGET.sub("", text)))
