"""Edits inside a page's body: where a section ends, where a passage stands, where citations go.

Everything is an offset into the body and a splice of text; what is not spliced is not touched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curator.wiki.pages import markdown
from curator.wiki.pages.citation import mark
from curator.wiki.pages.markdown import Block

CLAIMS = ("paragraph", "item", "row")
_WORD, _DIGIT = re.compile(r"\w+"), re.compile(r"\d")
_VERBATIM = 0.9
"""Of an item's words, how many one quote has where the item is told in its words."""


@dataclass(frozen=True)
class Position:
    """Where a passage stands in a body."""

    start: int
    end: int


def cite(text: str, quotes: Mapping[str, str]) -> str:
    """``text`` with citation marks at the end of every paragraph, list item and table row in it.

    ``quotes`` has the quoted words by label. Where there are several rows, each gets the mark of the words nearest to it,
    and the marks of all words that are nearer to it than to other rows; so does each item of a list that is told in the
    words of its quotes.
    """
    if not quotes:
        return text
    claims = [block for block in markdown.scan(text).blocks if block.kind in CLAIMS and not is_navigation(block)]
    rows = [text[block.start : block.end] for block in claims if block.kind == "row"] if len(claims) > 1 else []
    told = [] if rows or len(claims) < 2 else [block.text for block in claims]
    rows = rows or (told if _is_verbatim(told, quotes) else [])
    shares = iter(reversed(_shared_out(rows, quotes)))
    for block in reversed(claims):
        labels = next(shares) if rows and (block.kind == "row" or told) else list(quotes)
        marks = " ".join(mark(label) for label in labels)
        end = block.end
        if block.kind == "row" and text[:end].endswith("|"):
            end = len(text[: end - 1].rstrip())
        text = f"{text[:end]} {marks}{text[end:]}"
    return text


def _is_verbatim(items: Sequence[str], quotes: Mapping[str, str]) -> bool:
    """True where each of ``items`` has nearly all its words from one of ``quotes``."""
    words = [_WORD.findall(item.casefold()) for item in items]
    told = [_WORD.findall(quote.casefold()) for quote in quotes.values()]
    return all(any(_nearness(item, quote)[0] >= _VERBATIM * len(item) for quote in told) for item in words)


def _shared_out(rows: Sequence[str], quotes: Mapping[str, str]) -> list[list[str]]:
    """The labels of each row: by the number of words it shares with a quote; all of them where it shares none with any."""
    words = [_WORD.findall(row.casefold()) for row in rows]
    told = {label: _WORD.findall(quote.casefold()) for label, quote in quotes.items()}
    nearest = [max(told, key=lambda label: _nearness(row, told[label])) for row in words]
    owners = {label: max(range(len(rows)), key=lambda n: _nearness(words[n], told[label])) for label in told if rows}
    found = []
    for number, row in enumerate(words):
        own = [
            label
            for label in told
            if label == nearest[number] or (owners[label] == number and _nearness(row, told[label])[0])
        ]
        cells = (_WORD.findall(cell.casefold()) for cell in rows[number].split("|"))
        for figures in filter(None, ([word for word in cell if _DIGIT.search(word)] for cell in cells)):
            if not any(_has_run(told[label], figures) for label in own):
                own += [label for label in told if _has_run(told[label], figures)]
        found.append(own if _nearness(row, told[nearest[number]])[0] else list(told))
    return found


def _has_run(words: Sequence[str], run: Sequence[str]) -> bool:
    return any(words[at : at + len(run)] == run for at in range(len(words) - len(run) + 1))


def _nearness(row: Sequence[str], quote: Sequence[str]) -> tuple[int, bool]:
    """How many words a row shares with a quote, each as often as both have it; then whether it has them in their order."""
    shared = (Counter(row) & Counter(quote)).total()
    return shared, _has_run(row, quote)


def is_navigation(block: Block) -> bool:
    """True for a block that states nothing: only links, or a lead-in like ``See also:`` before them."""
    return is_lead_in(block.words_outside_links)


def is_lead_in(text: str) -> bool:
    """True for no words at all, and for such as stand before links: ``See also:``."""
    words = re.sub(r"[\W_]+", " ", text).strip().casefold()
    return words in ("", "see also", "see", "related", "and")


EARLIER, OUTWEIGHED = "Earlier:", "Another source, now outweighed:"
UNDECIDED, IN_A_TABLE = "Sources disagree; another says:", "Another source says:"
OPEN = (UNDECIDED, "Contradicted:")
"""Before a statement of which nobody knows whether it or the one above it holds; the last one on pages of before."""
LEADS = (EARLIER, *OPEN, OUTWEIGHED, IN_A_TABLE)
"""What code puts before one of two statements that disagree."""
_LEAD = re.compile(
    rf"(?P<bullet>\s*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(?:[*_]*+(?:{'|'.join(LEADS)})[*_]*+\s*+)+", re.IGNORECASE
)


