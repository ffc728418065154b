"""``curate ingest``: takes files in, one commit a source, and says of each what became of it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.checks.approval import UNAPPROVED, UNKNOWN
from curator.cli.commands.search import notes, warnings
from curator.cli.report import Report
from curator.errors import ConfigError, Conflict, CuratorError, ModelError, ProposalError, Rejected, SourceError
from curator.ingest import intake, register
from curator.ingest.flow import AlreadyIngested, IngestOptions, ingest
from curator.ingest.plan import Outcome
from curator.models import choose
from curator.models.llm.ledger import BudgetSpent
from curator.models.port import Model
from curator.repository import source_files
from curator.repository.git import GitError
from curator.repository.repository import Repository, Transaction
from curator.repository.runtime.runtime import Parked, file_stamp, findings_as_json
from curator.repository.runtime.source_lock import source_lock
from curator.repository.settings import Settings
from curator.repository.signatures import SignatureVerifier
from curator.repository.source_files import IncomingSource
from curator.system import clocks, filenames
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Source, SourceRemarks

Say = Callable[[str], None]
_NONE = SourceRemarks()
_PATIENCE = 600.0
_UNTIL_APPROVED = 30.0
"""Seconds after which the service asks again whether the rules are approved: no source can be taken in before."""

NOTHING: dict[str, Any] = {
    "commit": None,
    "created": [],
    "updated": [],
    "tokens": None,
    "cost": None,
    "model": None,
}
"""What every result tells, of a source that was not taken in."""


@dataclass(frozen=True)
class IngestResult:
    """What became of one file."""

    status: str
    """ingested, skipped, duplicate, held, parked or refused."""
    source: str
    line: str
    data: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.status in ("ingested", "skipped", "duplicate")


@dataclass(frozen=True)
class IngestContext:
    """What sources are taken in with."""

    settings: Settings
    repository: Repository
    model: Model
    terms: IngestOptions
    patience: float
    """Seconds that another process at work on the same source is waited for."""
    remarks: SourceRemarks = _NONE

    @classmethod
    def of(
        cls, settings: Settings, repository: Repository, model: Model, patience: float, **terms: Any
    ) -> IngestContext:
        config = settings.config
        trusts = config.governance == "trust"
        budget = choose.budget(config)
        taken = IngestOptions(settings.now, budget, config.on_dirty, view=settings.view, trusts=trusts, **terms)
        return cls(settings, repository, model, taken, patience)


def run(
    settings: Settings, files: Sequence[Path], dry_run: bool, ask_again: bool, say: Say, remarks: SourceRemarks = _NONE
) -> Report:
    """Take ``files`` in, folders file by file; after those that were held, if what held them has ended.

    ``remarks`` are of the files named; ``remarks.supersedes`` are paths or ids of sources that are in.
    """
    config = settings.config
    with ExitStack() as open_doors:
        repository = open_doors.enter_context(settings.repository)
        # What is wrong with the wiki or the clock is said once, and before anything is written or paid for.
        workspace = repository.view().workspace(settings.view)
        settings.now()
        choice = choose.choose(config, settings.environment, repository.runtime, ask_again)
        model = open_doors.enter_context(choice)
        say(f"curated by {model.name}")
        desk = IngestContext.of(settings, repository, model, _PATIENCE, dry_run=dry_run, ask_again=ask_again)
        results = []
        named = list(source_files.files_below(files, repository.root))
        told = replace(desk, remarks=_known(remarks, named, repository))
        held = [] if dry_run else _held(repository, named)
        for file, its_desk in (*((file, desk) for file in held), *((file, told) for file in named)):
            say(f"{filenames.printable(file.name or file)} …")
            results.append(take(file, its_desk))
    data = [{"source": result.source, "status": result.status, **NOTHING, **result.data} for result in results]
    lines = [line for result in results for line in result.line.split("\n")]
    if not results:
        lines = ["no files there"]
    ok = all(result.ok for result in results)
    return Report({"results": data, "warnings": warnings(workspace)}, tuple(lines), 0 if ok else 1, notes(workspace))


def _known(remarks: SourceRemarks, named: Sequence[Path], repository: Repository) -> SourceRemarks:
    """With the paths of the sources that are superseded. Raises ConfigError."""
    if not remarks.supersedes:
        return remarks
    if len(named) != 1:
        message = f"--supersedes is said of one file, not of {len(named)}"
        raise ConfigError("usage", message, "take the files in one by one")
    registry = SourceRecords(repository.view().manifest())
    return replace(remarks, supersedes=tuple(dict.fromkeys(map(registry.named, remarks.supersedes))))


def _held(repository: Repository, named: Sequence[Path]) -> list[Path]:
    """The sources that waited for somebody's work to end, and are none of those ``named``."""
    places = {source_files.place_of(file, repository.root) for file in named}
    held = (parked.source for parked in repository.runtime.parked() if parked.held)
    return [file for source in held if source not in places and (file := repository.root / source).is_file()]


