"""Figures of a running server, for Prometheus.

They tell how much is done and how long it takes, and nothing about who does it: no label is a table, a
person, a name, a key or an address. Addresses are counted by their templates. Of matches only what everybody
at the table can see is counted: a draft or a sealed choice is no turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ludoteca.text import words

disable_created_metrics()  # type: ignore[no-untyped-call]  # a series more for each of them, of no use here
REGISTRY = CollectorRegistry()
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: bounds of the histograms of requests and of waiting."""

REQUESTS = Counter(
    'ludoteca_requests', words('metrics.requests'), ('method', 'route', 'status'), registry=REGISTRY
)
SECONDS = Histogram(
    'ludoteca_request_seconds', words('metrics.seconds'), ('route',), registry=REGISTRY, buckets=QUICK
)
TURNS = Counter('ludoteca_turns', words('metrics.turns'), ('game', 'by'), registry=REGISTRY)
BOT_WAIT = Histogram('ludoteca_bot_wait_seconds', words('metrics.bot_wait'), registry=REGISTRY, buckets=QUICK)
JOB_WAIT = Histogram(
    'ludoteca_job_wait_seconds', words('metrics.job_wait'), ('kind',), registry=REGISTRY, buckets=QUICK
)
STORAGE = Counter('ludoteca_storage_errors', words('metrics.storage'), registry=REGISTRY)
BROKEN = Counter('ludoteca_server_errors', words('metrics.broken'), ('route',), registry=REGISTRY)
ProcessCollector(registry=REGISTRY)


class Gauges(Collector):
    """What one server has at the moment it is asked: values by name, as `read` answers them."""

    def __init__(self, read: Callable[[], Mapping[str, float]]) -> None:
        self._read = read

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """A gauge for each value."""
        for name, value in self._read().items():
            yield GaugeMetricFamily(f'ludoteca_{name}', words(f'metrics.{name}'), value)


class JobGauge(Collector):
    """How many jobs of each kind wait and run at the moment, by status and kind."""

    def __init__(self, counts: Mapping[str, Mapping[str, int]]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One gauge, with labels."""
        found = GaugeMetricFamily('ludoteca_jobs', words('metrics.jobs'), labels=('kind', 'status'))
        for status, kinds in self._counts.items():
            for kind, count in kinds.items():
                found.add_metric((kind, status), count)
        yield found


def page(gauges: Mapping[str, float], jobs: Mapping[str, Mapping[str, int]]) -> bytes:
    """All figures in Prometheus' format, with what the server has at the moment. `jobs`: by status and
    kind."""
    own = CollectorRegistry()
    own.register(Gauges(lambda: gauges))
    own.register(JobGauge(jobs))
    return generate_latest(REGISTRY) + generate_latest(own)


def waited(kind: str, seconds: float) -> None:
    """A job of this kind has waited so long until somebody began it."""
    JOB_WAIT.labels(kind).observe(seconds)


def route_of(scope: Mapping[str, Any]) -> str:
    """The template of the address that a request has reached; '' if it has reached none. The address itself
    may hold a link."""
    route = scope.get('route')
    return str(getattr(route, 'path', ''))
