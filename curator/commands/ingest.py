"""``curate ingest``: takes files in, one commit a source, and says of each what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator import curators, intake
from curator.errors import Conflict, CuratorError, ModelError, ProposalError, Rejected, SourceError
from curator.ingest import Outcome, ingest, shown_cost
from curator.intake import Incoming
from curator.model import Model
from curator.report import Report
from curator.repository import Repository
from curator.retrieval import Budget
from curator.runtime import Parked, findings_as_json
from curator.settings import Settings

Say = Callable[[str], None]


@dataclass(frozen=True)
class Result:
    """What became of one file."""

    status: str
    """ingested, skipped, duplicate, held, parked or refused."""
    source: str
    line: str
    data: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.status in ("ingested", "skipped", "duplicate")


def run(settings: Settings, files: Sequence[Path], dry_run: bool, say: Say) -> Report:
    """Take ``files`` in, folders file by file."""
    config = settings.config
    with ExitStack() as open_doors:
        repository = open_doors.enter_context(settings.repository)
        repository.begin().workspace()
        model = open_doors.enter_context(curators.choose(config, settings.environment, repository.runtime))
        say(f"curated by {model.name}")
        results = []
        for file in intake.files_below(files):
            say(f"{intake.shown(file.name)} …")
            results.append(_take(file, settings, repository, model, dry_run))
        say("")
    data = [{"source": result.source, "status": result.status, **result.data} for result in results]
    lines = [line for result in results for line in result.line.split("\n")]
    if not results:
        lines = ["no files there"]
    return Report({"results": data}, tuple(lines), 0 if all(result.ok for result in results) else 1)


def _take(file: Path, settings: Settings, repository: Repository, model: Model, dry_run: bool) -> Result:
    incoming: Incoming | None = None
    try:
        transaction = repository.begin()
        known, workspace = transaction.manifest(), transaction.workspace()
        incoming = intake.look_at(file, repository, known, settings.config.max_source_bytes)
        if known.has(incoming.path, incoming.spooled.digest):
            return Result("skipped", incoming.path, f"skipped    {incoming.path}: these bytes are in", {})
        if twin := known.twin_of(incoming.path, incoming.spooled.digest):
            line = f"duplicate  {incoming.path}: the same bytes as {twin}"
            return Result("duplicate", incoming.path, line, {"duplicate_of": twin})
        source = intake.read(incoming, workspace.authority_default, settings.config.max_source_chars)
        if incoming.copied_from is not None and not dry_run:
            intake.copy_in(incoming, repository.root)
        arrival = incoming.arrival if settings.config.commit_sources else None
        budget = Budget(settings.config.page_tokens, settings.config.line_tokens)
        outcome = ingest(source, arrival, repository, model, settings.now, budget, dry_run)
    except CuratorError as error:
        return _failed(error, file, incoming, settings, repository, dry_run)
    finally:
        if incoming is not None:
            repository.runtime.drop_spool(incoming.spooled)
    repository.runtime.unpark(incoming.path)
    return _ingested(source.path, outcome, dry_run)


def _ingested(path: str, outcome: Outcome, dry_run: bool) -> Result:
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
        return Result("ingested", path, "\n".join([f"would take in {path}", *pages, *left, data["diff"]]), data)
    cost = (
        f", {usage.prompt or '?'}+{usage.completion or '?'} tokens, {shown_cost(usage.cost)}"
        if usage.prompt != 0
        else ""
    )
    commit = (outcome.commit or "")[:12]
    head = f"ingested   {path}: commit {commit}{cost}"
    return Result("ingested", path, "\n".join([head, *pages, *left]), data)


def _failed(
    error: CuratorError,
    file: Path,
    incoming: Incoming | None,
    settings: Settings,
    repository: Repository,
    dry_run: bool,
) -> Result:
    """Sort an error by who must act, remember what waits, and say so."""
    status = "refused" if isinstance(error, SourceError) else "held" if isinstance(error, Conflict) else "parked"
    if not isinstance(error, (SourceError, Conflict, ModelError, ProposalError, Rejected)):
        raise error
    findings = findings_as_json(error.findings) if isinstance(error, Rejected) else ()
    path = incoming.path if incoming is not None else intake.shown(file)
    following = error.hint or f"curate ingest {path}"
    if incoming is not None and not dry_run:
        at = settings.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        repository.runtime.park(
            Parked(path, incoming.spooled.digest, error.code, error.message, following, at, findings)
        )
    lines = [f"{status:<10} {path}: {error.message}"]
    lines += [f"  {finding['code']}: {finding['message']}" for finding in findings]
    lines += [f"  {error.hint}"] if error.hint else []
    data = {"reason": error.message, "code": error.code, "next": following, "findings": list(findings)}
    return Result(status, path, "\n".join(lines), data)
