"""Take a page of the web in: fetch it, find its place, and go on as with any file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from curator.errors import SourceError
from curator.ingest.result import IngestContext, IngestResult
from curator.ingest.take_in import take_in
from curator.ingest.web.fetching import Fetcher
from curator.system.filenames import printable


def take_in_page(address: str, context: IngestContext, folder: Path, fetcher: Fetcher) -> IngestResult:
    """Fetch the page at ``address`` and take it in; ``folder`` is for its file.

    A page that was fetched before takes the place of its own source, which no edit of the user's may have changed.
    """
    context.options.on_stage("fetching")
    try:
        page = fetcher.page(address)
    except SourceError as error:
        reason = error.message.removeprefix(f"{printable(address)}: ")
        about = {"reason": reason, "code": error.code, "next": error.hint, "findings": [], "passes": False}
        return IngestResult("refused", printable(address), about)
    file = folder / page.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(page.data)
    result = take_in(file, replace(context, remarks=replace(context.remarks, address=address), found_in=folder))
    return replace(result, source=printable(address)) if result.source == printable(file) else result
