"""``curate search``: the pages that match, by BM25, with a snippet. No model, no network, but one of embeddings if set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from curator.ask.search import QueryScope
from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.edits_beside import EditsBeside
from curator.cli.options import COUNT, all_types_option, common_options, reported, view_option, worktree_option
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.snapshot import Snapshot
from curator.system.filenames import printable
from curator.wiki.english.stop_words import telling_words
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from curator.ask.meaning import Meaning

_SNIPPET = 160
_BY_MEANING = 40
"""How many pages, the best by words, are ranked by meaning, too."""
_PATIENCE = 5.0
"""Seconds after which no more texts are sent to a model of embeddings: a search is to be quick."""


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("-n", "--limit", type=COUNT, default=10, show_default=True, help="How many pages.")
@all_types_option
@worktree_option
@view_option
@common_options
@reported
def search(
    common: CommonOptions,
    /,
    words: tuple[str, ...],
    limit: int,
    everywhere: bool,
    worktree: bool,
    **flags: str | None,
) -> Report:
    settings = replace(console.settings(common, flags, looks=True), worktree=worktree)
    return run(settings, " ".join(words), limit, everywhere)


def run(settings: Settings, words: str, limit: int, everywhere: bool = False) -> Report:
    """The best pages, as the manifest's queryHints have them; ``everywhere``: of all types, whatever its scope."""
    with settings.repository as repository:
        beside = EditsBeside(repository)
        snapshot = repository.view()
        workspace = snapshot.workspace(settings.view)
        lens = QueryScope(workspace, lambda: snapshot.registry, snapshot.hidden(settings.view))
        with _meaning(settings, repository) as meaning:
            hits = hits_in(snapshot, lens, words, limit, everywhere, meaning)
            unranked, why = not_by_meaning(meaning)
    lines = [line for hit in hits for line in (f"{hit['title']}  ({hit['path']})", f"    {hit['snippet']}")]
    scope = [] if everywhere else list(workspace.hints.scope)
    if not hits:
        of = f" among the pages of type {', '.join(scope)}; --all looks at all" if scope else ""
        lines = [f"no page matches {words!r}{of}"]
    data = {"hits": hits, "scope": scope, "view": workspace.name if settings.view else None}
    told = (f"only pages of type {', '.join(scope)} were looked for; --all looks at all",) if hits and scope else ()
    return Report(
        {**data, "warnings": [*warnings(workspace), *unranked]},
        tuple(lines),
        0,
        (*told, *notes(workspace), *why),
        late=beside.report,
    )


@contextmanager
def _meaning(settings: Settings, repository: Repository) -> Iterator[Meaning | None]:
    """What ranks pages by meaning, where the settings name a model for it; else nothing is loaded for it."""
    if not settings.config.embedding_model:
        yield None
        return
    from curator.ask.meaning import Meaning
    from curator.models import choose

    with choose.open_embedder(settings.config, settings.environment, repository.runtime) as embedder:
        yield Meaning(embedder, lambda: repository.vectors, patience=_PATIENCE) if embedder is not None else None


def hits_in(
    snapshot: Snapshot,
    scope: QueryScope,
    words: str,
    limit: int,
    everywhere: bool = False,
    meaning: Meaning | None = None,
) -> list[dict[str, Any]]:
    """The best pages of a commit, each with what of it has most of ``words``; with ``meaning`` by that, too."""
    types = scope.types(snapshot.catalogue.types(), everywhere)
    meant = _called(snapshot.wiki, words)

    def matching(most: int) -> list[tuple[str, float]]:
        found = snapshot.catalogue.search(words, most, types)
        best = max((score for _, score in found), default=0.0)
        return [*((slug, best) for slug in meant), *(each for each in found if each[0] not in meant)]

    ranked = scope.find(
        matching, snapshot.wiki.entry, limit if meaning is None else max(limit, _BY_MEANING), everywhere
    )
    if meaning is not None:
        from curator.ask.pages_by_meaning import by_meaning

        ranked = by_meaning(words, ranked, snapshot.wiki.page, meaning, meant)[:limit]
    hits: list[dict[str, Any]] = []
    for found in ranked:
        entry = found.entry
        if (page := snapshot.wiki.page(entry.slug)) is not None:
            about = {"slug": entry.slug, "path": entry.path, "title": entry.title}
            hits.append({**about, "score": found.score, "snippet": snippet(page, words)})
    return hits


def _called(wiki: Wiki, words: str) -> list[str]:
    """The page that is meant where ``words`` are its name, and what only asks: "What is a wheel?" """
    if re.search(r'"|(?<!\S)-', words):
        return []
    return [name.slug for name in wiki.named_all([name_key(" ".join(telling_words(words)))]).values()]


def not_by_meaning(meaning: Meaning | None) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    """Why nothing is ranked by meaning, though it was to be: for programs, and for people; each told once."""
    news = meaning.news if meaning is not None else ()
    told = [{"code": each.code, "message": each.message, "at": each.path} for each in news]
    return told, tuple(f"warning: {printable(each.message)}; {printable(each.hint)} ({each.code})" for each in news)


def notes(workspace: Workspace) -> tuple[str, ...]:
    """The same for people."""
    return tuple(f"warning: {printable(each.message)} ({each.code})" for each in workspace.merged.notices)


def warnings(workspace: Workspace) -> list[dict[str, str]]:
    """What a reviewer of the chain should see: "hosts MUST expose the resolution chain"."""
    return [{"code": each.code, "message": each.message, "at": each.at} for each in workspace.merged.notices]


def snippet(page: Page, words: str) -> str:
    """The block of ``page`` with most of ``words`` in it, cut to a line."""
    stems = [word.casefold()[:5] for word in re.findall(r"\w+", words)]
    blocks = [without_marks(block.text) for block in page.outline.blocks if block.kind in ("paragraph", "item", "row")]
    if not blocks:
        return ""
    best = max(blocks, key=lambda text: sum(stem in text.casefold() for stem in stems))
    flat = " ".join(best.split())
    at = min((found for stem in stems if (found := flat.casefold().find(stem)) >= 0), default=0)
    start = 0 if len(flat) <= _SNIPPET else max(0, min(at - 40, len(flat) - _SNIPPET))
    cut = flat[start : start + _SNIPPET]
    return ("…" if start else "") + cut + ("…" if start + _SNIPPET < len(flat) else "")
