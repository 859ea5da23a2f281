"""The card of Myraclia that shows a round at a glance: its steps in order, the present one marked."""
from __future__ import annotations

from markupsafe import Markup

from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import tag
from ludoteca.game import Card
from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia.art import CARD, card_svg, card_text, joined, say
from ludoteca.games.myraclia.rules import Phase, State

STEPS = ('cubes', 'draft', 'order', 'terraform', 'land', 'end', 'token', 'next')     # `token` with Eternity only
CHAPTER = 'a-round-at-a-glance'
ROW = 37.                           # height of a step
AT = {Phase.DRAFT: 'draft', Phase.PLACE: 'land', Phase.TOKEN: 'token'}


def step_now(s: State) -> str:
    """The step of the round that is played; '' before the first and after the last one."""
    return '' if s.ending or s.phase == Phase.ARRANGE else AT.get(Phase(int(s.phase)), 'terraform')


def card(s: State) -> Card:
    """The steps of a round."""
    now, steps, parts = step_now(s), [step for step in STEPS if step != 'token' or s.eternity], list[Markup]()
    for k, step in enumerate(steps):
        text = say(f'card.round.{step}_how', n=C.END_TILES[s.players], cubes=C.DRAFT_FIRST[s.players] if s.round == 1
                   else C.DRAFT[s.players])
        parts.append(_step(k, say(f'card.round.{step}'), text, step == now))
    title = say('card.round.title')
    return Card('round', title, say('card.round.note', n=steps.index(now) + 1, of=len(steps)) if now else '',
                card_svg(ROW * len(steps), title, *parts), footnote=say('card.round.footnote'), chapter=CHAPTER)


def _step(k: int, name: str, text: str, now: bool) -> Markup:
    """A step: its number, its name, what is done."""
    y = ROW * k
    back = tag('rect', x=0, y=y + 1, width=CARD, height=ROW - 2, rx=8, fill=var('last-soft'), stroke=var('last-bar')) if now else ''
    return tag('g', back, tag('circle', cx=16, cy=y + ROW / 2, r=10.5, fill=var('accent' if now else 'surface-2'),
                              stroke=var('line-strong')),
               joined((card_text(str(k + 1), 16, y + ROW / 2 + 4.4, 12.5, 700, 'on-accent' if now else 'text-2'),
                       card_text(name, 36, y + 15.5, 12.5, 700, 'text', 'start'),
                       card_text(text, 36, y + 30, 12, 500, 'text-2', 'start'))), role='img', aria_label=f'{k + 1} {name}: {text}',
               aria_current='step' if now else None)