def take(file: Path, desk: IngestContext) -> IngestResult:
    """Take one file in; whatever goes wrong is a result too, and is remembered for ``curate status``."""
    incoming: IncomingSource | None = None
    repository, config, terms = desk.repository, desk.settings.config, desk.terms
    place = source_files.place_of(file, repository.root) or os.path.realpath(file)
    try:
        with source_lock(repository.runtime.turns, place, desk.patience):
            transaction = repository.begin()
            known, workspace = transaction.manifest(), transaction.workspace()
            terms.moves_on("reading")
            incoming = intake.look_at(file, repository, known, config.max_source_bytes, workspace.hash_algorithm)
            done = _done_before(incoming, known, desk.remarks)
            if done is None:
                incoming, source = _read(incoming, transaction, desk)
                if incoming.copied_from is not None and not terms.dry_run:
                    intake.copy_in(incoming, repository.root)
                arrival = incoming.arrival if config.commit_sources else None
                outcome = ingest(source, arrival, repository, desk.model, terms)
                done = _ingested(source.path, outcome, terms.dry_run)
    except AlreadyIngested as error:
        done = IngestResult("skipped", error.path, f"skipped    {error.path}: these bytes are in", {})
    except (SourceError, Conflict, ModelError, ProposalError, Rejected, GitError) as error:
        return _failed(error, file, incoming, desk)
    finally:
        for arrival in incoming.arrival.all if incoming is not None else ():
            repository.runtime.drop_spool(arrival.spooled)
    if not terms.dry_run:
        repository.runtime.unpark(done.source)
        repository.runtime.unskip(done.source)
    return done


def _read(incoming: IncomingSource, transaction: Transaction, desk: IngestContext) -> tuple[IncomingSource, Source]:
    """The source, once it is proven who vouches for it, with its signatures. Raises SourceError or ConfigError."""
    known, workspace, config = transaction.manifest(), transaction.workspace(), desk.settings.config
    register.check(known, incoming.path, desk.remarks)
    policy = workspace.fields.get("sources") or {}
    notary = SignatureVerifier.of(policy, config.allowed_signers, desk.settings.environment, desk.repository)
    incoming, signature = notary.vouched(incoming, desk.repository)
    authority = SourceRecords(known, workspace.authority_default).authority_of(incoming.path)
    return incoming, intake.read(incoming, authority, config.max_source_chars, desk.remarks, signature)


def _done_before(incoming: IncomingSource, known: SourceManifest, remarks: SourceRemarks) -> IngestResult | None:
    path, digest = incoming.path, incoming.spooled.digest
    if known.has(path, digest):
        line, data = f"skipped    {path}: these bytes are in", {}
        if remarks != _NONE:
            data = {"next": f"say it with: curate sources set {shlex.quote(filenames.printable(path))} --help"}
            line = f"{line}, and nothing was said of them\n  next: {data['next']}"
        return IngestResult("skipped", path, line, data)
    twin = known.twin_of(path, digest)
    if twin is None:
        return None
    return IngestResult("duplicate", path, f"duplicate  {path}: the same bytes as {twin}", {"duplicate_of": twin})


