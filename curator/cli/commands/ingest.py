"""``curate ingest``: takes files in, one commit a source, and says of each what became of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import click

from curator.cli import console, many_files
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.many_files import Countdown
from curator.cli.money import Agree, PaidRequests, agreed
from curator.cli.options import SOURCE, check_quoted, common_options, dry_run_option, model_options, reported
from curator.cli.warnings import warning_lines, warnings
from curator.errors import ConfigError, ReviewNeeded
from curator.ingest.next_step import NO_REMARKS
from curator.ingest.plan import Outcome
from curator.ingest.result import IngestContext, IngestResult
from curator.ingest.take_in import take_in
from curator.models import choose
from curator.models.port import Usage
from curator.models.sandbox.reader_forks import ReaderForks, reader_forks
from curator.repository import history, note_folder, source_files
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system.filenames import printable
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.source import SourceRemarks
from curator.wiki.workspace.schema import AUTHORITIES
from curator.wiki.workspace.workspace import Workspace

_PATIENCE = 600.0


@click.command()
@click.argument("files", nargs=-1, required=True, type=SOURCE)
@dry_run_option
@click.option("--ask-again", is_flag=True, help="Ask the model anew instead of using a saved answer.")
@click.option(
    "--authority", type=click.Choice(AUTHORITIES), help="What the sources are; else sources.authorityDefault."
)
@click.option("--supersedes", multiple=True, metavar="SOURCE", help="A source that this one replaces: its path or id.")
@click.option("--yes", is_flag=True, help="Ask nothing before a run that will take much of the model.")
@model_options
@common_options
@reported
def ingest(
    common: CommonOptions,
    /,
    files: tuple[Path | str, ...],
    dry_run: bool,
    ask_again: bool,
    authority: str | None,
    supersedes: tuple[str, ...],
    yes: bool,
    **flags: str | None,
) -> Report:
    check_quoted(files)
    with console.progress(common) as say:
        remarks = SourceRemarks(authority or "", supersedes)
        settings = console.settings(common, flags)
        agree = None if yes else console.asked(common, say)
        write = None if common.json else console.writer(say)
        return run(settings, files, dry_run, ask_again, say, remarks, write, agree)


def run(
    settings: Settings,
    files: Sequence[Path | str],
    dry_run: bool,
    ask_again: bool,
    say: Say,
    remarks: SourceRemarks = NO_REMARKS,
    write: Callable[[str], None] | None = None,
    agree: Agree | None = None,
) -> Report:
    """Take ``files`` in, folders file by file, and pages by their addresses; after those that were held, if what held
    them has ended.

    ``remarks`` are of the files named; ``remarks.supersedes`` are paths or ids of sources that are in. ``write`` gets
    what is said of each file as it lands; the report has the rest. ``agree`` is asked before a run that will take much.
    """
    settings = choose.with_room(settings)
    with ExitStack() as open_doors:
        readers = _readers(open_doors)
        repository = open_doors.enter_context(settings.repository)
        # What is wrong with the wiki or the clock is said once, and before anything is written or paid for.
        workspace = repository.view().workspace(settings.view)
        settings.now()
        addresses = [file for file in files if isinstance(file, str)]
        gathered = note_folder.gather(
            [file for file in files if isinstance(file, Path)], repository.root, settings.notes
        )
        told = agreed([file for file, _ in gathered.files], settings, repository, agree)
        if told is None:
            return Report({"results": []}, ("nothing was asked, and nothing paid",), 1)
        at_work = _AtWork(say, console.is_watched(say))
        opened = _opened(settings, repository, open_doors, at_work, dry_run=dry_run, ask_again=ask_again)
        context = replace(opened, readers=readers)
        if told and agree is None:
            console.stays(say, told)
        said = replace(context, remarks=_known(remarks, len(gathered.files) + len(addresses), repository))
        work = [*_held(context, gathered), *_files(said, gathered)]
        if addresses:
            work += _pages(said, addresses, settings, open_doors)
        paid = PaidRequests.of(settings.config, repository)
        results = _results(map(paid.priced, at_work.through(work)), len(work), repository, write)
    return _report(results, work, gathered, workspace, dry_run=dry_run, is_written=write is not None)


def _readers(open_doors: ExitStack) -> ReaderForks | None:
    """Who may have a reader of sources: it is started first, and loads while the wiki is opened."""
    with suppress(OSError):  # then a reader is started for each source
        return ReaderForks(open_doors.enter_context(reader_forks())) if sys.platform == "linux" else None
    return None


def _opened(
    settings: Settings,
    repository: Repository,
    open_doors: ExitStack,
    at_work: _AtWork,
    *,
    dry_run: bool,
    ask_again: bool,
) -> IngestContext:
    """What every file is taken in with; the model, and a second reader where one is wanted, are closed with the doors."""
    asked = (settings.config, settings.environment, repository.runtime)
    model = open_doors.enter_context(choose.open_model(*asked, ask_again))
    verifier = open_doors.enter_context(choose.open_verifier(*asked, model))
    console.stays(at_work.say, f"curated by {model.name}" + (f", claims read by {verifier.name}" if verifier else ""))
    how = {"dry_run": dry_run, "ask_again": ask_again, "on_stage": at_work.stage}
    return IngestContext.of(settings, repository, model, _PATIENCE, verifier, **how)


@dataclass(frozen=True)
class _Taking:
    """One file, or one page of the web, to be taken in."""

    name: str
    """What it is called while it is taken in."""
    where: str
    """Its path, or address."""
    take: Callable[[], IngestResult]


def _of_file(file: Path, context: IngestContext) -> _Taking:
    return _Taking(printable(file.name or file), printable(file), partial(take_in, file, context))


def _held(context: IngestContext, gathered: note_folder.Gathered) -> list[_Taking]:
    """The sources that waited for somebody's work to end, and are not named."""
    repository = context.repository
    if context.options.dry_run:
        return []
    places = {source_files.place_of(file, repository.root) for file, _ in gathered.files}
    held = (parked.source for parked in repository.runtime.parked() if parked.held)
    files = (repository.root / source for source in held if source not in places)
    return [_of_file(file, context) for file in files if file.is_file()]


