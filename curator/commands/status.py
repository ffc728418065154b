"""``curate status``: what the wiki holds, what waits and why."""

from __future__ import annotations

from typing import Any

from curator.report import Report
from curator.settings import Settings


def run(settings: Settings) -> Report:
    with settings.repository as repository:
        snapshot = repository.view()
        sources = len(snapshot.manifest().sources)
        pages = snapshot.catalogue.count()
        parked = list(repository.runtime.parked())
        branch = repository.git.branch()
    data: dict[str, Any] = {
        "wiki": str(repository.root),
        "head": snapshot.base,
        "pages": pages,
        "sources": sources,
        "queue": [],
        "parked": [
            {
                "source": item.source,
                "reason": item.reason,
                "next": item.next,
                "code": item.code,
                "at": item.at,
                "findings": list(item.findings),
            }
            for item in parked
        ],
        "daemon": None,
    }
    lines = [
        f"wiki     {repository.root}",
        f"head     {snapshot.base[:12]} ({(branch or 'detached').removeprefix('refs/heads/')})",
        f"pages    {pages}",
        f"sources  {sources}",
        f"parked   {len(parked)}" if parked else "parked   none",
    ]
    for item in parked:
        lines += [f"  {item.source}: {item.reason}"]
        lines += [f"    {finding['code']}: {finding['message']}" for finding in item.findings]
        lines += [f"    next: {item.next}"]
    return Report(data, tuple(lines))
