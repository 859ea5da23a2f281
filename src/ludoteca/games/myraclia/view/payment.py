"""The card of Myraclia beside the map while somebody terraforms: the cubes that may be used, how a tile is
paid for or reserved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from ludoteca.drawing.cards import card_svg, card_text
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import joined, tag, translate, use, words
from ludoteca.game import Card, View
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..notation import action_name
from ..rules import NONE, Phase, State
from . import symbols as A
from .facts import (
    RECONSTRUCTED,
    Choices,
    cheapest,
    cost_of,
    element_id,
    element_word,
    footnote_of,
    gains_of,
    heap,
    legal,
    lent_of,
    listed,
    marked,
    missing_of,
    paid_of,
    points_words,
    pool_id,
    say,
    tile_name,
)
from .symbols import CARD, name

POOL_ROW, HEAD = 54.0, 92.0  # heights: of the cubes that may be used; of the tile under consideration
ZONE_ROW = 34.0  # of what comes from the exchange zone
BUDGET_ROW = 34.0  # of the places that fill as cubes are spent
PLAN_ROW = 40.0  # of the cheapest way
BUTTON, GAP = 44.0, 5.0  # height of a button, and what lies between two
WAYS, WAYS_AT = 3, 30.0  # ways to pay an element in a line, and where they begin
TILE = 0.58  # size of the tile
# two arrows: a cube of the exchange zone
SWAP = 'M-5-2.2H4.2M1.6-4.6L4.2-2.2L1.6.2M5 2.6H-4.2M-1.6.2L-4.2 2.6L-1.6 5'


def card(view: View, choices: Choices) -> Card:
    """The cubes of the seat to move; what is being paid or reserved; buttons for whoever may choose."""
    s = view.state
    blocks: list[tuple[float, Markup]] = []
    plan = cheapest(s) if choices.pays or choices.uses else ()
    if s.target != NONE:
        blocks.append((HEAD, _head(s)))
    blocks.append((POOL_ROW, _pool(s, plan)))
    if sum(heap(s.lent)):
        blocks.append((ZONE_ROW, _lent(s)))
    if s.budget:
        blocks.append((BUDGET_ROW, _budget(s, view.seat == s.to_move)))
    if plan:
        blocks.append((PLAN_ROW, _whole(s, plan)))
    if choices.pays:
        blocks += _ways(s, plan)
    elif choices.uses:
        blocks += _cubes(
            [R.USE + colour for colour in choices.uses],
            say('card.payment.fives', n=sum(heap(s.used)), of=5 * int(s.fives)),
        )
    elif choices.puts:
        blocks += _cubes([R.PUT + colour for colour in choices.puts], say('card.payment.put'))
    elif choices.adds:
        blocks += _cubes(
            [R.ADD + colour for colour in choices.adds],
            say('card.payment.add', tile=tile_name(s, int(s.reserved[s.to_move]))),
        )
    parts, y = list[str](), 0.0
    for height, block in blocks:
        parts.append(tag('g', block, transform=translate(0, y) if y else None))
        y += height
    title = _title(view)
    pool = sum(heap(s.pool)) - sum(paid_of(s))
    left = int(s.budget) - sum(paid_of(s))
    return Card(
        'payment',
        title,
        _budget_note(left, pool),
        card_svg(CARD, y, title, *parts),
        tray=True,
        footnote=footnote_of([int(s.target)] if s.phase != Phase.PUT else []),
        chapter=RECONSTRUCTED,
    )


def _budget_note(left: int, pool: int) -> str:
    """How many of the cubes of the pool may be used."""
    if not pool:
        return say('card.payment.none')
    if left < pool:
        return say('card.payment.some', n=left, of=pool)
    return say.counted('card.payment.all', pool)


def _title(view: View) -> str:
    """What the card is about."""
    s = view.state
    if s.target != NONE:
        return say(
            'card.payment.reserve' if s.phase == Phase.PUT else 'card.payment.pay',
            tile=tile_name(s, int(s.target)),
        )
    if view.seat == s.to_move:
        return say('card.payment.own')
    return say('card.payment.title', player=player_word(int(s.to_move), view.names))


def _head(s: State) -> Markup:
    """The tile under consideration, what is still missing, and what it brings or costs."""
    tile = int(s.target)
    if s.phase == Phase.PUT:
        penalty = len(missing_of(s, tile)) - int(s.plain).bit_count()
        lines = [say('card.payment.penalty', points=points_words(penalty)), say('card.payment.penalty_why')]
    else:
        gains = gains_of(s, tile)
        lines = [say('card.payment.gains', points=points_words(gains.total))]
        if gains.beside:
            lines.append(say('card.payment.parts', printed=gains.printed + gains.tokens, beside=gains.beside))
        if C.RELEASED[tile] >= 0:
            lines.append(
                marked(say('card.payment.releases', element=element_word(C.RELEASED[tile])), 'released')
            )
    missing = missing_of(s, tile)
    cubes = tag(
        'g',
        *(
            A.cube('cube' if s.plain >> colour & 1 else 'slot', colour, 94 + 26 * k, 16, 18)
            for k, colour in enumerate(missing)
        ),
        role='img',
        aria_label=say('card.payment.missing', elements=', '.join(map(element_word, missing))),
    )
    back = tag('rect', x=80, y=2, width=26 * len(missing) + 2, height=28, rx=7, fill=f'url(#{name("well")})')
    return joined(
        (
            use(name(f'barren-{C.TILES[tile]}'), translate(38, 42, scale=TILE)),
            back,
            cubes,
            *(
                card_text(
                    line,
                    82,
                    48 + 17 * k,
                    12.5 if k else 13.5,
                    550 if k else 700,
                    'text-2' if k else 'text',
                    'start',
                )
                for k, line in enumerate(lines)
            ),
        )
    )


def _pool(s: State, plan: Sequence[int]) -> Markup:
    """The cubes that may be used, by colour: those chosen already are counted off, those of the cheapest way
    are marked."""
    paid, wanted, lent = paid_of(s), [0] * C.N_COLOURS, lent_of(s)
    for action in plan:
        wanted = [a + b for a, b in zip(wanted, cost_of(action), strict=True)]
    parts: list[Markup] = [
        tag('rect', y=2, width=CARD, height=POOL_ROW - 10, rx=10, fill=f'url(#{name("well")})')
    ]
    pitch = (CARD - 12) / C.N_COLOURS
    for colour, n in enumerate(heap(s.pool)):
        if not n:
            continue
        x, left = 6 + pitch * (colour + 0.5), n - paid[colour]
        if wanted[colour]:
            parts.append(
                tag(
                    'rect',
                    x=x - pitch / 2 + 1.5,
                    y=5.5,
                    width=pitch - 3,
                    height=POOL_ROW - 17,
                    rx=7,
                    fill=var('legal'),
                    fill_opacity=0.16,
                    stroke=var('legal'),
                    stroke_width=1.8,
                    stroke_dasharray='4 4',
                )
            )
        number_ = words(
            str(left),
            x=x + 9,
            y=30,
            font_size=15,
            font_weight=750,
            fill='#fff',
            fill_opacity=1 if left else 0.5,
        )
        label = say('heap', n=left, element=element_word(colour))
        if lent[colour]:
            label = say('card.payment.lent', cubes=label, n=lent[colour])
        parts.append(
            tag(
                'g',
                A.cube('gem', colour, x - 7, 24.5, 20, id=pool_id(colour), opacity=None if left else 0.35),
                number_,
                role='img',
                aria_label=label,
            )
        )
    return joined(parts)


def _lent(s: State) -> Markup:
    """Which of these cubes come from the exchange zone: its compartment, under those that may be used."""
    left, came = lent_of(s), [colour for colour, n in enumerate(heap(s.lent)) if n]
    first, y = 134.0, ZONE_ROW / 2 - 3
    pitch = min(30.0, (CARD - 8 - first) / max(1, len(came)))
    parts: list[str] = [
        tag(
            'rect',
            x=1,
            width=CARD - 2,
            height=ZONE_ROW - 6,
            rx=8,
            fill=var('surface-2'),
            stroke=var('line-strong'),
            stroke_width=1.3,
            stroke_dasharray='3 2.5',
        ),
        _arrows(16, y, 1.2, var('text-2')),
        card_text(say('card.payment.zone'), 28, y + 4.2, 12.5, 600, 'text', 'start'),
    ]
    for k, colour in enumerate(came):
        parts += [
            A.cube('gem', colour, first + pitch * (k + 0.4), y, 13, opacity=None if left[colour] else 0.35),
            card_text(str(left[colour]), first + pitch * (k + 0.4) + 11, y + 4.6, 13, 700, 'text', 'start'),
        ]
    return tag('g', *parts, data_about='zone', aria_hidden='true')


def _budget(s: State, own: bool) -> Markup:
    """The cubes that may be spent, as places; the cubes chosen so far lie on them."""
    chosen = [colour for colour, n in enumerate(paid_of(s)) for _ in range(n)]
    left = int(s.budget) - len(chosen)
    text = say('card.payment.budget' if own else 'card.payment.budget_other', n=left)
    first, n = 172.0, int(s.budget)
    pitch = min(21.0, (CARD - first - 4) / n)
    return joined(
        (
            card_text(text, 0, BUDGET_ROW / 2 + 4, 12.5, 650, 'text', 'start'),
            tag(
                'g',
                *(
                    A.cube('gem', chosen[k], first + pitch * (k + 0.5), BUDGET_ROW / 2, pitch * 0.8)
                    if k < len(chosen)
                    else tag(
                        'rect',
                        x=first + pitch * (k + 0.1),
                        y=BUDGET_ROW / 2 - pitch * 0.4,
                        width=pitch * 0.8,
                        height=pitch * 0.8,
                        rx=3.5,
                        fill=var('surface-2'),
                        stroke=var('line-strong'),
                        stroke_width=1.3,
                        stroke_dasharray='3 2.5',
                    )
                    for k in range(n)
                ),
                aria_hidden='true',
                class_='budget',
            ),
        )
    )


# ---- the cheapest way --------------------------------------------------------------------------------------


def _whole(s: State, plan: Sequence[int]) -> Markup:
    """All cubes of the cheapest way, as Enter pays them: a wild card is framed with the element that it
    stands for, a cube of the exchange zone wears two arrows."""
    own = [n - lent - paid for n, lent, paid in zip(heap(s.pool), lent_of(s), paid_of(s), strict=True)]
    uses = [action - R.USE for action in plan if action >= R.USE]
    groups = [_cubes_of(action, uses) for action in plan if action < R.USE] or [(NONE, uses)]
    sizes = [(len(cubes) if wild == NONE else len(cubes) + 1.5) for wild, cubes in groups]
    pitch = min(21.0, (CARD - 92) / sum(size + 0.4 for size in sizes))
    x, parts, said = CARD - pitch * sum(size + 0.4 for size in sizes) + pitch * 0.2, list[str](), list[str]()
    for (wild, cubes), size in zip(groups, sizes, strict=True):
        said.append(listed([element_word(colour) for colour in cubes]))
        if wild != NONE:
            said[-1] = say('card.payment.wild', elements=said[-1], element=element_word(wild))
            parts += [
                tag(
                    'rect',
                    x=x - 2,
                    y=5,
                    width=pitch * size + 2,
                    height=PLAN_ROW - 14,
                    rx=6,
                    fill='none',
                    stroke=var('line-strong'),
                    stroke_width=1.3,
                    stroke_dasharray='3 2.5',
                ),
                A.cube('slot', wild, x + pitch * 0.6, PLAN_ROW / 2 - 2, pitch * 0.72),
            ]
            x += 1.5 * pitch
        for colour in cubes:
            parts.append(A.cube('gem', colour, x + pitch / 2, PLAN_ROW / 2 - 2, pitch * 0.76))
            own[colour] -= 1
            if own[colour] < 0:
                parts.append(_arrows(x + pitch / 2, PLAN_ROW - 7, 0.85, var('text-2')))
            x += pitch
        x += pitch * 0.4
    return joined(
        (
            card_text(say('card.payment.cheapest'), 0, PLAN_ROW / 2 + 3, 13, 650, 'text', 'start'),
            tag('g', *parts, role='img', aria_label=say('card.payment.whole', elements='; '.join(said))),
        )
    )


def _cubes_of(action: int, uses: list[int]) -> tuple[int, list[int]]:
    """The element for which a way to pay uses a wild card, NONE for none, and its cubes; those of fives are
    taken from `uses`."""
    if action < R.TRIPLE:
        return NONE, [action - R.PAY]
    if action < R.FIVE:
        colour, given = divmod(action - R.TRIPLE, C.N_COLOURS)
        return colour, [given] * 3
    cubes = uses[:5]
    del uses[:5]
    return action - R.FIVE, cubes


def _arrows(x: float, y: float, size: float, colour: str) -> Markup:
    """The sign of the exchange zone."""
    return tag(
        'path',
        d=SWAP,
        transform=translate(x, y, scale=size),
        fill='none',
        stroke=colour,
        stroke_width=1.5,
        stroke_linecap='round',
        stroke_linejoin='round',
    )


# ---- buttons -----------------------------------------------------------------------------------------------


def _button(
    action: int,
    x: float,
    y: float,
    width: float,
    label: str,
    *parts: str,
    first: bool = False,
    steps: Sequence[str] = (),
) -> Markup:
    """A button of the card for an action, or for `steps` that end with it."""
    frame: dict[str, float] = {'x': x, 'y': y, 'width': width, 'height': BUTTON, 'rx': 9}
    face = tag(
        'rect',
        fill=var('accent-soft' if first else 'surface-2'),
        stroke=var('accent' if first else 'line-strong'),
        stroke_width=1.8 if first else 1.1,
        **frame,
    )
    if steps:
        return tag(
            'g',
            face,
            *parts,
            A.handles(frame),
            class_='target',
            role='button',
            tabindex='0',
            aria_label=label,
            data_steps=' '.join(steps),
        )
    return tag(
        'g',
        face,
        *parts,
        A.handles(frame),
        id=element_id(action),
        class_='target',
        role='button',
        tabindex='0',
        aria_label=label,
        data_target=f'el:{element_id(action)}',
    )


def _ways(s: State, plan: Sequence[int]) -> Iterator[tuple[float, Markup]]:
    """For the next missing colour, and for each later one that can be paid in several ways, these ways."""
    yield 24.0, card_text(say('card.payment.how'), 0, 16, 12.5, 550, 'text-2', 'start')
    trial = s.copy()
    for k, chosen in enumerate(plan):
        if trial.phase != Phase.PAY or trial.target == NONE:
            break
        ways = legal(trial)
        if k == 0 or len(ways) > 1:
            names = [action_name(s, action) for action in plan[:k]]
            ways = [chosen, *(action for action in ways if action != chosen)]
            for line in range(0, len(ways), WAYS):
                yield (
                    BUTTON + GAP,
                    joined(_line_of_ways(s, names, chosen, ways[line : line + WAYS], line == 0)),
                )
        R.apply(trial, chosen)


def _line_of_ways(
    s: State, names: Sequence[str], chosen: int, ways: Sequence[int], head: bool
) -> Iterator[Markup]:
    """A line of ways to pay a colour, after the steps `names`."""
    if head:
        colour = chosen - R.PAY if chosen < R.TRIPLE else _cubes_of(chosen, [])[0]
        yield A.cube('slot', colour, WAYS_AT / 2 - 3, BUTTON / 2, 18)
    width = (CARD - WAYS_AT + GAP) / WAYS - GAP
    for k, action in enumerate(ways):
        yield _way(s, names, action, WAYS_AT + (width + GAP) * k, width, action == chosen)


def _way(s: State, names: Sequence[str], action: int, x: float, width: float, first: bool) -> Markup:
    """A way to pay a colour: plainly, by three equal cubes or by any five."""
    parts, middle = list[str](), BUTTON / 2
    if action < R.TRIPLE:
        text, colours = say('card.payment.plain', element=element_word(action - R.PAY)), [action - R.PAY]
    elif action < R.FIVE:
        given = (action - R.TRIPLE) % C.N_COLOURS
        text, colours = say('card.payment.triple', element=element_word(given)), [given] * 3
    else:
        text, colours = say('card.payment.five'), []
    for k, colour in enumerate(colours):
        parts.append(A.cube('gem', colour, x + width / 2 + 20 * (k - (len(colours) - 1) / 2), middle, 18))
    if not colours:
        parts.append(card_text(text, x + width / 2, middle + 4.5, 13, 650, 'text'))
    steps = (*names, action_name(s, action)) if names else ()
    return _button(action, x, 0, width, text, *parts, first=first, steps=steps)


def _cubes(actions: Sequence[int], text: str) -> Iterator[tuple[float, Markup]]:
    """Cubes of which one is chosen, each a button of its own."""
    yield 22.0, card_text(text, 0, 14, 12.5, 650, 'text', 'start')
    pitch = CARD / C.N_COLOURS
    parts = []
    for k, action in enumerate(actions):
        colour = action - (R.PUT if action >= R.PUT else R.USE if action >= R.USE else R.ADD)
        x = pitch * k + 1
        parts.append(
            _button(
                action,
                x,
                0,
                pitch - 3,
                say('card.payment.cube', element=element_word(colour)),
                A.cube('gem', colour, x + pitch / 2 - 1.5, BUTTON / 2, 22),
            )
        )
    yield BUTTON + GAP, joined(parts)
