"""The page on which the components in front of one are filled in: fields, and beside them the drawing that
they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.game import Game, load
from ludoteca.game.components import LONGEST_TITLE, table_of
from ludoteca.game.kinds import Each, Entry, Halves, Joined, OneOf, Several, Triple, ValueKind, Whole, lacks
from ludoteca.text import capitalized, words
from ludoteca.web.html.layout import Markup, bar, h, icon, page
from ludoteca.web.offers.component_forms import field_of, text_of
from ludoteca.web.people.visitors import Visitor

Where = tuple[str | int, ...]
MOST_CHANGES = 8
"""Changes of a part that are listed one by one; of more only their number is."""


def components_page(
    visitor: Visitor, game: Game, values: Mapping[str, Any], title: str, own: bool, drawn: h.Node
) -> str:
    """The page for a game with the values that its fields show. `own`: may a table be opened with them?
    `drawn`: see `drawing`."""
    table = table_of(game)
    address = f'/games/{game.base_name}/components'
    content = h.div('.wrap')[
        bar('rules', visitor.name),
        h.main('.filling')[
            h.h1[words('web.components.title', game=game.words('title'))],
            h.p[words('web.components.intro')],
            'components.note' in game.words and h.p('.note')[game.words('components.note')],
            h.form('#filling', method='post', action=address, **{'data-check': f'{address}/check'})[
                h.div('.acts')[
                    h.label('.field')[
                        h.span[words('web.components.name')],
                        h.input(
                            type='text',
                            name='title',
                            value=title,
                            maxlength=str(LONGEST_TITLE),
                            autocomplete='off',
                            placeholder=words('web.components.name_here'),
                        ),
                    ],
                    h.noscript[
                        h.button('.btn', type='submit', name='do', value='draw')[words('web.components.draw')]
                    ],
                    h.button('.btn', type='submit', name='do', value='file')[
                        icon('save', 18), words('web.components.file')
                    ],
                    own
                    and h.button('.btn.main', type='submit', name='do', value='open')[
                        words('web.components.open')
                    ],
                ],
                h.div('.beside-picture')[
                    h.div('.parts')[
                        [_part(game, name, kind, values[name]) for name, kind in table.parts.items()]
                    ],
                    h.div('#drawn.drawn', aria_live='polite')[drawn],
                ],
            ],
        ],
    ]
    return page(
        words('web.components.title', game=game.words('title')),
        content,
        classes='lobby',
        script='components.js',
        style='rules.css',
        theme=visitor.preferences.theme,
    )


def drawing(game: Game, sentence: str = '') -> h.Node:
    """The components as they are drawn, and what they are called; or the sentence that says what is
    impossible."""
    if sentence:
        return h.p('.problem', role='alert')[sentence]
    chosen = game.component_set
    said = (
        words('web.components.same', game=game.title)
        if chosen is None
        else words('web.components.fine', hash=chosen.hash)
    )
    return [h.p('.fine')[said], h.div('.sheet')[Markup(game.components_picture())]]


def changes(game: Game) -> h.Element:
    """What the component set of a game changes, part by part, and where the rulebook does not hold with
    it."""
    table, values = table_of(load(game.base_name)), game.component_set.values
    by_part: dict[str, list[str]] = {}
    for path, kind, own, value in table.differences(values):
        part = str(path[0])
        where = _place(game, table.own[part], path[1:])
        change = _changed(_told(game, kind, value), _told(game, kind, own))
        by_part.setdefault(part, []).append(f'{where}: {change}' if where else change)
    for part in by_part:
        if _is_row(table.parts[part], table.own[part]):
            by_part[part] = [_changed(*(', '.join(map(str, row)) for row in (values[part], table.own[part])))]
    return h.ul[
        [h.li[note] for note in table.notes(values)],
        [
            h.li[
                h.b[capitalized(_label(game, part)), ': '],
                '; '.join(told)
                if len(told) <= MOST_CHANGES
                else words('web.components.set.many', n=len(told)),
            ]
            for part, told in by_part.items()
        ],
    ]


def _changed(value: str, own: str) -> str:
    return words('web.components.set.changed', value=value, own=own)


def _is_row(kind: ValueKind, own: Any) -> bool:
    """True for a list of plain values, which have no names and are listed as a whole."""
    return isinstance(own, list) and isinstance(kind, Each) and isinstance(kind.kind, (Whole, Halves, Triple))


def _place(game: Game, table: Any, path: Sequence[str | int]) -> str:
    """A place of a part in words, such as `points (P01)`; '' for the part itself."""
    names = list[str]()
    for step in path:
        table = table.get(step) if isinstance(table, Mapping) else table[step]
        names.append(_legend(game, step, table))
    inner, outer = names[-1:], names[:-1]
    return f'{inner[0]} ({", ".join(outer)})' if outer else ''.join(inner)


def _told(game: Game, kind: ValueKind, value: Any) -> str:
    """A single value in words."""
    if isinstance(kind, Several):
        return ', '.join(_label(game, one) for one in value) or words('web.components.none')
    if isinstance(kind, OneOf):
        return words('web.components.none') if value is None else _label(game, value)
    return text_of(kind, value)


# ---- fields ------------------------------------------------------------------------------------------------


def _label(game: Game, key: str | int) -> str:
    """What a part is called: in the game's words, else by its key in the table."""
    if isinstance(key, int):
        return str(key + 1)
    name = f'components.label.{key}'
    return game.words(name) if name in game.words else key.replace('_', ' ')


