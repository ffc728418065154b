"""What a short note tells, which need be no whole sentence; questions, calls, greetings and blanks say nothing."""

from __future__ import annotations

import re

from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.terms import quality

_CALLS = re.compile(r"newsletter|mailing list|sign up|log in|bug track(?:er|ing)|subscribe|free \w+", re.IGNORECASE)
_MOST_OF_CALL = 5
"""Words of what calls on visitors: ``Subscribe to our newsletter!``; in more words such a word says something."""
_BLANKS = re.compile(r"\]\(|_{4}|\.{6}|\|.*\|")
"""Marks of a link or a table, and lines of a form that are to be filled in."""
_GREETS = re.compile(
    r"(?:(?:all the |many |kind |best |warm )?(?:best|regards|wishes|cheers|thanks|thank you|yours(?: \w+)?|love|lg|vg"
    r"|danke|merci)|viele grüße|(?:mit )?(?:freundlichen|besten|lieben)(?: \w+)? grüßen|(?:bien )?cordialement|saludos)"
    r"(?:,? [\w. ()-]{2,40})?[.!]?",
    re.IGNORECASE,
)
"""How a letter ends."""
_DOUBTS = re.compile(r"(?<!\?)\?{2,}\Z|\A[^\W\d_]{2,20}: .{8,}\?\Z")
"""A note of a doubt, ``is the shelf safe???``, and what a field asks: ``Aim: does it grow faster?``"""
_ADDRESS = re.compile(r"(?<!\S)\S{1,80}(?:@|://)\S+")


def says_something(sentence: Sentence) -> bool:
    """True for what a short note tells, be it no whole sentence: ``rained. nothing done``; no question, no furniture."""
    plain = sentence.plain
    if (
        (plain.rstrip("\"'”’)*_").endswith(("?", ",", "？", ":", "：")) and not _DOUBTS.search(plain))
        or _BLANKS.search(plain)
        or quality.is_emptied(sentence.raw)
    ):
        return False
    furniture = quality.FURNITURE.search(_ADDRESS.sub("", plain))
    is_furniture = furniture is not None and not (
        len(sentence.words) > _MOST_OF_CALL and _CALLS.fullmatch(furniture[0])
    )
    if (
        is_furniture
        or _GREETS.fullmatch(plain)
        or quality.points_elsewhere(sentence)
        or quality.ANNOUNCING.match(plain)
    ):
        return False
    says = sentence.item or len(sentence.words) > 1 or quality.ENDED.search(plain) or not plain.isascii()
    return (
        bool(says)
        and len(plain) <= quality.LONGEST_OWN
        and re.search(r"[^\W\d_]{2}", _ADDRESS.sub("", plain)) is not None
    )
