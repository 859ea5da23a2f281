"""Pictures in pixels, lettering, and films."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image

from ludoteca.drawing import film, lettering, raster
from ludoteca.drawing.film import FilmEncoder, Kind

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90" viewBox="0 0 120 90">'
    '<rect width="120" height="90" fill="#ffffff"/>'
    '<rect x="{x}" width="20" height="20" fill="{colour}"/></svg>'
)
FRAMES = [
    SQUARE.format(x=20 * k, colour=colour) for k, colour in enumerate(('#d02020', '#2040d0', '#20a040'))
]


def ink(svg: str) -> int:
    """How many pixels of a picture are dark."""
    return sum(value < 128 for value in Image.open(BytesIO(raster.png(svg, 200))).convert('L').tobytes())


def text(words: str, more: str = '') -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60" viewBox="0 0 200 60" '
        f'font-family="system-ui, sans-serif"><rect width="200" height="60" fill="#fff"/>'
        f'<text x="4" y="40" font-size="30" {more}>{words}</text></svg>'
    )


def test_text_is_drawn_with_the_font_that_the_package_brings() -> None:
    """Whatever fonts the system has: none of them is looked for."""
    plain, bold = ink(text('Ludoteca')), ink(text('Ludoteca', 'font-weight="800"'))
    assert plain > 500
    assert bold > 1.2 * plain, 'there is a bold font'
    weights = [ink(text('Ludoteca', f'font-weight="{weight}"')) for weight in (400, 550, 650, 750, 850)]
    assert weights == sorted(set(weights)), 'each is bolder than the one before'
    assert ink(text('Σωκράτης Łódź Ђорђе')) > 500
    assert raster._DRAWN.fullmatch('Łódź Σ Ђ ½ … − ’ ⏎')
    assert not raster._DRAWN.fullmatch('日本')


def test_names_in_other_scripts_do_no_harm() -> None:
    assert raster.png(text('日本 Ann'), 200).startswith(b'\x89PNG')


def test_text_is_broken_into_lines_that_fit() -> None:
    said = 'Ann laid a tile over the one on c3 and ran from C3 to D4, as far as anybody can remember.'
    found = lettering.lines(said, 200, 18, 600, 3)
    assert len(found) == 3
    assert all(lettering.width(line, 18, 600) <= 200 for line in found)
    assert found[-1].endswith('…')
    assert ' '.join(found).startswith('Ann laid a tile over')
    assert lettering.lines('Short', 200, 18) == ['Short']
    assert lettering.cut('W' * 300, 50, 18).endswith('…')


@pytest.mark.parametrize('kind', film.KINDS)
def test_a_film_shows_its_frames_for_their_times(kind: Kind) -> None:
    millis, told = (500, 1000, 1500), []
    frames = [lambda k=k: (FRAMES[k], millis[k]) for k in range(3)]
    data = film.make(kind, 121, frames, lambda: told.append(1))
    assert len(told) == 3
    if kind == 'mp4':
        import av

        with av.open(BytesIO(data), 'r') as box:
            stream = box.streams.video[0]
            assert (stream.width, stream.height, stream.codec.name) == (120, 90, 'h264')
            pictures = sum(1 for _ in box.decode(video=0))
        assert pictures == 60, '20 pictures a second, for three seconds'
        assert data.index(b'moov') < data.index(b'mdat'), 'it plays while it is loaded'
        return
    picture = Image.open(BytesIO(data))
    assert (picture.n_frames, picture.size) == (3, (120, 90))  # type: ignore[attr-defined]
    for k, colour in enumerate(((208, 32, 32), (32, 64, 208), (32, 160, 64))):
        picture.seek(k)
        assert picture.info['duration'] == millis[k]
        shown = picture.convert('RGB').getpixel((20 * k + 10, 10))
        assert isinstance(shown, tuple)
        assert all(abs(a - b) < 12 for a, b in zip(shown, colour, strict=True))
    assert len(data) < 4000, 'of a frame only what has changed is kept'


def test_films_have_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match='pixels wide'):
        FilmEncoder('gif', 5000)
    monkeypatch.setattr(film, 'MOST_FRAMES', 1)
    short = FilmEncoder('gif', 120)
    short.add(FRAMES[0], 100)
    with pytest.raises(ValueError, match='at most 1'):
        short.add(FRAMES[1], 100)
    with pytest.raises(ValueError, match='at least one'):
        FilmEncoder('gif', 120).finish()
    monkeypatch.setattr(film, 'can_make', lambda kind: False)
    with pytest.raises(film.Missing):
        FilmEncoder('mp4', 120)


def test_a_worker_answers_orders_and_survives_bad_ones() -> None:
    orders: list[tuple[dict[str, object], bytes]] = [
        ({'do': 'png', 'width': 40}, FRAMES[0].encode()),
        ({'do': 'png', 'width': 40}, b'no picture'),
        ({'do': 'nonsense'}, b''),
        ({'do': 'film', 'kind': 'gif', 'width': 120}, b''),
        ({'do': 'palette'}, FRAMES[0].encode()),
        ({'do': 'frame', 'millis': 100}, FRAMES[0].encode()),
        ({'do': 'frame', 'millis': 100}, FRAMES[1].encode()),
        ({'do': 'end'}, b''),
    ]
    said = b''.join(
        json.dumps({**order, 'size': len(data)}).encode() + b'\n' + data for order, data in orders
    )
    out = BytesIO(
        subprocess.run(
            [sys.executable, '-m', 'ludoteca.drawing.worker'], input=said, capture_output=True, check=True
        ).stdout
    )
    answers = []
    for _ in orders:
        head = json.loads(out.readline())
        answers.append((head.get('problem', ''), out.read(head['size'])))
    assert answers[0][1].startswith(b'\x89PNG')
    assert [bool(problem) for problem, _ in answers] == [False, True, True, *[False] * 5]
    assert answers[-1][1].startswith(b'GIF8')
