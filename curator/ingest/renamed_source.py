"""Sources whose files have got other names: their records, the citations and the lists of the pages follow to those.

Nobody is asked anything: the bytes are the same, so every quote is proven by them as before. Names may have been swapped,
or passed on: all that have to follow at once do so in one commit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace

from curator.repository import history, source_files
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, NothingToDo
from curator.repository.repository import Repository
from curator.repository.source_files import IncomingFile
from curator.system import digests
from curator.wiki.pages import footnote_edits
from curator.wiki.sources.records import SourceRecords

Moves = Mapping[str, str]
"""The names of sources by now, by those before."""


def moves_to(transaction: Transaction, path: str, digest: str) -> Moves:
    """The source of these bytes that has got the name ``path``, first; then those that had to make room for it, and those
    that have got its own. Empty where there is none, or where one of the names is taken by bytes of nobody's."""
    known, root = transaction.manifest(), transaction.repository.root
    old = next((twin for twin in known.twins_of(path, digest) if not _is_there(transaction, twin)), None)
    if old is None or known.has(path, digest):
        return {}
    moves = {old: path}
    while path in known.sources and path not in moves:
        new = _lies_at(transaction, path)
        if new is None or new in moves.values():
            return {}
        moves[path], path = new, new
    while os.path.lexists(root / old) and old not in moves.values():
        found = digests.digest_of(root / old, digest.partition(":")[0]) or ""
        before = next((each for each in known.twins_of(old, found) if not _is_there(transaction, each)), None)
        if before is None or before in moves:
            return {}
        moves[before], old = old, before
    return moves


def twin_of(transaction: Transaction, path: str, digest: str) -> str | None:
    """Another source of the same bytes, which is where it was taken in."""
    twins = transaction.manifest().twins_of(path, digest)
    return next((twin for twin in twins if _is_there(transaction, twin)), None)


def _is_there(transaction: Transaction, path: str) -> bool:
    """True for a source whose file has the bytes that were taken in, is not meant to be in the work tree, or was never
    committed: it may be on another machine."""
    repository, file = transaction.repository, transaction.repository.root / path
    if os.path.lexists(file):
        return digests.is_of_file(transaction.manifest().digest(path), file)
    is_left_out = any(entry.tag == "S" for entry in repository.git.entries([repository.prefix + path]))
    return is_left_out or not repository.git.log("-1", "--format=%H", transaction.base, "--", path)


def _lies_at(transaction: Transaction, path: str) -> str | None:
    """Where in ``sources/`` the bytes are by now that were taken in from ``path``; they are looked for by their size."""
    repository, digest = transaction.repository, transaction.manifest().digest(path)
    committed = repository.git.blob(f"{transaction.base}:{repository.prefix}{path}")
    for file in source_files.below(repository.root / "sources"):
        is_like = committed is None or file.lstat().st_size == len(committed)
        if is_like and digests.is_of_file(digest, file):
            return file.relative_to(repository.root).as_posix()
    return None


def with_others(file: IncomingFile, moves: Moves, repository: Repository, most: int, doors: ExitStack) -> IncomingFile:
    """``file``, and the others of ``moves`` to be committed with it, of ``most`` bytes; what goes with it is dropped with
    the ``doors``."""
    about = (file.spooled.digest.partition(":")[0], most, repository.root)
    others = [path for path in moves.values() if path != file.path]
    spooled = [IncomingFile(path, repository.runtime.spool(repository.root / path, *about)) for path in others]
    for each in (*file.signatures, *spooled):
        doors.callback(repository.runtime.drop_spool, each.spooled)
    return replace(file, signatures=(*file.signatures, *spooled))


def renamed(transaction: Transaction, moves: Moves, digest: str, file: IncomingFile | None) -> ChangeSet:
    """The wiki with the sources of ``moves``, the first of them of this digest, under their new names; ``file``: what is
    committed there, with all others, in a wiki that commits sources. What is gone at the old names goes there, too.

    Raises NothingToDo where another process was faster: what has swapped its names must not be swapped back.
    """
    known, wiki = transaction.manifest(), transaction.wiki
    if moves_to(transaction, next(iter(moves.values())), digest) != moves:
        raise NothingToDo
    records = {old: known.record(old) for old in moves}
    slugs = {slug for record in records.values() if record is not None for slug in record.slugs}
    paths = {page.path for page in filter(None, map(wiki.page, slugs))}
    for page in filter(None, map(wiki.page_at, sorted(paths.union(*map(wiki.store.citing, moves))))):
        if (after := footnote_edits.with_sources_renamed(page, moves)) != page:
            wiki = wiki.with_page(after)
    ids = SourceRecords(known)
    now = {moves[old]: record and replace(record, id=ids.id_for(old)) for old, record in records.items()}
    manifest = known.with_records({**dict.fromkeys(moves), **now})
    pages = ", ".join(f"[[{page.slug}]]" for page in wiki.changed.values())
    bullets = (*(f"{old} is {new} now" for old, new in moves.items()), *([f"cited there in {pages}"] if pages else []))
    trailers = [
        (f"{history.SOURCE}: {new} {known.digest(old)}", f"{history.RETIRED}: {old}") for old, new in moves.items()
    ]
    comes = {each.path for each in file.all} if file is not None else set()
    gone = [name for old in moves for name in transaction.left_of(old) if name not in comes] if comes else []
    title = f"rename {', '.join(f'{old} to {new}' for old, new in moves.items())}"
    done = ChangeSet(wiki, manifest, next(iter(moves.values())), bullets, tuple(sum(trailers, ())))
    return replace(done, files=dict.fromkeys(gone), event="ingest", title=title, source_file=file)