def lead_of(text: str) -> str:
    """The lead that a statement, written without a bullet, begins with; empty when it has none."""
    return next((lead for lead in LEADS if text.strip().casefold().startswith(lead.casefold())), "")


def written_lead(text: str) -> str:
    """The same of a statement as it is written, behind its bullet."""
    match = _LEAD.match(text)
    return next((lead for lead in LEADS if match and lead.casefold() in match[0].casefold()), "")


def without_lead(text: str) -> str:
    """``text`` without such leads before it."""
    match = _LEAD.match(text)
    return match["bullet"] + text[match.end() :] if match else text


def join(blocks: list[str]) -> str:
    """Blocks as markdown: list items and table rows close together, all else a blank line apart."""
    text = ""
    for block in blocks:
        block = block.strip("\n")
        text = block if not text else text + ("\n" if _continues(text, block) else "\n\n") + block
    return text


def without_empty_sections(blocks: Sequence[str]) -> list[str]:
    """``blocks`` without the headings that nothing stands under."""
    kept: list[str] = []
    for block in reversed(blocks):
        level = _level(block)
        if level is None or (kept and ((below := _level(kept[-1])) is None or below > level)):
            kept.append(block)
    return list(reversed(kept))


def _level(block: str) -> int | None:
    """The level of a heading, 1 to 6; None for any other block."""
    match = re.fullmatch(r"(#{1,6}) .*", block)
    return len(match[1]) if match else None


def end_of_section(body: str, heading: str) -> int | None:
    """The offset behind the last block of the section under ``heading``; None when there is no such heading."""
    span = section_span(body, heading)
    return span[1] if span is not None else None


def section_span(body: str, heading: str) -> tuple[int, int] | None:
    """Where the section under ``heading`` begins and ends; None when there is no such heading."""
    outline = markdown.scan(body)
    wanted = words_of(heading.lstrip("# "))
    at = next((i for i, b in enumerate(outline.blocks) if b.kind == "heading" and words_of(b.text) == wanted), None)
    if at is None:
        return None
    end = outline.blocks[at].end
    for block in outline.blocks[at + 1 :]:
        if block.kind == "note" or (block.kind == "heading" and block.level <= outline.blocks[at].level):
            break
        end = max(end, block.end)
    return outline.blocks[at].start, line_end(body, end)


def end_of_text(body: str) -> int:
    """The offset behind the last block that is no footnote."""
    blocks = [block for block in markdown.scan(body).blocks if block.kind != "note"]
    return line_end(body, max((block.end for block in blocks), default=0))


def insert(body: str, at: int, text: str) -> str:
    """``text`` as blocks of its own at ``at``, the end of a line."""
    before, after = body[:at].rstrip("\n"), body[at:].lstrip("\n")
    text = text.strip("\n")
    head = text if not before else before + ("\n" if _continues(before, text) else "\n\n") + text
    if not after:
        return head + "\n"
    close = _continues(text, after) and not body[at:].startswith("\n\n")
    return head + ("\n" if close else "\n\n") + after


def fitted(new: str, body: str, spot: Position) -> str:
    """``new`` such that a list item at ``spot`` stays one, whichever of the two texts was written with its bullet."""
    before = body[body.rfind("\n", 0, spot.start) + 1 : spot.start]
    old = BULLET.match(body[spot.start : spot.end])
    bullet = BULLET.match(new)
    if bullet and BULLET.fullmatch(before):
        return new[bullet.end() :]
    return old[0] + new if old and not bullet else new


def words_of(text: str) -> str:
    """The words of ``text`` alone, for comparing."""
    return " ".join(re.findall(r"\w+", text.casefold()))


BULLET = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")


def without_bullet(block: str) -> str:
    """``block`` without the mark of a list item that it begins with."""
    bullet = BULLET.match(block)
    return block[bullet.end() :] if bullet else block


def _continues(text: str, block: str) -> bool:
    """True when ``block`` goes on with the list or table that ``text`` ends in."""
    first, _, rest = block.partition("\n")
    opens_table = _DELIMITERS.match(rest) is not None
    *above, last = text.rpartition("\n\n")[2].split("\n")
    while above and _kin(last) in ("-", "1") and _indent(last) > _indent(first):
        last = above.pop()  # of a list within the item before
    return _kin(last) == _kin(first) != "" and not opens_table


def _indent(line: str) -> int:
    """How far in ``line`` begins."""
    return len(line) - len(line.lstrip())


_DELIMITERS = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\||\n|\Z)")


def _kin(line: str) -> str:
    """The list or table a line belongs to; empty for a line that stands alone."""
    if re.match(r"\s*[-*+] ", line):
        return "-"
    if re.match(r"\s*\d+[.)] ", line):
        return "1"
    return "|" if line.lstrip().startswith("|") else ""


def line_end(body: str, at: int) -> int:
    """Where the line ends that ``at`` is in."""
    end = body.find("\n", at)
    return len(body) if end < 0 else end
