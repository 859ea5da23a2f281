"""Who runs the server: a key opens the operator's page and the metrics. Without a key both are closed."""

from __future__ import annotations

import hashlib
import hmac
import os

from itsdangerous import BadSignature, TimestampSigner
from starlette.requests import HTTPConnection, cookie_parser

from ludoteca.store import data_folder, secret_key
from ludoteca.text import words
from ludoteca.web.serving.errors import Forbidden, NotFound

COOKIE = 'ludoteca-operator'
SHOWN = 12 * 3600
"""Seconds for which a browser in which the key was given is believed."""
FILE = 'operator'


def key_of_folder(make: bool = False) -> str:
    """The key that is kept in the data folder; '' if there is none and `make` is not set. Raises
    StoreError."""
    if not make and not (data_folder() / f'{FILE}.key').exists():
        return ''
    return secret_key(FILE).hex()


class Operator:
    """Knows the key, and who has shown it: a program by `Authorization: Bearer KEY`, a browser by the cookie
    that it has got for the key. The key is in no address, no page and no log."""

    def __init__(self, key: str = '') -> None:
        """`key`: '' if there is no operator."""
        self._key = hashlib.sha256(key.encode()).digest() if key else b''
        self._signer = TimestampSigner(self._key or os.urandom(32), salt='ludoteca.operator')

    def knows(self, key: str) -> bool:
        """Is this the key? Takes as long for a wrong one as for the right one."""
        given = hashlib.sha256(key.encode()).digest()
        return bool(self._key) and hmac.compare_digest(given, self._key)

    def cookie(self, secure: bool) -> str:
        """The header that makes a browser keep that it has shown the key."""
        return self._header(self._signer.sign('operator').decode(), SHOWN, secure)

    def no_cookie(self, secure: bool) -> str:
        """The header that makes a browser forget it."""
        return self._header('', 0, secure)

    @staticmethod
    def _header(value: str, age: int, secure: bool) -> str:
        more = '; Secure' if secure else ''
        return f'{COOKIE}={value}; Path=/operator; Max-Age={age}; HttpOnly; SameSite=Strict{more}'

    def admits(self, connection: HTTPConnection) -> bool:
        """Has whoever asks shown the key? Raises NotFound if there is none."""
        self.check_open()
        scheme, _, given = connection.headers.get('authorization', '').strip().partition(' ')
        if scheme.lower() == 'bearer':
            return self.knows(given.strip())
        signed = cookie_parser(connection.headers.get('cookie', '')).get(COOKIE, '')
        try:
            return bool(self._signer.unsign(signed, max_age=SHOWN))
        except BadSignature:  # or too old
            return False

    def check_open(self) -> None:
        """Raises NotFound if there is no key: then there is no operator's page either."""
        if not self._key:
            raise NotFound(words('web.error.not_found'))

    def check(self, connection: HTTPConnection) -> None:
        """Raises Forbidden unless whoever asks has shown the key, and NotFound if there is none."""
        if not self.admits(connection):
            raise Forbidden(words('operator.error.key'))
