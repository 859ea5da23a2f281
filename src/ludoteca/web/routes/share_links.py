"""What pages tell of a table to those who are sent a link to it, and the turn that a link names."""

from __future__ import annotations

from urllib.parse import urlencode

from ludoteca.game import GameError, load
from ludoteca.store import Store, Table
from ludoteca.text import words
from ludoteca.web.live.table import LiveTable
from ludoteca.web.pages.sharing import LinkPreview
from ludoteca.web.pictures.scenes import sentence_of


def invited(table: Table) -> str:
    """What an invitation says to those who have not opened it yet."""
    host = next((info.name for info in table.seats if info.person == table.owner and info.name), '')
    if not host:
        return words('web.share.invited.nobody', game=load(table.game).title)
    return words('web.share.invited', name=host, game=load(table.game).title)


def shared_table(
    store: Store, live: LiveTable, turn: int | None = None, by_link: bool = False
) -> LinkPreview | None:
    """What the page of a table tells of itself; None for one that others cannot open. `by_link`: was it
    opened by the link that lets people watch? Called in a worker thread. Raises GameError if there is no such
    turn."""
    if not (live.table.listed or by_link):
        return None
    query = '' if turn is None else f'?{urlencode({"turn": turn})}'
    address = f'{live.sources.address}/tables/{live.id}{query}' if live.table.listed else ''
    return _shared(store, live, turn, query, address)


def shared_invitation(store: Store, live: LiveTable) -> LinkPreview:
    """The same for the page that an invitation opens."""
    return _shared(store, live, None, '', '')


def _shared(store: Store, live: LiveTable, turn: int | None, query: str, address: str) -> LinkPreview:
    title = words('web.table.title', game=load(live.table.game).title)
    sentence = invited(live.table)
    if live.ready:
        with live.lock:
            match = live.match()
            sentence = sentence_of(match, match.turns if turn is None else turn)
    token = store.preview(live.id)
    return LinkPreview(title, sentence, f'{live.sources.address}/previews/{token}.png{query}', address)


def checked_turn(live: LiveTable, turn: int | None) -> int | None:
    """The turn that a link names, None if the match has not begun. Called in a worker thread. Raises
    GameError if there is no such turn (any more)."""
    if turn is None or not live.ready:
        return None
    with live.lock:
        turns = live.match().turns
    if turn > turns:
        raise GameError(words('match.error.no_turn', turns=turns, turn=turn))
    return turn
