"""Two sources disagree: which claim stays current, and how the page says so (AIP-10, contradiction policy).

Nothing is ever dropped. ``curation.conflictResolution`` decides by the sources' dates, their authority or how many of
them there are; when it does not decide, both claims stand and the pages are marked as contradicting each other.
"""

from __future__ import annotations

import re
from typing import Literal

from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.sources.authority import SourceWeights, incoming, independent, own_day
from curator.wiki.sources.source import Source
from curator.wiki.wiki import Wiki

Verdict = Literal["new", "old", "open"]


def decide(
    resolution: str, source: Source, against: list[str], wiki: Wiki, known: SourceWeights | None = None
) -> Verdict:
    """Whether ``source`` ("new") or the cited sources ``against`` ("old") keep the current claim; "open" if neither."""
    known = known or SourceWeights()
    if resolution == "recency":
        dates = [own_day(path, wiki.store.read) for path in against]
        if not source.date or not all(dates) or not dates or max(dates) == source.date:
            return "open"
        return "new" if source.date > max(dates) else "old"
    if resolution == "authority" and against:
        rank, most = incoming(source).rank, max(known.at(path).rank for path in against)
        return "new" if rank > most else "old" if rank < most else "open"
    if resolution == "observation-count" and independent(map(known.at, against)) > 1:
        return "old"
    return "open"


def is_settled(body: str, claim: str) -> bool:
    """True when ``body`` holds ``claim`` already, beside what it contradicts."""
    said = f" {editing.words_of(without_marks(claim))} "
    return any(said in f" {editing.words_of(block.text)} " for block in markdown.scan(body).blocks)


def settle(body: str, block: Block, claim: str, verdict: Verdict) -> str:
    """``body`` with ``claim`` beside ``block``: before it when it is the current one, else behind it."""
    old = body[block.start : block.end]
    if block.kind == "row":  # a table says one thing a row; the other claim follows the table
        end = _end_of_table(body, block.end)
        return editing.insert(body, end, _led("Another source says:", _bare(claim)))
    bullet = "- " if block.kind == "item" else ""
    if verdict == "new":
        pair = [bullet + _bare(claim), bullet + _led("Earlier:", _bare(old))]
    else:
        lead = "Another source, now outweighed:" if verdict == "old" else "Contradicted:"
        pair = [old, bullet + _led(lead, _bare(claim))]
    indent = re.match(r"[ \t]*", body[body.rfind("\n", 0, block.start) + 1 : block.start])
    gap = "\n" + (indent[0] if indent else "") if bullet else "\n\n"
    return body[: block.start] + gap.join(pair) + body[block.end :]


def _led(lead: str, claim: str) -> str:
    return f"{lead} {claim}"


def _bare(claim: str) -> str:
    return re.sub(r"^\s*(?:[-*+]|\d+[.)]) ", "", claim).strip()


def _end_of_table(body: str, at: int) -> int:
    end = at
    while (line_end := body.find("\n", end)) >= 0 and body[line_end + 1 :].lstrip(" ").startswith("|"):
        end = line_end + 1
    stop = body.find("\n", end)
    return len(body) if stop < 0 else stop
