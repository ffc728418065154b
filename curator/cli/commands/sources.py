"""``curate sources``: the registry, as records of ``knowledge.source/v1`` (AIP-10), and what a person says of a source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import click

from curator.cli import completing, console
from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.options import common_options, dry_run_option, reported
from curator.repository import history, source_files
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, CommitResult
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.snapshot import Snapshot
from curator.system import clocks
from curator.system.filenames import printable
from curator.wiki import log
from curator.wiki.pages import diff
from curator.wiki.sources import registry as manifest
from curator.wiki.sources import retention
from curator.wiki.sources.records import RecordUpdate, SourceRecords
from curator.wiki.workspace.schema import AUTHORITIES


@click.group(cls=CommandGroup, invoke_without_command=True)
@common_options
@click.pass_context
def sources(context: click.Context) -> int | None:
    if context.invoked_subcommand is not None:
        return None
    return console.run(context.obj, "sources", lambda: run(console.settings(context.obj, looks=True)))


@sources.command("show")
@click.argument("name", metavar="SOURCE", shell_complete=completing.sources)
@common_options
@reported
def sources_show(common: CommonOptions, name: str) -> Report:
    """What the registry says of one source, named by its path or id."""
    return show(console.settings(common, looks=True), name)


@sources.command("set")
@click.argument("name", metavar="SOURCE", shell_complete=completing.sources)
@click.option("--authority", type=click.Choice([*AUTHORITIES, ""]), help="Empty: sources.authorityDefault.")
@click.option("--superseded-by", metavar="SOURCE", help="The source that replaces it: its path or id.")
@click.option("--title", help="What people call it.")
@click.option("--language", metavar="CODE", help="As en, or en-GB.")
@click.option("--tag", "tags", multiple=True, help="Its tags are those given, and no others.")
@click.option("--by", "captured_by", metavar="NAME", help="Who brought it.")
@click.option("--why", default="", help="The reason, for the log.")
@dry_run_option
@common_options
@reported
def sources_set(
    common: CommonOptions, /, name: str, tags: tuple[str, ...], why: str, dry_run: bool, **said: str | None
) -> Report:
    """Say something of a source, in one commit. An empty value takes back what was said."""
    return describe(console.settings(common), name, RecordUpdate(tags=tags or None, **said), why, dry_run)


def run(settings: Settings) -> Report:
    """All of them, by path."""
    with settings.repository as repository:
        snapshot = repository.view()
        workspace, registry = snapshot.workspace(), _registry(snapshot)
        captured = _captured(snapshot)
        records = [registry.public(path, captured(path)) for path in sorted(registry.known.sources)]
        policy = workspace.fields.get("sources") or {}
        due = retention.due(registry.known, retention.days(policy), snapshot.read(log.PATH) or "", settings.now())
    data = {
        "records": records,
        "retention": policy.get("retention") or "forever",
        "signing": policy.get("signing") or "none",
        "hash_algorithm": workspace.hash_algorithm,
        "authority_default": workspace.authority_default,
        "due": [one.as_json() for one in due],
    }
    lines = [line for record in records for line in _in_a_list(record)] or ["no sources yet"]
    for one in due:
        lines += [
            f"due      {printable(one.path)}: captured {one.captured}, kept for {one.days} days",
            f"  next: {one.next}",
        ]
    return Report(data, tuple(lines))


def show(settings: Settings, name: str) -> Report:
    """One of them, with its pages. Raises ConfigError."""
    with settings.repository as repository:
        snapshot = repository.view()
        registry = _registry(snapshot)
        path = registry.named(_place(name, repository))
        record = registry.public(path, _captured(snapshot)(path))
        is_default = not registry.known.sources[path].authority
    ours = record["metadata"]["curator"]
    about = {
        "title": record["title"],
        "id": record["id"],
        "captured": " by ".join(filter(None, (record["captured_at"], record.get("captured_by")))),
        "authority": record["authority"] + (" (the wiki's default)" if is_default else ""),
        "language": record.get("language"),
        "tags": ", ".join(record.get("tags", ())),
        "superseded by": record.get("superseded_by"),
        "signed by": _signer(record),
        "hash": record["content_hash"],
        "pages": ", ".join(ours["pages"]) or "none",
    }
    lines = [printable(path), *(f"  {what:<14} {printable(value)}" for what, value in about.items() if value)]
    return Report({"record": record}, tuple(lines))


def describe(settings: Settings, name: str, update: RecordUpdate, why: str, dry_run: bool) -> Report:
    """Change what the registry says of a source, in one commit with a ``manual`` event. Raises CuratorError."""
    with settings.repository as repository:
        path = _registry(repository.view()).named(_place(name, repository))
        if update.superseded_by:
            update = replace(update, superseded_by=_place(update.superseded_by, repository))
        before = repository.view()
        after, bullets = _registry(before).changed(path, update)
        change = diff.between(manifest.PATH, before.read(manifest.PATH), after.dumps())
        if not bullets:
            return Report(
                {"commit": None, "source": path, "did": []}, (f"unchanged  {printable(path)}: it says so already",)
            )

        def work(transaction: Transaction) -> ChangeSet:
            known, did = _registry(transaction).changed(path, update)
            reason = [f"because: {' '.join(why.split())}"] if why.strip() else []
            trailer = f"{history.DESCRIBED}: {path}"
            return ChangeSet(transaction.wiki, known, f"describe {path}", (*did, *reason), (trailer,))

        return _told(path, repository.commit(work, settings.now, dry_run=dry_run), change)


def _told(path: str, done: CommitResult, change: str) -> Report:
    bullets = done.change_set.bullets
    data: dict[str, Any] = {"commit": done.commit, "source": path, "did": list(bullets)}
    said = [f"  - {printable(bullet)}" for bullet in bullets]
    if done.commit is None:
        return Report({**data, "diff": change}, (f"would describe {printable(path)}", *said, change))
    return Report(data, (f"done       describe {printable(path)}: commit {done.commit[:12]}", *said))


def _registry(snapshot: Snapshot) -> SourceRecords:
    return SourceRecords(snapshot.manifest(), snapshot.workspace().authority_default)


def _captured(snapshot: Snapshot) -> Callable[[str], str]:
    """When a source came in whose record does not say: by the log, at the latest with the newest commit."""
    told = retention.captured(snapshot.read(log.PATH) or "")
    git = snapshot.repository.git
    newest = cache(lambda: _utc(git.log("--max-count=1", "--format=%cI", snapshot.base).strip()))
    return lambda path: told.get(path) or newest()


def _utc(moment: str) -> str:
    return clocks.utc_timestamp(datetime.fromisoformat(moment).astimezone(UTC))


def _place(name: str, repository: Repository) -> str:
    """A file named from where the person is, as its path in the wiki; anything else as it is."""
    place = source_files.place_of(Path(name), repository.root)
    return place if place is not None and place.startswith("sources/") else name


def _in_a_list(record: dict[str, Any]) -> Iterable[str]:
    yield f"{record['captured_at'][:10]}  {record['authority']:<9}  {printable(record['path'])}"
    marks = [f"superseded by {record['superseded_by']}"] if "superseded_by" in record else []
    marks += [f"signed by {signer}"] if (signer := _signer(record)) else []
    yield f"{'':<23}{printable('; '.join([record['title'], *marks]))}"


def _signer(record: dict[str, Any]) -> str:
    signature = record["metadata"]["curator"].get("signature")
    return f"{signature['by']} ({signature['kind']})" if signature else ""
