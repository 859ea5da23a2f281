"""What a page tells of itself to those who are sent its address: the words and the picture that messengers
show (Open Graph, and the card of X)."""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.text import words
from ludoteca.web.layout import h
from ludoteca.web.scenes import PREVIEW_BOX


@dataclass(frozen=True)
class Shared:
    """A page as messengers show it: title, a sentence, the address of a picture, and the page's own ('': it
    is not told, because it opens more than the picture)."""

    title: str
    sentence: str
    picture: str
    address: str = ''


def social(shared: Shared) -> list[h.Node]:
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
