"""Who asks: guests with a signed cookie, programs with the bearer token of a seat. access.py says who may ask
where."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludoteca.store import Person, Store, StoreError, Token, new_id
from ludoteca.web.people.preferences import Preferences

COOKIE = 'ludoteca'
YEAR = 365 * 24 * 3600
KEPT = 2_000
WATCHED = 20
"""Private tables that one guest can look at by link at a time. Their ids stand in the cookie."""
NAMES = (
    'Wren',
    'Siskin',
    'Linnet',
    'Plover',
    'Teal',
    'Merlin',
    'Martin',
    'Robin',
    'Dunlin',
    'Curlew',
    'Avocet',
    'Jay',
    'Swift',
    'Osprey',
    'Finch',
    'Heron',
    'Kestrel',
    'Lark',
    'Oriole',
    'Petrel',
    'Rook',
    'Serin',
    'Snipe',
    'Tern',
)
LONGEST_NAME = 24


@dataclass
class Visitor:
    """Somebody who asks.

    A guest who has done nothing yet is no person of the database. The cookie has a name, and the id that the
    person will have: so two requests that a browser sends at once are of one person.

    A program with the token of a seat has no person. It may do what this seat may do at its table."""

    person: Person | None
    name: str
    future: str = ''  # the id that the person will have
    token: Token | None = None
    refused: bool = False  # a bearer token was sent that opens nothing
    changed: bool = False  # the cookie must be sent (again)
    watches: tuple[str, ...] = ()  # private tables that a link lets this visitor look at, the newest last
    # those of the person that they were read from: every message asks for them
    _preferences: tuple[Person | None, Preferences] | None = field(default=None, repr=False, compare=False)

    @property
    def id(self) -> str | None:
        """The person's id."""
        return self.person.id if self.person else None

    @property
    def key(self) -> str:
        """The key under which the visitor's requests are counted."""
        if self.token is not None:
            return f'{self.token.table} {self.token.seat}'
        return self.id or self.future

    @property
    def preferences(self) -> Preferences:
        """What the person prefers."""
        kept = self._preferences
        if kept is None or kept[0] is not self.person:
            kept = self._preferences = (
                self.person,
                Preferences.read(self.person.settings if self.person else {}),
            )
        return kept[1]

    def become(self, person: Person) -> None:
        """The visitor is this person, as just made or changed."""
        self.person, self.name = person, person.name

    def settle(self, person: Person) -> None:
        """The visitor has become a person of the database, or goes on as another one: the cookie says so."""
        self.become(person)
        self.changed = True

    def renew(self, token: Token) -> None:
        """The visitor's token has been read again."""
        self.token = token

    def watch(self, table: str) -> None:
        """Let the visitor look at a private table from now on, as a spectator: the cookie says so."""
        if table not in self.watches:
            self.watches = (*self.watches, table)[-WATCHED:]
            self.changed = True


class Visitors:
    """All visitors. Persons that were read from the database are kept for a while."""

    def __init__(self, store: Store, key: bytes) -> None:
        self.store = store
        self._signer = URLSafeSerializer(key, salt='ludoteca.visitor')
        self._known: OrderedDict[str, Person] = OrderedDict()

    def read(self, text: str) -> dict[str, Any]:
        """The data of a cookie; none if its signature is not ours."""
        try:
            data = self._signer.loads(text)
        except BadSignature:
            return {}
        return data if isinstance(data, dict) else {}

    def write(self, visitor: Visitor) -> str:
        """The cookie of a visitor."""
        data: dict[str, Any] = (
            {'id': visitor.person.id} if visitor.person else {'id': visitor.future, 'name': visitor.name}
        )
        if visitor.watches:
            data['watches'] = list(visitor.watches)
        text = self._signer.dumps(data)
        return text if isinstance(text, str) else text.decode()

    async def who(self, connection: HTTPConnection) -> Visitor:
        """The visitor behind a request or a socket; the same object if asked again."""
        found: Visitor | None = connection.scope.get('ludoteca.visitor')
        if found is None:
            # most visitors are known: then no thread has to wait for the database
            known = self._known_one(connection)
            found = known if known is not None else await run_in_threadpool(self._find, connection)
            connection.scope['ludoteca.visitor'] = found
        return found

    def _known_one(self, connection: HTTPConnection) -> Visitor | None:
        """The visitor if the database need not be asked; else None."""
        if self.store.shared or 'authorization' in connection.headers:
            return None
        data = self._cookie(connection)
        person = self._known.get(str(data.get('id') or ''))
        if person is None:
            return None
        self.remember(person)
        return Visitor(person, person.name, watches=_watches(data))

    def _cookie(self, connection: HTTPConnection) -> dict[str, Any]:
        """What the visitor's cookie says."""
        return self.read(cookie_parser(connection.headers.get('cookie', '')).get(COOKIE, ''))

    def _find(self, connection: HTTPConnection) -> Visitor:
        scheme, _, given = connection.headers.get('authorization', '').strip().partition(' ')
        if scheme.lower() == 'bearer':
            token = self.store.token(given.strip())
            return Visitor(None, '', token=token, refused=token is None)
        data = self._cookie(connection)
        given, name = str(data.get('id') or ''), str(data.get('name') or '')
        watches = _watches(data)
        person = self._person(given) if given else None
        if person:
            return Visitor(person, person.name, watches=watches)
        return Visitor(
            None,
            name or secrets.choice(NAMES),
            given or new_id(),
            changed=not (given and name),
            watches=watches,
        )

    def _person(self, person_id: str) -> Person | None:
        person = self._known.get(person_id)
        if person is None or self.store.shared:  # another server may have changed a person
            try:
                person = self.store.person(person_id)
            except StoreError:
                if person is None:
                    raise
        if person:
            self.remember(person)
        return person

    def remember(self, person: Person) -> None:
        """Keep a person as just read or changed."""
        self._known[person.id] = person
        self._known.move_to_end(person.id)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    async def settle(self, visitor: Visitor) -> Person:
        """The visitor's person, made now if there is none."""
        if visitor.token is not None:
            raise RuntimeError("a seat's token is not a person")
        if visitor.person is None:
            person = await run_in_threadpool(
                self.store.new_person, visitor.name, None, visitor.future or None
            )
            visitor.settle(person)
            self.remember(person)
            return person
        return visitor.person


def _watches(data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(table) for table in data.get('watches') or ())


class Cookies:
    """Puts the cookie on the answers to visitors who are new or have become somebody."""

    def __init__(self, app: ASGIApp, visitors: Visitors) -> None:
        self.app, self.visitors = app, visitors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope['type'] != 'http':
            await self.app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            visitor: Visitor | None = scope.get('ludoteca.visitor')
            if (
                message['type'] == 'http.response.start'
                and visitor
                and visitor.changed
                and 'authorization' not in Headers(scope=scope)
            ):
                secure = '; Secure' if scope.get('scheme') == 'https' else ''
                cookie = f'{COOKIE}={self.visitors.write(visitor)}; Path=/; Max-Age={YEAR}'
                header = f'{cookie}; HttpOnly; SameSite=Lax{secure}'
                MutableHeaders(scope=message).append('Set-Cookie', header)
            await send(message)

        await self.app(scope, receive, with_cookie)
