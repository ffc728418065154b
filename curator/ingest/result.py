"""What a file is ingested with, and the result: errors are sorted by who has to act, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
from curator.ingest.flow import IngestOptions
from curator.ingest.next_step import NO_REMARKS, next_step
from curator.ingest.plan import Outcome
from curator.models import choose
from curator.models.llm.ledger import BudgetSpent
from curator.models.port import Model, Verifier
from curator.models.sandbox.reader_forks import ReaderForks
from curator.repository import note_folder, source_files
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Parked, file_stamp, findings_as_json
from curator.repository.settings import Settings
from curator.repository.source_files import IncomingSource
from curator.system import clocks, digests
from curator.system.filenames import printable
from curator.wiki.sources.source import SourceRemarks

Status = Literal["ingested", "skipped", "duplicate", "held", "parked", "refused"]

_UNTIL_APPROVED = 30.0
"""Seconds after which the service asks again whether the rules are approved: no source can be taken in before."""
_NOT_IN: dict[str, Any] = {"commit": None, "created": [], "updated": [], "tokens": None, "cost": None, "model": None}
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
        return {"source": self.source, "status": self.status, **_NOT_IN, **self.about}


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


def ingested(path: str, outcome: Outcome, dry_run: bool) -> IngestResult:
    usage = outcome.reply.usage
    about = {
        "commit": outcome.commit,
        "created": list(outcome.created),
        "updated": list(outcome.updated),
        "tokens": {"prompt": usage.prompt, "completion": usage.completion},
        "cost": usage.cost,
        "model": outcome.reply.model,
        **({"verifier": outcome.reply.verifier} if outcome.reply.verifier else {}),
        "findings": list(findings_as_json((*outcome.left_out, *outcome.flagged, *outcome.withdrawn))),
        **({"diff": "".join(outcome.diffs.values()), "would_wait": outcome.waits is not None} if dry_run else {}),
    }
    return IngestResult("ingested", path, about, outcome)


def failed(
    error: CuratorError, file: Path, seen: str, incoming: IncomingSource | None, context: IngestContext
) -> IngestResult:
    """Sort an error by who must act, and remember what waits in ``sources/``. ``seen``: its stamp when it was read."""
    settings, repository = context.settings, context.repository
    is_held = isinstance(error, (Conflict, GitError, ReviewNeeded))
    status: Status = "held" if is_held else "refused" if isinstance(error, SourceError) else "parked"
    passes = is_held and not isinstance(error, ReviewNeeded)
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


def _of_other_sources(error: CuratorError) -> dict[str, Any]:
    """For the service: whether other sources would fail alike, and after how many seconds to try again."""
    if isinstance(error, BudgetSpent):
        return {"general": True, "again_in": (error.until - datetime.now(UTC)).total_seconds()}
    if isinstance(error, ModelError):
        return {"general": error.is_general, "again_in": error.retry_after}
    if isinstance(error, (NotApproved, WikiArchived)):
        return {"general": True, "again_in": _UNTIL_APPROVED}
    return {}
