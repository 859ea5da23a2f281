"""A match file as a film."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from ludoteca.drawing import film, raster
from tests.cli.conftest import Run

LINE_UP = 'deploy 2-5-2 deploy 1-3-5 deploy 1-1-1 deploy 4-4-1 deploy 5-1-3 deploy 3-2-4'
MATCH = f"""Format: 1
Game: myrmidons
Rules: 1
Players: 2
Seat 1: person, Ann
Seat 2: person, Bob
Seed: {'1' * 32}
Result: resigned (seat 1); outcome 0 1; points 0 0

1. {LINE_UP}
2. {LINE_UP}
"""


def test_a_match_file_becomes_a_film_as_a_seat_knew_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path('game.match').write_text(MATCH)
    shown: list[str] = []
    png = raster.png

    def noted(svg: str, width: int) -> bytes:
        shown.append(svg)
        return png(svg, width)

    monkeypatch.setattr(raster, 'png', noted)
    answer = run('film', 'game.match', '-o', 'red.gif', '--seat', 'red', '--width', '120', '--theme', 'dark')
    assert (answer.status, answer.out, answer.err) == (0, '', '')
    picture = Image.open('red.gif')
    assert (picture.format, picture.n_frames, picture.width) == ('GIF', 2, 120)  # type: ignore[attr-defined]
    assert 'Ann' in shown[-1]
    own = shown[-1]
    run('film', 'game.match', '-o', 'both.gif', '--seat', '-1', '--from', '2', '--width', '120')
    assert Image.open('both.gif').format == 'GIF'
    assert shown[-1] != own, 'a spectator knows less'


@pytest.mark.parametrize(
    ('given', 'said'),
    [(('--from', '2', '--to', '1'), 'not from 2 to 1'), (('--from', '-3'), 'not from -3 to ')],
)
def test_a_film_goes_on_from_where_it_begins(run: Run, given: tuple[str, ...], said: str) -> None:
    Path('game.match').write_text(MATCH)
    answer = run('film', 'game.match', '-o', 'game.gif', *given)
    assert answer.status == 2
    assert said in answer.err
    assert not Path('game.gif').exists()


def test_a_library_that_is_missing_is_named_in_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path('game.match').write_text(MATCH)
    monkeypatch.setattr(film, 'can_make', lambda kind: kind != 'mp4')
    answer = run('film', 'game.match', '-o', 'game.mp4')
    assert (answer.status, answer.err.count('\n')) == (2, 1)
    assert "pip install 'ludoteca[film]'" in answer.err
    assert not Path('game.mp4').exists()
