"""The registry as others read it, records of ``knowledge.source/v1`` (AIP-10), and what people say of sources in it.

Ids: a source is called after its file, in kebab-case. Where two files are called alike, the one that came first has the
short id; the next is called after its folders too, then after its suffix, then by number. The id stands in the source's
record from its first ingest on, so that it stays when another source goes. Records of earlier versions have none: theirs
follow from the order in which they came in.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from curator.errors import ConfigError, meant_path
from curator.system.filenames import printable
from curator.wiki.pages.page import ENTRY_DIALECT, LONGEST_TITLE, source_reference
from curator.wiki.pages.slug import slug_of_file, slugify
from curator.wiki.sources.define import AUTHORITY, LANGUAGE, SCHEMA, TAG
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.validation import Value

_ONE_LINE = Value(
    lambda value: len(value) <= LONGEST_TITLE and value.isprintable() and bool(value.strip()),
    f"1 to {LONGEST_TITLE} characters in one line",
)


@dataclass(frozen=True)
class RecordUpdate:
    """What somebody wants a record to say; None: what it says, empty: nothing."""

    authority: str | None = None
    superseded_by: str | None = None
    """A path or an id."""
    title: str | None = None
    language: str | None = None
    tags: tuple[str, ...] | None = None
    captured_by: str | None = None


@dataclass(frozen=True)
class SourceRecords:
    """The sources that are in."""

    known: SourceManifest
    authority: str = "secondary"
    """``sources.authorityDefault``: of a source whose record names none."""

    # -- names -----------------------------------------------------------------------------------------------------

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """The id of each source by its path; no two have the same."""
        found: dict[str, str] = {}
        for path, record in sorted(self.known.sources.items()):
            if record.id:
                found.setdefault(record.id, path)
        written = {path: name for name, path in found.items()}
        for path in sorted(self.known.sources, key=lambda path: (self.known.sources[path].captured_at, path)):
            if path not in written:
                found[next(name for name in _names(path) if name not in found)] = path
        return {path: name for name, path in found.items()}

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """The path of each source by its id."""
        return {name: path for path, name in self.ids.items()}

    def id_for(self, path: str) -> str:
        """The id of the source at ``path``, or the one that it gets when it comes in now."""
        if not self.known.own_ids:
            return self.ids.get(path) or next(name for name in _names(path) if name not in self.paths)
        record = self.known.sources.get(path)
        return record.id if record is not None else next(name for name in _names(path) if not self.known.has_id(name))

    def called(self, path: str, dialect: str) -> str:
        """What a page of ``dialect`` lists the source at ``path`` as."""
        return self.id_for(path) if dialect == ENTRY_DIALECT else path

    def references(self, others: Iterable[str] = ()) -> dict[str, str]:
        """The path of each source that is in, or is among ``others``, by what pages of the later dialect may call it."""
        known = self.known.sources
        loose = sorted({*(path for path in others if path not in known), *(p for p in known if not known[p].id)})
        return {**{source_reference(ENTRY_DIALECT, path): path for path in reversed(loose)}, **self.paths}

    def named(self, name: str) -> str:
        """The path of the source that ``name``, a path or an id, stands for. Raises ConfigError."""
        for path in (name, name.removeprefix("./"), f"sources/{name}", self.paths.get(name, "")):
            if path in self.known.sources:
                return path
        known = meant_path(printable(name), self.known.sources)
        raise ConfigError(
            "source_unknown", f"no source {printable(name)!r} is in the wiki{known}", "curate sources lists them"
        )

    # -- what it says ----------------------------------------------------------------------------------------------

    def authority_of(self, path: str) -> str:
        """primary, secondary or rumour; of a source that is not in, too."""
        record = self.known.sources.get(path)
        return (record.authority if record is not None else "") or self.authority

    def public(self, path: str, captured_at: str) -> dict[str, Any]:
        """The record of a source that is in, valid by the standard's schema.

        ``captured_at`` counts where the record says none. What the schema has no place for stands under
        ``metadata.curator``: the pages it went into, who signed it, its authors, date, DOI and address.
        """
        record = self.known.sources[path]
        ours: dict[str, Any] = {"pages": list(record.slugs)}
        if record.signature is not None:
            ours["signature"] = {"by": record.signature.by, "kind": record.signature.kind}
        said = {"authors": list(record.authors), "date": record.date, "doi": record.doi, "url": record.url}
        ours |= {key: value for key, value in said.items() if value}
        theirs = record.others.get("metadata")
        optional = {
            "captured_by": record.captured_by[:LONGEST_TITLE],
            "authority": self.authority_of(path),
            "language": record.language if LANGUAGE.fits(record.language) else "",
            "superseded_by": record.superseded_by if record.superseded_by in self.paths else "",
            "tags": [tag for tag in record.tags if TAG.fits(tag)],
        }
        return {
            "schema": SCHEMA,
            "id": self.ids[path],
            "path": path,
            "title": record.title[:LONGEST_TITLE] or PurePosixPath(path).stem[:LONGEST_TITLE],
            "captured_at": record.captured_at or captured_at,
            "content_hash": self.known.digest(path),
            **{key: value for key, value in optional.items() if value},
            "metadata": {**(theirs if isinstance(theirs, dict) else {}), "curator": ours},
        }

    # -- what is said of it ----------------------------------------------------------------------------------------

    def changed(self, path: str, wish: RecordUpdate) -> tuple[SourceManifest, tuple[str, ...]]:
        """The manifest with what is wished for ``path``, and a bullet for each change. Raises ConfigError."""
        before, newer = self.known.sources[path], wish.superseded_by
        after = replace(
            before,
            authority=_said("authority", wish.authority, before.authority, AUTHORITY),
            superseded_by=before.superseded_by if newer is None else newer and self._successor(path, newer),
            title=_said("title", wish.title, before.title, _ONE_LINE),
            language=_said("language", wish.language, before.language, LANGUAGE),
            tags=before.tags if wish.tags is None else tuple(_said("tag", tag, "", TAG) for tag in wish.tags if tag),
            captured_by=_said("by", wish.captured_by, before.captured_by, _ONE_LINE),
        )
        return self.known.with_record(path, after), tuple(_bullets(before, after, self.authority))

    def superseded(self, paths: Iterable[str], by: str) -> SourceManifest:
        """The manifest after the source at ``by``, which is in, has replaced those at ``paths``. Raises ConfigError."""
        known = self.known
        for path in paths:
            if (old := known.sources.get(path)) is not None:
                name = replace(self, known=known)._successor(path, by)
                known = known.with_record(path, replace(old, superseded_by=name))
        return known

    def _successor(self, path: str, name: str) -> str:
        """The id of the source ``name``, which is to replace the one at ``path``."""
        newer = self.named(name)
        seen = [newer]
        while seen[-1] != path and (after := self.paths.get(self.known.sources[seen[-1]].superseded_by)) is not None:
            if after in seen:
                break
            seen.append(after)
        if path in seen:
            ring = "itself" if newer == path else f"{newer}, which it supersedes itself"
            raise ConfigError("superseded_ring", f"{path} cannot be superseded by {ring}", "name a newer source")
        return self.ids[newer]


def may_be_called(path: str) -> tuple[str, ...]:
    """What pages may list the source at ``path`` as, as far as its path alone tells: that, and ids without a number."""
    return (path, *itertools.islice(_names(path), 3))


def _names(path: str) -> Iterator[str]:
    name = slug_of_file(path) or "source"
    yield name
    inside = PurePosixPath(path.removeprefix("sources/"))
    yield from filter(None, (slugify(str(inside.with_suffix(""))), slugify(str(inside))))
    yield from (f"{name}-{number}" for number in itertools.count(2))


# -- what is wished --------------------------------------------------------------------------------------------------------


def _said(what: str, wished: str | None, before: str, shape: Value) -> str:
    """What is wished, where it is of this shape; None: as before. Raises ConfigError."""
    if wished is None:
        return before
    if wished and not shape.fits(wished):
        said = f"{what}: {wished[:LONGEST_TITLE]!r}; wanted: {shape.allowed}"
        raise ConfigError("source_field", said, "curate sources set --help")
    return wished.strip()


def _bullets(before: Record, after: Record, default: str) -> Iterator[str]:
    """What changed, for the log."""
    words = {
        "authority": ("authority", f"{default}, as the wiki has it"),
        "superseded_by": ("superseded by", "nothing"),
        "title": ("title", "its file's name"),
        "language": ("language", "not told"),
        "tags": ("tags", "none"),
        "captured_by": ("captured by", "not told"),
    }
    for name, (what, otherwise) in words.items():
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"{what}: {_plain(new) or otherwise} (before: {_plain(old) or otherwise})"


def _plain(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
