"""Traces for OpenTelemetry: a span for every request, turn and turn of a bot. Without the extra
`ludoteca[tracing]`, or unless they are switched on, spans cost nothing and go nowhere.

Attributes are what the metrics' labels are: templates of addresses, games, levels. Where traces are sent is
said by the variables of OpenTelemetry itself (OTEL_EXPORTER_OTLP_ENDPOINT).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from ludoteca.game import GameError
from ludoteca.text import words

_tracer: Any = None


def set_up(exporter: Any = None) -> None:
    """Switch traces on. `exporter`: where they go; by default to a collector, by OTLP over HTTP. Raises
    GameError if the extra is not installed."""
    global _tracer
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            processor: Any = BatchSpanProcessor(OTLPSpanExporter())
        else:
            processor = SimpleSpanProcessor(exporter)
    except ImportError as problem:
        raise GameError(words('tracing.missing')) from problem
    provider = TracerProvider(resource=Resource.create({'service.name': 'ludoteca'}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer('ludoteca')


@contextlib.contextmanager
def span(name: str, **attributes: str | int) -> Iterator[Any]:
    """A span around a block; what it gives takes further attributes, or is None without traces. An error is
    noted by its type: its sentence might name what only one seat knows."""
    if _tracer is None:
        yield None
        return
    with _tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as found:
        try:
            yield found
        except BaseException as problem:
            found.set_attribute('error.type', type(problem).__name__)
            raise
