"""Ingest one file: read it, take it in, and sort errors by who has to act, so that none is forgotten."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from curator.errors import (
    Conflict,
    CuratorError,
    GitError,
    ModelError,
    NotApproved,
    ProposalError,
    Rejected,
    ReviewNeeded,
    SourceBusy,
    SourceError,
    WikiArchived,
)
from curator.ingest import intake, plan, renamed_source
from curator.ingest.flow import AlreadyIngested, IngestOptions, check_open, ingest
from curator.ingest.next_step import NO_REMARKS, next_step
from curator.ingest.plan import Outcome
from curator.models import choose
from curator.models.llm.ledger import BudgetSpent
from curator.models.port import Model, Verifier
from curator.models.sandbox.reader_forks import ReaderForks
from curator.repository import note_folder, source_files
from curator.repository.begun import Transaction
from curator.repository.change_set import NothingToDo
from curator.repository.repository import Repository
from curator.repository.runtime.arrivals import Arrival
from curator.repository.runtime.runtime import Parked, file_stamp, findings_as_json
from curator.repository.runtime.source_lock import source_lock
from curator.repository.settings import Settings
from curator.repository.signatures import SignatureVerifier
from curator.repository.source_files import IncomingFile, IncomingSource
from curator.system import clocks, digests
from curator.system.filenames import printable
from curator.wiki.sources.record import Signature
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.source import Source, SourceRemarks

Status = Literal["ingested", "skipped", "duplicate", "held", "parked", "refused"]

_UNTIL_APPROVED = 30.0
"""Seconds after which the service asks again whether the rules are approved: no source can be taken in before."""
_NOT_INGESTED: dict[str, Any] = {
    "commit": None,
    "created": [],
    "updated": [],
    "tokens": None,
    "cost": None,
    "model": None,
}
"""What a program is told of a source that was not taken in, so that every result has these keys."""


@dataclass(frozen=True)
class IngestResult:
    """What became of one file."""

    status: Status
    source: str
    about: Mapping[str, Any] = field(default_factory=dict)
    """Beside that, by its key in JSON: the commit and the pages of what is in; reason and next step of what is not."""
    outcome: Outcome | None = None
    """Of a source that was ingested now."""

    @property
    def ok(self) -> bool:
        return self.status in ("ingested", "skipped", "duplicate") or self.about.get("code") == ReviewNeeded.CODE

    def as_json(self) -> dict[str, Any]:
        return {"source": self.source, "status": self.status, **_NOT_INGESTED, **self.about}


@dataclass(frozen=True)
class IngestContext:
    """What files are ingested with: settings, repository, model and options."""

    settings: Settings
    repository: Repository
    model: Model
    options: IngestOptions
    patience: float
    """Seconds that another process at work on the same source is waited for."""
    remarks: SourceRemarks = NO_REMARKS
    """What the person who hands the sources in says of them."""
    verifier: Verifier | None = None
    """A second reader of the claims, where one is wanted."""
    found_in: Path | None = None
    """The folder that was named, for a file found below it."""
    readers: ReaderForks | None = None
    """Who may have a reader of sources at once."""

    @property
    def tops(self) -> tuple[Path, ...]:
        """The folders below which a file that is copied in keeps its own: the notes, then the one that was named."""
        return tuple(filter(None, (self.settings.notes, self.found_in)))

    @classmethod
    def of(
        cls,
        settings: Settings,
        repository: Repository,
        model: Model,
        patience: float,
        verifier: Verifier | None = None,
        **options: Any,
    ) -> IngestContext:
        """By the settings, and what ``options`` say besides: dry_run, ask_again, on_stage."""
        config = settings.config
        chosen = IngestOptions(
            settings.now,
            choose.budget(config),
            config.on_dirty,
            view=settings.view,
            trusts=config.governance == "trust",
            review=config.review,
            taken=note_folder.names(repository.root, settings.notes),
            **options,
        )
        return cls(settings, repository, model, chosen, patience, verifier=verifier)


def take_in(file: Path, context: IngestContext) -> IngestResult:
    """Take one file in; whatever goes wrong is a result too, and is remembered for ``curate status``."""
    incoming: IncomingSource | None = None
    source: Source | None = None
    repository, config, options = context.repository, context.settings.config, context.options
    place = source_files.place_of(file, repository.root) or os.path.realpath(file)
    seen = ""
    with ExitStack() as held:  # held until what went wrong is remembered, too
        try:
            held.enter_context(source_lock(repository.runtime.source_locks, place, context.patience))
            seen = file_stamp(repository.root / place)  # kept where nothing can begin: in a merge, on no branch
            transaction = repository.begin()
            known, workspace = transaction.manifest(), transaction.workspace()
            options.on_stage("reading")
            about = (config.max_source_bytes, workspace.hash_algorithm, context.tops, context.settings.notes)
            incoming = intake.look_at_source(file, repository, known, *about, address=context.remarks.address)
            incoming = _in_its_place(incoming, context, held)
            result = _renamed(incoming, transaction, context) or _known_already(incoming, transaction, context.remarks)
            if result is None:
                incoming, source = _read_source(incoming, transaction, context)
                if not options.dry_run:
                    intake.keep_text(source, repository.runtime)
                source_file = incoming.file if config.commit_sources else None
                if source_file is None:  # else it comes with the commit
                    _set_down(incoming, context)
                result = _worked_in(incoming, source, source_file, transaction, context)
        except AlreadyIngested as error:
            result = IngestResult("skipped", error.path)
        except (SourceError, Conflict, ModelError, ProposalError, Rejected, ReviewNeeded, GitError) as error:
            if incoming is not None and source is not None:
                with suppress(CuratorError, OSError):
                    _set_down(incoming, context)
            return _failed(error, file, seen, incoming, context)
        finally:
            for each in incoming.file.all if incoming is not None else ():
                repository.runtime.drop_spool(each.spooled)
    if not options.dry_run:
        repository.runtime.unpark(result.source)
        repository.runtime.unskip(result.source)
        repository.runtime.forget_rejections(result.source)
        repository.runtime.arrivals.forget(result.source)
        repository.pack_if_due()
    return result


def _worked_in(
    incoming: IncomingSource,
    source: Source,
    source_file: IncomingFile | None,
    transaction: Transaction,
    context: IngestContext,
) -> IngestResult:
    """What becomes of a source that is read, when it has its turn; what came in meanwhile is not asked about again."""
    if context.options.has_waited():
        if not digests.is_of_file(incoming.spooled.digest, context.repository.root / incoming.path):
            said = f"{printable(incoming.path)} changed while it waited for its turn"
            raise Conflict("source_changed", said, "ingest it again")
        transaction = context.repository.begin()
        if (known := _known_already(incoming, transaction, context.remarks)) is not None:
            return known
    outcome = ingest(
        source,
        source_file,
        context.repository,
        context.model,
        context.options,
        begun=transaction,
        verifier=context.verifier,
    )
    return _ingested(source.path, outcome, context.options.dry_run)


def _in_its_place(incoming: IncomingSource, context: IngestContext, held: ExitStack) -> IncomingSource:
    """A file from elsewhere with its place in ``sources/`` locked, which nobody else gives to another of that name."""
    locked: set[str] = set()
    while incoming.copied_from is not None and not context.options.dry_run and incoming.path not in locked:
        locked.add(incoming.path)
        held.enter_context(source_lock(context.repository.runtime.source_locks, incoming.path, context.patience))
        incoming = intake.placed(incoming, context.repository)
    return incoming


def _set_down(incoming: IncomingSource, context: IngestContext) -> None:
    """Put a file from elsewhere into ``sources/``, where it waits. Why is said first: we may be killed."""
    if incoming.copied_from is None or context.options.dry_run:
        return
    runtime, remarks, path, digest = context.repository.runtime, context.remarks, incoming.path, incoming.spooled.digest
    if remarks.address:
        runtime.arrivals.note(Arrival(path, digest, remarks.address, remarks.date))
    at, again = clocks.utc_timestamp(context.settings.now()), f"curate ingest {shlex.quote(printable(path))}"
    runtime.park(Parked(path, digest, "broken_off", "its ingest was broken off", again, at, held=True))
    try:
        intake.copy_in(incoming, context.repository)
    except SourceError:  # of another file that lies there by now nothing went wrong
        runtime.unpark(path)
        raise


def _read_source(
    incoming: IncomingSource, transaction: Transaction, context: IngestContext
) -> tuple[IncomingSource, Source]:
    """The source, once it is proven who vouches for it, with its signatures. Raises SourceError or ConfigError."""
    known, workspace, config = transaction.manifest(), transaction.workspace(), context.settings.config
    remarks = _with_address(context.remarks, incoming, context.repository)
    plan.check_remarks(known, incoming.path, remarks)
    incoming, signature = _vouched(incoming, transaction, context)
    authority = SourceRecords(known, workspace.authority_default).authority_of(incoming.path)
    return incoming, intake.read_source(
        incoming, authority, config.source_limits, remarks, signature, context.options.last, context.readers
    )


def _vouched(
    incoming: IncomingSource, transaction: Transaction, context: IngestContext
) -> tuple[IncomingSource, Signature | None]:
    policy, config = transaction.workspace().fields.get("sources") or {}, context.settings.config
    verifier = SignatureVerifier.of(policy, config.allowed_signers, context.settings.environment, context.repository)
    return verifier.vouched(incoming, context.repository)


def _with_address(remarks: SourceRemarks, incoming: IncomingSource, repository: Repository) -> SourceRemarks:
    """With where the file was fetched, where it was and nobody says otherwise."""
    arrival = repository.runtime.arrivals.of(incoming.path, incoming.spooled.digest)
    if remarks.address or arrival is None:
        return remarks
    return replace(remarks, address=arrival.address, date=arrival.date)


def _renamed(incoming: IncomingSource, transaction: Transaction, context: IngestContext) -> IngestResult | None:
    """Of bytes that are known by a name that their file has no more: what became of that source, which has this one now."""
    path, digest, repository, options = incoming.path, incoming.spooled.digest, context.repository, context.options
    moves = renamed_source.moves_to(transaction, path, digest)
    if not moves:
        return None
    check_open(transaction, options)
    commits, most = context.settings.config.commit_sources, context.settings.config.max_source_bytes
    incoming, _ = _vouched(incoming, transaction, context)
    with ExitStack() as doors, suppress(NothingToDo):
        if not commits:
            _set_down(incoming, context)
        file = renamed_source.with_others(incoming.file, moves, repository, most, doors)
        done = repository.commit(
            lambda newest: renamed_source.renamed(newest, moves, digest, file if commits else None),
            options.clock,
            dry_run=options.dry_run,
            on_dirty=options.on_dirty,
            begun=transaction,
        )
        about = {"commit": done.commit, "updated": list(done.changed), "renamed_from": next(iter(moves))}
        return IngestResult("ingested", path, {**about, **({"diff": done.diff} if options.dry_run else {})})
    if repository.begin().manifest().has(path, digest):
        return IngestResult("skipped", path)
    raise Conflict("branch_busy", f"sources were renamed while {path} was", "try again")


def _known_already(incoming: IncomingSource, transaction: Transaction, remarks: SourceRemarks) -> IngestResult | None:
    """What there is to say of bytes that are in the wiki, under this path or another; None for new ones."""
    path, digest, known = incoming.path, incoming.spooled.digest, transaction.manifest()
    if known.has(path, digest):
        described = f"say it with: curate sources set {shlex.quote(printable(path))} --help"
        said = replace(remarks, address="", date="") != NO_REMARKS
        return IngestResult("skipped", path, {"next": described} if said else {})
    twin = renamed_source.twin_of(transaction, path, digest)
    return IngestResult("duplicate", path, {"duplicate_of": twin}) if twin is not None else None


def _ingested(path: str, outcome: Outcome, dry_run: bool) -> IngestResult:
    usage = outcome.reply.usage
    about: dict[str, Any] = {
        "commit": outcome.commit,
        "created": list(outcome.created),
        "updated": list(outcome.updated),
        "tokens": {"prompt": usage.prompt, "completion": usage.completion},
        "cost": usage.cost,
        "model": outcome.reply.model,
        **({"verifier": outcome.reply.verifier} if outcome.reply.verifier else {}),
        "findings": list(findings_as_json((*outcome.left_out, *outcome.flagged, *outcome.withdrawn))),
    }
    if dry_run:
        about["diff"] = "".join(outcome.diffs.values())
        about["would_wait"] = outcome.waits is not None
    return IngestResult("ingested", path, about, outcome)


def _failed(
    error: CuratorError, file: Path, seen: str, incoming: IncomingSource | None, context: IngestContext
) -> IngestResult:
    """Sort an error by who must act, and remember what waits in ``sources/``. ``seen``: its stamp when it was read."""
    settings, repository = context.settings, context.repository
    status = _status(error)
    passes = status == "held" and not isinstance(error, ReviewNeeded)
    findings = findings_as_json(error.findings) if isinstance(error, (Rejected, ReviewNeeded)) else ()
    path = incoming.path if incoming is not None else source_files.place_of(file, repository.root)
    if path is None or not path.startswith("sources/"):
        seen = ""
    elif incoming is not None and incoming.copied_from is not None:
        there = repository.root / path
        is_it = digests.is_of_file(incoming.spooled.digest, there) or incoming.file.is_earlier(there)
        seen = file_stamp(there) if is_it else ""
    shown = printable(path if path is not None and seen else file)
    reason = error.message.removeprefix(f"{path}: ")
    approved = context.options.approved
    following = next_step(error, shown, settings, context.remarks)
    if approved is not None and isinstance(error, (ProposalError, Rejected)):
        following = f"curate review edit {approved.name}; or: curate review reject {approved.name} --why REASON"
    if path is not None and seen and not context.options.dry_run and not isinstance(error, SourceBusy):
        digest = incoming.spooled.digest if incoming is not None else ""
        at = clocks.utc_timestamp(settings.now())
        repository.runtime.park(Parked(path, digest, error.code, reason, following, at, findings, seen, passes))
    about = {
        "reason": reason,
        "code": error.code,
        "next": following,
        "findings": list(findings),
        "passes": passes or (isinstance(error, ModelError) and error.retryable),
        **_of_other_sources(error),
    }
    return IngestResult(status, shown, about)


def _status(error: CuratorError) -> Status:
    if isinstance(error, (Conflict, GitError, ReviewNeeded)):
        return "held"
    return "refused" if isinstance(error, SourceError) else "parked"


def _of_other_sources(error: CuratorError) -> dict[str, Any]:
    """For the service: whether other sources would fail alike, and after how many seconds to try again."""
    if isinstance(error, BudgetSpent):
        return {"general": True, "again_in": (error.until - datetime.now(UTC)).total_seconds()}
    if isinstance(error, ModelError):
        return {"general": error.is_general, "again_in": error.retry_after}
    if isinstance(error, (NotApproved, WikiArchived)):
        return {"general": True, "again_in": _UNTIL_APPROVED}
    return {}
