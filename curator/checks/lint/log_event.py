"""The log's word on a maintenance pass: an event of type lint, in a commit of its own that holds the log alone.

Every pass appends its event (AIP-10, Lint contract), also the second of a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from curator.checks.lint.maintenance import LintResult
from curator.errors import CuratorError
from curator.finding import SEVERITIES
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.repository import Repository
from curator.system.text import counted, plural
from curator.wiki.log import LogEvent
from curator.wiki.sources.registry import SourceManifest

_WORDS = {"error": "error", "warn": "warning", "info": "note"}
_KINDS = 30
"""So many codes are told one by one."""


@dataclass(frozen=True)
class LogOutcome:
    """What became of the event: the commit it is in; or None, and why."""

    commit: str | None
    why: str = ""


def event_of(result: LintResult, now: datetime) -> LogEvent:
    """What the log is to say of a pass."""
    kinds = result.kinds
    bullets = [f"{code}: {number} {plural(number, _WORDS[severity])}" for code, severity, number in kinds[:_KINDS]]
    if len(kinds) > _KINDS:
        bullets.append(f"{len(kinds) - _KINDS} more codes")
    return LogEvent.now(now, "lint", summary(result), [*bullets, f"looked at commit {result.commit[:12]}"])


def summary(result: LintResult) -> str:
    """``118 pages: 2 errors, 1 warning, 0 notes``."""
    counts = [(severity, result.count(severity)) for severity in SEVERITIES]
    told = ", ".join(f"{counted(number, _WORDS[severity])}" for severity, number in counts)
    through = f" through {result.view}" if result.view else ""
    return f"{counted(result.pages, 'page')}{through}: {told}"


def enter(repository: Repository, result: LintResult, now: datetime, dry_run: bool) -> LogOutcome:
    """Append the event. What is in the way of it is told, not raised."""
    event = event_of(result, now)

    def work(transaction: Transaction) -> ChangeSet:
        return ChangeSet(
            transaction.wiki,
            SourceManifest(),
            event.subject,
            event.bullets,
            event="lint",
            title=f"lint: {event.subject}",
            is_partial=True,
        )

    try:
        commit = repository.commit(work, lambda: now, dry_run=dry_run).commit
    except CuratorError as error:
        return LogOutcome(None, f"{error.message}; {error.hint}" if error.hint else error.message)
    return LogOutcome(commit, "" if commit is not None else "nothing is written in a dry run")
