"""What is noted of every request: its span, its figures, its line in the log."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.web.serving import logs, metrics, tracing

METHODS = {'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'}
"""Any other word that is sent as a method is counted as one."""


class Instrumentation:
    """Round the whole application: it sees what the guard refuses, too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope['type'] != 'http':
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500
        method = scope['method'] if scope['method'] in METHODS else 'other'

        async def noting(message: Message) -> None:
            nonlocal status
            if message['type'] == 'http.response.start':
                status = message['status']
            await send(message)

        with tracing.span('request', method=method) as span:
            try:
                await self.app(scope, receive, noting)
            finally:
                route, seconds = metrics.route_of(scope), time.perf_counter() - began
                metrics.REQUESTS.labels(method, route, str(status)).inc()
                metrics.SECONDS.labels(route).observe(seconds)
                logs.request(method, route, status, seconds)
                if span is not None:
                    span.set_attribute('http.route', route)
                    span.set_attribute('http.response.status_code', status)
