"""A client that asks the application without a network, in one step for each request.

Starlette's own client goes to the event loop and back eight times for a request, since it can read an answer
as it comes. Tests of pages read answers whole.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import anyio
import httpx2
from starlette import testclient
from starlette.types import Message, Scope


class WholeAnswers(httpx2.BaseTransport):
    """Carries a request to the application and its whole answer back; a socket goes the way of Starlette's
    transport. What the application raises is raised here."""

    def __init__(self, client: testclient.TestClient, sockets: httpx2.BaseTransport) -> None:
        self.client, self.sockets = client, sockets

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.scheme in ('ws', 'wss'):
            return self.sockets.handle_request(request)
        body = request.read()
        scope = scope_of(request, dict(self.client.app_state))
        with self.client._portal_factory() as portal:
            status, headers, content = portal.call(self.answer, scope, body)
        return httpx2.Response(status, headers=headers, stream=httpx2.ByteStream(content), request=request)

    async def answer(self, scope: Scope, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        """What the application answers: status, headers, body. It has ended with all that it does after its
        answer."""
        start: Message = {}
        chunks: list[bytes] = []
        asked, answered = False, anyio.Event()

        async def receive() -> Message:
            nonlocal asked
            if asked:
                await answered.wait()
                return {'type': 'http.disconnect'}
            asked = True
            return {'type': 'http.request', 'body': body, 'more_body': False}

        async def send(message: Message) -> None:
            if message['type'] == 'http.response.start':
                assert not start, 'two answers'
                start.update(message)
            elif message['type'] == 'http.response.body':
                assert start, 'a body without a status'
                assert not answered.is_set(), 'a body after the end'
                if scope['method'] != 'HEAD':
                    chunks.append(bytes(message.get('body', b'')))
                if not message.get('more_body', False):
                    answered.set()

        await self.client.app(scope, receive, send)
        assert answered.is_set(), 'no whole answer'
        headers = [(name.decode(), value.decode()) for name, value in start.get('headers', [])]
        return start['status'], headers, b''.join(chunks)


def scope_of(request: httpx2.Request, state: dict[str, Any]) -> Scope:
    """A request as applications are given it."""
    url = request.url
    named = [] if 'host' in request.headers else [(b'host', url.netloc)]
    given = [(name.lower().encode(), value.encode()) for name, value in request.headers.multi_items()]
    return {
        'type': 'http',
        'http_version': '1.1',
        'method': request.method,
        'path': unquote(url.path),
        'raw_path': url.raw_path.split(b'?', 1)[0],
        'root_path': '',
        'scheme': url.scheme,
        'query_string': url.query,
        'headers': named + given,
        'client': ('testclient', 50000),
        'server': [url.raw_host.decode('ascii'), url.port or {'http': 80, 'https': 443}[url.scheme]],
        'extensions': {},
        'state': state,
    }


class Client(testclient.TestClient):
    """Starlette's client, with answers in one step. Before a browser sends its first form it has seen a page,
    and has got its cookie with it."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._transport = WholeAnswers(self, self._transport)

    def post(self, *arguments: Any, **more: Any) -> Any:
        """Send a form, or ask for something."""
        is_form = not str(arguments[0]).startswith('/api/')
        if is_form and 'origin' in self.headers and 'ludoteca' not in self.cookies:
            self.get('/api/me')
        return super().post(*arguments, **more)
