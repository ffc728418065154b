"""The three generated files against what they are made from: the index from the pages, log and manifest from history."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import zip_longest

from curator.checks import provenance
from curator.checks.diagnosis import Append, Diagnosis, Write, fixable, found, quoted
from curator.checks.examined_wiki import ExaminedWiki
from curator.checks.provenance import Provenance
from curator.errors import WikiError
from curator.repository.history import CuratorCommit
from curator.system.digests import HASHES
from curator.wiki import index, log
from curator.wiki.log import LogEvent
from curator.wiki.sources import registry
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest

# -- the index -----------------------------------------------------------------------------------------------------


def index_of(wiki: ExaminedWiki, wanted: str) -> Iterator[Diagnosis]:
    """_index.md, byte for byte."""
    data = wiki.data(index.PATH)
    if data == wanted.encode("utf-8", "replace"):
        return
    fix = Write(index.PATH, lambda: wanted, "made anew from the pages")
    if data is None:
        yield fixable("error", "index_missing", index.PATH, "it is not committed", fix, "makes it from the pages")
        return
    now = data.decode("utf-8", "replace").split("\n")
    message = _first_difference(now, wanted.split("\n"))
    yield fixable("error", "index_stale", index.PATH, message, fix, "makes it anew from the pages")


def _first_difference(now: list[str], wanted: list[str]) -> str:
    lines = enumerate(zip_longest(now, wanted), start=1)
    number, (seen, right) = next((n, pair) for n, pair in lines if pair[0] != pair[1])
    counts = [sum(line.startswith("- [[") for line in text) for text in (now, wanted)]
    listed = f"it lists {counts[0]:,} pages, there are {counts[1]:,}; " if counts[0] != counts[1] else ""
    return f"{listed}line {number} is {_shown(seen)}, the pages give {_shown(right)}"


def _shown(line: str | None) -> str:
    return "not there" if line is None else repr(line if len(line) <= 60 else f"{line[:59]}…")


# -- the log -------------------------------------------------------------------------------------------------------


def log_of(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """_log.md: its lines can be read, nothing of it was ever taken out, and it tells of every ingest."""
    data = wiki.data(log.PATH)
    if data is None:
        fix = Write(log.PATH, lambda: log.HEADING, "begun anew")
        yield fixable(
            "error", "log_missing", log.PATH, "it is not committed", fix, "makes it, with every event of git's"
        )
    try:
        text = (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        repair = f"write it as UTF-8 again: git log -- {log.PATH} shows since when"
        yield found("error", "log_not_text", log.PATH, f"it is no UTF-8 (byte {error.start})", repair)
        return
    yield from _lines(text)
    proven = Provenance(wiki)
    lost = proven.lost_events(data or b"")
    for event in lost:
        message = f"an event of an earlier version is gone or changed: {_named(event)}"
        yield fixable("error", "log_rewritten", log.PATH, message, Append(event), "adds it again, at the end")
    yield from _events([*log.parse(text), *lost], proven)


def _lines(text: str) -> Iterator[Diagnosis]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("## ") and (wrong := _wrong_with(line)):
            repair = f"mend the line: ## [2026-04-15T09:30:00Z] {'|'.join(log.EVENTS)} | SUBJECT"
            yield found("warn", "log_line_invalid", log.PATH, f"{wrong}: {_shown(line)}", repair, line=number)


def _wrong_with(line: str) -> str:
    events = log.parse(line)
    if not events:
        return "no event's heading"
    if events[0].type not in log.EVENTS:
        return f"no event is called {events[0].type!r}"
    try:
        datetime.fromisoformat(events[0].at)
    except ValueError:
        return f"{events[0].at!r} is no time"
    return ""


def _events(events: Sequence[LogEvent], proven: Provenance) -> Iterator[Diagnosis]:
    """An ingest event for each ingest commit, and the other way round."""
    given = Counter(proven.given_events)
    by_source: dict[str, list[CuratorCommit]] = {}
    for commit in proven.wiki.curator_commits:
        if commit.source:
            by_source.setdefault(" ".join(commit.source.split()), []).append(commit)
    told = dict(provenance.by_subject(events))
    for subject in {**told, **by_source}:
        mine = list((Counter(told.get(subject, [])) - given).elements())
        unlogged, unproven = provenance.unlogged(by_source.get(subject, []), mine)
        for commit in reversed(unlogged):
            event = LogEvent.now(_moment(commit.at), "ingest", commit.source, commit.bullets)
            message = f"it does not tell of commit {commit.id[:12]}: {_named(event)}"
            yield fixable("error", "log_event_missing", log.PATH, message, Append(event), "adds it, at the end")
        twins = Counter((event.at, event.subject) for event in mine)
        for event in unproven:
            if twins[event.at, event.subject] == 1 and not proven.is_told_of(subject):
                message = f"no commit did what it tells: {_named(event)}"
                repair = f"see where it came from: git log -p -S {quoted(event.at)} -- {log.PATH}"
                yield found("warn", "log_event_unproven", log.PATH, message, repair)


def _named(event: LogEvent) -> str:
    return f"[{event.at}] {event.type} | {event.subject}"


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(re.sub(r"Z\Z", "+00:00", text)).astimezone(UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


# -- the manifest --------------------------------------------------------------------------------------------------


def manifest_of(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """_manifest.json: what the newest trailers say, no more and no less."""
    proven = Provenance(wiki)
    data = wiki.data(registry.PATH)
    try:
        known = registry.parsed((data or b"").decode("utf-8", "replace").encode())
    except WikiError as error:
        newest = proven.newest_readable_manifest()
        fix = Write(registry.PATH, lambda: _right(newest, proven).dumps(), "made anew from the commits")
        yield fixable("error", error.code, registry.PATH, error.message, fix, "makes it anew from the commits")
        return
    if known.hash_algorithm not in HASHES:
        message = f"hashAlgo is {known.hash_algorithm!r}, which curator does not have"
        repair = f"use sha256: git log -p -- {registry.PATH} shows what it was"
        yield found("error", "hash_unknown", registry.PATH, message, repair)
        return
    fix = Write(registry.PATH, lambda: _right(known, proven).dumps(), "made equal to the commits")
    if data is None:
        yield fixable(
            "error", "manifest_missing", registry.PATH, "it is not committed", fix, "makes it from the commits"
        )
        return
    for code, message, does in _faults(known, proven):
        yield fixable("error", code, registry.PATH, message, fix, does)


def _faults(known: SourceManifest, proven: Provenance) -> Iterator[tuple[str, str, str]]:
    for path in sorted(known.sources):
        if (wrong := _wrong_digest(path, known, proven)) is not None:
            by = proven.sources.get(path)
            if by is None:
                message = f"{path} is in it, and no commit took it in"
                yield "manifest_unproven", message, "takes it out; 'curate ingest' can then take it in"
            else:
                message = (
                    f"{path} is in it as {wrong[:19]}…, commit {by.commit.id[:12]} says {by.commit.sources[path][:19]}…"
                )
                yield "manifest_differs", message, "makes it equal to the commits"
    for path, by in sorted(proven.sources.items()):
        if path not in known.sources and not by.may_be_absent:
            message = f"{path} is not in it, and commit {by.commit.id[:12]} took it in"
            yield "manifest_record_missing", message, "puts it in again"


def _wrong_digest(path: str, known: SourceManifest, proven: Provenance) -> str | None:
    """The digest that should not be there; None when it may."""
    digest = known.digests[path]
    by = proven.sources.get(path)
    if by is not None:
        return None if digest in by.digests else digest
    if proven.given.has(path, digest):
        return None
    return None if proven.is_told_of(path, digest) else digest


def _right(known: SourceManifest, proven: Provenance) -> SourceManifest:
    """``known`` with its wrong records mended from the commits, or taken out."""
    right: dict[str, Record | None] = {}
    for path in known.sources:
        if _wrong_digest(path, known, proven) is not None:
            right[path] = None
    for path, by in proven.sources.items():
        is_right = path in known.sources and path not in right
        if not is_right and not by.may_be_absent:
            right[path] = _record_at(by.commit, path, proven.wiki, known.sources.get(path))
    return known.with_records(right)


def _record_at(commit: CuratorCommit, path: str, wiki: ExaminedWiki, now: Record | None) -> Record:
    """The record as the commit itself wrote it, or one made from its trailer; what people said of the source stays."""
    try:
        then = SourceManifest.parse((wiki.data(registry.PATH, commit.id) or b"").decode("utf-8", "replace"))
    except WikiError:
        then = SourceManifest()
    algorithm, _, content_hash = commit.sources[path].partition(":")
    record = then.record(path) if then.has(path, commit.sources[path]) else None
    record = record or Record(content_hash, (), algorithm)
    if now is None:
        return record
    return replace(now, content_hash=record.content_hash, slugs=record.slugs, algorithm=record.algorithm)
