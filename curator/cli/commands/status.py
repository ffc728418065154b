"""``curate status``: what the wiki holds, what waits and why, what it has cost so far; ``--watch`` goes on showing it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from curator.checks import approval
from curator.cli import console
from curator.cli.commands import approve
from curator.cli.commands.source_status import about_sources, read_sources
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, reported
from curator.cli.terminal import is_plain
from curator.errors import ConfigError, WikiError
from curator.models.llm.ledger import Span, SpendingLedger, SpendingTotal
from curator.models.port import COST, FREE, TOKENS, Usage
from curator.repository import history
from curator.repository.history import CuratorCommit
from curator.repository.runtime.runtime import Runtime
from curator.repository.settings import Settings
from curator.repository.snapshot import Snapshot
from curator.service.status import ServiceStatus, row
from curator.system.filenames import printable
from curator.wiki import log
from curator.wiki.lifecycle import lifecycle, protections
from curator.wiki.workspace.workspace import Workspace

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_LAST = 3
_EVERY = 0.5
_ALL_EVERY = 5.0
"""Seconds between two looks at git, which takes more than a look at what the service tells."""
_LEAST = 3
"""Sources of the queue that are shown on the smallest of screens."""
_LEVELS = ("weak", "medium", "strong")


@click.command()
@click.option("--watch", is_flag=True, help="Go on showing it, until Ctrl-C.")
@common_options
@reported
def status(common: CommonOptions, watch: bool) -> Report:
    if watch and (common.json or not sys.stdout.isatty() or is_plain()):
        hint = "leave --watch out; curate watch tells line by line what the service does"
        raise ConfigError("usage", "--watch shows a moving view, on a terminal that can", hint)
    return show_live(console.settings(common, looks=True)) if watch else run(console.settings(common, looks=True))


def run(settings: Settings) -> Report:
    data, service = read_status(settings)
    return Report(data, (*about_wiki(data), *service.lines(), *about_sources(data)))


def read_status(settings: Settings) -> tuple[dict[str, Any], ServiceStatus]:
    """All that ``status --json`` tells, and how the service is at work."""
    with settings.repository as repository:
        snapshot = repository.view()
        manifest = snapshot.manifest()
        state = _state(snapshot)
        pages, others = snapshot.catalogue.count(), snapshot.catalogue.others()
        branch, busy = repository.git.branch(), repository.git.in_progress()
        rescued = repository.runtime.rescued.notes()
        found = list(history.curator_commits(repository.git, "HEAD", folder=repository.prefix))
        service = ServiceStatus.of(repository.runtime)
        budget = _budget(settings, repository.runtime)
        paid = SpendingTotal.of(SpendingLedger(repository.runtime.folder / "spend").entries().values())
        unapproved, edited = approval.pending(snapshot), approval.edited(repository)
        view = _view(settings, snapshot)
        sources, service = read_sources(repository, snapshot, found, service, is_approved=not unapproved)
        due = [one.as_json() for one in snapshot.sources_due(settings.now())]
    landed, jails = _landed(found)
    sandbox = next((level for level in _LEVELS if level in jails.split()), None)
    data: dict[str, Any] = {
        "wiki": str(repository.root),
        "head": snapshot.base,
        "branch": (branch or "detached").removeprefix("refs/heads/"),
        **state,
        "pages": pages,
        "not_pages": others,
        "sources": len(manifest.sources),
        "queue": service.waiting,
        **sources,
        "spend": asdict(paid.usage if _is_more(paid.spent.tokens, landed) else landed),
        "landed": asdict(landed),
        "paid": {"tokens": paid.spent.tokens, "cost": paid.spent.dollars},
        "budget": budget,
        "sandbox": sandbox,
        "jails": jails,
        "daemon": service.running,
        "service": service.as_json(),
        "commits": [{"commit": one.id, "at": one.at, "subject": one.subject} for one in found[:_LAST]],
        "rescued": rescued,
        "unfinished": {"what": busy, "next": repository.git.way_out(busy)} if busy else None,
        "unapproved": approve.as_json(unapproved),
        "edited": edited,
        "due": due,
        "view": view,
    }
    return data, service


def about_wiki(data: Mapping[str, Any]) -> list[str]:
    """For people: what the wiki holds, and what it has taken."""
    busy, view = data["unfinished"], data["view"]
    return [
        f"wiki     {printable(data['wiki'])}",
        f"head     {data['head'][:12]} ({data['branch']})",
        *([f"git      {busy['what']} is in progress: sources wait", f"    next: {busy['next']}"] if busy else []),
        f"state    {'; '.join([data['lifecycle'], *map(printable, data['protected'])])}",
        f"pages    {data['pages']}",
        *([f"no pages {_not_pages(data['not_pages'])}"] if data["not_pages"] else []),
        f"sources  {data['sources']}",
        f"spent    {_shown_spend(Usage(**data['landed']), data['paid'])}",
        f"sandbox  {data['jails'] or 'none yet'}",
        *(f"last     {commit['at']} {commit['commit'][:12]} {commit['subject']}" for commit in data["commits"][:1]),
        *_budget_lines(data["budget"]),
        *([f"view     {': '.join(filter(None, (printable(view['path']), view['problem'])))}"] if view else []),
        *([f"rules    {approve.edits(data['edited'])}"] if data["edited"] else []),
        *_unapproved(data["unapproved"]),
    ]


def _state(snapshot: Snapshot) -> dict[str, Any]:
    """How far the wiki is, and what protects it; by its log alone where its manifest cannot be read."""
    try:
        workspace: Workspace | None = snapshot.workspace()
    except WikiError:
        workspace = None
    newest = log.parse((snapshot.read(log.PATH) or "")[-_NEWEST:])
    is_archived = workspace is not None and workspace.is_archived
    return {
        "lifecycle": lifecycle(snapshot.catalogue.count(), newest, is_archived=is_archived),
        "protected": list(protections(workspace)) if workspace is not None else [],
    }


_NEWEST = 50_000
"""Characters of the log's end that are looked at."""


