"""What stands between the network and the program: headers, origins, hosts, sizes and rates."""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.text import words

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""No inline script or style anywhere, nothing from elsewhere."""

HEADERS = {
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    # an invite link must not reach other sites; `no-referrer` would take the Origin off forms
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
SAFE_METHODS = {'GET', 'HEAD', 'OPTIONS'}
LOOPBACK = ('localhost', '127.0.0.1', '[::1]')
LARGE = {'/api/analyses': (1 << 20) + (1 << 16), '/analysis': (1 << 20) + (1 << 16)}
"""Bytes of a request, at the addresses that take more than others: a whole tree of variations."""
HOST = re.compile(r'([\w.-]*|\[[0-9a-f:.]+])(:[0-9]{1,5})?', re.ASCII)


@dataclass(frozen=True)
class Limits:
    """How much one person or one address may ask for."""

    body: int = 64 * 1024  # bytes of a request
    rate: float = 25.0  # changing requests a second, in the long run
    burst: int = 150  # ... and at once
    pages: float = 60.0  # other requests a second
    pages_burst: int = 600
    tables: int = 40  # tables that wait or run, by person
    new_tables: float = 0.2  # a second
    new_tables_burst: int = 12
    hints: float = 0.5  # searches for hints a second
    hints_burst: int = 8
    pictures: float = 2.0  # pictures in pixels a second
    pictures_burst: int = 40
    films: float = 0.05  # a second
    films_burst: int = 6
    people: float = 1.0  # changes of names, settings, notes and kept arrangements a second
    people_burst: int = 30
    all_tables: int = 20_000  # tables that wait or run, in all
    sockets: int = 24  # open pages of a person
    all_sockets: int = 4_000
    message: int = 8 * 1024  # bytes that a page may send over its socket


def whole(text: str, most: int) -> int | None:
    """The whole number from 0 to `most` that a text says in ASCII digits; None if it says anything else."""
    if not re.fullmatch('[0-9]{1,18}', text) or int(text) > most:
        return None
    return int(text)


class Buckets:
    """Token buckets by key. Old keys are forgotten."""

    def __init__(self, rate: float, burst: int, most: int = 20_000) -> None:
        self.rate, self.burst, self.most = rate, burst, most
        self._found: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """May `key` do it once more now?"""
        now = time.monotonic()
        left, since = self._found.pop(key, (float(self.burst), now))
        left = min(float(self.burst), left + (now - since) * self.rate)
        allowed = left >= 1
        self._found[key] = left - allowed, now
        while len(self._found) > self.most:
            self._found.popitem(last=False)
        return allowed


class _TooLarge(Exception):
    pass


class Guard:
    """The outermost layer of the application.

    Puts the headers on every answer; refuses strange hosts, requests that change something and sockets from
    other sites' pages, bodies that are too large, and too many requests at once. Answers HEAD wherever GET is
    answered.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = ('*',), limits: Limits | None = None) -> None:
        self.app, self.hosts, self.limits = app, tuple(host.lower() for host in hosts), limits or Limits()
        self._changes = Buckets(self.limits.rate, self.limits.burst)
        self._pages = Buckets(self.limits.pages, self.limits.pages_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope['type'] not in ('http', 'websocket'):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope['type'] == 'websocket':
            if refusal:
                await receive()
                await send({'type': 'websocket.close', 'code': 4403, 'reason': refusal[1][:120]})
            else:
                await self.app(scope, receive, send)
            return

        bare = scope['method'] == 'HEAD'
        if bare:
            scope = {**scope, 'method': 'GET'}

        async def with_headers(message: Message) -> None:
            if bare and message['type'] == 'http.response.body':
                message = {**message, 'body': b''}
            if message['type'] == 'http.response.start':
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault('Cache-Control', 'no-store')
            await send(message)

        if refusal:
            await self._answer(refusal[0], refusal[1], with_headers)
            return
        most, read, begun = self._most(scope), 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get('body', b''))
            if read > most:
                raise _TooLarge
            return message

        async def answered(message: Message) -> None:
            nonlocal begun
            if begun or read <= most:  # else it is what the application makes of half a body
                begun = True
                await with_headers(message)

        with contextlib.suppress(_TooLarge):
            await self.app(scope, counted, answered)
        if not begun and read > most:
            await self._answer(413, words('web.error.too_large'), with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get('host', '').lower()
        known = '*' in self.hosts or host.rsplit(':', 1)[0] in self.hosts or host in self.hosts
        if not known or not HOST.fullmatch(host):
            return 421, words('web.error.host')
        changes = scope['type'] == 'websocket' or scope['method'] not in SAFE_METHODS
        if changes and not self._own(headers, host, scope['type'] == 'websocket'):
            return 403, words('web.error.origin' if 'origin' in headers else 'web.error.no_origin')
        length = headers.get('content-length')
        if length is not None and whole(length, self._most(scope)) is None:
            known = length.isascii() and length.isdigit()
            return (413, words('web.error.too_large')) if known else (400, words('web.error.unread'))
        address = (scope.get('client') or ('', 0))[0]
        if not (self._changes if changes else self._pages).take(address):
            return 429, words('web.error.too_many')
        return None

    def _most(self, scope: Scope) -> int:
        """How many bytes a request may have."""
        return max(self.limits.body, LARGE.get(scope.get('path', ''), 0))

    @staticmethod
    def _own(headers: Headers, host: str, socket: bool) -> bool:
        """Does the request come from a page of this site, or from a program without cookies?"""
        origin = headers.get('origin')
        if origin is None:
            # Browsers send an Origin with every POST and socket. A program sends none; it is let in unless a
            # browser may have added a cookie.
            return 'cookie' not in headers and (not socket or 'authorization' in headers)
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ('http', 'https') and parts.netloc.lower() == host

    @staticmethod
    async def _answer(status: int, sentence: str, send: Send) -> None:
        body = json.dumps({'detail': sentence}).encode()
        headers = [(b'content-type', b'application/json'), (b'content-length', str(len(body)).encode())]
        if status == 429:
            headers.append((b'retry-after', b'2'))
        await send({'type': 'http.response.start', 'status': status, 'headers': headers})
        await send({'type': 'http.response.body', 'body': body})
