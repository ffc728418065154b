"""Timelines: a section of the source that tells the history of its subject, a list item an event, each with its date.

Only where the heading says so (``History``, ``Milestones``) and nearly every item begins with a date. The history of the
document itself (``Revision history``) is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.models.extractive.known import KnownPages
from curator.models.extractive.parsing import sections
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.proposal import Add, Create
from curator.wiki.pages import dates
from curator.wiki.pages.names import name_key

_TELLS = re.compile(
    r"\b(?:histor(?:y|ies)|timeline|chronology|chronicle|milestones|key (?:dates|events)"
    r"|(?:course|sequence) of events|releases|evolution)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:(?:a|the|its|brief|short|our) )*(?:history|timeline|chronology|chronicle|milestones|key (?:dates|events)|events"
    r"|(?:course|sequence) of events|releases|evolution)\Z",
    re.IGNORECASE,
)
_LEAST_EVENTS, _MOST_EVENTS = 4, 60
_SHARE = 0.8
"""Of the items of the section, how many begin with a date at least."""
_WORDS, _LONGEST = 3, 400
"""Of an event: behind its date, and all together in characters."""


def find_timelines(reading: SourceReading, known_pages: KnownPages) -> Iterator[Create | Add]:
    """A timeline for each section that is one."""
    seen: set[str] = set()
    for path in dict.fromkeys(sentence.path for sentence in reading.sentences):
        claims = reading.claims(_events(reading, path))
        title = _title(reading, path) if len(claims) >= _LEAST_EVENTS else ""
        if not title or name_key(title) in seen:
            continue
        seen.add(name_key(title))
        known = known_pages.named([title])
        if known is None:
            yield Create(op="create", kind="timeline", title=title, body=tuple(claims))
        elif known.entry.kind == "timeline":
            yield Add(op="add", page=known.slug, body=tuple(claims))


def _events(reading: SourceReading, path: tuple[str, ...]) -> list[Sentence]:
    """The items of the section that are events; none when it is no history."""
    if not path or not _TELLS.search(path[-1]) or any(map(sections.is_skipped, path)):
        return []
    items = [s for s in reading.sentences if s.path == path and s.opens_block and (s.item or s.label)]
    events = [item for item in items if _is_event(item)]
    return events[:_MOST_EVENTS] if len(events) >= _SHARE * len(items) else []


def _is_event(item: Sentence) -> bool:
    found = dates.behind(item.plain)
    if found is None or len(item.plain) > _LONGEST:
        return False
    return len(re.findall(r"[^\W\d_]+", item.plain[found[1] :])) >= _WORDS


def _title(reading: SourceReading, path: tuple[str, ...]) -> str:
    """``History of the mill``: the heading, where it names its subject; else with the subject of the heading above."""
    heading = path[-1].strip(" :.")
    if not _BARE.match(heading):
        return heading[:150]
    above = [title for title in path[:-1] if not _BARE.match(title)]
    subject = above[-1] if above else reading.own_title
    if _TELLS.search(subject):
        return subject
    article = re.match(r"(?:The|An?) (?=[a-z])", subject)
    subject = f"{article[0].lower()}{subject[article.end() :]}" if article else subject
    return f"{'History' if 'histor' in heading.casefold() else 'Timeline'} of {subject}"[:150]
