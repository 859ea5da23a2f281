"""The log of a server, on standard error: lines for people, or a JSON object a line.

Neither form holds an address as it was asked for, a header or a body, since links and tokens open seats.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

requests = logging.getLogger('ludoteca.requests')
OWN = {*vars(logging.makeLogRecord({})), 'message', 'asctime', 'taskName', 'color_message'}
"""What every record has. All else is what the program adds."""


class JsonFormatter(logging.Formatter):
    """A record as one JSON object: time, level, logger, message, what the program has added, and the
    traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        found: dict[str, Any] = {
            'time': datetime.fromtimestamp(record.created, UTC).isoformat(timespec='milliseconds'),
            'level': record.levelname.lower(),
            'logger': record.name,
            'message': record.getMessage(),
        }
        found |= {name: value for name, value in vars(record).items() if name not in OWN}
        if record.exc_info:
            found['error'] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False, default=str)


@dataclass(frozen=True)
class Problem:
    """Something that went wrong, how often, and when last, in seconds since 1970."""

    message: str
    level: str
    count: int
    last: float


class Problems(logging.Handler):
    """The last problems that were logged, each once. Only what is the same for all of a kind is kept: the
    message before its values are filled in, and the type of the error."""

    def __init__(self, most: int = 20) -> None:
        super().__init__(logging.WARNING)
        self._most = most
        self._found: OrderedDict[str, Problem] = OrderedDict()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what a record says."""
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ''
        said = re.sub(r'%[-.\d]*[a-z]', '…', str(record.msg))
        message = f'{said} ({kind})' if kind else said
        known = self._found.pop(message, None)
        count = known.count + 1 if known else 1
        self._found[message] = Problem(message, record.levelname.lower(), count, record.created)
        while len(self._found) > self._most:
            self._found.popitem(last=False)

    def last(self) -> list[Problem]:
        """The last ones, the newest first."""
        with self.lock or contextlib.nullcontext():
            return list(self._found.values())[::-1]


def set_up(form: str, level: str) -> None:
    """Have everything logged in this form ('text' or 'json'), from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter('%(asctime)s %(levelname)s %(name)s: %(message)s')
    handler.setFormatter(JsonFormatter() if form == 'json' else plain)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger('ludoteca').setLevel(level.upper())


def request(method: str, route: str, status: int, seconds: float) -> None:
    """Log a request that was answered."""
    milliseconds = round(seconds * 1000, 1)
    requests.info(
        '%s %s %d %s ms',
        method,
        route or '-',
        status,
        milliseconds,
        extra={'method': method, 'route': route, 'status': status, 'ms': milliseconds},
    )
