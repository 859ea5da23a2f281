"""What people see of the Fruit Market: events, the drawing, the prompt, the panels, the board in words.

All of it is made from hidden states. The market lies on top, the bag beside it, and below a row for every seat: cards, then fruits.
Elements that can be clicked: `market-<fruit>`, `bag`, and the viewer's cards `card-<fruit>`; bids are buttons of the prompt. The
fruits of a basket are `fruit-<seat>-<fruit>-<k>`.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markupsafe import Markup

from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import standalone, tag, translate, words
from ludoteca.game import Button, Event, Game, Ghost, Panel, Prompt, Row, State, Target, Theme, View
from ludoteca.text import Words
from tests.toy import components as C
from tests.toy import rules as R
from tests.toy.notation import cards, fruits

WIDTH, TOP, ROW, STEP = 620, 110, 90, 46
COLOURS = ('#7cb342', '#c2185b', '#5e35b1')                         # of apples, cherries and plums
COLOURS_OF_SEATS = ('blue', 'red', 'yellow', 'green')
ACTIONS = {f'do:bid-{coins}': coins for coins in range(R.DROP)} | {
    f'el:card-{fruit}': R.DROP + k for k, fruit in enumerate(C.FRUITS)} | {
    f'el:market-{fruit}': R.TAKE + k for k, fruit in enumerate(C.FRUITS)} | {'el:bag': R.DRAW}
IDS = {action: name for name, action in ACTIONS.items()}


# ---- what happened -----------------------------------------------------------------------------------------------------------

def events(before: State, action: int, after: State) -> tuple[Event, ...]:
    """What a step did, and what it made public."""
    seat, happened = int(before.to_move), [_step(before, action, after)]
    if before.phase == R.BIDDING and after.phase != R.BIDDING:
        happened += [Event('open', other, {'coins': int(after.bid[other])}, (f'bid-{other}',)) for other in range(after.players)]
        happened.append(Event('first', int(after.first)))
    if after.ending:
        happened.append(Event(('full', 'dusk')[after.ending - 1], seat))
    elif before.phase == R.PICKING and after.phase == R.BIDDING:
        laid = after.market - before.market
        if action != R.DRAW:
            laid[action - R.TAKE] += 1
        happened.append(Event('lay', -1, {'fruits': ' '.join(fruits(laid))}, tuple(f'market-{fruit}' for fruit in set_of(laid))))
    return tuple(happened)


def set_of(counts: Sequence[int]) -> tuple[str, ...]:
    """The fruits of which there are some."""
    return tuple(fruit for fruit, count in zip(C.FRUITS, counts, strict=True) if count)


def _step(before: State, action: int, after: State) -> Event:
    seat = int(before.to_move)
    if before.phase == R.BIDDING:
        return Event('bid', seat, {'coins': action}) if action >= 0 else Event('seal', seat)
    if before.phase == R.DROPPING:
        return Event('drop', seat, {'card': C.FRUITS[action - R.DROP]}) if action >= 0 else Event('drop-unseen', seat)
    fruit, = set_of(after.basket[seat] - before.basket[seat])
    if action == R.DRAW:
        return Event('draw', seat, {'fruit': fruit}, ('bag', f'seat-{seat}'))
    start, k = f'market-{fruit}', int(before.basket[seat, action - R.TAKE])
    return Event('take', seat, {'fruit': fruit}, (start, f'seat-{seat}'), flights=((start, f'fruit-{seat}-{fruit}-{k}'),))


# ---- the drawing -------------------------------------------------------------------------------------------------------------

def _fruit(name: str, x: float, y: float, id: str | None = None, count: int = 1) -> Markup:
    """A fruit, with its number if there are more. Kinds differ by letter as well as by colour."""
    return tag('g', tag('circle', r=19, fill=COLOURS[C.FRUITS.index(name)], stroke=var('player-edge')),
               words(name[0].upper() + (f'×{count}' if count > 1 else ''), y=5, text_anchor='middle', font_size=15, fill='#fff'),
               id=id, class_='fruit', transform=translate(x, y), role='img', aria_label=f'{name} {count}')


def _card(name: str | None, x: float, y: float, id: str | None) -> Markup:
    """A card, face down if its fruit is not known."""
    face = (tag('circle', cy=-6, r=9, fill=COLOURS[C.FRUITS.index(name)])
            + words(name[0].upper(), y=23, text_anchor='middle', font_size=13, fill=var('text'))) if name else ''
    return tag('g', tag('rect', x=-18, y=-28, width=36, height=56, rx=5, fill=var('surface' if name else 'walnut-2'),
                        stroke=var('line-strong')), face, id=id, class_='card', transform=translate(x, y))


@cache
def _background(players: int) -> Markup:
    return tag('rect', width=WIDTH, height=TOP + ROW * players, rx=16, fill=var('felt-1'))


def draw(game: Game, view: View, theme: Theme) -> str:
    """The table as SVG text."""
    s, players = view.state, int(view.state.players)
    parts = [_background(players)]
    for k, fruit in enumerate(C.FRUITS):
        if s.market[k]:
            parts.append(_fruit(fruit, 60 + 60 * k, 55, f'market-{fruit}', int(s.market[k])))
    parts.append(tag('g', tag('circle', r=32, fill=var('clay-2'), stroke=var('player-edge')),
                     words(str(s.bag.sum()), y=6, text_anchor='middle', font_size=18, fill='#fff'),
                     id='bag', transform=translate(WIDTH - 60, 55), role='img', aria_label=game.words('bag', fruits=s.bag.sum())))
    for seat in range(players):
        parts.append(_row(s, seat, view.seat))
    drawing = tag('svg', *parts, viewBox=f'0 0 {WIDTH} {TOP + ROW * players}', role='img', aria_label=game.title,
                  font_family=var('font'))
    return str(drawing if theme == 'page' else standalone(drawing, theme, WIDTH))


def _row(s: State, seat: int, viewer: int) -> Markup:
    """Colour, bid, cards and basket of a seat. Equal cards of the viewer's are one target, so the first of each carries the id."""
    player, hand, seen = PLAYERS[COLOURS_OF_SEATS[seat]], cards(s.hand[seat], int(s.held[seat])), set[str]()
    parts = [tag('circle', cx=34, cy=0, r=22 if seat == s.to_move else 16, fill=player.base, stroke=var('player-edge')),
             words(_bid(int(s.bid[seat])), x=34, y=5, text_anchor='middle', font_size=15, fill='#fff', id=f'bid-{seat}')]
    for k, card in enumerate(hand):
        first = card is not None and seat == viewer and card not in seen
        seen.add(str(card))
        parts.append(_card(card, 90 + STEP * k, 0, f'card-{card}' if first else None))
    basket = fruits(s.basket[seat])
    for k, fruit in enumerate(basket):
        parts.append(_fruit(fruit, 390 + STEP * k, 0, f'fruit-{seat}-{fruit}-{k - basket.index(fruit)}'))
    return tag('g', *parts, id=f'seat-{seat}', transform=translate(0, TOP + ROW / 2 + ROW * seat), class_=f'seat-{player.name}')


