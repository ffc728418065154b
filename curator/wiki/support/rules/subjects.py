"""Of what it is said at all: what stands under one name, in one row or below one heading, given to another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.listed import other_lists
from curator.wiki.support.rules.predicates import other_subjects

_SPAN = re.compile(r"`([^`]+)`")
_LONGEST = 3
"""Words of a name, at most."""


def subject_swapped(case: Case) -> Iterator[str]:
    """What the source says of one, under its name, the claim says of another one of the same list."""
    own = [label for label in case.context.labels.own if label.content]
    if own and not any(word.stem in case.whole.stems for label in own for word in label.content):
        for label in case.context.labels.others:
            names = {word.stem for word in label.content}
            if 0 < len(names) <= _LONGEST and names <= case.whole.stems and not names & _told(case):
                yield f"what is quoted is said of {_text(own[0])!r}, the claim says it of {_text(label)!r}"
                return
    yield from _other_row(case)
    yield from _other_heading(case)
    yield from _other_tag(case)
    yield from other_subjects(case)
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


def _other_heading(case: Case) -> Iterator[str]:
    """A name that heads another section, where the section quoted from has the name of something else."""
    labels = case.context.labels
    if any(word.stem in case.whole.stems for label in labels.own_headings for word in label.content):
        return
    common = case.source.vocabulary.lower_case
    for label in labels.other_headings:
        names = {word.stem for word in label.content if word.text[0].isupper() and word.lower not in common}
        said = {word.stem for word in case.whole.words if word.text[0].isupper()}
        if (
            names
            and len(label.content) <= _LONGEST
            and names <= said
            and not names & (_told(case) | case.context.led.stems)
        ):
            yield f"what is quoted stands under another heading than {_text(label)!r}"
            return


def _other_tag(case: Case) -> Iterator[str]:
    """An option of a manual, where what is quoted stands under another one."""
    tags = case.context.labels.tags
    code = {word.partition("=")[0] for span in _SPAN.findall(case.whole.plain) for word in span.split()}
    said = {word for word in code if word.startswith("-")} or {word for word in code if len(word) == 1}
    stated = set(re.findall(r"[^\s,;'\"`()]+", case.context.stated.plain))
    options = {tag.startswith("-") for tag in tags} == {word.startswith("-") for word in said}
    if tags and said and options and not said & (tags | stated):
        yield f"what is quoted is said of {min(tags)!r}, the claim says it of {min(said)!r}"


def _told(case: Case) -> frozenset[str]:
    """The stems of what is stated and known."""
    return case.context.known.stems | case.context.stated.stems | case.context.headings.stems


def _text(label: Phrase) -> str:
    return " ".join(word.text for word in label.words)
