"""What a fleet is at, in figures: for ``curate fleet status`` and for Prometheus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from curator.errors import ReviewNeeded
from curator.fleet.database import Database

_OPEN = "('queued', 'working', 'parked')"


def wikis(database: Database) -> list[dict[str, Any]]:
    """Each wiki with its tenant and how many of its sources are in which state."""
    return database.all(
        "SELECT wiki.name AS wiki, wiki.tenant, wiki.paused,"
        " count(*) FILTER (WHERE source.state = 'queued') AS queued,"
        " count(*) FILTER (WHERE source.state = 'working') AS working,"
        " count(*) FILTER (WHERE source.state = 'parked') AS parked,"
        " count(*) FILTER (WHERE source.state = 'done') AS done,"
        f" count(*) FILTER (WHERE source.state = 'done' AND source.code = '{ReviewNeeded.CODE}') AS proposed,"
        " extract(epoch FROM now() - min(source.arrived) FILTER (WHERE source.state = 'queued'))::float AS oldest"
        " FROM fleet_wikis wiki LEFT JOIN fleet_sources source ON source.wiki = wiki.name"
        " GROUP BY wiki.name ORDER BY wiki.name"
    )


def tenants(database: Database) -> list[dict[str, Any]]:
    """Each tenant with its limits, what its wikis are at, and what it has spent today, by UTC."""
    return database.all(
        "SELECT tenant.name AS tenant, tenant.parallel, tenant.budget, tenant.token_budget, tenant.paused,"
        " (SELECT count(*) FROM fleet_sources source JOIN fleet_wikis wiki ON wiki.name = source.wiki"
        "  WHERE wiki.tenant = tenant.name AND source.state = 'working') AS working,"
        " coalesce(paid.tokens, 0)::bigint AS tokens_today, coalesce(paid.dollars, 0)::float AS dollars_today"
        " FROM fleet_tenants tenant LEFT JOIN (SELECT tenant, sum(tokens) AS tokens, sum(dollars) AS dollars"
        "  FROM fleet_payments WHERE day = (now() AT TIME ZONE 'utc')::date GROUP BY tenant) paid"
        " ON paid.tenant = tenant.name ORDER BY tenant.name"
    )


def open_sources(database: Database, wiki: str | None, most: int) -> list[dict[str, Any]]:
    """Sources that are not in: those at work first, then parked, then queued in their order."""
    return database.all(
        "SELECT wiki, path AS source, state, stage, status, worker, attempts, code, reason, next,"
        " extract(epoch FROM since)::float AS since, extract(epoch FROM next_try)::float AS next_try"
        f" FROM fleet_sources WHERE state IN {_OPEN} AND wiki = coalesce(%(wiki)s, wiki)"
        " ORDER BY array_position(ARRAY['working', 'parked', 'queued'], state), priority DESC, arrived, id LIMIT %(most)s",
        wiki=wiki,
        most=most,
    )


def metrics(database: Database) -> Iterable[tuple[str, str, dict[str, str], float]]:
    """Name, help, labels and value of each gauge: by tenant, for wikis may be many."""
    for row in database.all(
        "SELECT tenant.name AS tenant, count(source.id) FILTER (WHERE source.state = 'queued') AS queued,"
        " count(source.id) FILTER (WHERE source.state = 'working') AS working,"
        " coalesce(extract(epoch FROM now() - min(source.arrived) FILTER (WHERE source.state = 'queued')), 0)::float"
        " AS oldest"
        " FROM fleet_tenants tenant LEFT JOIN fleet_wikis wiki ON wiki.tenant = tenant.name"
        " LEFT JOIN fleet_sources source ON source.wiki = wiki.name AND source.state IN ('queued', 'working')"
        " GROUP BY tenant.name ORDER BY tenant.name"
    ):
        labels = {"tenant": row["tenant"]}
        for state in ("queued", "working"):
            yield "curator_fleet_sources", "Sources that are not in yet.", {**labels, "state": state}, row[state]
        yield "curator_fleet_oldest_seconds", "Age of the oldest source that waits.", labels, row["oldest"]
    for row in tenants(database):
        labels = {"tenant": row["tenant"]}
        yield "curator_fleet_tokens_today", "Tokens paid for today, by UTC.", labels, row["tokens_today"]
        yield "curator_fleet_dollars_today", "US dollars paid today, by UTC.", labels, row["dollars_today"]
