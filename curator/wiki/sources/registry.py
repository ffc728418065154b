"""``_manifest.json``, the registry: which sources are in, with the hash of their bytes and their pages (ADDENDA).

It makes ingest idempotent. It shows change; it is no root of trust. Beside ``contentHash`` and ``slugs`` a record may say
what ``knowledge.source/v1`` says of a source; what curator does not know of a record, it keeps as it is.

``hashAlgo`` names the algorithm of all records but those that name another one: ``"contentHash": "sha512:<hex>"``. So a
wiki that changes ``sources.hashAlgo`` goes on knowing the sources it has, and pins new ones by the new algorithm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from curator.errors import WikiError
from curator.system.digests import HASHES
from curator.wiki.pages.slug import is_slug
from curator.wiki.workspace.schema import AUTHORITIES

PATH = "_manifest.json"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_HALF = re.compile(r"[\ud800-\udfff]")
"""Half a character, which JSON may spell and UTF-8 has no bytes for."""
_OF_ANOTHER = re.compile(rf"({'|'.join(HASHES)}):(.*)", re.DOTALL)


@dataclass(frozen=True)
class Signature:
    """Who vouched for a source's bytes."""

    by: str
    """The principal of the allowed signers file, or the fingerprint of a gpg key."""
    kind: str
    """``ssh`` or ``gpg``."""


@dataclass(frozen=True)
class Record:
    """One source that is in."""

    content_hash: str
    """Hex, of ``algorithm``."""
    slugs: tuple[str, ...]
    """Every page its ingests created or touched."""
    algorithm: str = ""
    """Of the hash, where it is another one than the manifest names."""
    id: str = ""
    """What others call it (see ``curator.wiki.sources.records``); empty in records of earlier versions."""
    title: str = ""
    captured_at: str = ""
    """When its bytes came in, ISO 8601 with Z; empty in records of earlier versions."""
    captured_by: str = ""
    authority: str = ""
    """primary, secondary or rumour; empty: the wiki's ``sources.authorityDefault``."""
    language: str = ""
    superseded_by: str = ""
    """The id of the source that replaces this one."""
    tags: tuple[str, ...] = ()
    signature: Signature | None = None
    authors: tuple[str, ...] = ()
    date: str = ""
    """The day, month or year that the document names as its own."""
    doi: str = ""
    url: str = ""
    others: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What else stands in the record, or stands there otherwise than it should."""

    @classmethod
    def parse(cls, value: Mapping[str, Any], usual: str) -> Record:
        """``usual`` is the manifest's algorithm. Raises KeyError, TypeError or AttributeError for what is no record."""
        known: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for key, seen in value.items():
            if key in ("contentHash", "slugs"):
                continue
            name, read = _OPTIONAL.get(key, ("", _text))
            found = read(seen) if name else None
            if found is None:
                others[key] = seen
            else:
                known[name] = found
        other = _OF_ANOTHER.fullmatch(written := str(value["contentHash"]))
        algorithm, content_hash = (other[1], other[2]) if other else ("", written)
        slugs = tuple(str(slug) for slug in value.get("slugs", []))
        return cls(content_hash, slugs, "" if algorithm == usual else algorithm, **known, others=others)

    def taken_back(self, before: Record, after: Record) -> Record:
        """The record without what made ``after`` of ``before``; what was said of the source since stays."""
        changed = {
            f.name: getattr(before, f.name) for f in fields(self) if getattr(self, f.name) == getattr(after, f.name)
        }
        return replace(self, **{**changed, "slugs": before.slugs})

    def as_json(self) -> dict[str, Any]:
        """The record as it is written."""
        written = f"{self.algorithm}:{self.content_hash}" if self.algorithm else self.content_hash
        value: dict[str, Any] = {"contentHash": written, "slugs": list(self.slugs)}
        for key, (name, _) in _OPTIONAL.items():
            seen = getattr(self, name)
            if isinstance(seen, Signature):
                value[key] = {"by": seen.by, "kind": seen.kind}
            elif seen:
                value[key] = list(seen) if isinstance(seen, tuple) else seen
        return {**value, **{key: seen for key, seen in self.others.items() if key not in value}}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _slug(value: Any) -> str | None:
    return value if isinstance(value, str) and is_slug(value) else None


def _moment(value: Any) -> str | None:
    """A date and a time of day."""
    if not isinstance(value, str) or not _MOMENT.match(value):
        return None
    try:
        return value if datetime.fromisoformat(value) else None
    except ValueError:
        return None


def _authority(value: Any) -> str | None:
    return value if value in AUTHORITIES else None


def _texts(value: Any) -> tuple[str, ...] | None:
    is_list = isinstance(value, list) and value and all(isinstance(item, str) for item in value)
    return tuple(value) if is_list else None


