"""What a wiki says, statement by statement, with how far each is to be relied on: what an export is made from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import PurePosixPath

from curator.packs.reader import text_of
from curator.repository.snapshot import Snapshot
from curator.wiki.pages.citation import Citation, quote_path
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_page import read_page
from curator.wiki.passages.passage import Passage
from curator.wiki.sources.formats import FORMATS, PLAIN
from curator.wiki.sources.quick_evidence import QuickEvidence
from curator.wiki.sources.source import Document

_SENTENCES = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class WikiStatement:
    """One statement of a page; a big wiki has very many.

    ``status`` is the source map's: confirmed, disputed, stale, or source-required.
    """

    page: str
    text: str
    status: str
    citations: tuple[Citation, ...] = ()

    @property
    def anchors(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(f"{quote_path(each.path)}#{each.anchor}" for each in self.citations))

    @property
    def line(self) -> str:
        """As a compiled file has it: the words, then each anchor."""
        return " ".join([self.text, *(f"[source: {anchor}]" for anchor in self.anchors)])

    @property
    def id(self) -> str:
        said = "\0".join([self.page, self.text, *self.anchors])
        return f"claim-{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@dataclass(frozen=True)
class PageStatements:
    """A page with its statements, and what is said against it."""

    path: str
    title: str
    kind: str
    contradicts: tuple[str, ...]
    data: bytes
    """As committed."""
    statements: tuple[WikiStatement, ...]
    superseded_by: tuple[str, ...] = ()
    is_too_old: bool = False
    broken_links: tuple[str, ...] = ()


class WikiStatements:
    """The statements of all pages of a commit."""

    def __init__(self, snapshot: Snapshot, at: datetime) -> None:
        self._snapshot = snapshot
        self._at = at
        self._targets: dict[str, bool] = {}
        self._texts: dict[str, QuickEvidence | None] = {}

    @cached_property
    def pages(self) -> tuple[PageStatements, ...]:
        """By path."""
        entries = sorted(self._snapshot.wiki.entries(), key=lambda entry: entry.path)
        newer: dict[str, list[str]] = {}
        for entry in entries:
            for slug in entry.supersedes:
                newer.setdefault(slug, []).append(entry.slug)
        by_path = {entry.path: entry for entry in entries}
        found: list[PageStatements] = []
        for path, data in self._snapshot.contents(list(by_path)):
            with suppress(UnicodeDecodeError):
                page = Page(path, data.decode("utf-8"))
                if page.is_readable:
                    found.append(self._read(page, data, tuple(newer.get(by_path[path].slug, ()))))
        return tuple(_no_better_elsewhere(found))

    def _read(self, page: Page, data: bytes, superseded_by: tuple[str, ...]) -> PageStatements:
        old = self._is_too_old(page)
        against = "disputed" if page.contradicts else "stale" if superseded_by or old else ""
        said = [
            self._statement(page, passage, against) for passage in read_page(page).passages if passage.kind != "code"
        ]
        broken = dict.fromkeys(target for target, _ in page.links if not self._resolves(target))
        about = (page.path, page.title, page.kind, page.contradicts, data)  # not the page: its outline takes much room
        return PageStatements(*about, tuple(said), superseded_by, old, tuple(broken))

    def _resolves(self, target: str) -> bool:
        if target not in self._targets:
            self._targets[target] = self._snapshot.wiki.resolve(target) is not None
        return self._targets[target]

    def _statement(self, page: Page, passage: Passage, against: str) -> WikiStatement:
        text = " ".join(f"{passage.head.splitlines()[0]} {passage.text}".split()) if passage.head else passage.text
        kept = tuple(each for each in passage.citations if self._holds(each))
        if not kept:
            return WikiStatement(page.path, " ".join(text.split()), "source-required")
        sources = self._snapshot.manifest().sources
        stale = all(sources[each.path].superseded_by for each in kept)
        return WikiStatement(page.path, " ".join(text.split()), against or ("stale" if stale else "confirmed"), kept)

    def _holds(self, citation: Citation) -> bool:
        """True when the words are in the commit's source, at the anchor; what needs a parser was proven when it came in."""
        if citation.path not in self._snapshot.manifest().sources:
            return False
        if FORMATS.get(PurePosixPath(citation.path).suffix.lower()) not in PLAIN:
            return True
        if citation.path not in self._texts:
            text = text_of((self._snapshot.read(citation.path) or "").encode("utf-8", "surrogatepass"))
            known = QuickEvidence(citation.path, Document.from_text(text)) if text else None
            self._texts[citation.path] = known
        evidence = self._texts[citation.path]
        return evidence is not None and evidence.holds(citation)

    def _is_too_old(self, page: Page) -> bool:
        """By the strictest ``max-age`` lint for its type, on the day of the commit."""
        lints = self._snapshot.workspace().fields.get("lints") or ()
        days = [
            each["params"]["days"]
            for each in lints
            if each.get("kind") == "max-age" and each.get("appliesTo") in ("*", page.type)
            if isinstance(each.get("params"), Mapping) and each["params"].get("days")
        ]
        try:
            updated = datetime.fromisoformat(page.updated_at)
            return bool(days) and self._at - updated > timedelta(days=min(days))
        except (ValueError, TypeError, OverflowError):
            return False

    def all(self) -> Iterator[WikiStatement]:
        for page in self.pages:
            yield from page.statements


def _no_better_elsewhere(pages: Sequence[PageStatements]) -> Iterator[PageStatements]:
    """The pages, with what one of them has as disputed or stale so on all of them: a summary says it in the same words.

    It may say it as one sentence among others, from the same source.
    """
    against = {
        (one.text, citation.path): one.status
        for page in pages
        for one in page.statements
        if one.status in ("disputed", "stale")
        for citation in one.citations
    }
    for page in pages if against else ():
        said = tuple(replace(one, status=_status(one, against)) for one in page.statements)
        yield page if said == page.statements else replace(page, statements=said)
    yield from () if against else pages


def _status(one: WikiStatement, against: Mapping[tuple[str, str], str]) -> str:
    if one.status != "confirmed":
        return one.status
    sentences = (one.text, *_SENTENCES.split(one.text))
    found = (against.get((sentence, citation.path), "") for sentence in sentences for citation in one.citations)
    return next(filter(None, found), one.status)
