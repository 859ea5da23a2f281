"""A position and its turn in words as one picture: the preview of a link, and a frame of a film. A scene is
made of what its viewer may see, and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from ludoteca.drawing.lettering import cut, lines, width
from ludoteca.drawing.marks import emblem_shape, shape
from ludoteca.drawing.palette import Tint, player_var, resolve, value, var
from ludoteca.drawing.svg import NAMESPACE, number, tag, translate
from ludoteca.drawing.svg import words as svg_words
from ludoteca.game import SPECTATOR, GameError, View, ViewSettings
from ludoteca.match import Match
from ludoteca.text import words
from ludoteca.text.players import listed, player_word
from ludoteca.web.table.log import turn_number
from ludoteca.web.table.players import score_of
from ludoteca.web.table.wording import also_text, did_text, events_text, winner_words

FRAME_MILLIS = 1100
"""How long a turn of a film is shown,"""
READING_MILLIS = 28
"""longer for every character that it says,"""
LAST_MILLIS = 4000
"""and how long the last one."""
FILM_BOX = (600, 740)
PREVIEW_BOX = (1200, 630)
"""As messengers show it."""


@dataclass(frozen=True)
class Eyes:
    """Who looks: a seat (-1: a spectator); `uncovered`: with nothing hidden, once the match is over."""

    seat: int = SPECTATOR
    uncovered: bool = False


@dataclass(frozen=True)
class Scene:
    """What a picture shows: the drawing of the board, what has happened in words, and how all stand."""

    game: str
    board: str
    count: str
    sentence: str
    mover: str  # the colour of who has made the turn; '' for nobody
    players: tuple[tuple[str, str, str], ...]  # of each seat colour, name and score

    @property
    def millis(self) -> int:
        """How long it is shown in a film."""
        return FRAME_MILLIS + READING_MILLIS * max(0, len(self.sentence) - 20)


def all_seen(match: Match) -> Eyes:
    """The eyes of somebody who does not sit at the table, or to whom it makes no difference any more."""
    return Eyes(SPECTATOR, match.result is not None)


def scene_at(match: Match, at: int, eyes: Eyes, theme: Tint, settings: ViewSettings | None = None) -> Scene:
    """The position after so many turns, and its last turn. Called under the lock of the match. Raises
    GameError if there is no such turn, or if it is to be uncovered while the match runs."""
    names = tuple(player_word(seat, match.players, match.colours) for seat in range(match.setup.players))
    found = match.view(eyes.seat, at=at, settings=settings, uncovered=eyes.uncovered)
    view = replace(found, names=names)
    sentence, mover = _told(match, at, eyes, view)
    scores = {panel.seat: score_of(panel) for panel in match.game.panels(view)}
    return Scene(
        match.game.title,
        match.game.draw(view, theme),
        words('web.share.count', n=match.finished(at), of=match.finished())
        if at
        else words('web.table.beginning'),
        sentence,
        mover,
        tuple((match.colours[seat], name, scores.get(seat, '')) for seat, name in enumerate(names)),
    )


def _told(match: Match, at: int, eyes: Eyes, view: View) -> tuple[str, str]:
    """What the last of so many turns did, as sentences, and the colour of whoever made it. The last turn of a
    match says how it has ended."""
    if match.result and at == match.turns:
        return ending(match, view.names), match.colours[
            match.result.winners[0]
        ] if match.result.winners else ''
    if not at:
        return listed(view.names), ''
    rows = match.log(eyes.seat, at - 1, uncovered=eyes.uncovered)
    row = next(row for row in rows if row.kind == 'turn' and row.number == at)
    game, seat = match.game, row.seat
    did = did_text(game, row.events, view.names, seat) if turn_number(match, at) else ''
    if did:
        text = f'{view.names[seat]} {did}. {also_text(game, row.events, view.names)}'
    else:
        text = events_text(game, view.last, view.names)
    return text.strip(), match.colours[seat] if 0 <= seat < len(match.colours) else ''


def ending(match: Match, names: Sequence[str]) -> str:
    """How a match that is over has ended."""
    result = match.result
    assert result is not None
    won = f'{winner_words(result, names)}.'
    if len(result.winners) != 1:
        return won
    if result.by >= 0:
        return f'{won} {words("web.table.result.resigned", name=names[result.by])}'
    return f'{won} {match.game.words(f"ending.{result.ending}", player=names[result.winners[0]])}'


def sentence_of(match: Match, at: int) -> str:
    """What a link to a turn says about it to those who have not opened it yet: what a spectator may know.
    Called under the lock of the match. Raises GameError if there is no such turn."""
    eyes = all_seen(match)
    names = tuple(player_word(seat, match.players, match.colours) for seat in range(match.setup.players))
    view = replace(match.view(eyes.seat, at=at, uncovered=eyes.uncovered), names=names)
    told, _ = _told(match, at, eyes, view)
    count = words('web.share.count', n=match.finished(at), of=match.finished())
    players = words('web.share.between', players=listed(names))
    return f'{players} {words("web.table.beginning")}.' if not at else f'{players} {count}: {told}'


# ---- pictures ----------------------------------------------------------------------------------------------


def _board(scene: Scene, x: float, y: float, w: float, h: float) -> Markup:
    """The drawing in a box, as large as it fits."""
    opening = scene.board.index('>')
    head = scene.board[:opening]
    for name in ('width', 'height', 'x', 'y', 'xmlns'):
        head = _without(head, name)
    return Markup(
        f'{head} x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
    ) + Markup(scene.board[opening:])


def _without(head: str, name: str) -> str:
    before, found, after = head.partition(f' {name}="')
    return before + after.partition('"')[2] if found else head


def _text(text: str, x: float, y: float, size: float, weight: int = 400, colour: str = 'text') -> Markup:
    return svg_words(text, x=x, y=y, font_size=size, font_weight=weight, fill=var(colour))


def _sign(colour: str, x: float, y: float, size: float) -> Markup:
    """A player's sign round a point."""
    return tag(
        'g',
        shape(colour),
        fill=player_var(colour, 'c'),
        stroke=var('player-edge'),
        stroke_width=1.5,
        transform=translate(x, y, scale=size / 24),
    )


