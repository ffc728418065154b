"""The source files on the disk against the manifest: bytes that are in, bytes that changed, files that wait."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from pathlib import Path

from curator import filenames, intake, manifest
from curator.doctor.diagnosis import Diagnosis, found, quoted
from curator.doctor.patient import Patient
from curator.errors import WikiError
from curator.manifest import Manifest


def examined(patient: Patient) -> Iterator[Diagnosis]:
    """Every source of the manifest, and every file that is in ``sources/``."""
    try:
        known = Manifest.parse((patient.data(manifest.PATH) or b"").decode("utf-8", "replace"))
    except WikiError:
        return
    for path, record in sorted(known.sources.items()):
        yield from _one(patient, path, record.content_hash, known.hash_algorithm)
    for file in intake.files_below([patient.root / "sources"], patient.root):
        place = intake.place_of(file, patient.root)
        if place is not None and place.startswith("sources/") and place not in known.sources:
            message = "it is not in the wiki yet"
            yield found("info", "source_waiting", filenames.shown(place), message, f"curate ingest {quoted(place)}")


def _one(patient: Patient, path: str, content_hash: str, algorithm: str) -> Iterator[Diagnosis]:
    file = patient.root / path
    try:
        kind = file.lstat().st_mode
    except OSError:
        yield from _missing(patient, path)
        return
    if not stat.S_ISREG(kind):
        message = "it is no plain file any more"
        yield found("warn", "source_changed", path, message, f"put the file back: git checkout HEAD -- {quoted(path)}")
    elif algorithm in hashlib.algorithms_available and (seen := _digest(file, algorithm)) != content_hash:
        message = f"its bytes changed since it was taken in: {algorithm}:{seen[:12]}…, then {content_hash[:12]}…"
        repair = f"take it in anew: curate ingest {quoted(path)}; or put it back: git checkout HEAD -- {quoted(path)}"
        yield found("warn", "source_changed", path, message, repair)


def _missing(patient: Patient, path: str) -> Iterator[Diagnosis]:
    """Where its bytes are still to be had."""
    deed = next((deed for deed in patient.deeds if deed.source == path), None)
    remove = f"or take what it brought out of the wiki: curate remove {quoted(path)} --why REASON"
    if patient.data(path) is not None:
        repair = f"git checkout HEAD -- {quoted(path)}; {remove}"
    elif deed is not None and patient.data(path, deed.commit) is not None:
        repair = f"git checkout {deed.commit[:12]} -- {quoted(path)}; {remove}"
    else:
        repair = f"put the file back; {remove}"
    yield found("warn", "source_missing", path, "it was taken in, and is not there any more", repair)


def _digest(file: Path, algorithm: str) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, algorithm).hexdigest()
