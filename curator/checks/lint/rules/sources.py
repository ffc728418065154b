"""The sources against the manifest that pins them, and what pages rest on against the sources."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from curator.checks.lint.facts.snapshot import LintContext
from curator.checks.source_bytes import changed_source
from curator.errors import WikiError
from curator.finding import Finding
from curator.repository.proposals import Proposals
from curator.system import digests, filenames
from curator.wiki import log
from curator.wiki.sources import registry as manifest
from curator.wiki.sources import retention
from curator.wiki.sources.records import SourceRecords

_TOLD = 3
"""So many sources are named in a message."""


def source_changed(context: LintContext) -> Iterator[Finding]:
    """source_hash_mismatch, source_not_found, source_hash_unchecked: what was taken in is there, byte for byte.

    Sources are immutable (AIP-10, layer 1).
    """
    for algorithm in sorted(context.source_files.manifest.algorithms):
        if not digests.is_there(algorithm):
            message = f"sources are pinned by {algorithm}, which cannot be computed here: they were not checked"
            hint = "pip install 'curate-wiki[blake3]'" if algorithm == "blake3" else "mend hashAlgo"
            yield Finding("source_hash_unchecked", manifest.PATH, message, None, "warn", hint)
    for path, pinned in sorted(context.source_files.manifest.digests.items()):
        seen = context.source_files.digest(path)
        changed = changed_source(filenames.printable(path), pinned, seen)
        if changed is not None:
            name = shlex.quote(changed.path)
            otherwise = (
                f"curate remove {name} --why REASON" if seen is None else f"take it in anew: curate ingest {name}"
            )
            hint = f"put it back: git checkout HEAD -- {name}; or{':' * (seen is None)} {otherwise}"
            yield replace(changed, hint=hint)


def source_unregistered(context: LintContext) -> Iterator[Finding]:
    """source_unregistered: a page rests on sources whose bytes are pinned; a file that waits is only told of."""
    used = {row[0] for row in context.cache.rows("SELECT DISTINCT source FROM proof")}
    used |= {row[0] for row in context.cache.rows("SELECT DISTINCT source FROM ref")}
    absent = [path for path in context.source_files.files if path not in context.source_files.manifest.sources]
    proposed = {held.source: held.name for held in Proposals(context.snapshot.repository).all()} if absent else {}
    for path in absent:
        shown = filenames.printable(path)
        hint = f"curate review show {proposed[path]}" if path in proposed else f"curate ingest {shlex.quote(shown)}"
        if path in used:
            message = "pages rest on it, and it was never taken in: nothing tells when its bytes change"
            yield Finding("source_unregistered", shown, message, None, "warn", hint)
        else:
            message = f"it is not in the wiki yet{': its proposal waits for a person' if path in proposed else ''}"
            yield Finding("source_unregistered", shown, message, None, "info", hint)


def source_unresolved(context: LintContext) -> Iterator[Finding]:
    """source_unresolved: what a page names under ``sources``, and what its footnotes cite, is a source of the wiki."""
    for path, line, source, is_cited in unresolved_sources(context):
        if is_cited:
            message, hint = f"it cites {source}, which is no source of this wiki", "cite a source that is there"
        else:
            message = f"sources: {source} is no source of this wiki"
            hint = "put the file back, correct the path, or take it out"
        yield Finding("source_unresolved", path, message, line, "error", hint)


def unresolved_sources(context: LintContext) -> Iterator[tuple[str, int, str, bool]]:
    """The pages that name a source which is not there: path, line, source, and whether a footnote cites it."""
    for (source,) in list(context.cache.rows("SELECT DISTINCT source FROM ref")):
        if context.source_files.resolve(source) is None:
            for path, line in context.cache.rows("SELECT path, line FROM ref WHERE source=? ORDER BY path", source):
                yield path, line, source, False
    for (source,) in list(context.cache.rows("SELECT DISTINCT source FROM proof")):
        if context.source_files.digest(source) is None and source not in context.source_files.manifest.sources:
            for path, line in context.cache.rows("SELECT path, line FROM proof WHERE source=? ORDER BY path", source):
                yield path, line, source, True


def source_superseded(context: LintContext) -> Iterator[Finding]:
    """source_superseded: a page does not rest on sources alone that newer ones have replaced; and those are there."""
    registry = SourceRecords(context.source_files.manifest)
    replaced = registry.known.superseded
    for path, newer in sorted(replaced.items()):
        if newer not in registry.paths:
            shown = filenames.printable(path)
            message = f"{shown} is superseded by {newer!r}, which is no source of this wiki"
            hint = f"curate sources set {shlex.quote(shown)} --superseded-by SOURCE; an empty one takes it back"
            yield Finding("source_unresolved", manifest.PATH, message, None, "warn", hint)
    pages: dict[str, int] = {}
    for reference, path, line in list(context.cache.rows("SELECT source, path, line FROM ref")) if replaced else ():
        if context.source_files.resolve(reference) in replaced:
            pages.setdefault(path, line)
    for page, line in sorted(pages.items()):
        rows = context.cache.rows("SELECT source FROM ref WHERE path=?", page)
        sources = [context.source_files.resolve(reference) or reference for (reference,) in rows]
        if all(source in replaced for source in sources):
            told = ", ".join(f"{filenames.printable(source)} by {replaced[source]}" for source in sources[:_TOLD])
            more = f" and {len(sources) - _TOLD} more" if len(sources) > _TOLD else ""
            hint = "have the newer source say it: take it in anew, or edit the page"
            yield Finding("source_superseded", page, f"all it rests on is superseded: {told}{more}", line, "warn", hint)


def source_due(context: LintContext) -> Iterator[Finding]:
    """source_due: what ``sources.retention`` keeps for so many days only. Nothing is ever deleted by itself."""
    limit = retention.days(_policy(context))
    for one in retention.due(context.source_files.manifest, limit, context.snapshot.read(log.PATH) or "", context.now):
        message = f"captured {one.captured}, and sources are kept for {one.days} days"
        yield Finding("source_due", filenames.printable(one.path), message, None, "warn", one.next)


def source_unsigned(context: LintContext) -> Iterator[Finding]:
    """source_unsigned: where ``sources.signing`` is required, somebody vouches for every source."""
    if _policy(context).get("signing") != "required":
        return
    for path, record in sorted(context.source_files.manifest.sources.items()):
        if record.signature is None:
            message = "it came in without a signature, and sources.signing is required"
            hint = "sign it, and take it in anew: curate undo, then curate ingest"
            yield Finding("source_unsigned", filenames.printable(path), message, None, "warn", hint)


def _policy(context: LintContext) -> Mapping[str, Any]:
    """``sources`` of the wiki's own manifest; nothing where it cannot be read, which is told elsewhere."""
    try:
        return context.snapshot.workspace().fields.get("sources") or {}
    except WikiError:
        return {}
