"""A source: bytes somebody put under ``sources/``, and the text with anchors that was read out of them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from curator.system.text import plural
from curator.wiki.pages import dates
from curator.wiki.pages.citation import Anchor, Unit
from curator.wiki.pages.page import source_reference
from curator.wiki.pages.slug import slug_of_file
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.record import Signature

_HEADING = re.compile(r"#{1,6} ")
SIGNATURES = (".sig", ".asc")
"""What the name of a source's detached signature has behind the source's own."""


@dataclass(frozen=True)
class SourceHead:
    """What a document says of itself."""

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    """``YYYY-MM-DD``, or the year, or year and month."""
    language: str = ""
    doi: str = ""
    url: str = ""
    tags: tuple[str, ...] = ()
    captured_by: str = ""

    def as_json(self) -> dict[str, str | list[str]]:
        """The fields that say something."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in said.items() if value}


@dataclass(frozen=True)
class LeftOut:
    """Something of a file that is not in its text."""

    what: str
    count: int
    """How many characters, or how many of them where they hold no text."""
    is_hidden: bool = False
    """True for text that somebody who opens the file does not see."""

    def __str__(self) -> str:
        hidden = ", which nobody sees who opens the file" if self.is_hidden else ""
        return f"{self.what}: {self.count:,}{hidden}"


@dataclass(frozen=True)
class Document:
    """Text with anchors, as ``sandbox read`` reports it. Numbers never fall; several lines may have the same."""

    lines: tuple[tuple[int, str], ...]
    ends: tuple[int, ...] = ()
    """Where a line of text comes from several lines of the file, or several pages: the last one, for each line."""
    unit: Unit = "line"
    """What the numbers count."""
    head: SourceHead = SourceHead()
    left_out: tuple[LeftOut, ...] = ()
    recognised: tuple[int, ...] = ()
    """Numbers of the pages whose words a program recognised in a picture: it may have got some wrong."""

    @classmethod
    def from_text(cls, text: str) -> Document:
        return cls(tuple(enumerate(text.split("\n"), start=1)))

    def last_line(self, index: int) -> int:
        """The number that line ``index`` of the text ends on."""
        return self.ends[index] if self.ends else self.lines[index][0]

    def anchor(self, index: int, last: int | None = None) -> str:
        """Where line ``index`` of the text stands, or the lines up to ``last``, as a citation says it."""
        return Anchor(self.unit, self.lines[index][0], self.last_line(index if last is None else last)).written

    def heading_above(self, number: int) -> str:
        """The heading that line or paragraph ``number`` stands under, without its marks; empty where there is none."""
        above = [line for at, line in self.lines if at <= number and _HEADING.match(line)]
        return above[-1].lstrip("# ") if above else ""

    @cached_property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)

    @property
    def read_by_ocr(self) -> str:
        """Which pages were recognised in a picture: ``pages 1-3, 7``; empty when none was."""
        runs: list[list[int]] = []
        for number in self.recognised:
            if runs and number == runs[-1][-1] + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        said = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
        return f"{plural(len(self.recognised), 'page')} {said}" if runs else ""


@dataclass(frozen=True)
class SourceRemarks:
    """What somebody says of a source when they bring it."""

    authority: str = ""
    """primary, secondary or rumour; empty: nothing is said."""
    supersedes: tuple[str, ...] = ()
    """The paths of the sources that it replaces."""
    address: str = ""
    """Where it was fetched."""
    date: str = ""
    """The day (``YYYY-MM-DD``) that a feed gives it; what it says of itself goes before."""
    note: str = ""
    """The note that it is a copy of: its path from the folder of notes."""

    @classmethod
    def from_json(cls, saved: Any) -> SourceRemarks | None:
        """What ``asdict`` made of some, where fields that it has not say nothing; None for what is none."""
        if not isinstance(saved, Mapping):
            return None
        told = {each.name: saved[each.name] for each in fields(cls) if each.name in saved}
        replaced = told.pop("supersedes", [])
        if not isinstance(replaced, list) or not all(isinstance(each, str) for each in (*replaced, *told.values())):
            return None
        return cls(**told, supersedes=tuple(replaced))


