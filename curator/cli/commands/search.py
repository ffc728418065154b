"""``curate search``: the pages that match, by BM25, with a snippet. No model, no network, but one of embeddings if set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.edits_beside import EditsBeside
from curator.cli.options import COUNT, all_types_option, common_options, reported, view_option, worktree_option
from curator.cli.warnings import not_by_meaning, warning_lines, warnings

if TYPE_CHECKING:
    from curator.ask.meaning import Meaning
    from curator.repository.repository import Repository
    from curator.repository.settings import Settings
    from curator.wiki.workspace.workspace import Workspace

_PATIENCE = 5.0
"""Seconds after which no more texts are sent to a model of embeddings: a search is to be quick."""
_LEFT_OUT = re.compile(r"-(?!-|h$|n\d*$).+", re.DOTALL)
"""Every word behind one minus but the short options: ``-h``, ``-n 5``, ``-n5``."""


class _Search(click.Command):
    """A word behind a minus is a word that is left out, not an option, whichever letter it begins with."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        first = next((n for n, arg in enumerate(args[:at]) if not arg.startswith("-")), at)
        left_out = [arg for arg in args[first:at] if _LEFT_OUT.fullmatch(arg)]
        return super().parse_args(
            ctx, [arg for arg in args[:at] if arg not in left_out] + ["--", *left_out, *args[at + 1 :]]
        )


@click.command(cls=_Search)
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
        found = _found(settings, repository, words, limit, everywhere)
    hits, workspace = found.hits, found.workspace
    lines = [line for hit in hits for line in (f"{hit['title']}  ({hit['path']})", f"    {hit['snippet']}")]
    scope = [] if everywhere else list(workspace.hints.scope)
    if not hits:
        of = f" among the pages of type {', '.join(scope)}; --all looks at all" if scope else ""
        lines = [f"no page matches {words!r}{of}"]
    data = {"hits": hits, "scope": scope, "view": workspace.name if settings.view else None}
    data |= {"partial": True} if found.is_partial else {}
    told = (f"only pages of type {', '.join(scope)} were looked for; --all looks at all",) if hits and scope else ()
    return Report(
        {**data, "warnings": [*warnings(workspace), *found.news]},
        tuple(lines),
        0,
        (*told, *warning_lines(workspace), *found.said),
        late=beside.report,
    )


class _Found(NamedTuple):
    """What was found by which manifest, and what there is to say of the search itself, for programs and for people."""

    hits: list[dict[str, Any]]
    workspace: Workspace
    news: list[dict[str, str]]
    said: tuple[str, ...]
    is_partial: bool = False


def _found(settings: Settings, repository: Repository, words: str, limit: int, everywhere: bool) -> _Found:
    from curator.ask.hits import hits_in  # git is at work meanwhile: in a big wiki that takes as long as all else
    from curator.ask.query_scope import QueryScope

    if not repository.has_catalogue and settings.view is None:
        from curator.ask.partial_search import TOLD, PartialSearch  # only where the catalogue is lost

        if (begun := PartialSearch.begun(repository)) is not None:
            news = {"code": "search_partial", "message": TOLD, "at": ""}
            hits = begun.hits(words, limit, everywhere=everywhere)
            return _Found(hits, begun.workspace, [news], (f"partial: {TOLD}",), is_partial=True)
    snapshot = repository.view()
    workspace = snapshot.workspace(settings.view)
    lens = QueryScope(workspace, lambda: snapshot.registry, snapshot.hidden(settings.view))
    with _meaning(settings, repository) as meaning:
        hits = hits_in(snapshot, lens, words, limit, everywhere, meaning)
        return _Found(hits, workspace, *not_by_meaning(meaning))


@contextmanager
def _meaning(settings: Settings, repository: Repository) -> Iterator[Meaning | None]:
    """What ranks pages by meaning, where the settings name a model for it; else nothing is loaded for it."""
    if not settings.has_embedding_model:
        yield None
        return
    from curator.ask.meaning import Meaning
    from curator.models import choose

    with choose.open_embedder(settings.config, settings.environment, repository.runtime) as embedder:
        yield Meaning(embedder, lambda: repository.vectors, patience=_PATIENCE) if embedder is not None else None
