"""What is wrong with the files of a pack: records and indexes that readers cannot use, documents that are not there.

What the standard's own reference command line looks at is looked at here, and is as grave: an error is one there, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curator.finding import Finding
from curator.packs.json_shapes import check_file
from curator.packs.pack import KnowledgePack
from curator.packs.reader import FolderFiles

_MAP = "indexes/source-map.json"
_JSON = (_MAP, "evals/*.json", "runs/*.json")
_MOST_BYTES = 64_000_000


def shape_findings(pack: KnowledgePack) -> Iterator[Finding]:
    """All that is wrong with the files of ``pack`` as they lie on disk, beside its head."""
    files = FolderFiles(pack.root)
    yield from _documents(pack, files)
    yield from _ontology(pack, files)
    for pattern in _JSON:
        for file in sorted(Path(pack.root).glob(pattern)):
            path = file.relative_to(pack.root).as_posix()
            text = files.whole(path, _MOST_BYTES)
            if text is None:
                yield _error(
                    "file_unreadable", pack, path, "no plain file of UTF-8 inside the pack, or a very long one"
                )
                continue
            _, value, findings = check_file(text, f"{pack.root}/{path}")
            yield from findings
            if path == _MAP and not findings:
                yield from _sources(pack, files, value)


def _documents(pack: KnowledgePack, files: FolderFiles) -> Iterator[Finding]:
    said = pack.properties
    if said.profile != "document-first" or any(each.code == "pack_document_missing" for each in pack.diagnostics):
        return
    if not said.primary_document:
        yield _warning("pack_document_undeclared", pack, "document-first, without metadata.primaryDocument")
    elif not files.has(said.primary_document):
        yield _warning("pack_document_missing", pack, f"the primary document {said.primary_document!r} is not there")


def _ontology(pack: KnowledgePack, files: FolderFiles) -> Iterator[Finding]:
    said = pack.properties
    listed = [path for path in files.paths if path.startswith("ontology/")]
    if said.primary_ontology and not files.has(said.primary_ontology):
        missing = f"metadata.primaryOntology {said.primary_ontology!r} is not there"
        yield _error("pack_ontology_missing", pack, "KNOWLEDGE.md", missing)
    elif said.type == "content-ontology" and not listed:
        yield _error("pack_ontology_missing", pack, "ontology", "a content-ontology without ontology/")
    elif listed and not said.primary_ontology:
        yield _warning("pack_ontology_undeclared", pack, "ontology/ without metadata.primaryOntology")
    for path in listed:
        if path.endswith(".json"):
            try:
                json.loads(files.whole(path, _MOST_BYTES) or "")
            except (ValueError, RecursionError) as error:
                yield _error("run_not_json", pack, path, f"not JSON: {error}")


def _sources(pack: KnowledgePack, files: FolderFiles, value: Any) -> Iterator[Finding]:
    """The sources of the source map that are not in the pack."""
    paths = dict.fromkeys(claim["source"].get("path", "") for claim in value["claims"])
    for path in paths:
        if path and not files.has(path):
            yield _error("pack_source_missing", pack, _MAP, f"it names {path!r}, which is not in the pack")


def _error(code: str, pack: KnowledgePack, path: str, message: str) -> Finding:
    return Finding(code, f"{pack.root}/{path}", message)


def _warning(code: str, pack: KnowledgePack, message: str) -> Finding:
    return Finding(code, pack.location, message, severity="warn")
