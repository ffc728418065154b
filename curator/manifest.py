"""``_manifest.json``: which sources are in, with the hash of their bytes and the pages they went into (ADDENDA).

It makes ingest idempotent. It shows change; it is no root of trust.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.errors import WikiError

PATH = "_manifest.json"


@dataclass(frozen=True)
class Record:
    """One source that is in."""

    content_hash: str
    """Hex, of the algorithm the manifest names."""
    slugs: tuple[str, ...]
    """Every page its ingests created or touched."""


@dataclass(frozen=True)
class Manifest:
    """The sources that are in, by path from the wiki root."""

    sources: Mapping[str, Record] = field(default_factory=dict)
    hash_algorithm: str = "sha256"

    @classmethod
    def parse(cls, text: str) -> Manifest:
        """Read the file; an empty text is an empty manifest. Raises WikiError."""
        if not text.strip():
            return cls()
        try:
            value = json.loads(text)
            algorithm = value.get("hashAlgo", "sha256")
            sources = {str(path): _record(record) for path, record in value.get("sources", {}).items()}
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
            raise WikiError(
                "manifest_invalid",
                f"{PATH} cannot be read: {error}",
                "restore it from git ('git log -- _manifest.json' shows its versions)",
            ) from error
        return cls(sources, str(algorithm))

    def dumps(self) -> str:
        """The file: sources in order of path, a stable layout, so that an ingest changes only its own lines."""
        value = {
            "version": 1,
            "hashAlgo": self.hash_algorithm,
            "sources": {
                path: {"contentHash": record.content_hash, "slugs": list(record.slugs)}
                for path, record in sorted(self.sources.items())
            },
        }
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

    def has(self, path: str, digest: str) -> bool:
        """True when exactly these bytes were ingested from this path."""
        record = self.sources.get(path)
        return record is not None and f"{self.hash_algorithm}:{record.content_hash}" == digest

    def twin_of(self, path: str, digest: str) -> str | None:
        """Another path with the same bytes."""
        return next((other for other in sorted(self.sources) if other != path and self.has(other, digest)), None)

    def with_slug(self, old: str, new: str | None) -> Manifest:
        """The manifest after a page got another slug, or went."""
        after = {old: new}
        sources = {
            path: Record(
                record.content_hash, tuple(sorted({s for slug in record.slugs if (s := after.get(slug, slug))}))
            )
            for path, record in self.sources.items()
        }
        return Manifest(sources, self.hash_algorithm)

    def with_record(self, path: str, record: Record | None) -> Manifest:
        """The manifest with this record of a source, or without one."""
        others = {other: kept for other, kept in self.sources.items() if other != path}
        return Manifest(others if record is None else {**others, path: record}, self.hash_algorithm)

    def with_source(self, path: str, digest: str, slugs: list[str]) -> Manifest:
        """The manifest after an ingest; pages of earlier versions of the source stay listed."""
        before = self.sources[path].slugs if path in self.sources else ()
        record = Record(digest.partition(":")[2], tuple(sorted({*before, *slugs})))
        return Manifest({**self.sources, path: record}, self.hash_algorithm)


def _record(record: Mapping[str, Any]) -> Record:
    return Record(str(record["contentHash"]), tuple(str(slug) for slug in record.get("slugs", [])))
