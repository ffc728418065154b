"""``curate fetch``: asks the addresses of a reading list what is new, and takes it in; for cron, and by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from curator.cli import console
from curator.cli.commands import fetch_list
from curator.cli.commands import ingest as ingest_command
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.money import Agree, agreed
from curator.cli.options import COUNT, SOURCE, common_options, model_options, reported
from curator.errors import Busy, ConfigError, SourceError
from curator.ingest.web import fetch_round
from curator.ingest.web.deposit import deposit
from curator.ingest.web.fetch_round import Brought, Done, FetchRound, Look, Missed, reason_of
from curator.ingest.web.fetching import Fetcher
from curator.ingest.web.memory import FetchMemory
from curator.ingest.web.reading_list import Listed
from curator.models.sandbox.proxies import Proxies
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.service import instance_lock
from curator.system import clocks
from curator.system.filenames import printable
from curator.system.text import counted

_SHOWN = 20
"""Entries of a feed that are told one by one."""


@dataclass(frozen=True)
class FetchOptions:
    """What was said on the command line."""

    again: bool = False
    catch_up: bool = False
    most: int = 0
    only_bring: bool = False
    dry_run: bool = False
    quiet: bool = False


@click.command()
@click.argument("what", nargs=-1, type=SOURCE, metavar="[ADDRESS | LIST]...")
@click.option(
    "--add", is_flag=True, help="Put the addresses, or the feeds of an OPML file, on the list; fetch nothing."
)
@click.option("--list", "listed", is_flag=True, help="What is on the list, and how it was when it was asked last.")
@click.option("--again", is_flag=True, help="Ask for pages again that were fetched before.")
@click.option("--catch-up", is_flag=True, help="Count all that feeds tell of now as seen, and bring none of it.")
@click.option("--limit", type=COUNT, help="Bring no more new pages than so many; else the setting fetch_at_once.")
@click.option(
    "--no-ingest", is_flag=True, help="Only put new pages into sources/; a service, or curate ingest, goes on."
)
@click.option(
    "--dry-run", is_flag=True, help="Ask what is new and tell; fetch no page that a feed names, write nothing."
)
@click.option("--quiet", is_flag=True, help="Say nothing where nothing is new and nothing wrong: for cron.")
@click.option("--yes", is_flag=True, help="Ask nothing before a run that will take much of the model.")
@model_options
@common_options
@reported
def fetch(
    common: CommonOptions,
    /,
    what: tuple[Path | str, ...],
    add: bool,
    listed: bool,
    again: bool,
    catch_up: bool,
    limit: int | None,
    no_ingest: bool,
    dry_run: bool,
    quiet: bool,
    yes: bool,
    **flags: str | None,
) -> Report:
    if add and listed:
        raise ConfigError("usage", "--add and --list do not go together", "one after the other")
    settings = console.settings(common, flags)
    if add:
        return fetch_list.added(settings, what)
    if listed:
        return fetch_list.shown(settings, what)
    with console.progress(common) as say:
        agree = None if yes else console.asked(common, say)
        if quiet and not console.is_watched(say):
            say = console.silent  # cron sends a mail for each word
        options = FetchOptions(again, catch_up, limit or 0, no_ingest, dry_run, quiet)
        write = None if common.json else console.writer(say)
        return run(settings, what, options, say, agree=agree, write=write)


def run(
    settings: Settings,
    what: Sequence[Path | str],
    options: FetchOptions,
    say: Say,
    fetcher: Fetcher | None = None,
    agree: Agree | None = None,
    write: Callable[[str], None] | None = None,
) -> Report:
    """One round over ``what``, or over the reading list of the settings; what it brings is taken in as by curate ingest.

    ``write`` gets what was found before anything is taken in, and what became of each page; the report has the rest.
    """
    with ExitStack() as doors:
        repository = doors.enter_context(settings.repository)
        repository.view().workspace(settings.view)  # what is wrong with the wiki is said before anybody is asked
        found = fetch_list.read(settings, what)
        try:
            doors.enter_context(repository.runtime.lock(0.5, "fetching"))
        except Busy:
            raise Busy("busy", "another curate fetch is at work in this wiki", "wait until it has ended") from None
        folder = Path(doors.enter_context(TemporaryDirectory()))
        asked = _Asked(settings, repository, options, folder, say)
        asked.look(found.addresses, fetcher or Fetcher(settings.config.fetch_hosts, Proxies.of(settings.environment)))
        if not asked.agreed(agree):
            return Report(
                {"asked": [], "results": []}, ("nothing was asked of the model, nothing paid, nothing kept",), 1
            )
        asked.keep(found.addresses)
    if asked.leaves or not asked.files:
        return _report(asked, found, Report(), options)
    if write is not None:
        write("\n".join(_lines(asked, options)))
    ingested = ingest_command.run(replace(settings), asked.files, False, False, say, write=write, agree=lambda _: True)
    return _report(asked, found, ingested, options, is_written=write is not None)


@dataclass
class _Asked:
    """A round on its way."""

    settings: Settings
    repository: Repository
    options: FetchOptions
    folder: Path
    say: Say
    looks: list[Look] = field(default_factory=list)
    brought: list[Brought] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    """What lies in ``sources/`` now and was not there before, or was another."""
    service: str = ""
    """The service that runs, which takes in what lies there."""
    _round: FetchRound = field(init=False)

    @property
    def pages(self) -> list[Brought | Missed]:
        """All that were asked for in this round."""
        return [*self.brought, *self.missed]

    @property
    def leaves(self) -> bool:
        """True where others take in what was brought."""
        return self.options.only_bring or bool(self.service)

    @cached_property
    def _in_the_wiki(self) -> frozenset[str]:
        """The addresses of its sources, and of what waits to be one: read once, and only where an address is new."""
        records = self.repository.view().manifest().sources.values()
        waiting = (each.address for each in self.repository.runtime.arrivals.all())
        return frozenset((*waiting, *(record.url for record in records if record.url)))

    def look(self, listed: Sequence[Listed], fetcher: Fetcher) -> None:
        config, options = self.settings.config, self.options
        self._round = FetchRound(
            fetcher,
            FetchMemory(self.repository.runtime.fetched),
            lambda address: address in self._in_the_wiki,
            options.most or config.fetch_at_once,
            options.again,
            self.say,
        )
        self.looks = self._round.look(listed)
        if options.catch_up or options.dry_run:
            return
        for each in self._round.bring(self.looks):
            if isinstance(each, Missed):
                self.missed.append(each)
            else:
                self.brought.append(each)

    def agreed(self, agree: Agree | None) -> bool:
        """Whether what was brought may go on, where it will take much of the model."""
        if self.options.dry_run or self.options.catch_up:
            return True
        self.service = instance_lock.running(self.repository.runtime.folder) or ""
        if self.leaves or not self.brought:
            return True
        copies = [self.folder / "asked" / f"{number}-{each.page.path}" for number, each in enumerate(self.brought)]
        for copy, each in zip(copies, self.brought, strict=True):
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(each.page.data)
        told = agreed(copies, self.settings, self.repository, agree)
        if told and agree is None:
            console.stays(self.say, told)
        return told is not None

    def keep(self, listed: Sequence[Listed]) -> None:
        """Put what was brought into ``sources/``, then remember what was seen."""
        if self.options.dry_run:
            return
        done, now = Done(), self.settings.now()
        for missed in self.missed:
            done.add(missed)
        for each in self.brought:
            try:
                path = deposit(
                    each.page, each.address, each.date, self.repository, self.settings.config, self.folder / "new"
                )
            except SourceError as error:
                self.missed.append(Missed(each.look, each.address, error, each.entry))
                continue
            done.add(each)
            if path is not None:
                self.files.append(self.repository.root / path)
        if self.options.catch_up:
            for look in self.looks:
                done.seen[look.listed.address] += look.names
        self._round.remember(self.looks, done, clocks.utc_timestamp(now))
        self._round.memory.prune([each.address for each in listed], now)
        self.repository.runtime.arrivals.prune(self.repository.root)


# -- for people and programs --------------------------------------------------------------------------------------


def _report(
    asked: _Asked, found: fetch_list.FoundList, ingested: Report, options: FetchOptions, *, is_written: bool = False
) -> Report:
    """``is_written``: what was found is told already."""
    wrong = [look for look in asked.looks if look.error is not None]
    data: dict[str, Any] = {
        "list": found.place,
        "asked": [fetch_round.as_json(look, asked.pages) for look in asked.looks],
        "brought": [printable(file.relative_to(asked.repository.root)) for file in asked.files],
        "missed": [each.as_json() for each in asked.missed],
        "service": bool(asked.service),
        "results": [],
        **ingested.data,
    }
    is_quiet = options.quiet and not (asked.files or wrong or asked.missed)
    lines = [*([] if is_quiet or is_written else _lines(asked, options)), *ingested.lines]
    notes = [] if is_quiet else found.remarks()
    status = ingested.exit_status or (1 if wrong or asked.missed else 0)
    return Report(data, tuple(lines), status, (*notes, *ingested.notes))


def _lines(asked: _Asked, options: FetchOptions) -> Iterator[str]:
    for look in asked.looks:
        yield from _lines_of(look, fetch_round.left_of(look, asked.pages), options)
    for each in asked.missed:
        yield f"missed     {printable(each.address)}: {reason_of(each.error, each.address)}"
        yield f"  next: {each.error.hint}"
    count = fetch_round.counted(asked.looks)
    parts = [f"{count[status]} {said}" for status, said in _SAID.items() if count[status]]
    yield (
        f"asked      {counted(len(asked.looks), 'address', 'addresses')}: {', '.join(parts)}"
        if asked.looks
        else "no addresses there"
    )
    if asked.files and asked.leaves:
        who = "the running service takes them in" if asked.service else "curate ingest sources/web takes them in"
        yield f"brought    {counted(len(asked.files), 'page')} into sources/; {who}"


_SAID = {"new": "with something new", "unchanged": "with nothing new", "known": "in the wiki already"}
_SAID |= {"left": "left for the next time", "refused": "not to be had"}


def _lines_of(look: Look, rest: int, options: FetchOptions) -> Iterator[str]:
    address = printable(look.listed.address)
    name = f"{look.title}, {address}" if look.title else address
    if look.error is not None:
        yield f"refused    {address}: {reason_of(look.error, look.listed.address)}"
        yield f"  next: {look.error.hint}"
    elif look.status == "new" and look.kind == "feed":
        if options.catch_up:
            yield f"feed       {name}: {counted(len(look.entries), 'entry', 'entries')} counted as seen"
            return
        left = f", {rest} left for the next time" if rest and not options.dry_run else ""
        yield f"feed       {name}: {len(look.entries)} new{left}"
        shown = look.entries[:_SHOWN] if options.dry_run else ()
        yield from (
            f"  {each.date or '-':<10}  {f'{each.title}, ' if each.title else ''}{printable(each.address)}"
            for each in shown
        )
        if len(shown) < len(look.entries) and options.dry_run:
            yield f"  and {len(look.entries) - len(shown)} more"
    elif look.status == "new":
        yield f"page       {name}: {'would be fetched' if options.dry_run else 'fetched'}"
    if look.remark:
        yield f"  {look.remark}"
