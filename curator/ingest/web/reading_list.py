"""A reading list: a text in which people note addresses, one a line, and what else they like.

A line counts where it begins with an address, behind the mark of a list, a box that is not ticked, or nothing:

    # Brewing
    - https://example.org/feed.xml     what stands behind it is a remark
    - [ ] [On oolong](https://example.org/on-oolong)
    - [x] <https://example.org/read>   ticked: passed over
    1. https://example.org/first

Everything else is a comment, and stays. A line of another kind that has an address in it is named, lest it be missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

MOST_ADDRESSES = 1_000
MOST_CHARS = 1_000_000

_LINE = re.compile(r"[ \t]{0,40}(?:(?:[-*+]|\d{1,4}[.)])[ \t]+)?(?:\[(?P<box>.)\][ \t]+)?(?P<rest>.*)", re.S)
_BARE = re.compile(r"(?i)https?://\S+")
_ADDRESS = re.compile(
    r"(?i)(?:<(?P<pointed>https?://[^<>\s]{1,2000})>"
    r"|!?\[(?P<title>(?:[^\[\]\\\n]|\\.){0,300}+)\]\(<?(?P<linked>https?://[^\s<>]{1,2000}?)>?(?:\s+\"[^\"]{0,300}\")?\)(?=[\s.,;]|$)"
    r"|(?P<bare>https?://\S{1,2000}))"
)


@dataclass(frozen=True)
class Listed:
    """One address of a list."""

    address: str
    line: int = 0
    """Counted from 1; 0 for one that was typed."""
    title: str = ""


@dataclass(frozen=True)
class ReadingList:
    """What a list names, each address once, in its order."""

    addresses: tuple[Listed, ...] = ()
    doubtful: tuple[int, ...] = ()
    """Lines that have an address, and do not begin with it."""
    too_many: int = 0
    """Addresses past ``MOST_ADDRESSES``."""


def parse(text: str) -> ReadingList:
    """The list in ``text``; as much of it as a list may have."""
    found: dict[str, Listed] = {}
    doubtful: list[int] = []
    for number, line in enumerate(text[:MOST_CHARS].split("\n"), start=1):
        parts = _LINE.match(line)
        rest = parts["rest"].strip() if parts is not None else ""
        if parts is None or not rest or (parts["box"] or " ") != " ":
            continue
        seen = _ADDRESS.match(rest)
        if seen is not None:
            address = seen["pointed"] or seen["linked"] or seen["bare"]
            found.setdefault(address, Listed(address, number, (seen["title"] or "").strip()))
        elif not rest.startswith("#") and _BARE.search(rest):
            doubtful.append(number)
    addresses = tuple(found.values())
    return ReadingList(addresses[:MOST_ADDRESSES], tuple(doubtful), max(0, len(addresses) - MOST_ADDRESSES))


def with_addresses(text: str, new: Iterable[Listed]) -> tuple[str, list[Listed]]:
    """``text`` with what it does not have yet at its end, and what that is; all that stands there stays."""
    known = {each.address for each in parse(text).addresses}
    added = [each for each in {each.address: each for each in new}.values() if each.address not in known]
    lines = "".join(f"- {_written(each)}\n" for each in added)
    end = "" if not text or text.endswith("\n") or not lines else "\n"
    return f"{text}{end}{lines}", added


def _written(listed: Listed) -> str:
    title = re.sub(r"[\[\]\n\r]", " ", listed.title).strip()
    is_plain = not set("()<>") & set(listed.address)
    return (
        f"[{title}]({listed.address})"
        if title and is_plain
        else f"<{listed.address}>"
        if not is_plain
        else listed.address
    )
