"""One round over a reading list: every address is asked what is new, and new pages are brought, a bounded number of them.

1. ``look`` asks each address: a page is there then, of a feed the entries that were not seen.
2. ``choose`` takes of those as many as the round may bring, a page of each address in turn, the newest first.
3. ``bring`` fetches the pages of entries; what cannot be had is told, and tried again in the next rounds.
4. ``remember`` writes down what was seen, once the pages lie in ``sources/``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Literal
from urllib.parse import urlsplit

from curator.errors import SourceError
from curator.ingest.web import feeds
from curator.ingest.web.feeds import FeedEntry
from curator.ingest.web.fetching import NOT_ASKED, FetchedPage, Fetcher, Remembered, as_page
from curator.ingest.web.memory import FetchMemory, Known
from curator.ingest.web.reading_list import Listed
from curator.system.filenames import printable

Status = Literal["new", "unchanged", "known", "left", "refused"]
_NEVER = ("address_private", "address_robots", "address_kind", "address_invalid")
"""What will be so the next time, too."""


@dataclass(frozen=True)
class Look:
    """What there was at one address."""

    listed: Listed
    status: Status
    """``known``: not asked, for the page is in; ``left``: not asked in this round."""
    known: Known
    """What was remembered of it before."""
    page: FetchedPage | None = None
    remembered: Remembered = NOT_ASKED
    kind: Literal["", "feed", "page"] = ""
    title: str = ""
    names: tuple[str, ...] = ()
    """Of all entries that the feed tells of now."""
    entries: tuple[FeedEntry, ...] = ()
    """Those that are new, the newest first."""
    is_as_it_was: bool = False
    """True where its host says so, and gave nothing."""
    remark: str = ""
    """What is odd about a feed that could be read."""
    error: SourceError | None = None


@dataclass(frozen=True)
class Brought:
    """A page on its way into ``sources/``."""

    look: Look
    address: str
    """As the list or the feed has it: that is what the source is known by."""
    page: FetchedPage
    entry: FeedEntry | None = None

    @property
    def date(self) -> str:
        return self.entry.date if self.entry is not None else ""


@dataclass(frozen=True)
class Missed:
    """A page that could not be had, or not be kept."""

    look: Look
    address: str
    error: SourceError
    entry: FeedEntry | None = None

    @property
    def is_for_good(self) -> bool:
        return self.error.code in _NEVER

    def as_json(self) -> dict[str, Any]:
        reason = reason_of(self.error, self.address)
        return {"address": self.address, "code": self.error.code, "reason": reason, "next": self.error.hint}


@dataclass(frozen=True)
class FetchRound:
    """What all addresses are asked with."""

    fetcher: Fetcher
    memory: FetchMemory
    is_in: Callable[[str], bool]
    """Whether the page at an address is in the wiki, or lies in ``sources/`` and waits."""
    most: int
    """How many pages the round may bring."""
    again: bool = False
    """Pages that are in are asked for again."""
    say: Callable[[str], None] = lambda said: None

    def look(self, listed: Sequence[Listed]) -> list[Look]:
        """Ask one after the other; new pages past ``most`` are left for another round."""
        remembered = self.memory.by_address()
        looks: list[Look] = []
        for number, each in enumerate(listed, start=1):
            known = remembered.get(each.address, Known(each.address))
            is_page = known.kind == "page" or (not known.kind and self.is_in(each.address))
            if is_page and not self.again:
                looks.append(Look(each, "known", known, kind="page", title=known.title))
                continue
            if not known.kind and sum(look.page is not None for look in looks) >= self.most:
                looks.append(Look(each, "left", known))
                continue
            self.say(f"{number} of {len(listed)}: {printable(each.address)} …")
            if looks and _host(looks[-1].listed.address) == _host(each.address):
                self.fetcher.pause(each.address)
            looks.append(self._asked(each, known))
        return looks

    def _asked(self, listed: Listed, known: Known) -> Look:
        try:
            fetched = self.fetcher.ask(listed.address, known.remembered)
            if fetched.is_unchanged:
                same = Look(listed, "unchanged", known, None, known.remembered, known.kind, known.title)
                return replace(same, is_as_it_was=True)
            if not feeds.is_feed(fetched.kind, fetched.data):
                page = as_page(listed.address, fetched)
                return Look(listed, "new", known, page, fetched.remembered, "page", listed.title)
            feed = feeds.parse(fetched.data, fetched.address, fetched.charset)
            if feed.is_list:
                said = f"{printable(listed.address)}: it is a list of {len(feed.entries)} feeds"
                raise SourceError(
                    "feed_list", said, "save it, and put its feeds on your list: curate fetch --add FILE.opml"
                )
        except SourceError as error:
            return Look(listed, "refused", known, error=error)
        return self._of_feed(Look(listed, "new", known, None, fetched.remembered, "feed", feed.title), feed)

    def _of_feed(self, look: Look, feed: feeds.Feed) -> Look:
        new = [entry for entry in feed.entries if not look.known.has_seen(entry.id) and not self.is_in(entry.address)]
        new.sort(key=lambda entry: entry.date, reverse=True)  # stable: those without a day stay as the feed has them
        odd = [feed.fault] if feed.fault else []
        odd += [f"{feed.without_address} of its entries lead to no page"] if feed.without_address else []
        names = tuple(entry.id for entry in feed.entries)
        status: Status = "new" if new else "unchanged"
        return replace(look, status=status, names=names, entries=tuple(new), remark="; ".join(odd))

    def choose(self, looks: Sequence[Look]) -> list[tuple[Look, FeedEntry]]:
        """The entries whose pages are to be fetched, after the pages that were asked for by their own address."""
        pages = {look.listed.address for look in looks if look.page is not None}
        room = max(0, self.most - len(pages))
        turns = zip_longest(*([(look, entry) for entry in look.entries] for look in looks))
        chosen: dict[str, tuple[Look, FeedEntry]] = {}
        for each in (pair for turn in turns for pair in turn if pair is not None):
            if len(chosen) < room and each[1].address not in pages:
                chosen.setdefault(each[1].address, each)
        return list(chosen.values())

    def bring(self, looks: Sequence[Look]) -> Iterator[Brought | Missed]:
        """The pages, one after the other."""
        for look in looks:
            if look.page is not None:
                yield Brought(look, look.listed.address, look.page)
        chosen = self.choose(looks)
        for number, (look, entry) in enumerate(chosen, start=1):
            self.say(f"page {number} of {len(chosen)}: {printable(entry.address)} …")
            fetcher = self._for_entries_of(look)
            fetcher.pause(entry.address)
            try:
                yield Brought(look, entry.address, fetcher.page(entry.address), entry)
            except SourceError as error:
                yield Missed(look, entry.address, error, entry)

    def _for_entries_of(self, look: Look) -> Fetcher:
        """A feed of the internet sends nobody to a host of a network of one's own, even where its user may go there."""
        is_own = _host(look.listed.address) in self.fetcher.own_hosts
        return self.fetcher if is_own else replace(self.fetcher, own_hosts=())

    def remember(self, looks: Sequence[Look], done: Done, at: str) -> None:
        """Write down what was seen, once what was brought lies in ``sources/``."""
        for look in looks:
            if (known := _afterwards(look, done, at)) is not None:
                self.memory.keep(known)


