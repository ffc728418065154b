"""Ingest one file: find its place, read it, take it in; whatever becomes of it is a result."""

from __future__ import annotations

import os
import shlex
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from curator.errors import (
    Conflict,
    CuratorError,
    GitError,
    ModelError,
    ProposalError,
    Rejected,
    ReviewNeeded,
    SourceError,
)
from curator.ingest import intake, plan, renamed_source
from curator.ingest.flow import AlreadyIngested, check_open, ingest
from curator.ingest.next_step import NO_REMARKS
from curator.ingest.result import IngestContext, IngestResult, failed, ingested
from curator.repository import source_files
from curator.repository.begun import Transaction
from curator.repository.change_set import NothingToDo
from curator.repository.runtime.arrivals import Arrival
from curator.repository.runtime.runtime import Parked, file_stamp
from curator.repository.runtime.source_lock import source_lock
from curator.repository.signatures import SignatureVerifier
from curator.repository.source_files import IncomingSource
from curator.system import clocks, digests
from curator.system.filenames import printable
from curator.wiki.sources.record import Signature
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.source import Source, SourceRemarks


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
                if not config.commit_sources:  # else it comes with the commit
                    _set_down(incoming, context)
                result = _worked_in(incoming, source, transaction, context)
        except AlreadyIngested as error:
            result = IngestResult("skipped", error.path)
        except (SourceError, Conflict, ModelError, ProposalError, Rejected, ReviewNeeded, GitError) as error:
            if incoming is not None and source is not None:
                with suppress(CuratorError, OSError):
                    _set_down(incoming, context)
            return failed(error, file, seen, incoming, context)
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
    incoming: IncomingSource, source: Source, transaction: Transaction, context: IngestContext
) -> IngestResult:
    """What becomes of a source that is read, when it has its turn; what came in meanwhile is not asked about again."""
    if context.options.has_waited():
        if not digests.is_of_file(incoming.spooled.digest, context.repository.root / incoming.path):
            said = f"{printable(incoming.path)} changed while it waited for its turn"
            raise Conflict("source_changed", said, "ingest it again")
        transaction = context.repository.begin()
        if (known := _known_already(incoming, transaction, context.remarks)) is not None:
            return known
    source_file = incoming.file if context.settings.config.commit_sources else None
    about = (context.repository, context.model, context.options)
    outcome = ingest(source, source_file, *about, begun=transaction, verifier=context.verifier)
    return ingested(source.path, outcome, context.options.dry_run)


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
    remarks, arrival = context.remarks, context.repository.runtime.arrivals.of(incoming.path, incoming.spooled.digest)
    if arrival is not None and not remarks.address:  # where it was fetched, unless somebody says otherwise
        remarks = replace(remarks, address=arrival.address, date=arrival.date)
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
