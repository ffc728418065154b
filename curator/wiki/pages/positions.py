"""Where a passage stands on a page that somebody quotes from memory: byte for byte, or as a reader sees it."""

from __future__ import annotations

import re
import unicodedata

from curator.wiki.pages import markdown
from curator.wiki.pages.editing import CLAIMS, Position
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import SPACELESS


def find_passage(body: str, passage: str) -> Position | None:
    """Where ``passage`` stands, as whole words and outside the footnotes, when it stands in exactly one place.

    Tried in turn: byte for byte; with white space, typography, citation marks and the words of links folded; as a reader
    sees it, links as their words and no markup.
    """
    wanted = passage.strip()
    text = _without_notes(body)
    if places := _places(text, wanted):
        return Position(places[0], places[0] + len(wanted)) if len(places) == 1 else None
    for unread in (_SKIPPED, _UNSEEN):
        folded, offsets = _fold_with_offsets(text, unread)
        needle, _ = _fold_with_offsets(wanted, unread)
        if places := _places(folded, needle):
            spot = Position(offsets[places[0]], offsets[places[0] + len(needle) - 1] + 1)
            return _whole(body, spot) if len(places) == 1 else None
    return None


def _whole(body: str, spot: Position) -> Position | None:
    """``spot`` with all of a link or an emphasis that it has a part of, and the marks behind it; None where one is torn."""
    start, end = spot.start, spot.end
    for link in markdown.scan(body).links:
        if link.start < end and start < link.end:
            start, end = min(start, link.start), max(end, link.end)
    inside, lead, tail = body[start:end], body[max(0, start - 3) : start], body[end : end + 3]
    before, behind = lead[len(lead.rstrip(_MARKUP)) :], tail[: len(tail) - len(tail.lstrip(_MARKUP))]
    start -= len(before) if before in inside else 0
    end += len(behind) if behind in inside else 0
    unescaped = re.sub(r"\\.", "", body[start:end])
    if any(unescaped.count(each) % 2 for each in "*`"):
        return None
    trailing = _MARKS.match(body, end)
    return Position(start, trailing.end() if trailing else end)


def block_at(body: str, spot: Position) -> Block | None:
    """The claim block that holds ``spot`` whole."""
    return next(
        (b for b in markdown.scan(body).blocks if b.kind in CLAIMS and b.start <= spot.start and spot.end <= b.end),
        None,
    )


def _without_notes(body: str) -> str:
    """``body`` with its footnotes, which no reader of the prose sees, blotted out."""
    for note in (block for block in markdown.scan(body).blocks if block.kind == "note"):
        body = body[: note.start] + "\0" * (note.end - note.start) + body[note.end :]
    return body


def _places(text: str, wanted: str) -> list[int]:
    """Where ``wanted`` stands in ``text`` without parting a word; the first two places are enough."""
    found: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0 and len(found) < 2:
        if not (_parts_word(text, at) or _parts_word(text, at + len(wanted))):
            found.append(at)
        at = text.find(wanted, at + 1)
    return found


def _parts_word(text: str, at: int) -> bool:
    left, right = text[at - 1 : at] if at else "", text[at : at + 1]
    return left.isalnum() and right.isalnum() and not SPACELESS.match(left + right)


_FOLDS = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "\u00a0": " ", "‹": "<", "›": ">"}
)
_SKIPPED = re.compile(r"[ \t]{0,8}\[\^[^\[\]\s]+\]|\\?\|[^\[\]|\n]{0,200}(?=\]\])|\s+")
"""Nothing, when passages are compared: citation marks and the words of links."""
_MARKS = re.compile(r"(?:[ \t]{0,8}\[\^[^\[\]\s]+\])+")
_MARKUP = "*_`"
_UNSEEN = re.compile(
    r"[ \t]{0,8}\[\^[^\[\]\s]+\]|\[\[[^\[\]|\n]{0,200}\|(?=[^\[\]\n]{0,200}\]\])|\]\([^()\s]{0,300}\)|[\[\]*_`\\]|\s+"
)
"""Nothing to a reader's eye: those marks, and what makes links, emphasis and code of words."""


def _fold_with_offsets(text: str, unread: re.Pattern[str]) -> tuple[str, list[int]]:
    folded: list[str] = []
    offsets: list[int] = []
    last = 0
    for match in [*unread.finditer(text), None]:
        end = match.start() if match else len(text)
        for offset in range(last, end):
            for character in unicodedata.normalize("NFKC", text[offset].translate(_FOLDS)):
                folded.append(character)
                offsets.append(offset)
        if match:
            last = match.end()
            if match[0].isspace() and folded and folded[-1] != " ":
                folded.append(" ")
                offsets.append(match.start())
    while folded and folded[-1] == " ":
        folded.pop()
        offsets.pop()
    return "".join(folded), offsets