def _not_pages(paths: Sequence[str]) -> str:
    told = ", ".join(map(printable, paths[:_LAST])) + (", ..." if len(paths) > _LAST else "")
    return f"{len(paths)}, Markdown without a page's schema: {told}"


def _view(settings: Settings, snapshot: Snapshot) -> dict[str, str] | None:
    """The view that ingest, lint and search go through here, and what is odd about it; None for the wiki as it is."""
    try:
        view = settings.view
    except ConfigError as error:
        return {"path": settings.config.view, "problem": error.message}
    if view is None:
        return None
    try:
        problems = [each.message for each in snapshot.workspace(view).merged.notices]
    except WikiError as error:
        problems = [error.message]
    return {"path": view.path, "problem": "; ".join(problems)}


def _unapproved(changes: list[dict[str, Any]]) -> Iterator[str]:
    """The rules that nobody has approved: what got weaker, the diff, what to do."""
    if changes:
        yield f"rules    changed, not approved: {' and '.join(printable(each['path']) for each in changes)}"
        yield "    next: curate approve, or take the change back; sources wait until then"
    for each in changes:
        yield from (f"    weaker: {printable(words)}" for words in each["weaker"])
        yield from (f"    asked: {printable(words)}" for words in filter(None, [each["asked"]]))
        yield from approve.diff_lines(each["diff"])


