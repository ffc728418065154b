"""``curate log``: what each ingest did, read from git's history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curator.report import Report
from curator.repository import Repository
from curator.settings import Settings

_FORMAT = "%x1e%H%x1f%cI%x1f%s%x1f%(trailers:key=Curator-Source,valueonly,separator=%x2C)%x1f%b"


def run(settings: Settings, limit: int) -> Report:
    """The newest ``limit`` commits that curator made."""
    with settings.repository as repository:
        events = list(_events(repository, limit)) if repository.head() else []
    lines = [line for event in events for line in _lines(event)]
    return Report({"events": events}, tuple(lines or ["nothing was taken in yet"]))


def _events(repository: Repository, limit: int) -> Iterator[dict[str, Any]]:
    folder = ["--", "."] if repository.prefix else []
    options = (f"--max-count={limit}", "--grep=^Curator-Source:", f"--format={_FORMAT}")
    return map(_event, repository.git.log(*options, "HEAD", *folder).split("\x1e")[1:])


def _event(record: str) -> dict[str, Any]:
    commit, at, subject, source, body = record.split("\x1f", 4)
    path = source.rsplit(" ", 1)[0]
    bullets = [line[2:] for line in body.split("\n") if line.startswith("- ")]
    return {"id": commit[:12], "commit": commit, "at": at, "subject": subject, "source": path, "did": bullets}


def _lines(event: dict[str, Any]) -> list[str]:
    return [f"{event['id']}  {event['at'][:19]}  {event['subject']}", *(f"    {did}" for did in event["did"])]
