"""Links and tokens: what lets people sit down or watch, or makes another browser the same person."""

from __future__ import annotations

import base64
import contextlib
import hmac
import secrets
from typing import Any, cast

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ludoteca.game import GameError
from ludoteca.match import clean_name
from ludoteca.store.entities import (
    Person,
    Token,
    digest,
    is_id,
    person_of,
)
from ludoteca.store.folder import StoreError, secret_key
from ludoteca.store.models import PersonRow, SignInRow, TableRow, TokenRow
from ludoteca.store.section import SEEN, Section
from ludoteca.text import words

SIGNATURE = 24
"""Characters of a link's token that are worked out with the key: 144 bits."""
SIGN_IN = 15 * 60.0
"""Seconds for which the link to another browser is good."""


class Keys(Section):
    """Links to tables and between browsers, and the bearer tokens of programs."""

    # ---- links

    def invite(self, table_id: str) -> str:
        """The token of the link with which people take the open seats of a table. Only the person who opened
        the table may see it."""
        return self._token_of('group', table_id)

    def invited(self, token: str) -> str | None:
        """The id of the table that a token of `invite` opens, if any."""
        return self._opened('group', token)

    def watch(self, table_id: str) -> str:
        """The token of the link that lets anybody look at a table as a spectator."""
        return self._token_of('watch', table_id)

    def watched(self, token: str) -> str | None:
        """The id of the table that a token of `watch` opens, if any."""
        return self._opened('watch', token)

    def preview(self, table_id: str) -> str:
        """The token of the address at which messengers find pictures of a table. It opens what a spectator
        may see, as pictures, and nothing else."""
        return self._token_of('preview', table_id)

    def previewed(self, token: str) -> str | None:
        """The id of the table that a token of `preview` opens, if any."""
        return self._opened('preview', token)

    def _token_of(self, kind: str, table_id: str) -> str:
        """A link's token: the id of its table and a signature."""
        return table_id + self._signature(kind, table_id)

    def _opened(self, kind: str, token: str) -> str | None:
        table_id = token[:-SIGNATURE]
        return (
            table_id if is_id(token) and hmac.compare_digest(token, self._token_of(kind, table_id)) else None
        )

    def _signature(self, *parts: str) -> str:
        """A signature of these parts. It cannot be made from the database alone; with the key it can be made
        again whenever it is shown."""
        if self._key is None:
            self._key = secret_key('links')
        digest = hmac.digest(self._key, '\0'.join((f'ludoteca {parts[0]}', *parts[1:])).encode(), 'sha256')
        return base64.urlsafe_b64encode(digest).decode()[:SIGNATURE]

    # ---- links from browser to browser

    def new_sign_in(self, person_id: str) -> str:
        """The token of a new link that makes another browser this person, once and soon; an older one of the
        person does nothing any more. It is shown once: only its hash is kept. Raises GameError."""
        text = secrets.token_urlsafe(32)
        with self._database.write() as session:
            # two links at once: one waits for the other
            if session.scalar(select(PersonRow).where(PersonRow.id == person_id).with_for_update()) is None:
                raise GameError(words('store.error.no_guest'))
            row = session.get(SignInRow, person_id)
            if row is None:
                row = SignInRow(person=person_id)
                session.add(row)
            row.hash, row.until = digest(text), self._clock() + SIGN_IN
        return text

    def signs_in(self, token: str) -> Person | None:
        """The person that a token of `new_sign_in` would make a browser, if any. It stays good."""
        with self._database.read() as session:
            row = self._sign_in(session, token)
            return person_of(session.get_one(PersonRow, row.person)) if row else None

    def sign_in(self, token: str) -> Person | None:
        """The same, and the token is used up."""
        with self._database.write() as session:
            row = self._sign_in(session, token, lock=True)
            if row is None:
                return None
            session.delete(row)
            return person_of(session.get_one(PersonRow, row.person))

    def _sign_in(self, session: Session, token: str, lock: bool = False) -> SignInRow | None:
        if not is_id(token):
            return None
        query = select(SignInRow).where(SignInRow.hash == digest(token), SignInRow.until > self._clock())
        return session.scalar(query.with_for_update() if lock else query)

    # ---- tokens

    def new_token(self, table_id: str, seat: int, person_id: str | None = None, label: str = '') -> str:
        """A bearer token with which a program may play a seat. It is shown once: only its hash is kept.
        Raises GameError."""
        text = secrets.token_urlsafe(32)
        with self._database.write() as session:
            row = self._row(session, table_id)
            if not 0 <= seat < row.players:
                raise GameError(words('store.error.no_seat', seat=seat, last=row.players - 1))
            session.add(
                TokenRow(
                    hash=digest(text),
                    table_id=table_id,
                    seat=seat,
                    person=person_id,
                    label=clean_name(label),
                    created=self._clock(),
                    used=None,
                    revoked=False,
                )
            )
        return text

    def token(self, text: str) -> Token | None:
        """What a bearer token opens; None if it is unknown or revoked."""
        return self._open_token(digest(text))

    def again(self, token: Token) -> Token | None:
        """The same token as it stands now; None if it has been revoked."""
        return self._open_token(token.hash)

    def _open_token(self, digest: str) -> Token | None:
        now = self._clock()
        with self._database.read() as session:
            row = session.get(TokenRow, digest)
            if row is None or row.revoked:
                return None
            found = self._token(session, row)
        if row.used is None or now - row.used > SEEN:
            with contextlib.suppress(StoreError), self._database.write() as session:
                session.execute(update(TokenRow).where(TokenRow.hash == digest).values(used=now))
        return found

    def tokens(self, table_id: str, seat: int) -> tuple[Token, ...]:
        """The bearer tokens of a seat, oldest first, the revoked ones too."""
        query = (
            select(TokenRow)
            .where(TokenRow.table_id == table_id, TokenRow.seat == seat)
            .order_by(TokenRow.created)
        )
        with self._database.read() as session:
            return tuple(self._token(session, row) for row in session.scalars(query).all())

    def revoke(self, table_id: str, seat: int, text: str | None = None) -> int:
        """Revoke one bearer token of a seat, or all of them; returns how many."""
        query = update(TokenRow).where(
            TokenRow.table_id == table_id, TokenRow.seat == seat, TokenRow.revoked.is_(False)
        )
        if text is not None:
            query = query.where(TokenRow.hash == digest(text))
        with self._database.write() as session:
            revoked = cast(Any, session.execute(query.values(revoked=True))).rowcount or 0
            if revoked:  # open pages of programs end
                self._changed(session, self._row(session, table_id), shows=False)
            return revoked

    def _token(self, session: Session, row: TokenRow) -> Token:
        status = session.scalar(select(TableRow.status).where(TableRow.id == row.table_id))
        return Token(
            row.hash,
            row.table_id,
            row.seat,
            row.person,
            row.label,
            row.created,
            row.used,
            row.revoked,
            status != 'open',
        )
