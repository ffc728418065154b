"""``curate undo``, ``rename``, ``merge``, ``split``, ``settle``, ``remove``: what a person asks for, in one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from curator.cli import completing, console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, dry_run_option, reported
from curator.edits import merge as merging
from curator.edits import rename as page_edits
from curator.edits import settle as settling
from curator.edits import undo as undoing
from curator.edits.undo import CannotUndo
from curator.errors import ConfigError
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, CommitResult
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import findings_as_json
from curator.repository.settings import Settings


def _edit(*parameters: Callable[..., Any]) -> Callable[[Callable[..., Report]], click.Command]:
    """A command with these parameters and ``--dry-run``, which reports what was done."""

    def made(run: Callable[..., Report]) -> click.Command:
        command: Callable[..., Any] = dry_run_option(common_options(reported(run)))
        for parameter in reversed(parameters):
            command = parameter(command)
        return click.command()(command)

    return made


@_edit(click.argument("ids", nargs=-1, required=True, shell_complete=completing.sources))
def undo(common: CommonOptions, ids: tuple[str, ...], dry_run: bool) -> Report:
    return undo_commits(console.settings(common), ids, dry_run)


@_edit(click.argument("old", shell_complete=completing.pages), click.argument("new"))
def rename(common: CommonOptions, old: str, new: str, dry_run: bool) -> Report:
    return rename_page(console.settings(common), old, new, dry_run)


@_edit(
    click.argument("name", metavar="SLUG", shell_complete=completing.pages_and_sources),
    click.option("--why", required=True, help="The reason, for the log."),
)
def remove(common: CommonOptions, name: str, why: str, dry_run: bool) -> Report:
    return remove_page(console.settings(common), name, why, dry_run)


@_edit(
    click.argument("page", shell_complete=completing.pages), click.argument("other", shell_complete=completing.pages)
)
def merge(common: CommonOptions, page: str, other: str, dry_run: bool) -> Report:
    return merge_pages(console.settings(common), page, other, dry_run)


@_edit(
    click.argument("page", shell_complete=completing.pages),
    click.argument("title"),
    click.option("--section", default="", help="The heading of the section that goes."),
    click.option(
        "--statement", "statements", multiple=True, help="Words of a statement that goes; may be given again."
    ),
)
def split(
    common: CommonOptions, page: str, title: str, section: str, statements: tuple[str, ...], dry_run: bool
) -> Report:
    return split_page(console.settings(common), page, title, section, statements, dry_run)


@_edit(click.argument("page", shell_complete=completing.pages), click.argument("statement", metavar="WORDS"))
def settle(common: CommonOptions, page: str, statement: str, dry_run: bool) -> Report:
    return settle_dispute(console.settings(common), page, statement, dry_run)


def rename_page(settings: Settings, old: str, new: str, dry_run: bool) -> Report:
    """Another name for a page; every link follows."""

    def work(transaction: Transaction) -> ChangeSet:
        page = page_edits.known_page(transaction.wiki, old)
        done = page_edits.rename(transaction.wiki, transaction.manifest(), old, new)
        if done.wiki.page_at(page.path) == page:
            raise ConfigError("rename_same", f"{page.slug} is called {new!r} already", "give another slug or title")
        return done

    return _carried_out(settings, work, dry_run)


def merge_pages(settings: Settings, page: str, other: str, dry_run: bool) -> Report:
    """A page becomes part of another one."""
    return _carried_out(settings, lambda t: merging.merge(t, page, other, settings.now()), dry_run)


def split_page(
    settings: Settings, page: str, title: str, section: str, statements: Sequence[str], dry_run: bool
) -> Report:
    """A part of a page becomes a page."""
    return _carried_out(settings, lambda t: merging.split(t, page, title, section, statements, settings.now()), dry_run)


def settle_dispute(settings: Settings, page: str, statement: str, dry_run: bool) -> Report:
    """Of two statements that contradict each other, one stands."""
    return _carried_out(settings, lambda t: settling.settle(t, page, statement, settings.now()), dry_run)


def remove_page(settings: Settings, name: str, why: str, dry_run: bool) -> Report:
    """A page goes, or all that a deleted source brought."""
    if name.startswith("sources/"):
        return _retire(settings, name, why, dry_run)

    def work(transaction: Transaction) -> ChangeSet:
        return page_edits.remove(transaction.wiki, transaction.manifest(), name, why)

    return _carried_out(settings, work, dry_run)


def undo_commits(settings: Settings, names: Sequence[str], dry_run: bool) -> Report:
    """Ingests, or other commits of curator's, are taken back together."""
    with settings.repository as repository:
        commits = undoing.named_commits(repository, names)
        return _undone(repository, partial(undoing.undo_commits, commits, now=settings.now()), settings, dry_run)


def _retire(settings: Settings, path: str, why: str, dry_run: bool) -> Report:
    with settings.repository as repository:
        if (repository.root / path).exists():
            raise ConfigError(
                "source_there",
                f"{path} is there: curator deletes no source",
                f"delete the file first; or take its last ingest back and keep it: curate undo {path}",
            )
        commits = undoing.ingests_of(repository, path)
        if not commits:
            raise ConfigError("source_unknown", f"no ingest of {path!r} is in the wiki", "curate log shows what is")

        def work(transaction: Transaction) -> ChangeSet:
            return undoing.remove_source(path, why, commits, transaction, settings.now())

        return _undone(repository, work, settings, dry_run)


def _undone(
    repository: Repository, work: Callable[[Transaction], ChangeSet], settings: Settings, dry_run: bool
) -> Report:
    try:
        return _told(repository.commit(work, settings.now, dry_run=dry_run))
    except CannotUndo as error:
        findings = findings_as_json(error.findings)
        lines = [
            f"refused    {error.message}; nothing was changed",
            *(f"  {finding.code}: {finding.path}: {finding.message}" for finding in error.findings),
            f"  next: {error.hint}",
        ]
        data = {"commit": None, "findings": list(findings), "reason": error.message, "next": error.hint}
        return Report(data, tuple(lines), 1)


def _carried_out(settings: Settings, work: Callable[[Transaction], ChangeSet], dry_run: bool) -> Report:
    with settings.repository as repository:
        return _told(repository.commit(work, settings.now, dry_run=dry_run))


def _told(done: CommitResult) -> Report:
    did = done.change_set
    data: dict[str, Any] = {
        "commit": done.commit,
        "subject": did.subject,
        "did": list(did.bullets),
        "changed": list(done.changed),
        "removed": sorted(did.wiki.gone),
    }
    head = f"would {did.subject}" if done.commit is None else f"done       {did.subject}: commit {done.commit[:12]}"
    lines = [head, *(f"  - {bullet}" for bullet in did.bullets)]
    if done.commit is None:
        data["diff"] = "".join(done.diffs.values())
        lines.append(data["diff"])
    return Report(data, tuple(lines))