def _files(context: IngestContext, gathered: note_folder.Gathered) -> list[_Taking]:
    return [_of_file(file, replace(context, found_in=top)) for file, top in gathered.files]


def _pages(
    context: IngestContext, addresses: Sequence[str], settings: Settings, open_doors: ExitStack
) -> list[_Taking]:
    from curator.ingest.web.fetching import Fetcher
    from curator.ingest.web.take_in_page import take_in_page
    from curator.models.sandbox.proxies import Proxies

    folder = Path(open_doors.enter_context(TemporaryDirectory()))
    fetcher = Fetcher(settings.config.fetch_hosts, Proxies.of(settings.environment))
    return [
        _Taking(printable(each), printable(each), partial(take_in_page, each, context, folder, fetcher))
        for each in addresses
    ]


def _results(
    results: Iterator[IngestResult], count: int, repository: Repository, write: Callable[[str], None] | None
) -> list[IngestResult]:
    """Each of ``count`` results, written as it comes; of several, those before an interruption."""
    found: list[IngestResult] = []

    def tell(result: IngestResult) -> None:
        found.append(result)
        if write is not None:
            write("\n".join(_lines(result)))

    before = repository.head()
    try:
        for result in results:
            tell(result)
    except KeyboardInterrupt:
        if count == 1:
            raise
        repository.finish_interrupted()
        told = [result.about["commit"] for result in found if result.about.get("commit")]
        if landed := _landed_since(repository, told[-1] if told else before):
            tell(landed)
    return found


def _landed_since(repository: Repository, head: str | None) -> IngestResult | None:
    """What landed, and was interrupted before it could be told."""
    commits = history.curator_commits(repository.git, f"{head}..HEAD", folder=repository.prefix) if head else iter(())
    ingest = next((commit for commit in commits if commit.source), None)
    return IngestResult("ingested", printable(ingest.source), {"commit": ingest.id}) if ingest else None


def _report(
    results: Sequence[IngestResult],
    work: Sequence[_Taking],
    gathered: note_folder.Gathered,
    workspace: Workspace,
    *,
    dry_run: bool,
    is_written: bool,
) -> Report:
    """What became of ``work``; ``results`` has fewer where it was interrupted. ``is_written``: each is told already."""
    to_do = [each.where for each in work[len(results) :]]
    lines = [] if is_written else [line for result in results for line in _lines(result)]
    lines += [] if work else ["no files there"]
    lines += [] if dry_run else many_files.summary(results)
    lines += [f"left out   {gathered.said()}"] if gathered.left_out else []
    data: dict[str, Any] = {
        "results": [result.as_json() for result in results],
        "warnings": warnings(workspace),
        **gathered.as_json(),
    }
    if to_do:
        landed = sum(result.status == "ingested" for result in results)
        data |= {"to_do": to_do, "error": {"code": "interrupted", "message": "interrupted", "hint": "run it again"}}
        return Report(data, tuple(lines), 130, (*warning_lines(workspace), *many_files.interrupted(landed, to_do)))
    return Report(data, tuple(lines), 0 if all(result.ok for result in results) else 1, warning_lines(workspace))


