"""Take a page of the web in: fetch it, find its place, and go on as with any file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from curator.errors import SourceError
from curator.ingest.take_in import IngestContext, IngestResult, take_in
from curator.ingest.web.deposit import deposit
from curator.ingest.web.fetching import Fetcher
from curator.system.filenames import printable


def take_in_page(address: str, context: IngestContext, folder: Path, fetcher: Fetcher) -> IngestResult:
    """Fetch the page at ``address`` and take it in; ``folder`` is for its file.

    A page that was fetched before takes the place of its own source, which no edit of the user's may have changed.
    """
    repository, options = context.repository, context.options
    options.on_stage("fetching")
    try:
        page = fetcher.page(address)
        config = context.settings.config
        path = None if options.dry_run else deposit(page, address, "", repository, config, folder)
    except SourceError as error:
        reason = error.message.removeprefix(f"{printable(address)}: ")
        about = {"reason": reason, "code": error.code, "next": error.hint, "findings": [], "passes": False}
        return IngestResult("refused", printable(address), about)
    if path is not None:
        return take_in(repository.root / path, context)
    file = folder / page.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(page.data)
    known = replace(context.remarks, address=address)
    return take_in(file, replace(context, remarks=known, found_in=folder))
