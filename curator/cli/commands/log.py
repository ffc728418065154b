"""``curate log``: what curator did, read from git's history; with ``--page``, where each line of a page comes from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any

import click

from curator.cli import completing, console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import COUNT, common_options, reported
from curator.edits import rename
from curator.repository import history
from curator.repository.git import BlameLine
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.repository.settings import Settings


@click.command()
@click.option("-n", "--limit", type=COUNT, default=20, show_default=True, help="How many, newest first.")
@click.option(
    "--page", metavar="SLUG", shell_complete=completing.pages, help="Which ingest brought which line of this page."
)
@common_options
@reported
def log(common: CommonOptions, limit: int, page: str | None) -> Report:
    if page is not None:
        return run_page(console.settings(common, looks=True), page)
    return run(console.settings(common, looks=True), limit)


def run(settings: Settings, limit: int) -> Report:
    """The newest ``limit`` commits that curator made."""
    with settings.repository as repository:
        found = _commits(repository) if repository.head() else iter(())
        events = list(map(_event, islice(found, limit)))
    lines = [line for event in events for line in _lines(event)]
    return Report({"events": events}, tuple(lines or ["nothing was taken in yet"]))


def run_page(settings: Settings, name: str) -> Report:
    """Each line of a page with the commit it stands in since."""
    with settings.repository as repository:
        snapshot = repository.view()
        page = rename.known_page(snapshot.wiki, name)
        blamed = repository.git.blame(snapshot.base, page.path)
        known = {commit.id: commit for commit in _commits(repository)}
    found = [_line(line, known.get(line.commit)) for line in blamed]
    runs = [list(run) for _, run in groupby(found, lambda line: line["commit"])]
    lines = [text for run in runs for text in _shown_run(run)]
    return Report({"page": page.slug, "path": page.path, "lines": found}, (page.path, *lines))


def _commits(repository: Repository) -> Iterator[CuratorCommit]:
    return history.curator_commits(repository.git, "HEAD", folder=repository.prefix)


def _event(commit: CuratorCommit) -> dict[str, Any]:
    return {
        "id": commit.id[:12],
        "commit": commit.id,
        "at": commit.at,
        "subject": commit.subject,
        "source": commit.source,
        "did": list(commit.bullets),
    }


def _lines(event: dict[str, Any]) -> list[str]:
    return [f"{event['id']}  {event['at'][:19]}  {event['subject']}", *(f"    {did}" for did in event["did"])]


def _line(line: BlameLine, commit: CuratorCommit | None) -> dict[str, Any]:
    return {
        "line": line.number,
        "text": line.text,
        "commit": line.commit,
        "subject": line.subject,
        "source": commit.source if commit is not None else "",
        "by": "curator" if commit is not None else line.author,
    }


def _shown_run(run: list[dict[str, Any]]) -> Iterator[str]:
    """One stretch of lines that came together: who brought it, then the lines."""
    first = run[0]
    who = first["subject"] if first["by"] == "curator" else f"{first['by']}: {first['subject']}"
    yield f"{first['commit'][:12]}  {who}"
    yield from (f"{line['line']:>6}  {line['text']}".rstrip() for line in run)
