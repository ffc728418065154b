"""Feeds as their hosts give them: RSS, Atom and JSON Feed, and lists of feeds (OPML).

What a stranger wrote is taken apart in a locked fork (``feed_formats``); here it is told from other pages, and what came
out becomes entries with addresses that may be asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import unescape
from urllib.parse import urljoin

from curator.errors import SourceError
from curator.ingest.web import feed_formats
from curator.ingest.web.fetching import check_address, is_address
from curator.models.sandbox.locked_fork import ForkDied, ForkLimits, in_jail
from curator.system.filenames import printable

_LIMITS = ForkLimits(20, 256, 60.0)
_KINDS = ("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "text/x-opml")
_ROOT = re.compile(rb"<(?:\w{1,20}:)?(?:rss|feed|rdf|opml)[\s>]", re.IGNORECASE)
_BEFORE_ROOT = ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!DOCTYPE", b">"))
_JSON_FEED = re.compile(rb"\s*\{.{0,2000}?\"version\"\s*:\s*\"https:(?:\\?/){2}jsonfeed\.org(?:\\?/)version", re.S)
_ENCODING = re.compile(rb"^<\?xml[^>]{0,100}?encoding=[\"']([\w.-]{1,40})[\"']")


@dataclass(frozen=True)
class FeedEntry:
    """One thing that a feed tells of."""

    id: str
    """What the feed calls it, else its address."""
    address: str
    title: str = ""
    date: str = ""
    """``YYYY-MM-DD``."""


@dataclass(frozen=True)
class Feed:
    """What a feed tells of, in its order; or the feeds that a list of feeds names."""

    title: str
    entries: tuple[FeedEntry, ...]
    fault: str = ""
    """Where it is broken; then it is read as far as it goes."""
    without_address: int = 0
    """Entries that lead to no page."""
    is_list: bool = False
    """True for OPML."""


def is_feed(kind: str, data: bytes) -> bool:
    """True where the host says so, or the first bytes do."""
    first = data[:4_000].removeprefix(b"\xef\xbb\xbf")
    return kind in _KINDS or _ROOT.match(_outermost(first)) is not None or _JSON_FEED.match(first) is not None


def _outermost(data: bytes) -> bytes:
    """XML from its outermost element on, without what may stand before."""
    data = data.lstrip()
    while closing := next((end for begin, end in _BEFORE_ROOT if data.startswith(begin)), b""):
        data = data.partition(closing)[2].lstrip()
    return data


def parse(data: bytes, address: str, charset: str = "") -> Feed:
    """The feed in ``data``, found at ``address``. Raises SourceError (``feed_broken``) for what is none."""
    work = partial(feed_formats.read, _as_text(data, charset))
    try:
        found = json.loads(in_jail(work, _LIMITS)["text"])
    except (MemoryError, TimeoutError):
        raise _broken(address, "to read it takes too long, or too much memory") from None
    except ForkDied as error:
        raise _broken(address, f"it cannot be read ({error})") from None
    entries = tuple(_entries(found["entries"], address))
    if not entries and found["fault"]:
        raise _broken(address, found["fault"])
    lost = len(found["entries"]) - len(entries)
    return Feed(_line(found["title"]), entries, found["fault"], lost, found["is_list"])


def _entries(told: list[dict[str, str]], base: str) -> Iterator[FeedEntry]:
    """Those of an address that may be asked for, each once."""
    seen = set()
    for each in told:
        if not (written := each.get("address", "").strip()):
            continue
        address = urljoin(base, written)
        try:
            check_address(address)
        except SourceError:
            continue
        if is_address(address) and address not in seen:
            seen.add(address)
            yield FeedEntry(each.get("id") or address, address, _line(each.get("title", "")), each.get("date", ""))


def _line(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in unescape(re.sub(r"<[^<>]{0,500}>", "", text)))
    return " ".join(shown.split())[:300]


def _broken(address: str, why: str) -> SourceError:
    return SourceError("feed_broken", f"{printable(address)}: {why}", "open it in a browser, or tell whoever makes it")


def _as_text(data: bytes, charset: str) -> str:
    """In the encoding that its first bytes, its host or its own first line name; what does not fit is replaced."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(name, "replace")
    declared = _ENCODING.match(data.lstrip())
    for name in filter(None, (charset, declared[1].decode("ascii") if declared else "")):
        try:
            return data.decode(name, "replace")
        except (LookupError, ValueError):
            continue
    return data.decode("utf-8", "replace")
