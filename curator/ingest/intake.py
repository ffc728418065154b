"""From a file somebody names to a Source: its place in ``sources/``, its bytes in the spool, its text with anchors.

A file outside ``sources/`` is copied in under a safe name, never over another. A source that is there stays untouched.
"""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from curator.errors import SourceError
from curator.ingest.last_source import LastSource
from curator.models.sandbox.extracted import as_answer
from curator.models.sandbox.reader_forks import ReaderForks
from curator.models.sandbox.source_texts import is_plain, kept_document, plain_document
from curator.repository import note_folder, source_files, uncommitted
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Runtime
from curator.repository.runtime.spool import Spooled
from curator.repository.snapshot import Snapshot
from curator.repository.source_files import IncomingSource, mode_of
from curator.repository.transaction import contents
from curator.repository.transaction.worktree import WorkTree
from curator.system import digests
from curator.system.filenames import alike, check_name, printable, safe_name, safe_path
from curator.wiki.sources.formats import SourceLimits, format_of
from curator.wiki.sources.record import Signature
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Document, Source, SourceRemarks, signed_by

_NONE = SourceRemarks()


def look_at_source(
    path: Path,
    repository: Repository,
    manifest: SourceManifest,
    most_bytes: int,
    algorithm: str = "",
    tops: Sequence[Path] = (),
    vault: Path | None = None,
    address: str = "",
) -> IncomingSource:
    """Spool the file at ``path`` and decide its place. Raises SourceError when it can be no source.

    What lies in the wiki's folder and is none of its own files is from elsewhere, too.
    A file from elsewhere keeps its folders below the first of ``tops`` that it lies in; a note of the folder ``vault`` that
    has changed, and a page of ``address``, takes the place of its own source, which no edit of the user's may have changed.
    New bytes are pinned by ``algorithm`` (empty: the manifest's); bytes that are in keep the digest they came in with.
    """
    root, inside = repository.root, source_files.place_of(path, repository.root)
    note = next(filter(None, (source_files.place_of(path, Path(os.path.realpath(top))) for top in tops)), None)
    if inside is not None and (note_folder.is_note(inside) if note is not None else _is_brought(path, inside)):
        inside = None
    if stat.S_ISDIR(mode_of(path)) and root.is_relative_to(os.path.realpath(path)):
        raise SourceError(
            "source_inside_wiki", "it is a folder with the wiki in it", "name a file, or the folder sources/"
        )
    if inside is not None and not inside.startswith("sources/"):
        if not mode_of(path):
            close = alike(path, root / "sources") or "check the name"
            raise SourceError("source_unreadable", "there is no such file", close)
        raise SourceError(
            "source_inside_wiki", "it belongs to the wiki itself", "sources lie in sources/, or outside of the wiki"
        )
    if inside is not None:
        check_name(inside)
    if of := signed_by(path.name):
        said = f"curate ingest {shlex.quote(printable(path.with_name(of)))}"
        raise SourceError("source_is_signature", f"it is a signature, which comes in with {printable(of)}", said)
    # What is no file is refused below, for being none.
    source_format = format_of(PurePath(path)) if stat.S_ISREG(mode_of(path)) else "text"
    digests.check(manifest.hash_algorithm)
    place, top = (path, None) if inside is None else (root / inside, root)
    spooled = repository.runtime.spool(place, algorithm or manifest.hash_algorithm, most_bytes, top)
    spooled = _as_known(spooled, manifest)
    of_note = _note_of(path, inside, spooled, vault)
    if inside is not None:
        return IncomingSource(inside, spooled, source_format, None, of_note)
    fetched = [each.source for each in repository.runtime.arrivals.all() if each.address == address] if address else []
    pages = manifest.of_address(address) if address else ()
    for known in (*(manifest.of_note(of_note) if of_note else ()), *fetched, *pages):
        if there := _as_tried(known, repository, manifest):
            return IncomingSource(known, spooled, source_format, path, of_note, there)
    name = safe_path(PurePath(note)) if note is not None else safe_name(path.name)
    return IncomingSource(_free_path(name, spooled, root, manifest), spooled, source_format, path, of_note)


def _is_brought(path: Path, inside: str) -> bool:
    """True for a file that somebody put into the wiki's folder, among its own."""
    return stat.S_ISREG(mode_of(path)) and uncommitted.is_a_note(path, inside)


def _note_of(path: Path, inside: str | None, spooled: Spooled, vault: Path | None) -> str:
    """The note of ``vault`` that the file is, or a source is a copy of that waits since; empty where there is none."""
    if vault is None or inside is None:
        return (source_files.place_of(path, vault) or "") if vault is not None else ""
    note = inside.removeprefix("sources/")
    return note if digests.is_of_file(spooled.digest, vault / note) else ""


