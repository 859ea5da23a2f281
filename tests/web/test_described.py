"""What the OpenAPI description says is what the server does: every answer has a documented status, its kind
and its form, and nothing that is sent breaks the server.

Schemathesis makes the requests from the description, those that keep to it and those that do not. The tables
that they are about are real ones, in every state that a table can be in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from ludoteca.web import create_app
from ludoteca.web.api import ROUTERS
from ludoteca.web.pictures.rasters import Rasters
from tests.web.client import Client
from tests.web.conftest import ORIGIN, NoCookies
from tests.web.limits import ROOMY, quick_hints
from tests.width import width

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
"""Not among them: that what keeps to the description is accepted. What is legal depends on the match."""
ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
LAST = ('/join', '/fill', '/leave', '/resign', '/tokens', '/analyses/{analysis}')
"""After these there is less to be done at a table, or with a board."""
ASKED = [
    pytest.param(mode, f'{method} {route.path}', id=f'{mode.value}-{method} {route.path}')
    for route in sorted(ROUTES, key=lambda route: route.path.endswith(LAST))
    for method in sorted(route.methods or (), reverse=True)
    for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    # what takes nothing cannot be asked wrongly
    if mode is GenerationMode.POSITIVE or route.body_field or route.dependant.path_params
]
EXAMPLES = {GenerationMode.POSITIVE: width(1, 6), GenerationMode.NEGATIVE: width(1, 20)}
"""How many requests each asker makes at each address about each table."""


@dataclass
class Site:
    """A server with tables in every state, and those who ask: who opened the tables, a stranger, a program
    with a seat's token."""

    app: FastAPI
    askers: list[TestClient] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    analysis: str = ''  # a board for analysis of who opened the tables

    @cached_property
    def described(self) -> BaseSchema:
        """The description, read once."""
        return schemathesis.openapi.from_dict(self.app.openapi())

    def operation(self, name: str) -> APIOperation[Any, Any, Any, Any]:
        """An address with its method, as described."""
        method, _, path = name.partition(' ')
        return self.described[path][method]

    def steps(self, table: str) -> list[str]:
        """What can be played at a table just now."""
        view = self.askers[0].get(f'/api/tables/{table}').json()
        return list(view.get('legal') or ())


@pytest.fixture(scope='module')
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    quick_hints()

    async def png(self: Rasters, svg: str, width: int) -> bytes:
        return b'\x89PNG'

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rasters, 'png', png)  # pixels are in test_sharing.py, and take long
        yield from tables_of_all_kinds(tmp_path_factory)


