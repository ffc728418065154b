"""Of what it is said at all: what stands under one name, in one row or below one heading, given to another."""

from __future__ import annotations

from collections.abc import Iterator

from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.listed import other_lists

_LONGEST = 3
"""Words of a name, at most."""


def subject_swapped(case: Case) -> Iterator[str]:
    """What the source says of one, under its name, the claim says of another one of the same list."""
    own = [label for label in case.context.labels.own if label.content]
    if own and case.is_close and not any(word.stem in case.whole.stems for label in own for word in label.content):
        for label in case.context.labels.others:
            names = {word.stem for word in label.content}
            if 0 < len(names) <= _LONGEST and names <= case.whole.stems and not names & _told(case):
                yield f"what is quoted is said of {_text(own[0])!r}, the claim says it of {_text(label)!r}"
                return
    yield from _other_row(case)
    yield from other_lists(case)


def _other_row(case: Case) -> Iterator[str]:
    """Another row's name, or the page's, over what the row of something else says."""
    own = [label for label in case.context.labels.own if label.content]
    if "row" not in case.context.kinds or any(case.whole.has_kin_of(word) for label in own for word in label.content):
        return
    stated = case.context.stated.stems
    for label in case.context.labels.others if own else ():
        names = {word.stem for word in label.content}
        if 0 < len(names) <= _LONGEST and names <= case.whole.stems and not names & stated:
            yield f"what is quoted is said of {_text(own[0])!r}, the claim says it of {_text(label)!r}"
            return
    leads = [word for word in case.claim.words[:_LONGEST] if word.is_content][:1]
    if len(own) == 1 and case.context.kinds == {"row"} and any(word.stem in case.context.known.stems for word in leads):
        yield f"what is quoted is said of {_text(own[0])!r}, the claim says it of {leads[0].text!r}"


def _told(case: Case) -> frozenset[str]:
    """The stems of what is stated and known."""
    return case.context.known.stems | case.context.stated.stems | case.context.headings.stems


def _text(label: Phrase) -> str:
    return " ".join(word.text for word in label.words)
