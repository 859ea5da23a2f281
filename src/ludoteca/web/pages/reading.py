"""Pages to read: credits, the interface for programs, errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludoteca import game as contract
from ludoteca.text import words
from ludoteca.web.html.layout import bar, components_of, credits_of, h, notice, page
from ludoteca.web.offers.catalogue import all_games
from ludoteca.web.pages.controls import lobby_page
from ludoteca.web.people.visitors import Visitor

# ---- credits and errors ------------------------------------------------------------------------------------


def credits_page(visitor: Visitor) -> str:
    """The authors of the games."""
    title = words('web.nav.credits')
    content = h.div('.wrap')[
        bar('', visitor.name),
        h.main('.reading')[
            h.h1[title],
            [
                [h.h2[game.title], [h.p[line] for line in credits_of([game])], h.p[components_of(game)]]
                for game in all_games()
            ],
            h.p[words('web.not_affiliated')],
        ],
    ]
    return lobby_page(visitor, title, content)


def error(status: int, sentence: str, visitor: Visitor | None = None) -> str:
    """One clear sentence, and a way on. `visitor`: None where it is not known who asks."""
    title = words('web.error.title')
    content = notice(
        title,
        visitor.name if visitor else None,
        h.p[sentence],
        h.a('.btn.main', href='/')[words('web.error.home')],
        h.p('.unseen')[str(status)],
    )
    return lobby_page(visitor, title, content) if visitor else page(title, content, classes='lobby')


# ---- the documentation, where it is not built --------------------------------------------------------------


def no_manual() -> str:
    """How the documentation is built, and what can be read meanwhile."""
    content = h.div('.wrap')[
        bar('', None),
        h.main('.reading')[
            h.h1[words('web.docs.title')],
            h.p[words('web.docs.missing')],
            h.pre(tabindex='0')[h.code['make docs']],
            h.p[words('web.docs.then')],
            h.ul[
                h.li[h.a(href='/rules')[words('web.docs.rules')]],
                h.li[h.a(href='/api')[words('web.docs.api')]],
            ],
        ],
    ]
    return page(words('web.docs.title'), content, classes='lobby')


# ---- the interface for programs ----------------------------------------------------------------------------


def api_docs(visitor: Visitor, schema: Mapping[str, Any], address: str) -> str:
    """The interface for programs, from its OpenAPI description. The page can be read without a script.
    `address`: of the server, as its visitor knows it."""
    content = h.div('.wrap')[
        bar('', visitor.name),
        h.main('.reading.api')[
            h.h1[words('web.api.title')],
            h.p[words('web.api.intro')],
            h.p[words('web.api.live')],
            h.pre(tabindex='0')[h.code[_example(address)]],
            h.p[h.a(href='/api/openapi.json')['/api/openapi.json']],
            h.h2[words('web.api.refused')],
            h.p[words('web.api.refusals')],
            h.ul[[h.li[h.code[status], ' ', text] for status, text in _refusals(schema)]],
            h.h2[words('web.api.addresses')],
            [
                _operation(schema, verb, path, operation)
                for path, verbs in schema['paths'].items()
                for verb, operation in verbs.items()
            ],
        ],
    ]
    return lobby_page(visitor, words('web.api.title'), content)


def _example(address: str) -> str:
    """A few requests that play a turn."""
    return (
        f'curl -X POST {address}/api/tables -H "Content-Type: application/json" \\\n'
        '     -d \'{"game": "' + contract.games()[0] + '", "mode": "bot", "level": "easy"}\'\n'
        f'curl {address}/api/tables/ID -H "Authorization: Bearer TOKEN"\n'
        f'curl -X POST {address}/api/tables/ID/act -H "Authorization: Bearer TOKEN" \\\n'
        '     -H "Content-Type: application/json" -d \'{"version": 0, "steps": "STEP STEP"}\''
    )


def _operation(schema: Mapping[str, Any], verb: str, path: str, operation: Mapping[str, Any]) -> h.Element:
    """One verb of an address."""
    return h.details(id=operation.get('operationId'))[
        h.summary[
            h.span(class_=f'verb {verb}')[verb.upper()], h.code[path], h.span[operation.get('summary', '')]
        ],
        h.div[
            h.p[operation.get('description', '')],
            _body(schema, operation),
            [
                h.p[
                    h.code[f'{parameter["name"]}'],
                    f' ({parameter["in"]}) ',
                    parameter.get('description', ''),
                ]
                for parameter in operation.get('parameters', [])
                if parameter['in'] in ('path', 'query')
            ],
            h.p[words('web.api.refused'), ': ', ', '.join(_refused(operation))],
        ],
    ]


def _refused(operation: Mapping[str, Any]) -> list[str]:
    """The statuses with which an address refuses."""
    return [status for status in operation['responses'] if status >= '400']


def _refusals(schema: Mapping[str, Any]) -> list[tuple[str, str]]:
    """All statuses of refusals, and what they mean."""
    found = {
        status: str(operation['responses'][status]['description'])
        for verbs in schema['paths'].values()
        for operation in verbs.values()
        for status in _refused(operation)
    }
    return sorted(found.items())


def _body(schema: Mapping[str, Any], operation: Mapping[str, Any]) -> h.Node:
    """The fields of the body of a request."""
    content = (
        operation.get('requestBody', {}).get('content', {}).get('application/json', {}).get('schema', {})
    )
    name = str(content.get('$ref', '')).rpartition('/')[2]
    fields = schema.get('components', {}).get('schemas', {}).get(name, {})
    if not fields:
        return None
    needed = fields.get('required', [])
    return [
        h.h4[words('web.api.body')],
        h.ul[
            [
                h.li[
                    h.code[key],
                    ' ' if key in needed else '? ',
                    _types(value),
                    ' ',
                    value.get('description', ''),
                ]
                for key, value in fields.get('properties', {}).items()
            ]
        ],
    ]


def _types(value: Mapping[str, Any]) -> str:
    kinds = [one.get('type', '') for one in value.get('anyOf', [value])]
    return '(' + ' or '.join(kind for kind in kinds if kind) + ')'
