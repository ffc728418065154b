"""The files at a wiki's root: KNOWLEDGE.md in its shape, what has to lie beside it, and the registry's sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.checks.source_bytes import changed_source
from curator.errors import WikiError
from curator.wiki import index, log, validation
from curator.wiki.sources import registry as manifest
from curator.wiki.sources.record import Record
from curator.wiki.validation import Failure
from curator.wiki.workspace import manifest as workspace
from curator.wiki.workspace import refs
from curator.wiki.workspace.define import of_manifest


def manifest_valid(wiki: WikiUnderTest) -> Iterator[Failure]:
    """KNOWLEDGE.md, and the files that a wiki's root has beside it."""
    written = wiki.read(refs.FILE)
    if written is None:
        is_there = refs.FILE in wiki.files
        wrong = "it is not UTF-8" if is_there else f"there is no {refs.FILE}"
        yield Failure(workspace.INVALID if is_there else workspace.MISSING, refs.FILE, wrong)
        if is_there:
            return
    else:
        parsed = workspace.parse(written, refs.FILE)
        yield from () if isinstance(parsed, workspace.KnowledgeManifest) else map(of_manifest, parsed)
    yield from map(Failure.of, workspace.pack_fields_at_odds(wiki.fields))
    if wiki.is_view:
        return
    for path, code in ((index.PATH, "index_missing"), (log.PATH, "log_missing")):
        if path not in wiki.files:
            yield Failure(code, path, "there is none, and a wiki's root has one")
    if "AGENTS.md" not in wiki.files:
        yield Failure("agents_missing", "AGENTS.md", "a wiki should have one, for people", severity="info")


def sources_pinned(wiki: WikiUnderTest) -> Iterator[Failure]:
    """The sources against the registry, ``_manifest.json``."""
    try:
        registry = wiki.registry()
    except WikiError as error:
        yield Failure("manifest_invalid", manifest.PATH, error.message, hint=error.hint)
        return
    unknown = sorted(registry.algorithms - wiki.algorithms)
    for name in unknown:
        which = "no source" if registry.algorithms == {name} else "no source that is pinned by it"
        message = f"hashAlgo: {name!r} cannot be computed here, so {which} was checked"
        yield Failure("source_hash_unchecked", manifest.PATH, message, severity="warn", field="hashAlgo")
    pinned = wiki.pinned()
    for path in sorted(registry.sources):
        record = registry.record(path)
        if record is not None and record.algorithm not in unknown:
            yield from _of_source(path, record, pinned.record(path), wiki)


def _of_source(path: str, record: Record, before: Record | None, wiki: WikiUnderTest) -> Iterator[Failure]:
    """A source against its record, and against the one ``before``, which may be of another algorithm."""
    where = f"sources[{path}].contentHash"
    seen = old = wiki.digest(path, record.algorithm)
    if before is not None and before.algorithm != record.algorithm:
        old = wiki.digest(path, before.algorithm) if before.algorithm in wiki.algorithms else before.content_hash
    changed = changed_source(path, f"{record.algorithm}:{record.content_hash}", seen and f"{record.algorithm}:{seen}")
    if seen is not None and before is not None and old is not None and old != before.content_hash:
        message = f"its bytes are pinned as {before.content_hash[:12]}…, this would make them {old[:12]}…"
        hint = "a correction is a new source; or have curate ingest take it in anew, in a commit of its own"
        yield Failure(validation.SOURCE_MUTATED, path, message, hint=hint, field=where)
    elif changed is not None:
        gone = "put it back; what came from a source goes with: curate remove"
        hint = gone if seen is None else "put its bytes back, or take it in anew: curate ingest"
        yield replace(changed, hint=hint, field=where)
