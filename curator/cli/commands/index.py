"""``curate index``: the wiki's pages as a view groups them. ``_index.md`` itself stays as the wiki has it."""

from __future__ import annotations

import click

from curator.ask.query_scope import QueryScope
from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import all_types_option, common_options, reported, view_option
from curator.cli.warnings import warning_lines
from curator.repository.settings import Settings
from curator.wiki import index as wiki_index
from curator.wiki.workspace.workspace import Workspace


@click.command()
@all_types_option
@view_option
@common_options
@reported
def index(common: CommonOptions, /, everywhere: bool, **flags: str | None) -> Report:
    return run(console.settings(common, flags, looks=True), everywhere)


def run(settings: Settings, everywhere: bool) -> Report:
    """The catalogue by ``display`` of the manifest at work, its home page first; of the types in its scope."""
    with settings.repository as repository:
        snapshot = repository.view()
        workspace = snapshot.workspace(settings.view)
        scope = QueryScope.of(snapshot, settings.view)
        entries = [entry for entry in snapshot.wiki.entries() if scope.has(entry, everywhere)]
        home = snapshot.wiki.entry(workspace.home_page) if workspace.home_page else None
    text = wiki_index.render(entries, workspace.grouping)
    lines = text.rstrip("\n").split("\n")
    if home is not None:
        lines[1:1] = ["", f"Home: {wiki_index.line(home).removeprefix('- ')}"]
    data = {
        "grouping": workspace.grouping,
        "home": home.slug if home is not None else None,
        "scope": [] if everywhere else list(workspace.hints.scope),
        "view": workspace.name if settings.view else None,
        "pages": [
            {"slug": entry.slug, "path": entry.path, "title": entry.title, "kind": entry.kind, "type": entry.type}
            for entry in sorted(entries, key=lambda entry: entry.slug)
        ],
    }
    return Report(data, tuple(lines), notes=(*warning_lines(workspace), *_lost(workspace, home is None)))


def _lost(workspace: Workspace, is_lost: bool) -> list[str]:
    name = workspace.home_page
    return [f"warning: display.homePage: there is no page {name!r}"] if name and is_lost else []
