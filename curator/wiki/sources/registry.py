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
from weakref import WeakValueDictionary

from curator.errors import WikiError
from curator.system.edited_text import EditedText
from curator.wiki.sources.record import Record, names_algorithm
from curator.wiki.sources.written_records import Proven, WrittenRecords, escaped, quoted

PATH = "_manifest.json"
VERSION = 1


@dataclass(frozen=True)
class SourceManifest:
    """The sources that are in, by path from the wiki root."""

    sources: Mapping[str, Record] = field(default_factory=dict)
    hash_algorithm: str = "sha256"
    """Of the records that name none of their own."""
    others: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What else the file says."""

    @classmethod
    def parse(cls, data: bytes | str, proven: Proven | None = None) -> SourceManifest:
        """Read the file, UTF-8; an empty one is an empty manifest. Raises WikiError.

        ``proven``: what is known of this very text.
        """
        text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if not text.strip():
            return cls()
        if (written := WrittenRecords.of(text, proven)) is not None:
            return cls(written, written.algorithm, written.others or {})
        try:
            value = json.loads(data)
            version = value.get("version", VERSION)
            algorithm = str(value.get("hashAlgo", "sha256"))
            sources = {str(path): Record.parse(record, algorithm) for path, record in value.get("sources", {}).items()}
            others = {key: seen for key, seen in value.items() if key not in ("version", "hashAlgo", "sources")}
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
            raise WikiError(
                "manifest_invalid",
                f"{PATH} cannot be read: {error}",
                "restore it from git ('git log -- _manifest.json' shows its versions)",
            ) from error
        if isinstance(version, int) and version > VERSION:
            message = f"{PATH} is of version {version!r}; this curator knows version {VERSION}"
            raise WikiError("manifest_newer", message, "upgrade curator; nothing was changed")
        return cls(sources, algorithm, others)

    def dumps(self) -> str:
        """The file: sources in order of path, a stable layout, so that an ingest changes only its own lines."""
        return str(self.written())

    def written(self) -> str | EditedText:
        """The same; of a registry that was read, as edits of its text."""
        edited = self._records.edited(self.hash_algorithm, self.others)
        if edited is not None:
            return edited
        value = {
            "version": VERSION,
            "hashAlgo": self.hash_algorithm,
            "sources": {path: record.as_json() for path, record in sorted(self.sources.items())},
            **self.others,
        }
        return escaped(json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    @property
    def algorithms(self) -> frozenset[str]:
        """Those that the sources are pinned by."""
        known = self._records.algorithms
        return known or frozenset(record.algorithm or self.hash_algorithm for record in self.sources.values())

    @property
    def own_ids(self) -> bool:
        """True where every record has an id and no two the same; else some have to be worked out."""
        return self._records.own_ids

    def has_id(self, name: str) -> bool:
        """True where a record has this id; asked where all have their own."""
        return self._records.has_id(name)

    def proven_of(self, written: str | EditedText) -> Proven | None:
        """What is known of ``written``, the text of this manifest; None where that has to be found out."""
        return self._records.proven_of(written) if isinstance(written, EditedText) else None

    def digest(self, path: str) -> str:
        """``<algo>:<hex>`` of a source that is in, as it was taken in."""
        record = self.sources[path]
        return f"{record.algorithm or self.hash_algorithm}:{record.content_hash}"

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """That of each source by its path: of a big wiki they are all found in the time that a few hundred take."""
        found = self._records.hashes if self._records.algorithm == self.hash_algorithm else None
        if found is None:
            return {path: self.digest(path) for path in self.sources}
        usual = self.hash_algorithm
        return {path: written if names_algorithm(written) else f"{usual}:{written}" for path, written in found.items()}

    def has(self, path: str, digest: str) -> bool:
        """True when exactly these bytes were ingested from this path."""
        return path in self.sources and self.digest(path) == digest

    def twin_of(self, path: str, digest: str) -> str | None:
        """Another path with the same bytes."""
        return next(iter(self.twins_of(path, digest)), None)

    def twins_of(self, path: str, digest: str) -> list[str]:
        """All other paths with the same bytes, in order."""
        return sorted(other for other in self._like(digest) if other != path and self.has(other, digest))

    def of_note(self, note: str) -> list[str]:
        """The sources that are copies of the note at ``note``: one, but where somebody edited the first."""
        return sorted(path for path in self._saying("note", note) if self.sources[path].note == note)

    def of_address(self, address: str) -> list[str]:
        """The sources that are the page at ``address``: one, but where somebody edited the first."""
        return sorted(path for path in self._saying("url", address) if self.sources[path].url == address)

    @property
    def superseded(self) -> dict[str, str]:
        """What is said to take the place of a source, by the paths of those that have such a record."""
        told = ((path, self.sources[path].superseded_by) for path in self._records.with_line('      "supersededBy": '))
        return {path: newer for path, newer in told if newer}

    def _saying(self, key: str, value: str) -> Iterable[str]:
        """The paths of sources that may have that in their records."""
        return self._records.with_line(f'      "{key}": {quoted(value)}')

    def _like(self, digest: str) -> Iterable[str]:
        """The paths of sources that may have these bytes."""
        return self._records.with_line(
            *(f'      "contentHash": {quoted(each)}' for each in (digest, digest.partition(":")[2]))
        )

    def with_slug(self, old: str, new: str | None) -> SourceManifest:
        """The manifest after a page got another slug, or went."""
        paths = self._records.with_line(f"        {quoted(old)}")
        records = {path: record for path in paths if old in (record := self.sources[path]).slugs}
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
        return self.with_records({path: record})

    def with_records(self, records: Mapping[str, Record | None]) -> SourceManifest:
        """The same with many, which one by one take time in proportion to their square."""
        return self._with({path: record and self._written(record) for path, record in records.items()})

    def _written(self, record: Record) -> Record:
        """A record names no algorithm where it is that of the manifest."""
        return replace(record, algorithm="" if record.algorithm == self.hash_algorithm else record.algorithm)

    def _with(self, changes: Mapping[str, Record | None]) -> SourceManifest:
        """The manifest with these records; None takes one away."""
        return replace(self, sources=self._records.replaced(changes))

    @cached_property
    def _records(self) -> WrittenRecords | PlainRecords:
        return self.sources if isinstance(self.sources, WrittenRecords) else PlainRecords(self.sources)

    def with_source(self, path: str, digest: str, slugs: Sequence[str]) -> SourceManifest:
        """The manifest after an ingest; pages of earlier versions of the source stay listed, and what was said of it.

        The first source of a wiki makes its algorithm that of the manifest.
        """
        algorithm, _, content_hash = digest.partition(":")
        now = self if self.sources else replace(self, hash_algorithm=algorithm)
        before = self.sources.get(path) or Record(content_hash, ())
        slugs = _ordered(before.slugs, slugs)
        return now.with_record(path, replace(before, content_hash=content_hash, algorithm=algorithm, slugs=slugs))


class PlainRecords(dict[str, Record]):
    """The records of a registry that is not read where it is written; it is asked as ``WrittenRecords`` is."""

    own_ids = False
    algorithms = hashes = None
    algorithm = ""

    def has_id(self, name: str) -> bool:
        return any(record.id == name for record in self.values())

    def proven_of(self, _: EditedText) -> None:
        """There is no text to know of."""

    def with_line(self, *_: str) -> Iterable[str]:
        """The paths of records that may have such a line: all."""
        return self

    def replaced(self, changes: Mapping[str, Record | None]) -> PlainRecords:
        """The records with these, which come last; None takes one away."""
        kept = {path: record for path, record in self.items() if path not in changes}
        return PlainRecords({**kept, **{path: record for path, record in changes.items() if record is not None}})

    def edited(self, *_: Any) -> None:
        """There is no text to edit."""


def _ordered(slugs: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*slugs, *more}))


_AT_HAND: WeakValueDictionary[bytes, SourceManifest] = WeakValueDictionary()
"""The registries that somebody holds, by their texts."""


def parsed(text: bytes, proven: Proven | None = None) -> SourceManifest:
    """As ``SourceManifest.parse``; what somebody holds is not read again: that of 30,000 sources takes half a second."""
    known = _AT_HAND.get(text)
    if known is None:
        known = _AT_HAND[text] = SourceManifest.parse(text, proven)
    return known
