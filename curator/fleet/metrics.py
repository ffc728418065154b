"""The figures of a worker and of its fleet, served to Prometheus; and a trace of each source, by OpenTelemetry's API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry import trace
from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from curator.errors import ConfigError, CuratorError
from curator.fleet import figures
from curator.fleet.database import Database

_ADDRESS = "127.0.0.1"
_SECONDS = 2.0
"""For which a database that is away is waited for: Prometheus waits ten."""
_BUCKETS = (0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800)


@dataclass
class WorkerMetrics:
    """What this worker has done since it was started. Counted always, served when asked for."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    def __post_init__(self) -> None:
        self._finished = Counter(
            "curator_fleet_finished", "Sources this worker has finished.", ["state", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "curator_fleet_source_seconds", "Seconds at one source.", buckets=_BUCKETS, registry=self.registry
        )
        self._events = Counter("curator_fleet_events", "What else happened.", ["event"], registry=self.registry)

    def count(self, event: str, about: dict[str, Any]) -> None:
        """Count an event of the machine, as its log has it."""
        if "seconds" in about:
            self._finished.labels(event, about.get("status", "")).inc()
            self._seconds.observe(about["seconds"])
        else:
            self._events.labels(event).inc()

    def serve(self, port: int, address: str) -> None:
        """Serve these and those of the fleet at the database ``address``, on this machine only.

        Raises ConfigError when the port is taken.
        """
        self.registry.register(_OfTheFleet(Database(address, patience=_SECONDS, most=1)))
        try:
            start_http_server(port, addr=_ADDRESS, registry=self.registry)
        except OSError as error:
            said = f"port {port} cannot be used for metrics: {error.strerror}"
            raise ConfigError("fleet_metrics_port", said, "choose another with --metrics") from None


class _OfTheFleet(Collector):
    """Asked of the database whenever Prometheus asks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        try:
            for name, said, labels, value in figures.metrics(self._database):
                family = families.setdefault(name, GaugeMetricFamily(name, said, labels=sorted(labels)))
                family.add_metric([labels[label] for label in sorted(labels)], value)
        except CuratorError:
            return  # a database that is away shows as figures that are not there
        yield from families.values()


@contextmanager
def traced(wiki: str, source: str) -> Iterator[Callable[[str], None]]:
    """A span for one source, to which each stage is added; nowhere to go without OpenTelemetry's SDK."""
    with trace.get_tracer("curator.fleet").start_as_current_span("source") as span:
        span.set_attributes({"curator.wiki": wiki, "curator.source": source})
        yield lambda stage: span.add_event(stage)
