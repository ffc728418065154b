"""Put a fetched page into ``sources/``, with a note of where it came from for whoever takes it in."""

from __future__ import annotations

from pathlib import Path

from curator.config import Config
from curator.ingest import intake
from curator.ingest.web.fetching import FetchedPage
from curator.repository.repository import Repository
from curator.repository.runtime.arrivals import Arrival
from curator.system import atomic, digests
from curator.wiki.sources.registry import SourceManifest


def own_source(address: str, manifest: SourceManifest, repository: Repository) -> str | None:
    """The path of the source that the page at ``address`` is, where no edit of the user's has changed it."""
    waiting = {each.source: each for each in repository.runtime.arrivals.all() if each.address == address}
    for path, arrival in waiting.items():
        if digests.is_of_file(arrival.digest, repository.root / path):
            return path
    mine = (path for path in manifest.of_address(address) if _is_as_taken_in(path, manifest, repository))
    return next(mine, None)


def _is_as_taken_in(path: str, manifest: SourceManifest, repository: Repository) -> bool:
    return digests.is_of_file(manifest.digest(path), repository.root / path)


def deposit(
    page: FetchedPage, address: str, date: str, repository: Repository, config: Config, folder: Path
) -> str | None:
    """The path that the page has in ``sources/`` from now on; None where the very bytes are in. ``folder`` is for a copy.

    A page that was fetched before takes the place of its own source. Raises SourceError.
    """
    snapshot = repository.view()
    manifest = snapshot.manifest()
    algorithm = snapshot.workspace().hash_algorithm or manifest.hash_algorithm
    digest = digests.of(page.data, algorithm)
    if any(manifest.twin_of("", digests.of(page.data, each)) for each in {algorithm, *manifest.algorithms}):
        return None
    path = own_source(address, manifest, repository)
    if path is not None:
        atomic.write(repository.root / path, page.data)
    else:
        path = _new(page, repository, manifest, config.max_source_bytes, algorithm, folder)
    repository.runtime.arrivals.note(Arrival(path, digest, address, date))
    return path


def _new(
    page: FetchedPage, repository: Repository, manifest: SourceManifest, most: int, algorithm: str, folder: Path
) -> str:
    """A file under a name that no other has."""
    file = folder / page.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(page.data)
    incoming = intake.look_at_source(file, repository, manifest, most, algorithm, (folder,))
    try:
        intake.copy_in(incoming, repository)
    finally:
        repository.runtime.drop_spool(incoming.spooled)
        file.unlink()
    return incoming.path