def _bid(coins: int) -> str:
    return {R.NOT_YET: '', R.SEALED: '?'}.get(coins, str(coins))


# ---- what to do --------------------------------------------------------------------------------------------------------------

def targets(s: State, action: int) -> tuple[Target, ...]:
    """One thing to click for every action."""
    ghost = Ghost(text='+1') if action >= R.TAKE else None
    return (Target(IDS[action], ghost),)


def prompt(game: Game, view: View) -> Prompt:
    """What the viewer has to do; the bids are buttons."""
    s = view.state
    if s.ending:
        return Prompt(game.words('prompt.over'))
    if not view.actions:
        return Prompt(game.words('prompt.wait'))
    phase = ('bidding', 'dropping', 'picking')[s.phase]
    buttons = [Button(f'bid-{action}', game.words('button.bid', coins=action), str(action)) for action in view.actions
               if action < R.DROP]
    return Prompt(game.words(f'prompt.{phase}'), game.words(f'help.{phase}'), tuple(buttons))


def why_not(game: Game, view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    if view.state.ending or not view.actions:
        return game.words('why-not.wait')
    action = ACTIONS.get(targets[-1], -1) if targets else -1
    wanted = ('bid', 'drop', 'pick')[view.state.phase]
    if wanted == 'bid' and 0 <= action < R.DROP:
        return game.words('why-not.coins', coins=int(view.state.coins[view.seat]))
    return game.words(f'why-not.{wanted}')


def panels(game: Game, view: View) -> tuple[Panel, ...]:
    """Coins, cards and baskets; cards that are not known are counted."""
    s, text = view.state, game.words
    return tuple(Panel(seat, COLOURS_OF_SEATS[seat], '', (
        Row(text('panel.coins'), str(int(s.coins[seat]))),
        Row(text('panel.cards'), _listed(cards(s.hand[seat], int(s.held[seat])), text)),
        Row(text('panel.dropped'), _listed(cards(s.dropped[seat], C.HAND[s.long] - int(s.held[seat])), text)),
        Row(text('panel.basket'), _listed(fruits(s.basket[seat]), text)),
    )) for seat in range(s.players))


def _listed(names: Sequence[str | None], text: Words) -> str:
    if None in names:
        return text('cards', n=len(names))
    return ' '.join(text(f'fruit.{name}') for name in names) or text('nothing')


def text(game: Game, view: View) -> str:
    """The table in words."""
    s = view.state
    lines = [game.words('text.market', market=_listed(fruits(s.market), game.words), bag=int(s.bag.sum()))]
    for panel in panels(game, view):
        mark, bid = '>' if panel.seat == s.to_move and not s.ending else ' ', _bid(int(s.bid[panel.seat]))
        rows = [f'{row.label}: {row.value}' for row in panel.rows] + ([game.words('text.bid', coins=bid)] if bid else [])
        lines.append(f'{mark} {game.words("colour." + panel.colour)}: ' + '; '.join(rows))
    return '\n'.join(lines)