class _AtWork:
    """The files one after another, with what is said meanwhile: how far they are, and who watches also sees the stage."""

    def __init__(self, say: Say, is_watched: bool) -> None:
        self.say, self._is_watched = say, is_watched
        self._countdown, self._name = Countdown(0), ""

    def through(self, work: Sequence[_Taking]) -> Iterator[IngestResult]:
        self._countdown = Countdown(len(work), time.monotonic if self._is_watched else None)
        for each in work:
            self._name = each.name
            self._countdown.begin()
            self.say(self._countdown.line(self._name))
            result = each.take()
            self._countdown.end(result.status)
            yield result

    def stage(self, stage: str) -> None:
        if self._is_watched:
            self.say(self._countdown.line(f"{self._name}: {stage}"))


def _known(remarks: SourceRemarks, named: int, repository: Repository) -> SourceRemarks:
    """With the paths of the sources that are superseded. Raises ConfigError."""
    if not remarks.supersedes:
        return remarks
    if named != 1:
        message = f"--supersedes is said of one file, not of {named}"
        raise ConfigError("usage", message, "take the files in one by one")
    registry = SourceRecords(repository.view().manifest())
    return replace(remarks, supersedes=tuple(dict.fromkeys(map(registry.named, remarks.supersedes))))


# -- for people ---------------------------------------------------------------------------------------------------


def _lines(result: IngestResult) -> Iterator[str]:
    source, about = result.source, result.about
    if result.outcome is not None:
        yield from _lines_of_outcome(source, result.outcome)
    elif "renamed_from" in about:
        yield f"{'renamed   ' if about['commit'] else 'would rename'} {source}: was {about['renamed_from']}"
        yield from filter(None, about.get("diff", "").split("\n"))
    elif result.status == "ingested":
        yield f"ingested   {source}: commit {about['commit'][:12]}"
    elif result.status == "skipped":
        yield f"skipped    {source}: already ingested" + (", and nothing was said of it" if "next" in about else "")
    elif result.status == "duplicate":
        yield f"duplicate  {source}: the same bytes as {about['duplicate_of']}"
    else:
        yield f"{result.status:<10} {source}: {about['reason']}"
        yield from (f"  {finding['code']}: {finding['message']}" for finding in about["findings"])
        if paid := about.get("spent"):
            usage = Usage(paid["prompt"], paid["completion"], paid["cost"])
            lost = f"up to {paid['tokens']:,} tokens, for an answer that may have got lost"
            yield f"  paid: {lost if usage.prompt is None else usage.in_words}; nothing of it is in the wiki yet"
    if "next" in about:
        yield f"  next: {about['next']}"


def _waiting(outcome: Outcome) -> str:
    return "" if outcome.waits is None else f", to wait for a person: {ReviewNeeded.why(outcome.waits)}"


def _lines_of_outcome(source: str, outcome: Outcome) -> Iterator[str]:
    usage = outcome.reply.usage
    if outcome.commit is None:
        what = "would take in" if outcome.waits is None else "would propose"
        yield f"{what} {source}{_waiting(outcome)}"
    else:
        cost = f", {usage.in_words}"
        yield f"ingested   {source}: commit {outcome.commit[:12]}{cost if usage.prompt != 0 else ''}"
    yield from (f"  + {slug} (new)" for slug in outcome.created)
    yield from (f"  ~ {slug} (changed)" for slug in outcome.updated)
    yield from (f"  - withdrawn from {PurePosixPath(each.path).stem}: {each.message}" for each in outcome.withdrawn)
    yield from (f"  - left out: {finding.message}" for finding in outcome.left_out)
    if not (outcome.created or outcome.updated):
        yield "  no page changed"
    if outcome.commit is None:
        yield from "".join(outcome.diffs.values()).split("\n")
