"""What Prometheus is told."""

from __future__ import annotations

import hashlib
import socket
import urllib.request

import pytest

from curator.errors import ConfigError
from curator.fleet import metrics as fleet_metrics
from curator.fleet.metrics import WorkerMetrics, traced
from curator.fleet.records import FleetWiki
from curator.fleet.store import FleetStore


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_the_fleets_and_the_workers_own_figures_are_served(store: FleetStore) -> None:
    store.put_wiki(FleetWiki("tea", "/srv/tea.git"))
    store.hand_in("tea", "sources/a.md", hashlib.sha256(b"one").hexdigest(), b"one")
    metrics, port = WorkerMetrics(), free_port()
    metrics.count("done", {"status": "ingested", "seconds": 1.5})
    metrics.count("unreachable", {"wiki": "tea"})

    metrics.serve(port, store.database.address)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        told = answer.read().decode()

    assert 'curator_fleet_sources{state="queued",tenant="default"} 1.0' in told
    assert 'curator_fleet_finished_total{state="done",status="ingested"} 1.0' in told
    assert 'curator_fleet_events_total{event="unreachable"} 1.0' in told
    assert "curator_fleet_source_seconds_sum 1.5" in told
    with pytest.raises(ConfigError, match=f"port {port} cannot be used"):
        WorkerMetrics().serve(port, store.database.address)


def test_a_database_that_is_away_costs_only_its_own_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_metrics, "_SECONDS", 0.1)
    metrics, port = WorkerMetrics(), free_port()
    metrics.serve(port, "host=/nowhere/at/all dbname=x")

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        told = answer.read().decode()

    assert "curator_fleet_source_seconds" in told
    assert "curator_fleet_sources{" not in told


def test_a_trace_goes_nowhere_without_its_sdk() -> None:
    with traced("tea", "sources/a.md") as staged:
        staged("thinking")
