"""The caches in the runtime folder: every ingest goes by them, so they have to be whole, and right."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from curator.checks.diagnosis import Diagnosis, Remove, fixable, place
from curator.checks.examined_wiki import ExaminedWiki
from curator.repository.catalogue import FILE
from curator.repository.runtime.runtime import Runtime
from curator.repository.source_index import FILE as SOURCES_FILE
from curator.repository.vectors import FILE as VECTORS_FILE

_DROPS = "removes it; the next command makes it anew"


def examine_caches(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """The caches as SQLite reads them, and those of other versions."""
    runtime, root = wiki.repository.runtime, wiki.root
    if fault := fault_of(runtime.folder / FILE):
        message = f"this cache is broken: {fault}"
        yield fixable("error", "cache_broken", place(runtime.folder / FILE, root), message, _all_of(runtime), _DROPS)
    for name, what in ((SOURCES_FILE, "the index of the sources"), (VECTORS_FILE, "the vectors of passages")):
        if fault := fault_of(runtime.folder / name):
            fix = Remove(tuple(runtime.folder.glob(f"{name}*")), what)
            message = f"this cache is broken: {fault}"
            yield fixable("error", "cache_broken", place(runtime.folder / name, root), message, fix, _DROPS)
    old = tuple(file for file in databases(runtime) if not file.name.startswith((FILE, SOURCES_FILE, VECTORS_FILE)))
    if old:
        message = f"{old[0].name} is the cache of another version of curator"
        fix = Remove(old, "a cache of another version of curator")
        yield fixable("info", "cache_old", place(old[0], root), message, fix, "removes it")


def databases(runtime: Runtime) -> list[Path]:
    """The files of all catalogues and source indexes, those of other versions too."""
    return sorted(
        file for kind in ("catalogue-*", "sources-*.db*", "vectors-*.db*") for file in runtime.folder.glob(kind)
    )


def wrong(wiki: ExaminedWiki, said: str) -> Diagnosis:
    """The catalogue does not say what the pages say."""
    runtime = wiki.repository.runtime
    shown = place(runtime.folder / FILE, wiki.root)
    return fixable("error", "cache_wrong", shown, f"this cache is wrong: {said}", _all_of(runtime), _DROPS)


def fault_of(file: Path) -> str:
    """What SQLite finds wrong with a database; empty for a sound one, for none, and for one it cannot get at now."""
    if not file.exists():
        return ""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=30)) as connection:
            rows = connection.execute("PRAGMA integrity_check(3)").fetchall()
    except sqlite3.OperationalError:
        return ""
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if rows == [("ok",)] else "; ".join(str(row[0]) for row in rows)


def is_sound(runtime: Runtime) -> bool:
    """True for a catalogue that can be used and brought up to date."""
    return not fault_of(runtime.folder / FILE) and os.access(runtime.folder, os.W_OK)


def _all_of(runtime: Runtime) -> Remove:
    files = tuple(runtime.folder / f"{FILE}{suffix}" for suffix in ("", "-wal", "-shm"))
    return Remove(files, "the next command makes it anew")