def _part(game: Game, name: str, kind: ValueKind, value: Any) -> h.Element:
    """A part of the table, folded together if it is large."""
    fields = _fields(game, (name,), kind, value)
    if isinstance(kind, (Each, Entry)):
        return h.details('.more', open=True)[h.summary[h.span[_label(game, name)]], fields]
    return h.div('.one')[_labelled(_label(game, name), fields, kind)]


def _fields(game: Game, path: Where, kind: ValueKind, value: Any) -> h.Node:
    """The fields of a value."""
    if isinstance(kind, Each):
        items: Sequence[tuple[str | int, Any]] = (
            list(value.items()) if isinstance(value, Mapping) else list(enumerate(value))
        )
        if isinstance(kind.kind, (Each, Entry)):
            return h.div('.entries')[
                [
                    h.fieldset('.entry')[
                        h.legend[_legend(game, step, one)], _fields(game, (*path, step), kind.kind, one)
                    ]
                    for step, one in items
                ]
            ]
        return h.div('.cells')[
            [
                _labelled(_label(game, step), _fields(game, (*path, step), kind.kind, one), kind.kind)
                for step, one in items
            ]
        ]
    if isinstance(kind, Entry):
        return h.div('.cells')[
            [
                _labelled(_label(game, key), _fields(game, (*path, key), one, value.get(key)), one)
                for key, one in kind.fields.items()
                if key in value or lacks(one)
            ]
        ]
    return _field(game, path, kind, value)


def _legend(game: Game, step: str | int, value: Any) -> str:
    named = value.get('id') if isinstance(value, Mapping) else None
    return named if isinstance(named, str) else _label(game, step)


def _labelled(label: str, field: h.Node, kind: ValueKind) -> h.Element:
    """A field with its label; several boxes are a group with it."""
    if isinstance(kind, Several):
        return h.fieldset(class_='choices tile' if kind.as_tile else 'choices')[h.legend[label], field]
    return h.label('.value')[h.span[label], field]


def _field(game: Game, path: Where, kind: ValueKind, value: Any) -> h.Node:
    name = field_of(path)
    if isinstance(kind, Several):
        return [
            h.label[
                h.input(type='checkbox', name=name, value=str(one), checked=one in value),
                h.span[_label(game, one)],
            ]
            for one in kind.values
        ]
    if isinstance(kind, OneOf):
        return h.select(name=name)[
            kind.may_lack and h.option(value='', selected=value is None)[words('web.components.none')],
            [h.option(value=one, selected=one == value)[_label(game, one)] for one in kind.values],
        ]
    if isinstance(kind, Whole):
        return h.input(
            type='number', name=name, value=str(value), min=str(kind.least), max=str(kind.most), required=True
        )
    if isinstance(kind, Halves):
        return h.input(
            type='number', name=name, value=str(value), min='0', max=str(kind.most), step='0.5', required=True
        )
    pairs = 'pairs' if isinstance(kind, Joined) else None
    return h.input(
        class_=pairs,
        type='text',
        name=name,
        value=text_of(kind, value),
        autocomplete='off',
        spellcheck='false',
    )
