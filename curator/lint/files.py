"""The generated files against what they are made from, and the sources against the manifest that pins them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace

from curator import filenames, index
from curator.doctor import generated
from curator.doctor.diagnosis import Diagnosis, Mend
from curator.doctor.patient import Patient
from curator.finding import Finding
from curator.lint.ledger import Moved
from curator.lint.whole import Whole


def made(whole: Whole, grouping: str) -> Iterator[tuple[Finding, Mend | None]]:
    """What is wrong with _index.md, _log.md and _manifest.json, with what mends it.

    That nothing is wrong with those of a commit is looked into once.
    """
    base = whole.snapshot.base
    if whole.ledger.known("generated files") == base:
        return
    patient = Patient(whole.snapshot.repository, whole.now)
    if patient.base != base:
        raise Moved
    is_sound = True
    for diagnosis in (*_index(whole, patient, grouping), *generated.log_of(patient), *generated.manifest_of(patient)):
        is_sound = False
        hint = diagnosis.repair.replace("curate doctor --repair", "curate lint --fix")
        yield replace(diagnosis.finding, hint=hint), diagnosis.mend
    if is_sound:
        whole.ledger.keep_known("generated files", base)


def _index(whole: Whole, patient: Patient, grouping: str) -> Iterator[Diagnosis]:
    """The index, from the lines that are kept of each page; the entries are read only when it is not as it should be."""
    if whole.snapshot.read(index.PATH) != index.of(whole.wiki, grouping):
        for diagnosis in generated.index_of(patient, list(whole.wiki.entries()), grouping):
            line = _line(diagnosis.finding.message)
            yield replace(diagnosis, finding=replace(diagnosis.finding, line=line))


def _line(message: str) -> int | None:
    """The line that a message about the index speaks of."""
    number = message.partition("line ")[2].partition(" ")[0]
    return int(number) if number.isdecimal() else None


# -- sources ------------------------------------------------------------------------------------------------------


def source_changed(whole: Whole) -> Iterator[Finding]:
    """source_hash_mismatch, source_not_found: what was taken in is there, byte for byte (AIP-10, layer 1)."""
    for path, record in sorted(whole.stock.manifest.sources.items()):
        seen, pinned = whole.stock.digest(path), f"{whole.stock.manifest.hash_algorithm}:{record.content_hash}"
        shown, name = filenames.shown(path), shlex.quote(filenames.shown(path))
        if seen is None:
            hint = f"put it back: git checkout HEAD -- {name}; or: curate remove {name} --why REASON"
            yield Finding("source_not_found", shown, "it was taken in, and is not there", None, "error", hint)
        elif seen != pinned:
            message = f"its bytes are {seen[:19]}…, it was taken in as {pinned[:19]}…"
            hint = f"put it back: git checkout HEAD -- {name}; or take it in anew: curate ingest {name}"
            yield Finding("source_hash_mismatch", shown, message, None, "error", hint)


def source_unregistered(whole: Whole) -> Iterator[Finding]:
    """source_unregistered: a page rests on sources whose bytes are pinned; a file that waits is only told of."""
    used = {row[0] for row in whole.ledger.rows("SELECT DISTINCT source FROM proof")}
    used |= {row[0] for row in whole.ledger.rows("SELECT DISTINCT source FROM ref")}
    for path in whole.stock.files:
        if path not in whole.stock.manifest.sources:
            shown = filenames.shown(path)
            hint = f"curate ingest {shlex.quote(shown)}"
            if path in used:
                message = "pages rest on it, and it was never taken in: nothing tells when its bytes change"
                yield Finding("source_unregistered", shown, message, None, "warn", hint)
            else:
                yield Finding("source_unregistered", shown, "it is not in the wiki yet", None, "info", hint)


def source_unresolved(whole: Whole) -> Iterator[Finding]:
    """source_unresolved: what a page names under ``sources``, and what its footnotes cite, is a source of the wiki."""
    for (reference,) in list(whole.ledger.rows("SELECT DISTINCT source FROM ref")):
        if whole.stock.resolve(reference) is None:
            query = "SELECT path, line FROM ref WHERE source=? ORDER BY path"
            for path, line in whole.ledger.rows(query, reference):
                message = f"sources: {reference} is no source of this wiki"
                hint = "put the file back, correct the path, or take it out"
                yield Finding("source_unresolved", path, message, line, "error", hint)
    for (source,) in list(whole.ledger.rows("SELECT DISTINCT source FROM proof")):
        if whole.stock.digest(source) is None and source not in whole.stock.manifest.sources:
            for (path,) in list(whole.ledger.rows("SELECT path FROM proof WHERE source=? ORDER BY path", source)):
                leaf = whole.leaf(path)
                line = next((c.line for c in leaf.cited if c.citation.path == source), None) if leaf else None
                message = f"it cites {source}, which is no source of this wiki"
                yield Finding("source_unresolved", path, message, line, "error", "cite a source that is there")