def tables_of_all_kinds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with a table in each state."""
    place = tmp_path_factory.mktemp('described')
    app = create_app(
        f'sqlite:///{place}/tables.sqlite3', key=b'k' * 32, prepare=False, limits=ROOMY, pace=0.0
    )
    with ExitStack() as stack:
        portal = stack.enter_context(TestClient(app)).portal

        def client(**headers: str) -> TestClient:
            found = Client(app, headers=headers, raise_server_exceptions=False)
            found.portal = portal
            stack.callback(found.close)
            return found

        found, host, stranger = Site(app), client(**ORIGIN), client(**ORIGIN)
        for body in (
            {'game': 'toy', 'mode': 'here'},
            {'game': 'octiles', 'mode': 'here'},
            {'game': 'myrmidons', 'mode': 'here'},
            {'game': 'octiles', 'mode': 'link', 'players': 4},
            {'game': 'octiles', 'mode': 'open', 'players': 4},
            {'game': 'toy', 'mode': 'here'},
        ):
            table = host.post('/api/tables', json=body).json()
            found.tables.append(table['id'])
            found.links += [table['invite']['token']] if 'invite' in table else []
        host.post(f'/api/tables/{found.tables[-1]}/resign', json={})  # this one is over
        found.analysis = host.post('/api/analyses', json={'game': 'toy'}).json()['id']
        found.links.insert(0, app.state.server.store.watch(found.tables[3]))
        token = host.post(f'/api/tables/{found.tables[0]}/tokens', json={'seat': 1}).json()['token']
        program = client(Authorization=f'Bearer {token}')
        program.cookies.jar.set_policy(NoCookies())
        found.askers += [host, stranger, program]
        yield found


OPTIONAL = ('again', 'colours', 'keep', 'level', 'options', 'players', 'rest', 'seats', 'turn', 'version')
"""What may be left out of a body, and by chance is mostly out of place."""


@st.composite
def cases(draw: st.DrawFn, site: Site, name: str, mode: GenerationMode, table: str) -> Case[Any]:
    """A request to an address about a table ('': about one that is made up). The first one that Hypothesis
    draws of every kind is the plainest: a legal step, and nothing that may be left out."""
    real = {'table': table, 'token': draw(st.sampled_from(site.links)), 'name': 'toy'}
    real['analysis'] = site.analysis
    real = {key: value for key, value in real.items() if f'{{{key}}}' in name and table}
    case: Case[Any] = draw(site.operation(name).as_strategy(mode, path_parameters=real))
    if mode is GenerationMode.POSITIVE and isinstance(case.body, dict):
        body = dict(case.body)
        if 'steps' in body and (legal := site.steps(table)) and not draw(st.booleans()):
            body['steps'] = draw(st.sampled_from(legal))
        if not draw(st.booleans()):
            body = {key: value for key, value in body.items() if key not in OPTIONAL}
            body |= {'game': 'toy'} if name == 'POST /api/tables' else {}
            plain = {'text': 'Well met', 'colour': '', 'name': 'Line', 'invite': site.links[1]}
            body |= {key: value for key, value in plain.items() if key in body}
        case.body = body
    return case


@pytest.mark.parametrize(('mode', 'name'), ASKED)
def test_every_answer_is_as_described(site: Site, mode: GenerationMode, name: str) -> None:
    host, stranger, program = site.askers
    operation = site.operation(name)
    askers = [(host, '')]
    if mode is GenerationMode.POSITIVE:
        # narrow, every third table: each state of a table is met at a third of the addresses
        tables = site.tables[width(crc32(name.encode()) % 3, 0) :: width(3, 1)]
        askers += [(host, table) for table in tables if '{table}' in name]
        askers += [(stranger, site.tables[-2]), (program, site.tables[0]), (host, site.tables[1])]
    elif operation.body.items or operation.query.items:
        askers = [(host, site.tables[1])]
    for number, (asker, table) in enumerate(askers):

        @seed(crc32(f'{name} {number}'.encode()))
        @settings(
            max_examples=EXAMPLES[mode],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        @given(cases(site, name, mode, table))
        def ask(case: Case[Any]) -> None:
            sent = case.as_transport_kwargs(base_url='http://testserver')
            sent = {key: value for key, value in sent.items() if key != 'cookies' and value is not None}
            if isinstance(sent.get('data'), bytes | str):
                sent['content'] = sent.pop('data')
            answer = asker.request(**sent)  # noqa: B023 (called at once)
            case.validate_response(answer, checks=CHECKS)

        ask()


def test_refusals_of_every_kind_are_provoked_and_described(site: Site) -> None:
    """Those that chance hardly brings: what the guard refuses, and an answer to an old view."""
    name = 'POST /api/tables/{table}/act'
    host = site.askers[0]
    opened = host.post('/api/tables', json={'game': 'toy', 'mode': 'here'}).json()  # nobody else plays there
    path = f'/api/tables/{opened["id"]}/act'
    described = site.app.openapi()['paths']['/api/tables/{table}/act']['post']['responses']
    many = {'steps': 'x' * ROOMY.body}
    for status, more in (
        (400, {'headers': {'Content-Length': '-1'}}),
        (403, {'headers': {'Origin': 'https://elsewhere.example'}}),
        (409, {'json': {'steps': 'x', 'version': 1_000_000}}),
        (413, {'json': many}),
        (421, {'headers': {'Host': 'elsewhere.example'}}),
        (422, {'json': {'steps': 7}}),
    ):
        answer = host.post(path, **{'json': {'steps': 'x'}, **more})  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text
        assert list(answer.json()) == ['detail']
        assert described[str(status)]['content']['application/json']['schema']['$ref'].endswith('/Refused'), (
            name
        )
