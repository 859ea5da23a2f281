"""A match as fragments of the table page: the elements that a message replaces, by their ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ludoteca.game import Event, View
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, h, sign, text_of
from ludoteca.web.table.buttons import acts, play_on_button, retry_button
from ludoteca.web.table.cards import cards
from ludoteca.web.table.drawers import chat_lines, menu, said_then
from ludoteca.web.table.exercise import exercise
from ludoteca.web.table.handing import handing, no_handing
from ludoteca.web.table.happened import happened
from ludoteca.web.table.lesson import lesson
from ludoteca.web.table.model import TableView, seat_view, with_names
from ludoteca.web.table.moves import gain_badges, moves, row_text, turn_number
from ludoteca.web.table.places import no_places, places
from ludoteca.web.table.players import players
from ludoteca.web.table.prompt import asked, heading, prompt, reading
from ludoteca.web.table.recap import MOST_ROWS, last_chapter, recap
from ludoteca.web.table.status import result, status
from ludoteca.web.table.wording import events_text


def as_text(parts: Mapping[str, h.Node]) -> dict[str, str]:
    """Fragments as HTML."""
    return {name: text_of(part) for name, part in parts.items()}


def fragments(table: TableView) -> dict[str, str]:
    """All fragments of the present position."""
    view = seat_view(table)
    found = table.game.cards(view)
    lays = any(
        target.id.startswith('at:')
        for action in view.actions[:1]
        for target in table.game.targets(view.state, action)
    )
    script = table.lesson or table.exercise
    reads = script is not None and script.reads
    asks = asked(table, view)
    parts: dict[str, h.Node] = {
        'prompt': reading(table) if reads else prompt(table, view, asks, lays),
        'acts': h.div('#acts.acts') if reads else acts(table, view, asks, lays),
        'drawing': h.div('#drawing')[Markup(table.drawing(view))],
        'cards': cards(table, found),
        'places': places(table, view),
        'handing': no_handing(),
    }
    return as_text(parts | _around(table, view))


def curtain_fragments(table: TableView, following: int) -> dict[str, str]:
    """The fragments while a shared screen goes to the person of another seat: no picture, no choices. `table`
    is a spectator's."""
    asks = words('web.table.curtain_for', name=table.name(following))
    parts: dict[str, h.Node] = {
        'prompt': h.section('#prompt.prompt')[sign(table.colours[following], 30), h.div[h.p('.do')[asks]]],
        'acts': h.div('#acts.acts'),
        'drawing': h.div('#drawing'),
        'cards': h.div('#cards'),
        'places': no_places(),
        'handing': handing(table, following),
    }
    return as_text(parts | _around(table, seat_view(table)))


def _around(table: TableView, view: View) -> dict[str, h.Node]:
    """The fragments round the board."""
    match = table.match
    rows = match.log(table.seat, uncovered=match.result is not None)
    panels = table.game.panels(view)
    return {
        'heading': heading(table, panels),
        'players': players(table, panels),
        'moves': moves(table, rows),
        'happened': happened(table, rows),
        'recap': recap(table, rows[-MOST_ROWS:], last_chapter(table, rows)),
        'status': status(table),
        'result': result(table),
        'chat': chat_lines(table.chat, table.colours),
        'menu': menu(table),
        **({'lesson': lesson(table)} if match.setup.lesson else {}),
        **({'lesson': exercise(table)} if match.setup.exercise else {}),
    }


def past_fragments(
    table: TableView, at: int, over: bool | None = None
) -> tuple[dict[str, str], tuple[Event, ...]]:
    """All that shows the position after a number of turns (heading, drawing, prompt, panels, cards, what was
    said then), and the events of the last of these turns. `over`: with nothing hidden (None: if the match is
    over)."""
    match = table.match
    over = match.result is not None if over is None else over
    found = match.view(table.seat, at=at, settings=table.preferences.drawing, uncovered=over)
    view = with_names(found, table.names)
    rows = match.log(table.seat, max(0, at - 1), uncovered=over)
    turns = [row for row in rows if row.kind == 'turn' and row.number == at]
    title: h.Node = words('web.table.beginning')
    text = events_text(table.game, view.last, table.names) if at else table.begins
    if turns:
        number, (name, also) = turn_number(match, at), row_text(table, turns[0], table.name(turns[0].seat))
        title = [words('web.table.turn', n=number), ': ', name] if number else name
        title = [title, ' ', gain_badges(table, turns[0].events, turns[0].seat)]
        if table.preferences.log != 'notation':
            text = also
    signs = [sign(table.colours[row.seat], 30) for row in turns]
    panels = table.game.panels(view)
    parts: dict[str, h.Node] = {
        'drawing': h.div('#drawing')[Markup(table.game.draw(view, 'page'))],
        'prompt': h.section('#prompt.prompt')[signs, h.div[h.p('.do.past-turn')[title], h.p('.how')[text]]],
        'heading': heading(table, panels, at),
        'again': h.span('#again')[_again(table, at)],
        'recap': recap(table, match.log(table.seat, max(0, at - MOST_ROWS), uncovered=over), at),
        'players': players(table, panels, at),
        # favourites belong to the present
        'cards': cards(replace(table, shared=True), table.game.cards(view)),
        'said': said_then(table, at),
        'places': places(table, view),
    }
    return as_text(parts), view.last


def _again(table: TableView, at: int) -> h.Node:
    """The button that plays on from an earlier position: in the match itself, or at a table of its own once
    the match is over."""
    match = table.match
    if not table.scripted and not match.may_retry(table.seat, at):
        return retry_button(table, words('web.table.retry'), at)
    taught = match.setup.lesson or match.setup.exercise
    return play_on_button(table, at) if match.result and not taught and at < match.turns else None
