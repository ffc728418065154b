"""A source whose file has got another name: its record, the citations and the lists of the pages follow to that name.

Nobody is asked anything: the bytes are the same, so every quote is proven by them as before.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, NothingToDo
from curator.repository.source_files import IncomingFile
from curator.wiki.pages import footnote_edits
from curator.wiki.pages.page import Page
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest


def gone_twin(known: SourceManifest, path: str, digest: str, root: Path) -> str | None:
    """The path of a source of the same bytes whose file is not there any more; None where there is none."""
    twins = known.twins_of(path, digest) if path not in known.sources else ()
    return next((twin for twin in twins if not os.path.lexists(root / twin)), None)


def renamed(transaction: Transaction, old: str, new: str, file: IncomingFile | None) -> ChangeSet:
    """The wiki with the source at ``old`` at ``new``; ``file``: what is committed there, in a wiki that commits sources.
    That the file at ``old`` goes is its user's to commit, who has taken it away and may have staged that.

    Raises NothingToDo where another process was faster.
    """
    known, wiki = transaction.manifest(), transaction.wiki
    record = known.record(old)
    if record is None or new in known.sources:
        raise NothingToDo
    paths = {*wiki.store.citing(old), *(page.path for page in filter(None, map(wiki.page, record.slugs)))}
    for page in filter(None, map(wiki.page_at, sorted(paths))):
        if (after := _followed(page, old, new)) != page:
            wiki = wiki.with_page(after)
    record = replace(record, id=SourceRecords(known).id_for(old))
    manifest = known.with_records({old: None, new: record})
    slugs = ", ".join(f"[[{page.slug}]]" for page in wiki.changed.values())
    bullets = (f"{old} is {new} now", *([f"cited there in {slugs}"] if slugs else []))
    trailers = (f"{history.SOURCE}: {new} {known.digest(old)}", f"{history.RETIRED}: {old}")
    title = f"rename {old} to {new}"
    return ChangeSet(wiki, manifest, new, bullets, trailers, event="ingest", title=title, source_file=file)


def _followed(page: Page, old: str, new: str) -> Page:
    body = page.body
    for block in reversed(page.outline.blocks):
        cited = page.citations.get(block.info) if block.kind == "note" else None
        if cited is not None and cited.path == old:
            note = replace(cited, path=new).definition(block.info)
            body = body[: block.start] + note + body[footnote_edits.citation_end(body, block) :]
    page = page.with_body(body)
    if not page.is_readable or old not in page.sources:
        return page
    return page.with_fields(sources=[new if each == old else each for each in page.sources])
