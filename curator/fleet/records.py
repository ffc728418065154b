"""What the fleet's database knows of, as values: tenants, wikis and the sources that were handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

SourceState = Literal["queued", "working", "done", "parked", "superseded"]
"""parked: until somebody says ``curate fleet retry``; superseded: other bytes came under the same name before its turn."""


@dataclass(frozen=True)
class Tenant:
    """Whose wikis they are: what they may take at once and in a day, and with which keys."""

    name: str
    parallel: int = 16
    """How many sources of all its wikis are worked on at once."""
    budget: float | None = None
    """US dollars a day, by UTC; None: no limit."""
    token_budget: int | None = None
    """Tokens a day, of questions and answers together."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Which variable of a worker's environment holds which key: ``{"OPENAI_API_KEY": "ACME_KEY"}``. Never a key itself."""
    paused: bool = False


@dataclass(frozen=True)
class FleetWiki:
    """One wiki: where its git server has it, and how it is curated."""

    name: str
    url: str
    branch: str = "main"
    tenant: str = "default"
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings of curator.toml by name, for every machine."""
    parallel: int = 2
    """How many of its sources are worked on at once, over all machines."""
    paused: bool = False


@dataclass(frozen=True)
class Lease:
    """A source that one worker is at. ``token`` tells it from a later lease of the same source."""

    id: int
    wiki: str
    path: str
    digest: str
    token: str
    attempts: int
    deaths: int

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Lease:
        return cls(row["id"], row["wiki"], row["path"], row["digest"], row["lease"], row["attempts"], row["deaths"])


@dataclass(frozen=True)
class Finished:
    """What became of a source; ``next_try`` for one that is queued again."""

    state: SourceState
    status: str = ""
    """As ``curate ingest --json`` has it: ingested, skipped, duplicate, left, parked, refused, held."""
    commit: str = ""
    code: str = ""
    reason: str = ""
    next: str = ""
    next_try: datetime | None = None


@dataclass(frozen=True)
class Payment:
    """One question to a model, as the spending ledger of the machine that asked it has it."""

    question: str
    path: str
    day: str
    model: str
    tokens: int
    dollars: float | None
