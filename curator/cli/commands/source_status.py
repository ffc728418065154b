"""What ``curate status`` says of the sources: those that wait, are gone, have changed or are new, and what to do."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from curator.ingest import waiting
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.service.status import ServiceStatus
from curator.system.filenames import printable

_NAMED = 10


def read_sources(
    repository: Repository, snapshot: Snapshot, found: list[CuratorCommit], service: ServiceStatus, *, is_approved: bool
) -> tuple[dict[str, list[Any]], ServiceStatus]:
    """The sources that are not in the wiki, or not as they are: each under one name, that of which most is told; and the
    service, with what lets each source of its queue go on.
    """
    manifest = snapshot.manifest()
    parked = list(waiting.parked_sources(repository, manifest, is_approved))
    taken_back, unrecorded = waiting.without_record(found, repository, "HEAD", manifest)
    again = "curate ingest {} takes it in again"
    undone = [{"source": path, "next": again.format(shlex.quote(printable(path)))} for path in taken_back]
    told = {item["source"] for item in (*parked, *undone, *service.waiting)}
    told = told.union(unrecorded, repository.runtime.skipped())
    new: list[str] = []
    changed: list[dict[str, str]] = []
    if not service.running:  # it takes these in by itself
        since = found[0].id if found else snapshot.base
        new += waiting.new_sources(repository, told | manifest.sources.keys())
        changed += (each for each in waiting.changed_sources(repository, manifest, since) if each["source"] not in told)
    going = {item["source"] for item in service.waiting if service.running}
    sources: dict[str, list[Any]] = {
        "parked": [item for item in parked if printable(item["source"]) not in going],
        "missing": list(waiting.missing_sources(repository, manifest)),
        "changed": changed,
        "undone": undone,
        "unrecorded": unrecorded,
        "new": new,
    }
    return sources, service.with_next({printable(item["source"]): item["next"] for item in parked})


def about_sources(data: Mapping[str, Any]) -> list[str]:
    """For people: the sources that somebody has to see to, and what was rescued."""
    lines = [f"parked   {len(data['parked']) or 'none'}"]
    for item in data["parked"]:
        lines += [f"  {printable(item['source'])}: {item['reason']}"]
        lines += [f"    {finding['code']}: {finding['message']}" for finding in item["findings"]]
        lines += [f"    next: {item['next']}"]
    for title in ("missing", "changed", "undone"):
        if items := data[title]:
            lines += [f"{title:<8} {len(items)}"]
            for item in items[:_NAMED]:
                lines += [f"  {printable(item['source'])}", f"    next: {item['next']}"]
            lines += _more(items)
    ways = {"unrecorded": "curate doctor --repair makes their records anew, which _manifest.json lost in a merge"}
    ways["new"] = "what is in progress comes first" if data["unfinished"] else "curate ingest sources/"
    for title, way in ways.items():
        if some := data[title]:
            lines += [f"{title:<8} {len(some)}", *(f"  {printable(path)}" for path in some[:_NAMED]), *_more(some)]
            lines += [f"    next: {way}"]
    if due := data["due"]:
        lines.append(f"due      {len(due)} kept for as long as sources.retention says; curate sources lists them")
    if rescued := data["rescued"]:
        lines += [f"rescued  {len(rescued)}", *(f"  {printable(note['path'])}: {note['why']}" for note in rescued)]
    return lines


def _more(items: Sequence[Any]) -> list[str]:
    return [f"  and {len(items) - _NAMED} more: curate status --json"] if len(items) > _NAMED else []