def _ingested(path: str, outcome: Outcome, dry_run: bool) -> IngestResult:
    usage = outcome.reply.usage
    data: dict[str, Any] = {
        "commit": outcome.commit,
        "created": list(outcome.created),
        "updated": list(outcome.updated),
        "tokens": {"prompt": usage.prompt, "completion": usage.completion},
        "cost": usage.cost,
        "model": outcome.reply.model,
        "findings": list(findings_as_json((*outcome.left_out, *outcome.flagged))),
    }
    pages = [f"  + {slug}" for slug in outcome.created] + [f"  ~ {slug}" for slug in outcome.updated]
    left = [f"  - left out: {finding.message}" for finding in outcome.left_out]
    if dry_run:
        data["diff"] = "".join(outcome.diffs.values())
        return IngestResult("ingested", path, "\n".join([f"would take in {path}", *pages, *left, data["diff"]]), data)
    cost = f", {usage.prompt or '?'}+{usage.completion or '?'} tokens, {usage.shown_cost}" if usage.prompt != 0 else ""
    commit = (outcome.commit or "")[:12]
    head = f"ingested   {path}: commit {commit}{cost}"
    return IngestResult("ingested", path, "\n".join([head, *pages, *left]), data)


def _failed(error: CuratorError, file: Path, incoming: IncomingSource | None, desk: IngestContext) -> IngestResult:
    """Sort an error by who must act, remember what waits in ``sources/``, and say so."""
    settings, repository = desk.settings, desk.repository
    held = isinstance(error, (Conflict, GitError))
    status = "refused" if isinstance(error, SourceError) else "held" if held else "parked"
    findings = findings_as_json(error.findings) if isinstance(error, Rejected) else ()
    path = incoming.path if incoming is not None else source_files.place_of(file, repository.root)
    seen = file_stamp(repository.root / path) if path is not None and path.startswith("sources/") else ""
    shown = filenames.printable(path if path is not None and seen else file)
    reason = error.message.removeprefix(f"{path}: ")
    following = next_step(error, shown, settings, desk.remarks)
    if path is not None and seen and not desk.terms.dry_run and error.code != "source_busy":
        digest = incoming.spooled.digest if incoming is not None else ""
        at = clocks.utc_timestamp(settings.now())
        repository.runtime.park(Parked(path, digest, error.code, reason, following, at, findings, seen, held))
    lines = [f"{status:<10} {shown}: {reason}"]
    lines += [f"  {finding['code']}: {finding['message']}" for finding in findings]
    lines += [f"  next: {following}"]
    passes = held or (isinstance(error, ModelError) and error.retryable)
    data = {"reason": reason, "code": error.code, "next": following, "findings": list(findings), "passes": passes}
    if isinstance(error, BudgetSpent):
        data |= {"general": True, "again_in": (error.until - datetime.now(UTC)).total_seconds()}
    elif isinstance(error, ModelError):
        data |= {"general": error.is_general, "again_in": error.retry_after}
    elif error.code in (UNAPPROVED, UNKNOWN):
        data |= {"general": True, "again_in": _UNTIL_APPROVED}
    return IngestResult(status, shown, "\n".join(lines), data)


def next_step(error: CuratorError, path: str, settings: Settings, remarks: SourceRemarks = _NONE) -> str:
    """What the person who has to act does now, down to the command."""
    if isinstance(error, SourceError):
        return error.hint
    file = shlex.quote(path)
    chosen = [
        f"--{name.replace('_', '-')} {shlex.quote(value)}"
        for name in ("model", "api_base")
        if (value := settings.flags.get(name))
    ]
    chosen += [f"--authority {remarks.authority}"] if remarks.authority else []
    chosen += [f"--supersedes {shlex.quote(old)}" for old in remarks.supersedes]
    again = " ".join(["curate ingest", *chosen, file])
    if not isinstance(error, (ProposalError, Rejected)):
        return f"{error.hint}; then: {again}" if error.hint else again
    if not settings.config.model:
        return f"ask a language model: curate ingest --model NAME {file}"
    hint = error.hint if isinstance(error, ProposalError) else ""
    anew = " ".join(["curate ingest --ask-again", *chosen, file])
    return f"{hint or 'mend the source or choose another --model'}; or ask anew: {anew}"
