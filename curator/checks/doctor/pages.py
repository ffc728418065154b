"""One walk over all pages of the wiki: the rules, the index and the catalogue against each."""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks import generated_files
from curator.checks.diagnosis import Diagnosis, found, of_error, quoted
from curator.checks.doctor import cache, page_rules
from curator.checks.examined_wiki import ExaminedWiki
from curator.errors import GitError, WikiError
from curator.wiki import index
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry, PageStore
from curator.wiki.workspace.workspace import CurationPolicy, Workspace


def examine_pages(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """KNOWLEDGE.md, every page, the index; at the end whether the catalogue said the same."""
    try:
        store = wiki.snapshot.catalogue
    except GitError:
        lost = [path for path, page, _ in wiki.pages() if page is None]
        if not lost:
            raise
        yield from map(_lost, lost)
        return
    workspace: Workspace | None = None
    try:
        workspace = wiki.snapshot.workspace()
    except WikiError as error:
        yield of_error(error, "KNOWLEDGE.md")
    policy = workspace.policy if workspace else CurationPolicy()
    if cache.is_sound(wiki.repository.runtime):  # else lint has nothing to go by until it is repaired
        yield from page_rules.linted(wiki)
    entries: list[PageEntry] = []
    doubts: list[str] = []
    for path, page, is_text in wiki.pages():
        if page is None:
            yield _lost(path)
            continue
        if not is_text:
            repair = f"write it as UTF-8 again: git log -- {quoted(path)} shows since when"
            yield found("warn", "page_not_text", path, "it is no UTF-8: letters of it are lost to curator", repair)
        yield from page_rules.judge_page(page, policy, wiki.now)
        entry = _entry(page, store)
        if entry != store.by_path(path):
            doubts.append(path)
        if entry is not None:
            entries.append(entry)
    if doubts or store.count() != len(entries):
        seen = (
            f"it does not have {doubts[0]} as it is"
            if doubts
            else f"it has {store.count():,} pages of {len(entries):,}"
        )
        yield cache.wrong(wiki, seen)
    if workspace is not None:
        yield from generated_files.index_of(wiki, index.render(entries, workspace.grouping))


def _entry(page: Page, store: PageStore) -> PageEntry | None:
    """What the index says of the page; one whose head cannot be read is known as the catalogue knows it."""
    return PageEntry.of(page) if page.is_readable else store.by_path(page.path)


def _lost(path: str) -> Diagnosis:
    repair = "git fsck; then fetch it from a clone that has it"
    return found("error", "objects_missing", path, "git does not have its bytes any more", repair)
