"""What the registry says of one source that is in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from curator.system.digests import HASHES
from curator.wiki.pages.slug import is_slug
from curator.wiki.workspace.schema import AUTHORITIES

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
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
    note: str = ""
    """Which note it is a copy of: the path from the folder of notes that the wiki stands in."""
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


def names_algorithm(content_hash: str) -> bool:
    """True for a ``contentHash`` that says what it was made by."""
    return _OF_ANOTHER.fullmatch(content_hash) is not None


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
    "note": ("note", _text),
}
"""The keys a record may have, with the fields they are read into and how; what is not read stays as it is."""
