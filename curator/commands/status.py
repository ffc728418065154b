"""``curate status``: what the wiki holds, what waits and why, what it has cost so far."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curator.intake import shown
from curator.manifest import Manifest
from curator.model import FREE, Usage
from curator.report import Report
from curator.repository import Repository
from curator.runtime import Parked, stamp
from curator.settings import Settings

_TRAILERS = "%x1e" + "%x1f".join(
    f"%(trailers:key={key},valueonly,separator=%x20)" for key in ("Curator-Tokens", "Curator-Cost", "Curator-Sandbox")
)
_LEVELS = ("weak", "medium", "strong")


def run(settings: Settings) -> Report:
    with settings.repository as repository:
        snapshot = repository.view()
        manifest = snapshot.manifest()
        pages = snapshot.catalogue.count()
        parked = list(_waiting(repository.runtime.parked(), repository.root, manifest))
        branch = repository.git.branch()
        rescued = repository.runtime.rescued()
        spend, jails = _history(repository)
    sandbox = next((level for level in _LEVELS if level in jails.split()), None)
    data: dict[str, Any] = {
        "wiki": str(repository.root),
        "head": snapshot.base,
        "pages": pages,
        "sources": len(manifest.sources),
        "queue": [],
        "parked": parked,
        "spend": {"prompt": spend.prompt, "completion": spend.completion, "cost": spend.cost},
        "sandbox": sandbox,
        "daemon": None,
        "rescued": rescued,
    }
    lines = [
        f"wiki     {shown(repository.root)}",
        f"head     {snapshot.base[:12]} ({(branch or 'detached').removeprefix('refs/heads/')})",
        f"pages    {pages}",
        f"sources  {len(manifest.sources)}",
        f"spent    {_shown_spend(spend)}",
        f"sandbox  {jails or 'none yet'}",
        f"parked   {len(parked) or 'none'}",
    ]
    for item in parked:
        lines += [f"  {shown(item['source'])}: {item['reason']}"]
        lines += [f"    {finding['code']}: {finding['message']}" for finding in item["findings"]]
        lines += [f"    next: {item['next']}"]
    if rescued:
        lines += [f"rescued  {len(rescued)}", *(f"  {shown(note['path'])}: {note['why']}" for note in rescued)]
    return Report(data, tuple(lines))


def _waiting(parked: Iterator[Parked], root: Path, manifest: Manifest) -> Iterator[dict[str, Any]]:
    """What still waits: not what is gone from ``sources/`` or has come in on another way."""
    for item in parked:
        now = stamp(root / item.source)
        if not now or manifest.has(item.source, item.digest):
            continue
        reason, following = item.reason, item.next
        if item.stamp and now != item.stamp:
            reason = f"{reason} (it has changed since)"
            following = f"curate ingest {shlex.quote(shown(item.source))}"
        yield {
            "source": item.source,
            "reason": reason,
            "next": following,
            "code": item.code,
            "at": item.at,
            "findings": list(item.findings),
        }


def _history(repository: Repository) -> tuple[Usage, str]:
    """What all ingests took together, by the trailers of their commits, and the jails of the newest."""
    folder = ["--", "."] if repository.prefix else []
    records = repository.git.log("--grep=^Curator-Tokens:", f"--format={_TRAILERS}", "HEAD", *folder).split("\x1e")[1:]
    spent, newest = FREE, ""
    for record in records:
        tokens, cost, jails = (field.strip() for field in record.split("\x1f"))
        prompt, _, completion = tokens.partition("/")
        spent += Usage(_number(prompt, int), _number(completion, int), _number(cost.removesuffix(" USD"), float))
        newest = newest or jails
    return spent, newest


def _number(text: str, kind: type[int] | type[float]) -> Any:
    """None for ``unknown``, and for whatever else somebody may have written there."""
    return kind(text) if re.fullmatch(r"\d{1,15}(\.\d{1,9})?" if kind is float else r"\d{1,15}", text) else None


def _shown_spend(spend: Usage) -> str:
    if spend == FREE:
        return "nothing"
    tokens = f"{_shown(spend.prompt)}+{_shown(spend.completion)} tokens"
    return f"{tokens}, unknown cost" if spend.cost is None else f"{tokens}, {spend.cost:.4f} USD"


def _shown(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"
