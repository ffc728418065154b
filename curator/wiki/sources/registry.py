"""``_manifest.json``, the registry: which sources are in, with the hash of their bytes and their pages (ADDENDA).

It makes ingest idempotent. It shows change; it is no root of trust. Beside ``contentHash`` and ``slugs`` a record may say
what ``knowledge.source/v1`` says of a source; what curator does not know of a record, it keeps as it is.

``hashAlgo`` names the algorithm of all records but those that name another one: ``"contentHash": "sha512:<hex>"``. So a
wiki that changes ``sources.hashAlgo`` goes on knowing the sources it has, and pins new ones by the new algorithm.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from curator.errors import WikiError
from curator.wiki.sources.record import Record
from curator.wiki.sources.written_records import WrittenRecords, escaped, quoted

PATH = "_manifest.json"


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
        if (written := WrittenRecords.of(text)) is not None:
            return cls(written, written.algorithm, written.others or {})
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
        sources = self.sources
        if isinstance(sources, WrittenRecords) and sources and (self.hash_algorithm, self.others) == sources.file:
            return sources.dumps()
        value = {
            "version": 1,
            "hashAlgo": self.hash_algorithm,
            "sources": {path: record.as_json() for path, record in sorted(self.sources.items())},
            **self.others,
        }
        return escaped(json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    @property
    def algorithms(self) -> frozenset[str]:
        """Those that the sources are pinned by."""
        known = self.sources.algorithms if isinstance(self.sources, WrittenRecords) else None
        return known or frozenset(record.algorithm or self.hash_algorithm for record in self.sources.values())

    @cached_property
    def distinct_ids(self) -> frozenset[str] | None:
        """The ids, where every record has one and no two the same; None where some have to be worked out."""
        return self.sources.ids if isinstance(self.sources, WrittenRecords) else None

    def digest(self, path: str) -> str:
        """``<algo>:<hex>`` of a source that is in, as it was taken in."""
        record = self.sources[path]
        return f"{record.algorithm or self.hash_algorithm}:{record.content_hash}"

    def has(self, path: str, digest: str) -> bool:
        """True when exactly these bytes were ingested from this path."""
        return path in self.sources and self.digest(path) == digest

    def twin_of(self, path: str, digest: str) -> str | None:
        """Another path with the same bytes."""
        return min((other for other in self._like(digest) if other != path and self.has(other, digest)), default=None)

    def of_note(self, note: str) -> list[str]:
        """The sources that are copies of the note at ``note``: one, but where somebody edited the first."""
        sources = self.sources
        paths = sources.with_line(f'      "note": {quoted(note)}') if isinstance(sources, WrittenRecords) else sources
        return sorted(path for path in paths if sources[path].note == note)

    def _like(self, digest: str) -> Iterable[str]:
        """The paths of sources that may have these bytes."""
        if not isinstance(self.sources, WrittenRecords):
            return self.sources
        return self.sources.with_line(
            *(f'      "contentHash": {quoted(each)}' for each in (digest, digest.partition(":")[2]))
        )

    def with_slug(self, old: str, new: str | None) -> SourceManifest:
        """The manifest after a page got another slug, or went."""
        sources = self.sources
        paths = sources.with_line(f"        {quoted(old)}") if isinstance(sources, WrittenRecords) else sources
        records = {path: record for path in paths if old in (record := sources[path]).slugs}
        named = [new] if new is not None else []
        return self._with({p: replace(r, slugs=_ordered({*r.slugs} - {old}, named)) for p, r in records.items()})

    def with_page(self, slug: str, paths: Collection[str]) -> SourceManifest:
        """The manifest where the page ``slug`` rests on these sources, too, as far as they are known."""
        records = {path: record for path in paths if (record := self.sources.get(path)) is not None}
        return self._with({path: replace(each, slugs=_ordered(each.slugs, [slug])) for path, each in records.items()})

    def record(self, path: str) -> Record | None:
        """The record of a source, as another manifest can take it up: it says its algorithm."""
        record = self.sources.get(path)
        return None if record is None else replace(record, algorithm=record.algorithm or self.hash_algorithm)

    def with_record(self, path: str, record: Record | None) -> SourceManifest:
        """The manifest with this record of a source, or without one."""
        if record is None:
            return self._with({path: None})
        algorithm = "" if record.algorithm == self.hash_algorithm else record.algorithm
        return self._with({path: replace(record, algorithm=algorithm)})

    def _with(self, changes: Mapping[str, Record | None]) -> SourceManifest:
        """The manifest with these records; None takes one away."""
        if isinstance(self.sources, WrittenRecords):
            return replace(self, sources=self.sources.replaced(changes))
        kept = {path: record for path, record in self.sources.items() if path not in changes}
        return replace(
            self, sources={**kept, **{path: record for path, record in changes.items() if record is not None}}
        )

    def with_source(self, path: str, digest: str, slugs: Sequence[str]) -> SourceManifest:
        """The manifest after an ingest; pages of earlier versions of the source stay listed, and what was said of it.

        The first source of a wiki makes its algorithm that of the manifest.
        """
        algorithm, _, content_hash = digest.partition(":")
        now = self if self.sources else replace(self, hash_algorithm=algorithm)
        before = self.sources.get(path) or Record(content_hash, ())
        slugs = _ordered(before.slugs, slugs)
        return now.with_record(path, replace(before, content_hash=content_hash, algorithm=algorithm, slugs=slugs))


def _ordered(slugs: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*slugs, *more}))