def _as_tried(path: str, repository: Repository, manifest: SourceManifest) -> str:
    """The digest of the file at ``path`` when it was taken in so, or tried last: nobody has edited it. Else empty."""
    waiting = [(each.source, each.digest) for each in repository.runtime.parked()]
    waiting += [(each.source, each.digest) for each in repository.runtime.arrivals.all()]
    tried = [digest for source, digest in waiting if source == path and digest]
    tried += [manifest.digest(path)] if path in manifest.sources else []
    return next((each for each in tried if digests.is_of_file(each, repository.root / path)), "")


def _as_known(spooled: Spooled, manifest: SourceManifest) -> Spooled:
    """With the digest of another algorithm where some source is in by it: ``sources.hashAlgo`` may have changed since."""
    for algorithm in sorted(manifest.algorithms - {spooled.digest.partition(":")[0]}):
        with spooled.open() as stream:
            known = digests.of_stream(stream, algorithm)
        if manifest.twin_of("", known) is not None:
            return replace(spooled, digest=known)
    return spooled


def read_source(
    incoming: IncomingSource,
    authority: str,
    limits: SourceLimits,
    remarks: SourceRemarks = _NONE,
    signature: Signature | None = None,
    last: LastSource | None = None,
    readers: ReaderForks | None = None,
) -> Source:
    """The source with its text, read in the jail, unless the ``last`` one had the same bytes. Raises SourceError.

    ``authority`` is what the registry says of the source, or the wiki of every one; what ``remarks`` say goes before it.
    ``readers``: who may have one at once.
    """
    from curator.models.sandbox import client

    def read() -> tuple[Document, str]:
        name, form, most, weak = incoming.path, incoming.format, limits.characters, limits.allow_weak
        with incoming.spooled.open() as stream:
            return client.read_source(stream, format=form, name=name, max_chars=most, allow_weak=weak, forks=readers)

    key = (incoming.path, incoming.format, incoming.spooled.digest, limits)
    document, level = (last or LastSource()).read(key, read)
    authority, remarks = remarks.authority or authority, replace(remarks, note=incoming.note or remarks.note)
    about = (authority, level, remarks, signature)
    return Source(
        incoming.path, incoming.spooled.digest, document, incoming.format, *about, place=incoming.spooled.place
    )


def committed_document(snapshot: Snapshot, path: str) -> Document | None:
    """The text of a source as it was taken in; None where the commit has it not, and its text was not kept."""
    manifest = snapshot.manifest()
    if path in manifest.sources and not is_plain(path):
        return kept_document(snapshot.repository.runtime, manifest.digest(path), path, of_any_reader=True)
    text = snapshot.read(path) if is_plain(path) and path in manifest.sources else None
    algorithm = manifest.digest(path).partition(":")[0] if text is not None else ""
    if text is None or not digests.is_there(algorithm) or digests.of(text.encode(), algorithm) != manifest.digest(path):
        return None
    return plain_document(text)


def keep_text(source: Source, runtime: Runtime) -> None:
    """Keep what was read of a source that has to be read in the jail."""
    if not is_plain(source.path):
        runtime.texts.put(source.digest, source.format, as_answer(source.document))
        runtime.texts.prune()


def copy_in(incoming: IncomingSource, repository: Repository) -> None:
    """Put the spooled bytes of a file from elsewhere into ``sources/``, never over another file than the earlier version
    of a note, as ``replaces`` says; its signatures first."""
    tree = WorkTree(repository.root, repository.runtime.displaced)
    for file in reversed(incoming.file.all):
        source_files.check_folders(repository.root, file.path)
        held = tree.look(file.path)
        earlier = held.content if held is not None and file.is_earlier(repository.root / file.path) else None
        if tree.put(file.path, contents.of_file(file.spooled.file), earlier) == "kept":
            raise SourceError("source_in_the_way", f"another {file.path} appeared meanwhile", "ingest it again")


def placed(incoming: IncomingSource, repository: Repository) -> IncomingSource:
    """``incoming`` where its place is free still, or at another one."""
    if incoming.copied_from is None or incoming.replaces:
        return incoming
    name, manifest = incoming.path.removeprefix("sources/"), repository.begin().manifest()
    return replace(incoming, path=_free_path(name, incoming.spooled, repository.root, manifest))


def _free_path(safe: str, spooled: Spooled, root: Path, manifest: SourceManifest) -> str:
    """A path in ``sources/`` for a file that is to lie at ``safe`` there: it when free or the same bytes, else numbered."""
    suffix = PurePath(safe).suffix
    stem = safe.removesuffix(suffix)
    for number in range(1, 10_000):
        path = f"sources/{safe}" if number == 1 else f"sources/{stem}-{number}{suffix}"
        if (
            manifest.has(path, spooled.digest)
            or not mode_of(root / path)
            or digests.is_of_file(spooled.digest, root / path)
        ):
            return path
    raise SourceError("source_name", f"10,000 files are called like {safe!r}", "rename it")