def _signature(value: Any) -> Signature | None:
    is_one = isinstance(value, dict) and value.keys() == {"by", "kind"} and all(map(_text, value.values()))
    return Signature(value["by"], value["kind"]) if is_one else None


_OPTIONAL: Mapping[str, tuple[str, Any]] = {
    "id": ("id", _slug),
    "title": ("title", _text),
    "capturedAt": ("captured_at", _moment),
    "capturedBy": ("captured_by", _text),
    "authority": ("authority", _authority),
    "language": ("language", _text),
    "supersededBy": ("superseded_by", _text),
    "tags": ("tags", _texts),
    "signature": ("signature", _signature),
    "authors": ("authors", _texts),
    "date": ("date", _text),
    "doi": ("doi", _text),
    "url": ("url", _text),
}
"""The keys a record may have, with the fields they are read into and how; what is not read stays as it is."""


@dataclass(frozen=True)
class SourceManifest:
    """The sources that are in, by path from the wiki root."""

    sources: Mapping[str, Record] = field(default_factory=dict)
    hash_algorithm: str = "sha256"
    """Of the records that name none of their own."""
    others: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What else the file says."""

    @classmethod
    def parse(cls, text: str) -> SourceManifest:
        """Read the file; an empty text is an empty manifest. Raises WikiError."""
        if not text.strip():
            return cls()
        try:
            value = json.loads(text)
            algorithm = str(value.get("hashAlgo", "sha256"))
            sources = {str(path): Record.parse(record, algorithm) for path, record in value.get("sources", {}).items()}
            others = {key: seen for key, seen in value.items() if key not in ("version", "hashAlgo", "sources")}
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
            raise WikiError(
                "manifest_invalid",
                f"{PATH} cannot be read: {error}",
                "restore it from git ('git log -- _manifest.json' shows its versions)",
            ) from error
        return cls(sources, algorithm, others)

    def dumps(self) -> str:
        """The file: sources in order of path, a stable layout, so that an ingest changes only its own lines."""
        value = {
            "version": 1,
            "hashAlgo": self.hash_algorithm,
            "sources": {path: record.as_json() for path, record in sorted(self.sources.items())},
            **self.others,
        }
        text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
        return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)

    @property
    def algorithms(self) -> frozenset[str]:
        """Those that the sources are pinned by."""
        return frozenset(record.algorithm or self.hash_algorithm for record in self.sources.values())

    def digest(self, path: str) -> str:
        """``<algo>:<hex>`` of a source that is in, as it was taken in."""
        record = self.sources[path]
        return f"{record.algorithm or self.hash_algorithm}:{record.content_hash}"

    def has(self, path: str, digest: str) -> bool:
        """True when exactly these bytes were ingested from this path."""
        return path in self.sources and self.digest(path) == digest

    def twin_of(self, path: str, digest: str) -> str | None:
        """Another path with the same bytes."""
        return min((other for other in self.sources if other != path and self.has(other, digest)), default=None)

    def with_slug(self, old: str, new: str | None) -> SourceManifest:
        """The manifest after a page got another slug, or went."""
        after = {old: new}
        sources = {
            path: replace(record, slugs=tuple(sorted({s for slug in record.slugs if (s := after.get(slug, slug))})))
            for path, record in self.sources.items()
        }
        return replace(self, sources=sources)

    def with_page(self, slug: str, paths: Collection[str]) -> SourceManifest:
        """The manifest where the page ``slug`` rests on these sources, too, as far as they are known."""
        records = {path: self.sources[path] for path in paths if path in self.sources}
        after = {path: replace(each, slugs=tuple(sorted({*each.slugs, slug}))) for path, each in records.items()}
        return replace(self, sources={**self.sources, **after})

    def record(self, path: str) -> Record | None:
        """The record of a source, as another manifest can take it up: it says its algorithm."""
        record = self.sources.get(path)
        return None if record is None else replace(record, algorithm=record.algorithm or self.hash_algorithm)

    def with_record(self, path: str, record: Record | None) -> SourceManifest:
        """The manifest with this record of a source, or without one."""
        others = {other: kept for other, kept in self.sources.items() if other != path}
        if record is None:
            return replace(self, sources=others)
        algorithm = "" if record.algorithm == self.hash_algorithm else record.algorithm
        return replace(self, sources={**others, path: replace(record, algorithm=algorithm)})

    def with_source(self, path: str, digest: str, slugs: Sequence[str]) -> SourceManifest:
        """The manifest after an ingest; pages of earlier versions of the source stay listed, and what was said of it.

        The first source of a wiki makes its algorithm that of the manifest.
        """
        algorithm, _, content_hash = digest.partition(":")
        now = self if self.sources else replace(self, hash_algorithm=algorithm)
        before = self.sources.get(path) or Record(content_hash, ())
        slugs = tuple(sorted({*before.slugs, *slugs}))
        return now.with_record(path, replace(before, content_hash=content_hash, algorithm=algorithm, slugs=slugs))
