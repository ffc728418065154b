"""Two sources disagree: which claim stays current, and how the page says so (AIP-10, contradiction policy).

Nothing is ever dropped. ``curation.conflictResolution`` decides by the sources' dates, their authority or how many of
them there are; when it does not decide, both claims stand and the pages are marked as contradicting each other.

Under ``recency`` a source's day is the one in its file's name, which its owner gave it, else the one it gives itself. Where
none is told, a month or a year dates it as well as it goes: years that differ decide, one that holds the other does not. No
day counts that is later than the day the source was taken in, and one that it gives itself does not outweigh a source of
higher authority.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from curator.checks.rules.proofs import is_earned
from curator.finding import Finding
from curator.ingest.drafting.other_subject import speaks_of_another
from curator.models.proposal import Claim
from curator.system.text import shortened
from curator.wiki.disputes import Pile, pile_of, sources_of
from curator.wiki.english.words import phrase
from curator.wiki.pages import editing
from curator.wiki.pages.citation import mark, without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import SPACELESS
from curator.wiki.pages.page import Page
from curator.wiki.sources.authority import SourceWeights, incoming, timed
from curator.wiki.sources.copies import witnesses
from curator.wiki.sources.source import Source
from curator.wiki.support import rewording
from curator.wiki.support.judge import Judge
from curator.wiki.support.written import names_of
from curator.wiki.wiki import Wiki

Decision = Literal["new", "old", "open", "both"]
"""Which keeps the current claim; "open": neither, "both": they do not contradict each other."""

MOST_DISPUTES = 10
"""Statements that one source may dispute."""
MOST_OPENINGS = 6
"""Pages whose opening one source may dispute."""
_DEFINES = re.compile(r"\s*(?:(?:an?|the)\s)?(.{1,80}?)\s(?:is|are|was|were)\s", re.IGNORECASE)


def decide(
    resolution: str,
    source: Source,
    against: list[str],
    wiki: Wiki,
    known: SourceWeights | None = None,
    today: date | None = None,
) -> Decision:
    """Whether ``source`` ("new") or the cited sources ``against`` ("old") keep the current claim; "open" if neither."""
    known = known or SourceWeights()
    if resolution == "recency":
        return _by_day(_taken_now(source, today), [_taken_before(path, wiki, known) for path in against])
    if resolution == "authority" and against:
        rank, most = incoming(source).rank, max(known.at(path).rank for path in against)
        return "new" if rank > most else "old" if rank < most else "open"
    if resolution == "observation-count" and witnesses([*map(known.at, against)], wiki.store.read) > 1:
        return "old"
    return "open"


@dataclass(frozen=True)
class _Dated:
    """When a source is of, and how far that may be relied on."""

    time: str
    """Its day, month or year, as ``YYYY-MM-DD`` begins; empty: nobody knows."""
    rank: int
    is_own_word: bool
    """True: the source says so itself."""

    def is_later_than(self, other: _Dated) -> bool:
        """False where the one lies in the other, as a day in its year."""
        told = min(len(self.time), len(other.time))
        return self.time[:told] > other.time[:told]


def _by_day(new: _Dated, old: list[_Dated]) -> Decision:
    if not new.time or not old or not all(each.time for each in old):
        return "open"
    latest = max(old, key=lambda each: each.time)
    if all(new.is_later_than(each) for each in old):
        winner, others = new, old
    elif latest.is_later_than(new):
        winner, others = latest, [new]
    else:
        return "open"
    outranked = winner.is_own_word and any(each.rank > winner.rank for each in others)
    return "open" if outranked else "new" if winner is new else "old"


def _taken_now(source: Source, today: date | None) -> _Dated:
    """A day that has not come yet is none."""
    comes = today is not None and source.time > today.isoformat()
    return _Dated("" if comes else source.time, incoming(source).rank, not source.is_timed_by_name)


def _taken_before(path: str, wiki: Wiki, known: SourceWeights) -> _Dated:
    source, record = timed(path, wiki.store.read), known.manifest.sources.get(path)
    taken = record.captured_at[:10] if record is not None else ""
    time = min(source.time, taken) if taken else source.time
    return _Dated(time, known.at(path).rank, not source.is_timed_by_name)


def refused(page: Page, block: Block, claim: Claim, source: str, counted: Counter[str]) -> Finding | None:
    """Why ``claim`` of ``source`` may not dispute ``block``; None when it may. ``counted``: the disputes up to now.

    Codes: ``dispute_unrelated``, ``dispute_agrees``, ``disputes_too_many``.
    """
    said = shortened(claim.text)
    passage = page.body[block.start : block.end].replace("|", " ") if block.kind == "row" else block.text
    if not is_about(passage, claim.text, (page.title, *page.aliases)):
        message = f"it does not speak of what the passage speaks of, and cannot contradict it: {said}"
        return Finding("dispute_unrelated", source, message)
    if not rewording.lost(passage, claim.text) and not rewording.lost(claim.text, passage):
        return Finding("dispute_agrees", source, f"it says what the passage says, and cannot contradict it: {said}")
    opening = next((other for other in page.outline.blocks if other.kind in editing.CLAIMS), None)
    counted["disputes"] += 1
    counted["openings"] += opening == block
    if counted["disputes"] > MOST_DISPUTES or (opening == block and counted["openings"] > MOST_OPENINGS):
        message = f"one source disputes {MOST_DISPUTES} statements at most, {MOST_OPENINGS} of them openings: {said}"
        return Finding("disputes_too_many", source, message)
    return None


def repeated(page: Page, pile: Pile, claim: Claim, source: str) -> Finding | None:
    """What is against a claim that disputes what ``source`` itself says there: it said so of another one of the pile."""
    if source not in sources_of(page, pile.standing[0]):
        return None
    message = f"what stands there is this source's own word, and it cannot contradict itself: {shortened(claim.text)}"
    return Finding("dispute_agrees", source, message)


def unquoted(page: Page, block: Block, claim: Claim, judge: Judge) -> Finding | None:
    """What is against a claim whose quotes speak of another thing, or have nothing of what differs from the passage."""
    names = names_of(page)
    verdict = judge.judge(claim.text, claim.quotes, names)
    if not verdict.supported:
        return None  # it is left out with its own code
    if speaks_of_another(page, block, claim, judge):
        message = f"what is quoted does not speak of {page.title!r}, and cannot contradict it: {shortened(claim.text)}"
        return Finding("dispute_unrelated", judge.evidence.path, message)
    if is_earned(verdict, claim.text, names, (without_marks(block.text),)):
        return None
    message = f"what is quoted says nothing of what it contradicts: {shortened(claim.text)}"
    return Finding("dispute_unrelated", judge.evidence.path, message)


def is_about(passage: str, claim: str, names: tuple[str, ...]) -> bool:
    """True when ``claim`` speaks of what ``passage`` speaks of, on a page that has ``names``.

    They share a third of the words of the shorter, one at least beside these names; or both tell what the same thing is. Of
    a script that writes no spaces between words nobody can tell.
    """
    if SPACELESS.search(passage):
        return True
    known = {word.stem for name in names for word in phrase(name).words}
    one, other = ({word.stem for word in phrase(text).content} for text in (passage, claim))
    shared = (one & other) | _spelled_out(passage, claim) | _spelled_out(claim, passage)
    if shared - known and 3 * len(shared) >= min(len(one), len(other)):
        return True
    told = [_DEFINES.match(editing.without_bullet(text)) for text in (passage, claim)]
    subjects = {phrase(found[1]).flat for found in told if found}
    return all(told) and len(subjects) == 1


def _spelled_out(short: str, long: str) -> set[str]:
    """The stems of what ``short`` has in capitals and ``long`` in words: LTS, the Long Term Support."""
    initials = "".join(word.lower[0] for word in phrase(long).words)
    names = (word for word in phrase(short).words if word.text.isupper() and len(word.text) > len("AD"))
    return {word.stem for word in names if word.lower in initials}


def current(page: Page, block: Block) -> Block:
    """The statement that ``block`` is outweighed by, where it is: that is what may be disputed still."""
    pile = pile_of(page, block)
    return pile.standing[0] if block in pile.outweighed else block


def is_settled(page: Page, pile: Pile, claim: str) -> bool:
    """True when ``page`` says ``claim`` already in ``pile``, or by itself, where nothing contradicts it."""
    said = f" {editing.words_of(without_marks(claim))} "
    blocks = [block for block in page.outline.blocks if block.kind in editing.CLAIMS]
    told = [block for block in blocks if said in f" {editing.words_of(block.text)} "]
    return any(block in pile.standing or pile_of(page, block) == Pile((block,)) for block in told)


def repeating(pile: Pile, claim: str) -> Block | None:
    """The one of several statements that stand undecided which says ``claim``."""
    said = editing.words_of(without_marks(claim))
    told = (block for block in pile.standing if len(pile.standing) > 1)
    return next((b for b in told if editing.words_of(editing.without_lead(without_marks(b.text))) == said), None)


def decided(body: str, pile: Pile, stands: Block, marks: Iterable[str]) -> str:
    """``body`` in which ``stands``, proven by ``marks`` too, is the current one of ``pile``, and before the others."""
    texts = {block: _bare(body[block.start : block.end]) for block in pile.standing}
    more = (mark(label) for label in marks if label not in stands.citations)
    now = [" ".join((texts.pop(stands), *more)), *(f"{editing.EARLIER} {text}" for text in texts.values())]
    for block, text in reversed([*zip(pile.standing, now, strict=True)]):
        body = f"{body[: block.start]}{_bullet(body, block)}{text}{body[block.end :]}"
    return body


def settle(body: str, pile: Pile, claim: str, decision: Decision) -> str:
    """``body`` with ``claim`` in ``pile``: before it when it alone is the current one, else behind what stands."""
    first, last = pile.standing[0], pile.last if decision == "both" else pile.standing[-1]
    if first.kind == "row":  # a table says one thing a row; the other claim follows the table
        end = _end_of_table(body, first.end)
        return editing.insert(body, end, f"{editing.IN_A_TABLE} {_bare(claim)}")
    if decision == "new":
        for block in reversed(pile.standing):
            old = f"{_bullet(body, block)}{editing.EARLIER} {_bare(body[block.start : block.end])}"
            body = body[: block.start] + old + body[block.end :]
        return f"{body[: first.start]}{_bullet(body, first)}{_bare(claim)}{_gap(body, first)}{body[first.start :]}"
    lead = {"old": f"{editing.OUTWEIGHED} ", "open": f"{editing.UNDECIDED} "}.get(decision, "")
    return f"{body[: last.end]}{_gap(body, last)}{_bullet(body, last)}{lead}{_bare(claim)}{body[last.end :]}"


def _bullet(body: str, block: Block) -> str:
    found = editing.BULLET.match(body, block.start) if block.kind == "item" else None
    return found[0] if found else ""


def _gap(body: str, block: Block) -> str:
    """What stands between ``block`` and another one of its kind."""
    indent = re.match(r"[ \t]*", body[body.rfind("\n", 0, block.start) + 1 : block.start])
    return "\n" + (indent[0] if indent else "") if block.kind == "item" else "\n\n"


def _bare(claim: str) -> str:
    return re.sub(r"^\s*(?:[-*+]|\d+[.)]) ", "", editing.without_lead(claim)).strip()


def _end_of_table(body: str, at: int) -> int:
    end = at
    while (line_end := body.find("\n", end)) >= 0 and body[line_end + 1 :].lstrip(" ").startswith("|"):
        end = line_end + 1
    stop = body.find("\n", end)
    return len(body) if stop < 0 else stop
