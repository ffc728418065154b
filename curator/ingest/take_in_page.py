"""Take a page of the web in: fetch it, find its place, and go on as with any file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.robotparser import RobotFileParser

from curator.errors import SourceError
from curator.ingest import fetching
from curator.ingest.take_in import IngestContext, IngestResult, take_in
from curator.system import atomic, digests
from curator.system.filenames import printable


def take_in_page(
    address: str, context: IngestContext, folder: Path, robots: dict[str, RobotFileParser]
) -> IngestResult:
    """Fetch the page at ``address`` and take it in; ``folder`` is for its file, ``robots`` keeps what hosts allow.

    A page that was fetched before takes the place of its own source, which no edit of the user's may have changed.
    """
    repository, options = context.repository, context.options
    options.on_stage("fetching")
    try:
        page = fetching.fetch(address, context.settings.config.fetch_hosts, robots=robots)
        at, place = repository.view().manifest(), repository.root
        path = next((path for path, record in at.sources.items() if record.url == address), None)
        mine = path is not None and digests.is_of_file(at.digest(path), repository.root / path)
        if path is None or not mine or options.dry_run:
            place, path = folder, page.path
            (place / path).parent.mkdir(parents=True, exist_ok=True)
        atomic.write(place / path, page.data)
    except SourceError as error:
        reason = error.message.removeprefix(f"{printable(address)}: ")
        about = {"reason": reason, "code": error.code, "next": error.hint, "findings": [], "passes": False}
        return IngestResult("refused", printable(address), about)
    known = replace(context.remarks, address=address)
    return take_in(place / path, replace(context, remarks=known, found_in=folder))