@dataclass(frozen=True)
class Source:
    """One settled source, as it was when it was copied to the spool."""

    path: str
    """From the wiki root, with ``/``: ``sources/pep-0427.rst``."""
    digest: str
    """``sha256:<hex>`` of the bytes."""
    document: Document
    format: str = "text"
    authority: str = "secondary"
    sandbox: str = ""
    """Level of the jail its text was read in."""
    remarks: SourceRemarks = SourceRemarks()
    signature: Signature | None = None
    """Who vouches for the bytes, where somebody does."""
    id: str = ""
    """In the registry; empty as long as nobody has looked."""
    place: str = ""
    """What is odd about where its file lies, for the log."""
    pages: tuple[str, ...] = ()
    """The slugs of the pages that its earlier ingests went into."""

    @property
    def stem(self) -> str:
        """Its file's name in kebab-case: its footnotes are named after it, and its summary."""
        return slug_of_file(self.path) or "source"

    def called_in(self, dialect: str) -> str:
        """How a page of ``dialect`` names it among its sources."""
        return source_reference(dialect, self.path, self.id)

    @cached_property
    def date(self) -> str:
        """The day the source speaks of itself (``YYYY-MM-DD``), from its head or its name, else the day that a feed gives
        it; empty when nobody tells one."""
        return day_told(self.path, self.document) or self.remarks.date

    @cached_property
    def time(self) -> str:
        """When it is of: its day, month or year, as ``YYYY-MM-DD`` begins; empty when nobody tells. A day goes before all
        else, and one in its name before others; four digits of its name are a year when its text has dates of that."""
        in_head = self.date or _in_head(self.document, dates.written)
        return day_in_name(self.path) or in_head or year_in_name(self.path, self.document.text)

    @property
    def is_timed_by_name(self) -> bool:
        """True when its owner told its time, in the name of its file: it is not its own word alone."""
        return bool(day_in_name(self.path)) or not (self.date or _in_head(self.document, dates.written))


def day_told(path: str, document: Document) -> str:
    """The day (``YYYY-MM-DD``) that a source gives itself, in its head or in its name; empty when it gives none."""
    return _in_head(document, written_day) or day_in_name(path)


def signed_by(name: str) -> str:
    """The name of the source that a file called ``name`` is a signature of; empty when it is none."""
    source, _, suffix = name.rpartition(".")
    if f".{suffix.lower()}" not in SIGNATURES:
        return ""
    return source if PurePosixPath(source).suffix.lower() in FORMATS else ""


_MONTHS = {name: n for n, name in enumerate(calendar.month_abbr) if name}
_FIELD = re.compile(r"^[\s#:*.]*(?:date|created|published|updated|revdate)\s*:+\s*(.+)$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2]))?(?!-?\d)")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_WORDY = re.compile(r"\b(\d{1,2})[ -]([A-Z][a-z]{2})[a-z]*[ -](\d{4})\b")


def _in_head(document: Document, read: Callable[[str], str]) -> str:
    """What ``read`` makes of a date that the document's head tells; empty when it makes nothing of any."""
    fields = (field[1] for _, line in document.lines[:40] if (field := _FIELD.match(line)))
    return next(filter(None, map(read, (document.head.date, *fields))), "")


def day_in_name(path: str) -> str:
    """The day (``YYYY-MM-DD``) in a source's file name; empty when there is none."""
    return written_day(PurePosixPath(path).stem)


def year_in_name(path: str, text: str) -> str:
    """The one year (``YYYY``), or month (``YYYY-MM``), in a source's file name, of which its ``text`` has dates.

    Without these it is a number as any other: ``rfc-2026``, ``room-2019``.
    """
    found = {match[0] for match in _YEAR.finditer(PurePosixPath(path).stem)}
    return next(iter(found)) if len(found) == 1 and dates.has_date_of(text, max(found)[:4]) else ""


def written_day(text: str) -> str:
    """The first day written in ``text``, as ``YYYY-MM-DD``; empty when there is none."""
    found = ""
    if iso := _ISO.search(text):
        found = iso[0]
    elif (wordy := _WORDY.search(text)) and (month := _MONTHS.get(wordy[2])):
        found = f"{wordy[3]}-{month:02}-{int(wordy[1]):02}"
    return found if _is_day(found) else ""


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False