def _budget(settings: Settings, runtime: Runtime) -> dict[str, Any]:
    """What was spent today and this month, by curator's own books, and the limits, where there are any."""
    ledger, now = SpendingLedger(runtime.folder / "spend"), datetime.now(UTC)
    told: dict[str, Any] = {}
    spans: tuple[Span, ...] = ("day", "month")
    for span in spans:
        took = ledger.spent(span, now)
        told[span] = {"tokens": took.tokens, "cost": took.dollars}
    if any(runtime.folder.glob("spend/*.jsonl")):
        limits = settings.limits
        for span, limit in (("day", limits.day), ("month", limits.month)):
            told[span] |= {"tokens_limit": limit.tokens or None, "cost_limit": limit.dollars or None}
    return told


def _budget_lines(budget: Mapping[str, Any]) -> Iterator[str]:
    for span in ("day", "month"):
        tokens, cost = budget[span].get("tokens_limit"), budget[span].get("cost_limit")
        of = [f"{budget[span]['tokens']:,} of {tokens:,} tokens"] if tokens else []
        if cost:
            spent = "an unknown part" if budget[span]["cost"] is None else f"{budget[span]['cost']:.4f}"
            of.append(f"{spent} of {cost:g} USD")
        if of:
            yield f"{span:<8} {', '.join(of)}"


def _landed(found: list[CuratorCommit]) -> tuple[Usage, str]:
    """What all ingests took together, by the trailers of their commits, and the jails of the newest."""
    ingests = [commit for commit in found if commit.all(TOKENS)]
    spent = sum((Usage.parsed(commit.one(TOKENS), commit.one(COST)) for commit in ingests), FREE)
    return spent, next(filter(None, (commit.one(history.SANDBOX) for commit in ingests)), "")


def _tokens(usage: Usage) -> int:
    return (usage.prompt or 0) + (usage.completion or 0)


def _is_more(tokens: int, landed: Usage) -> bool:
    """True where more was paid for here than what landed has taken: for questions, for answers that did not land."""
    return None not in (landed.prompt, landed.completion) and tokens > _tokens(landed)


def _shown_spend(landed: Usage, paid: Mapping[str, Any]) -> str:
    """What landed has taken, and what was paid for here beside it, for answers that did not land."""
    if not _is_more(paid["tokens"], landed):
        return "nothing" if landed == FREE else landed.in_words
    price = "price unknown" if paid["cost"] is None else f"{paid['cost']:.4f} USD"
    rest = f"{paid['tokens'] - _tokens(landed):,} of them for questions, and for answers that did not land"
    return f"{paid['tokens']:,} tokens, {price}; {rest} (curate spend)"


# -- on a terminal, for as long as somebody looks ------------------------------------------------------------------


def show_live(settings: Settings, terminal: Console | None = None, looks: int | None = None) -> Report:
    """Show it until Ctrl-C, or ``looks`` times."""
    from rich.live import Live

    with settings.repository as repository:
        runtime = repository.runtime
    (data, service), at = read_status(settings), time.monotonic()
    # Ctrl-C is how one stops looking.
    with suppress(KeyboardInterrupt), Live(console=terminal, auto_refresh=False, screen=terminal is None) as live:
        while True:
            live.update(_screen(data, service, live.console.height), refresh=True)
            looks = None if looks is None else looks - 1
            if looks == 0:
                break
            time.sleep(_EVERY)
            service = ServiceStatus.of(runtime)
            if time.monotonic() - at > _ALL_EVERY:
                # Without what the last look has opened and read.
                anew = Settings(settings.root, settings.environment, settings.flags, looks=settings.looks)
                (data, service), at = read_status(anew), time.monotonic()
    return Report()


def _screen(data: Mapping[str, Any], service: ServiceStatus, height: int) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    head = [*about_wiki(data), *service.headlines()]
    tail = about_sources(data)
    queue = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("source", "state", "for", "why"):
        queue.add_column(column, overflow="ellipsis", no_wrap=True)
    for item in service.waiting[: max(_LEAST, height - len(head) - len(tail) - 2)]:
        queue.add_row(*(Text(cell) for cell in row(item)))  # as plain text: a name may look like rich's markup
    return Group(Text("\n".join(head)), queue, Text("\n".join(tail)))
