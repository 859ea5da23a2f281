"""Icons for buttons, as inline SVG in the colour of the text: 24 units square, lines of 1.9, round ends."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from ludoteca.drawing.svg import tag, with_text


def _dots(*points: tuple[float, float]) -> str:
    return ''.join(f'M{x} {y}h.01' for x, y in points)


_PATHS: dict[str, str] = {
    # in play
    'undo': 'M8 5L4 9l4 4M4 9h9.5a5 5 0 0 1 0 10H10',
    'redo': 'M16 5l4 4-4 4M20 9h-9.5a5 5 0 0 0 0 10H14',
    'turn': 'M19 8.5A8 8 0 1 0 20 13M19.5 4v5h-5',
    'turn-back': 'M5 8.5A8 8 0 1 1 4 13M4.5 4v5h5',
    'check': 'M4.5 12.5l5 5L19.5 7',
    'close': 'M6 6l12 12M18 6L6 18',
    'pass': 'M4 12h11M11 7l5 5-5 5M20 6v12',
    'hint': 'M9 17h6M10 20h4M12 3.5a5.8 5.8 0 0 0-3.4 10.5c.5.4.9 1 .9 1.6V17h5v-1.4c0-.6.4-1.2.9-1.6A5.8 5.8 0 0 0 12 3.5z',  # noqa: E501
    'flag': 'M6 21V4M6 5c4-2 8 2 12.5 0v8.5c-4.5 2-8.5-2-12.5 0',
    'handshake': 'M3 8l4-2 4 2 3-1.5L21 8v8l-3 .5-4.5 3-3-.5L5 16.5 3 16zM11 8l-2.5 4c1.5 1.5 3 .5 4-1l5 5.5',
    'flip': 'M12 3.5v17M8.5 7v10H2.8zM15.5 7v10h5.7z',
    'again': 'M5 12a7 7 0 0 1 12-5l2 2M19 12a7 7 0 0 1-12 5l-2-2M19 4.5V9h-4.5M5 19.5V15h4.5',
    'play': 'M8 5.5l10 6.5-10 6.5z',
    'pause': 'M9 6v12M15 6v12',
    # history
    'first': 'M17 6l-7 6 7 6M7 6v12',
    'prev': 'M14.5 6L8 12l6.5 6',
    'next': 'M9.5 6l6.5 6-6.5 6',
    'last': 'M7 6l7 6-7 6M17 6v12',
    'down': 'M7 10l5 5 5-5',
    'up': 'M7 14l5-5 5 5',
    'left': 'M14 7l-5 5 5 5',
    'right': 'M10 7l5 5-5 5',
    'swords': 'M4.5 4.5l12 12M19.5 4.5l-12 12M13.5 18.5l5-5M16.5 16.5l3.5 3.5M10.5 18.5l-5-5M7.5 16.5L4 20',
    # drawers and pages
    'chat': 'M4.5 5.5h15v10h-8l-4 4v-4h-3z',
    'rules': 'M12 6.5C10 5.1 7.4 4.7 4.5 5v12.6c2.9-.3 5.5.1 7.5 1.5 2-1.4 4.6-1.8 7.5-1.5V5c-2.9-.3-5.5.1-7.5 1.5zM12 6.5v12.6',  # noqa: E501
    # a wheel with eight teeth
    'gear': 'M10.2 5.6L10.6 2.9L13.4 2.9L13.8 5.6L15.3 6.3L17.5 4.6L19.4 6.5L17.7 8.7L18.4 10.2L21.1 10.6L21.1 13.4L18.4 13.8L17.7 15.3L19.4 17.5L17.5 19.4L15.3 17.7L13.8 18.4L13.4 21.1L10.6 21.1L10.2 18.4L8.7 17.7L6.5 19.4L4.6 17.5L6.3 15.3L5.6 13.8L2.9 13.4L2.9 10.6L5.6 10.2L6.3 8.7L4.6 6.5L6.5 4.6L8.7 6.3z'  # noqa: E501
    'M14.9 12a2.9 2.9 0 1 1-5.8 0 2.9 2.9 0 0 1 5.8 0z',
    'sliders': 'M4 7h7M15 7h5M15 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM4 17h3M11 17h9M11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',  # noqa: E501
    'log': 'M8.5 6.5h11M8.5 12h11M8.5 17.5h11' + _dots((4.5, 6.5), (4.5, 12), (4.5, 17.5)),
    'chart': 'M4 20V4M4 20h16M8 16v-4M12.5 16V7M17 16v-6',
    'search': 'M16 10.5a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM14.5 14.5L20 20',
    'home': 'M4 11.5L12 4.5l8 7M6.5 9.5V20h11V9.5',
    'menu': 'M4.5 7h15M4.5 12h15M4.5 17h15',
    'more': _dots((5.5, 12), (12, 12), (18.5, 12)),
    'info': 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 11v5.5M12 7.8h.01',
    'help': 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM9.7 10a2.4 2.4 0 1 1 3.6 2c-.9.5-1.3 1-1.3 2M12 16.7h.01',
    'share': 'M8.8 12a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM19.3 6.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0z'  # noqa: E501
    'M19.3 17.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM8.6 10.9l6.3-3.3M8.6 13.1l6.3 3.3',
    'link': 'M10 14a3.6 3.6 0 0 0 5 0l3.2-3.2a3.6 3.6 0 0 0-5-5L12 7M14 10a3.6 3.6 0 0 0-5 0l-3.2 3.2a3.6 3.6 0 0 0 5 5L12 17',  # noqa: E501
    'copy': 'M9 9h10.5v10.5H9zM5 15H4.5V4.5H15V5',
    'save': 'M12 4v10.5M7.5 10.5L12 15l4.5-4.5M4.5 19.5h15',
    'open': 'M13.5 5H19v5.5M19 5l-8 8M16.5 13.5V19H5V7.5h5.5',
    'plus': 'M12 5v14M5 12h14',
    'minus': 'M5 12h14',
    'pencil': 'M4.5 19.5l1-4.2L16 4.8a2.3 2.3 0 0 1 3.2 3.2L8.7 18.5zM14 7l3 3',
    'trash': 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
    # people and time
    'person': 'M15.5 8.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM5 19.5c.5-4 3.2-5.5 7-5.5s6.5 1.5 7 5.5',
    'people': 'M11.3 9a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0zM18.3 9.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0z'  # noqa: E501
    'M3 18.5c.4-3.4 2.6-5 5.5-5s5.1 1.6 5.5 5M15.5 14c2.9-.3 4.9 1.2 5.4 4',
    'robot': 'M8 8.5h8a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3zM12 8.5V5M9.3 13v1M14.7 13v1'  # noqa: E501
    'M2.8 12.5V15M21.2 12.5V15M12 4h.01',
    'eye': 'M3 12c2.5-4.3 5.5-6 9-6s6.5 1.7 9 6c-2.5 4.3-5.5 6-9 6s-6.5-1.7-9-6zM14.5 12a2.5 2.5 0 1 1-5 0'
    ' 2.5 2.5 0 0 1 5 0z',
    'clock': 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 7.5V12l3 2',
    'bell': 'M6.5 16.5c1-1.3 1.3-2.5 1.3-5 0-3 1.7-5 4.2-5s4.2 2 4.2 5c0 2.5.3 3.7 1.3 5zM10.5 19.5h3M12 6.5V5',  # noqa: E501
    'sound': 'M4.5 10v4h3l4 3.5v-11l-4 3.5zM15 9.5a3.5 3.5 0 0 1 0 5M17.5 7a7 7 0 0 1 0 10',
    'sun': 'M15.8 12a3.8 3.8 0 1 1-7.6 0 3.8 3.8 0 0 1 7.6 0zM12 3.5v2M12 18.5v2M3.5 12h2M18.5 12h2M6 6l1.4 1.4'  # noqa: E501
    'M16.6 16.6L18 18M18 6l-1.4 1.4M7.4 16.6L6 18',
    'moon': 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
    'warning': 'M12 4.5L21 19.5H3zM12 10v4.5M12 17h.01',
}

NAMES = tuple(_PATHS)


@cache
def icon(name: str, size: float = 20, label: str = '') -> Markup:
    """An icon of `size` pixels at the usual text size; hidden from screen readers unless it has a label.
    Raises KeyError for a name not in NAMES."""
    return tag(
        'svg',
        tag('path', d=_PATHS[name]),
        class_='icon',
        width=with_text(size),
        height=with_text(size),
        viewBox='0 0 24 24',
        fill='none',
        stroke='currentColor',
        stroke_width=1.9,
        stroke_linecap='round',
        stroke_linejoin='round',
        role='img' if label else None,
        aria_label=label or None,
        aria_hidden=None if label else 'true',
    )