def _afterwards(look: Look, done: Done, at: str) -> Known | None:
    """What to remember of an address; None where nothing is new. A feed of which something is left is given whole again."""
    address, known = look.listed.address, look.known
    if look.error is not None:
        return replace(known, at=at, fault=reason_of(look.error, address), code=look.error.code)
    is_lost = look.page is not None and address not in done.pages
    if look.status in ("known", "left") or is_lost:
        return None
    known = replace(known, at=at, kind=look.kind, title=look.title or known.title, fault="", code="")
    if look.kind != "feed" or look.is_as_it_was:
        return replace(known, remembered=look.remembered)
    brought_by_others = [entry.id for entry in look.entries if entry.address in done.pages]
    known = known.after(look.names, [*done.seen[address], *brought_by_others], done.failed[address])
    is_whole = all(known.has_seen(entry.id) for entry in look.entries)
    return replace(known, remembered=look.remembered if is_whole else NOT_ASKED)


@dataclass
class Done:
    """What became of the pages of a round."""

    seen: dict[str, list[str]] = field(default_factory=lambda: _Lists())
    """By feed, the names of entries that are done with."""
    failed: dict[str, list[str]] = field(default_factory=lambda: _Lists())
    pages: set[str] = field(default_factory=set)
    """The addresses of pages that lie in ``sources/``."""

    def add(self, each: Brought | Missed) -> None:
        address = each.look.listed.address
        if isinstance(each, Brought):
            self.pages.add(each.address)
        if each.entry is not None:
            is_done = isinstance(each, Brought) or each.is_for_good
            (self.seen if is_done else self.failed)[address].append(each.entry.id)


class _Lists(dict[str, list[str]]):
    """A list for each key, empty where there is none."""

    def __missing__(self, key: str) -> list[str]:
        return self.setdefault(key, [])


def left_of(look: Look, pages: Sequence[Brought | Missed]) -> int:
    """How many new entries of a feed were not asked for in this round."""
    asked = {each.address for each in pages}
    return sum(entry.address not in asked for entry in look.entries)


def as_json(look: Look, pages: Sequence[Brought | Missed]) -> dict[str, Any]:
    """What a program is told of one address."""
    error, address = look.error, look.listed.address
    new = sum(each.look is look and isinstance(each, Brought) for each in pages)
    told: dict[str, Any] = {"address": address, "status": look.status, "kind": look.kind or None, "title": look.title}
    told |= {"line": look.listed.line, "new": new, "left": left_of(look, pages)}
    told |= {"remark": look.remark} if look.remark else {}
    if error is not None:
        told |= {"code": error.code, "reason": reason_of(error, address), "next": error.hint}
    return told


def counted(looks: Sequence[Look]) -> Counter[str]:
    return Counter[str](look.status for look in looks)


def reason_of(error: SourceError, address: str) -> str:
    return error.message.removeprefix(f"{printable(address)}: ")


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""
