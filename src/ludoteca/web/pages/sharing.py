"""What of a match is given to others: the dialog with links, pictures and films, and what a page tells of
itself to those who are sent its address (Open Graph, and the card of X)."""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.drawing import film
from ludoteca.text import words
from ludoteca.web.html.layout import h, icon
from ludoteca.web.pictures.scenes import PREVIEW_BOX


@dataclass(frozen=True)
class LinkPreview:
    """A page as messengers show it: title, a sentence, the address of a picture, and the page's own ('': it
    is not told, because it opens more than the picture)."""

    title: str
    sentence: str
    picture: str
    address: str = ''


def social(shared: LinkPreview) -> list[h.Node]:
    """The elements of the page's head. All addresses are whole."""
    width, height = PREVIEW_BOX
    told = {
        'og:type': 'website',
        'og:site_name': words('web.name'),
        'og:title': shared.title,
        'og:description': shared.sentence,
        'og:image': shared.picture,
        'og:image:type': 'image/png',
        'og:image:width': str(width),
        'og:image:height': str(height),
        'og:image:alt': shared.sentence,
    }
    if shared.address:
        told['og:url'] = shared.address
    card = {
        'twitter:card': 'summary_large_image',
        'twitter:title': shared.title,
        'twitter:description': shared.sentence,
        'twitter:image': shared.picture,
    }
    return [
        h.meta(name='description', content=shared.sentence),
        *(h.meta(property=name, content=text) for name, text in told.items()),
        *(h.meta(name=name, content=text) for name, text in card.items()),
    ]


def share_dialog(table: str, link: str) -> h.Element:
    """The dialog that gives a match to others. share.js fills in what depends on the turn that is looked at.
    `link`: see `table_page`."""
    close, picture = words('web.table.close'), words('web.share.picture')
    return h.dialog('#share', aria_labelledby='share-title', data_table=table, data_link=link)[
        h.div[
            h.header[
                h.h2('#share-title')[words('web.share.title')],
                h.form(method='dialog')[h.button('.ibtn', aria_label=close, title=close)[icon('close', 18)],],
            ],
            h.div('.stack')[_link('whole', 'link'), _link('turn', 'turn')],
            h.output(
                role='status',
                data_copied=words('web.share.copied'),
                data_selected=words('web.share.selected'),
            ),
            h.div('.field')[
                h.span(data_turn=picture)[picture],
                h.div('.links')[
                    [
                        h.a(
                            '.btn', href=f'/api/tables/{table}/picture.{kind}', download=True, data_kind=kind
                        )[icon('save', 18), kind.upper()]
                        for kind in ('svg', 'png')
                    ]
                ],
            ],
            _film(),
        ]
    ]


def _link(name: str, key: str) -> h.Element:
    label = words(f'web.share.{key}')
    return h.div('.field')[
        h.span(f'#share-{name}-is', data_turn=label)[label],
        h.div('.links')[
            h.input(f'#share-{name}', type='text', readonly=True, aria_labelledby=f'share-{name}-is'),
            h.button('.btn', type='button', data_field=f'#share-{name}')[words('web.share.copy')],
        ],
    ]


def _film() -> h.Element:
    """A film of the match, and how far it has come."""
    kinds = [(kind, kind.upper()) for kind in film.KINDS if film.can_make(kind)]
    later, making = words('web.film.from'), words('web.film.progress')
    return h.form('#film.film', method='dialog', data_state='', data_again=words('web.film.again'))[
        h.label('.field')[
            h.span[words('web.film.title')],
            h.select(name='kind')[[h.option(value=kind)[label] for kind, label in kinds]],
        ],
        h.label('.field')[
            h.span[words('web.film.turns')],
            h.select(name='turns')[
                h.option(value='')[words('web.film.all')], h.option(value='later', data_turn=later)[later]
            ],
        ],
        h.button('.btn', type='submit')[h.span[words('web.film.make')], h.span[words('web.film.stop')]],
        h.progress(max='1', value='0', aria_label=making),
        h.output,
        h.a('.btn.main', download=True)[icon('save', 18), words('web.film.save')],
    ]
