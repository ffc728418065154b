"""Put a fetched page into ``sources/``, with a note of where it came from for whoever takes it in."""

from __future__ import annotations

from pathlib import Path

from curator.config import Config
from curator.ingest import intake
from curator.ingest.web.fetching import FetchedPage
from curator.repository.repository import Repository
from curator.repository.runtime.arrivals import Arrival
from curator.system import digests


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
    file = folder / page.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(page.data)
    about = (config.max_source_bytes, algorithm, (folder,))
    incoming = intake.look_at_source(file, repository, manifest, *about, address=address)
    try:
        # Where it came from is told first: it may be taken in, or we be killed, as soon as it lies there.
        repository.runtime.arrivals.note(Arrival(incoming.path, digest, address, date))
        intake.copy_in(incoming, repository)
    finally:
        repository.runtime.drop_spool(incoming.spooled)
        file.unlink()
    return incoming.path
