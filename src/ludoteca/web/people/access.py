"""Which addresses a visitor may ask at: one rule for all of them.

A person may ask at every address; the addresses themselves check what is reserved to a seat or to the host of
a table. The token of a seat plays this seat and does nothing else. It opens the addresses that are declared
`for_seats`, at its own table, and those that are declared `for_all`, which answer the same to everybody. An
address that declares nothing is closed to tokens, so that a new one cannot be left open by mistake.

Forms of pages that begin something are open to browsers that keep cookies: nobody else would ever find what
was begun.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from starlette.requests import HTTPConnection

from ludoteca.text import words
from ludoteca.web.people.operator import Operator
from ludoteca.web.people.visitors import COOKIE, Visitors
from ludoteca.web.serving.errors import Forbidden, NotFound

Endpoint = TypeVar('Endpoint', bound=Callable[..., Any])

_FOR_ALL: set[Any] = set()
_FOR_SEATS: set[Any] = set()
_FOR_OPERATOR: set[Any] = set()
_FOR_KEEPERS: set[Any] = set()


def for_all(endpoint: Endpoint) -> Endpoint:
    """Declare an address that answers the same to everybody."""
    _FOR_ALL.add(endpoint)
    return endpoint


def for_seats(endpoint: Endpoint) -> Endpoint:
    """Declare an address of a table that a token of one of its seats opens, too."""
    _FOR_SEATS.add(endpoint)
    return endpoint


def for_operator(endpoint: Endpoint) -> Endpoint:
    """Declare an address that only the operator's key opens."""
    _FOR_OPERATOR.add(endpoint)
    return endpoint


def for_keepers(endpoint: Endpoint) -> Endpoint:
    """Declare the address of a form that begins something: it is for browsers that have kept the cookie which
    came with the page."""
    _FOR_KEEPERS.add(endpoint)
    return endpoint


async def admit(connection: HTTPConnection) -> None:
    """Runs before every address of the application. Raises Forbidden for a token that opens nothing here
    and for a browser that keeps no cookie where it needs one, and NotFound for the token of another table."""
    endpoint = connection.scope['endpoint']
    if endpoint in _FOR_ALL:
        return
    if endpoint in _FOR_OPERATOR:
        operator: Operator = connection.app.state.operator
        operator.check(connection)
        return
    visitors: Visitors = connection.app.state.visitors
    visitor = await visitors.who(connection)
    if visitor.refused:
        raise Forbidden(words('web.error.token'))
    if visitor.token is None:
        if endpoint in _FOR_KEEPERS and COOKIE not in connection.cookies:
            raise Forbidden(words('web.error.cookie'))
        return
    if endpoint not in _FOR_SEATS:
        raise Forbidden(words('web.error.token_only'))
    if connection.path_params.get('table') != visitor.token.table:
        raise NotFound(words('web.error.no_table'))
