"""What lets the site be installed: the manifest, the service worker, and the page that it shows without
network.

The worker keeps what is listed here and nothing else. All of it answers the same to everybody: nothing that
belongs to a person or a table can get into a browser's cache.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from ludoteca import game as contract
from ludoteca.drawing.palette import value
from ludoteca.text import words
from ludoteca.web.html.illustrations import ICONS, READY, Picture, ready_pictures
from ludoteca.web.html.layout import LATIN, h, notice, page
from ludoteca.web.serving import assets

OFFLINE = '/offline'


def offline() -> str:
    """The page that is shown without network. It names no person and no table; its link leads to the address
    that was asked for."""
    title = words('web.offline.title')
    return page(
        title,
        notice(
            title,
            None,
            h.p[words('web.offline.text')],
            h.a('.btn.main', href='')[words('web.offline.again')],
        ),
        classes='lobby',
    )


@cache
def manifest() -> str:
    """The web app manifest."""
    icons = [
        {
            'src': assets.url(f'icons/{name}.png'),
            'sizes': f'{size}x{size}',
            'type': 'image/png',
            'purpose': purpose,
        }
        for name, (size, purpose) in ICONS.items()
        if purpose
    ]
    return json.dumps(
        {
            'id': '/',
            'name': words('web.name'),
            'short_name': words('web.name'),
            'description': words('web.installed'),
            'lang': 'en',
            'start_url': '/',
            'scope': '/',
            'display': 'standalone',
            'background_color': value('bg', 'light'),
            'theme_color': value('bg', 'light'),
            'categories': ['games'],
            'icons': icons,
        }
    )


@cache
def kept() -> dict[str, list[str]]:
    """What the worker keeps, by addresses: the `shell` at once; `pictures`, and fonts for other scripts than
    Latin, when they are first shown."""
    files = [assets.url(path) for path in assets.files() if not path.endswith(('.LICENSE', 'worker.js'))]
    later = [
        address for address in files if address.endswith(('.png', '.woff2')) and address != assets.url(LATIN)
    ]
    return {
        'shell': [address for address in files if address not in later]
        + [picture.address for picture in _ready() if _in_lobby(picture)],
        'pictures': later + [picture.address for picture in _ready() if not _in_lobby(picture)],
    }


@cache
def _ready() -> tuple[Picture, ...]:
    """The pictures that are kept as files; a game from outside has none."""
    names = [name for name in contract.games() if (READY / name).is_dir()]
    return tuple(picture for name in names for picture in ready_pictures(name) if picture.file.exists())


def _in_lobby(picture: Picture) -> bool:
    return picture.kind in ('emblem', 'badge')


@cache
def worker() -> str:
    """The service worker. Its cache is named by a digest of all that it keeps: a change of any of it
    makes another worker and another cache."""
    script = assets.files()['worker.js'].decode()
    digest = hashlib.blake2b(f'{assets.version()}{offline()}{manifest()}'.encode(), digest_size=8)
    for picture in _ready():
        digest.update(picture.packed())
    keep = {'name': f'ludoteca-{digest.hexdigest()}', **kept(), 'offline': OFFLINE}
    return f'const KEEP={json.dumps(keep)};\n{script}'