def _sheet(box: tuple[int, int], theme: Tint, label: str, *parts: str) -> str:
    """A picture that stands alone."""
    w, h = box
    ground = tag('rect', width=w, height=h, fill=value('bg', theme))
    svg = tag(
        'svg',
        ground,
        *parts,
        xmlns=NAMESPACE,
        width=w,
        height=h,
        viewBox=f'0 0 {w} {h}',
        role='img',
        aria_label=label,
    )
    return resolve(svg, theme)


def preview(scene: Scene, theme: Tint = 'light') -> str:
    """The scene as messengers show a link: the board, and beside it the game, the turn, and how all stand."""
    w, h = PREVIEW_BOX
    room = w - h - 2 * 48 + 24
    parts = [_board(scene, w - h + 24, 24, h - 48, h - 48), _text(scene.game, 48, 92, 52, 800)]
    parts.append(_text(scene.count, 48, 134, 24, 600, 'text-2'))
    y = 190.0
    for line in lines(scene.sentence, room, 28, 600, 4):
        parts.append(_text(line, 48, y, 28, 600))
        y += 38
    top = h - 92 - 40 * len(scene.players)
    for k, (colour, name, score) in enumerate(scene.players):
        base = top + 40 * k
        parts += [_sign(colour, 62, base - 9, 28), *_scored(name, score, 88, 48 + room, base, 26)]
    parts += [
        tag('g', emblem_shape(), transform=translate(62, h - 46)),
        _text(words('web.name'), 88, h - 38, 24, 600, 'text-2'),
    ]
    return _sheet(PREVIEW_BOX, theme, f'{scene.game}. {scene.sentence}', *parts)


def _scored(name: str, score: str, left: float, right: float, y: float, size: float) -> list[Markup]:
    """A player's name, and the score at the right end."""
    gap = width(score, size, 800) + 16 if score else 0
    found = [_text(cut(name, right - left - gap, size, 600), left, y, size, 600)]
    if score:
        found.append(
            svg_words(
                score, x=right, y=y, font_size=size, font_weight=800, fill=var('text'), text_anchor='end'
            )
        )
    return found


def frame(scene: Scene, theme: Tint = 'light') -> str:
    """The scene as a frame of a film: what the turn was above the board, how all stand below it."""
    w, h = FILM_BOX
    parts = [_board(scene, 0, 82, w, 606)]
    left = 20.0
    if scene.mover:
        parts.append(_sign(scene.mover, 34, 41, 34))
        left = 62
    told = lines(scene.sentence, w - left - 20, 18, 600, 2)
    y = 48.0 if len(told) < 2 else 36.0
    parts += [_text(line, left, y + 24 * k, 18, 600) for k, line in enumerate(told)]
    column = (w - 40) / len(scene.players)
    size = 17 if len(scene.players) < 4 else 14
    for k, (colour, name, score) in enumerate(scene.players):
        x = 20 + column * k
        parts += [
            _sign(colour, x + 10, h - 25, 20),
            *_scored(name, score, x + 26, x + column - 14, h - 19, size),
        ]
    return _sheet(FILM_BOX, theme, f'{scene.game}. {scene.sentence}', *parts)


def film_turns(match: Match, first: int, last: int | None, passes: bool) -> list[int]:
    """After how many turns each frame of a film shows the match. `passes`: are turns shown in which somebody
    only passes? Raises GameError if there are no such turns."""
    until = match.turns if last is None else last
    if not 0 <= first <= until <= match.turns:
        raise GameError(words('match.error.no_range', turns=match.turns, first=first, last=until))
    found = [at for at in range(first, until + 1) if passes or at in (first, until) or not is_pass(match, at)]
    # what all choose in secret at once comes to light together
    return [at for at in found if at in (first, until) or turn_number(match, at)]


def is_pass(match: Match, at: int) -> bool:
    """Did somebody only pass in this turn, so that nothing on the board has changed?"""
    rows = match.log(SPECTATOR, at - 1, uncovered=match.result is not None) if at else ()
    row = next((row for row in rows if row.kind == 'turn' and row.number == at), None)
    return row is not None and bool(row.names) and all(name == PASS for name in row.names)


PASS = 'pass'
"""The name that every game gives to the action with which a player does nothing."""


def film_frames(
    match: Match, turns: Sequence[int], eyes: Eyes, theme: Tint, settings: ViewSettings | None = None
) -> list[Callable[[], tuple[str, int]]]:
    """The frames of a film, each drawn when it is called: its picture, and how many milliseconds it is shown.
    They are called under the lock of the match."""

    def drawn(at: int) -> tuple[str, int]:
        scene = scene_at(match, at, eyes, theme, settings)
        return frame(scene, theme), LAST_MILLIS if at == turns[-1] else scene.millis

    return [lambda at=at: drawn(at) for at in turns]  # type: ignore[misc]
