"""The log's word on a maintenance pass: an event of type lint, in a commit of its own that holds the log alone.

Every pass appends its event (AIP-10, Lint contract), but for one case, so that a cron job does not flood the log. Nothing
is appended when a lint event of the same day (UTC), the newest through the same view,

- says the same, finding for finding counted by code and severity, and
- looked at a commit since which nothing of the wiki changed but the log itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from curator.checks.lint.maintenance import LintResult
from curator.errors import CuratorError
from curator.finding import SEVERITIES
from curator.repository.change_set import ChangeSet, NothingToDo
from curator.repository.repository import Repository, Transaction
from curator.system.text import plural
from curator.wiki import log
from curator.wiki.log import LogEvent
from curator.wiki.sources.registry import SourceManifest

_KINDS = 30
"""So many codes are told one by one."""
_THROUGH = re.compile(r" through ([a-z0-9-]+): ")
_COMMIT = re.compile(r"commit ([0-9a-f]{7,64})\Z")


@dataclass(frozen=True)
class LogOutcome:
    """What became of the event: the commit it is in; or None, and why."""

    commit: str | None
    why: str = ""


def event_of(result: LintResult, now: datetime) -> LogEvent:
    """What the log is to say of a pass."""
    kinds = result.kinds
    bullets = [f"{code}: {number} {_counted(severity, number)}" for code, severity, number in kinds[:_KINDS]]
    if len(kinds) > _KINDS:
        bullets.append(f"{len(kinds) - _KINDS} more codes")
    return LogEvent.now(now, "lint", summary(result), [*bullets, f"looked at commit {result.commit[:12]}"])


def summary(result: LintResult) -> str:
    """``118 pages: 2 errors, 1 warning, 0 notes``."""
    counts = [(severity, result.count(severity)) for severity in SEVERITIES]
    told = ", ".join(f"{number:,} {_counted(severity, number)}" for severity, number in counts)
    through = f" through {result.view}" if result.view else ""
    return f"{result.pages:,} {plural(result.pages, 'page')}{through}: {told}"


def enter(repository: Repository, result: LintResult, now: datetime, dry_run: bool) -> LogOutcome:
    """Append the event unless the log says it already. What is in the way of it is told, not raised."""
    event = event_of(result, now)

    def work(transaction: Transaction) -> ChangeSet:
        if _is_known(event, transaction.own(log.PATH), transaction):
            raise NothingToDo
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
    except NothingToDo:
        return LogOutcome(None, "the log says so already: the same result on the same wiki, today")
    except CuratorError as error:
        return LogOutcome(None, f"{error.message}; {error.hint}" if error.hint else error.message)
    return LogOutcome(commit, "" if commit is not None else "nothing is written in a dry run")


def _is_known(event: LogEvent, text: str, transaction: Transaction) -> bool:
    lens = _lens(event)
    last = next((last for last in _of_the_day(text, event.at[:10]) if _lens(last) == lens), None)
    *said, at = last.bullets if last is not None and last.bullets else ("",)
    match = _COMMIT.search(at)
    if last is None or match is None or (last.subject, said) != (event.subject, list(event.bullets[:-1])):
        return False
    repository = transaction.repository
    looked_at = repository.git.commit_of(match[1])
    if looked_at is None:
        return False
    changes = repository.git.changes(looked_at, transaction.base, repository.prefix.rstrip("/"))
    return all(change.path == repository.prefix + log.PATH for change in changes)


def _lens(event: LogEvent) -> str:
    match = _THROUGH.search(event.subject)
    return match[1] if match is not None else ""


def _of_the_day(text: str, day: str) -> Iterator[LogEvent]:
    """The lint events of ``day``, the newest first; of a long log only its end is read."""
    at = text.rfind("] lint | ")
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        event = next(iter(log.parse(text[start:])), None)
        if event is None or event.at[:10] != day:
            return
        yield event
        at = text.rfind("] lint | ", 0, start)


def _counted(severity: str, number: int) -> str:
    word = {"error": "error", "warn": "warning", "info": "note"}[severity]
    return plural(number, word)
