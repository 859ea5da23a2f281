"""`film`: a match file as a film."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludoteca.cli.common import fail, progress, read_match, read_seat, write_file
from ludoteca.drawing import film as films
from ludoteca.game import GameError
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.drawing.palette import Tint


def film(
    path: str,
    output: str,
    seat: str | None,
    theme: Tint,
    width: int,
    first: int,
    last: int | None,
    skip_passes: bool,
    components: str | None = None,
) -> None:
    """Write a film of a match file, with nothing hidden or as one seat knew it."""
    from ludoteca.web.pictures.scenes import Eyes, all_seen, film_frames, film_turns

    kind = films.SUFFIXES.get(Path(output).suffix.lower())
    if kind is None:
        fail('film', path=output)
    if not films.WIDTHS[0] <= width <= films.WIDTHS[1]:
        fail('between', name='--width', least=films.WIDTHS[0], most=f'{films.WIDTHS[1]:,}', value=width)
    if not films.can_make(kind):
        raise GameError(words('film.missing', extra='film'))
    match = read_match(path, components)
    eyes = all_seen(match) if seat is None else Eyes(read_seat(match.game, match.setup.players, seat))
    turns = film_turns(match, first, last, not skip_passes)
    if len(turns) > films.MOST_FRAMES:
        raise GameError(words('film.long', most=films.MOST_FRAMES, turns=len(turns)))
    frames = film_frames(match, turns, eyes, theme)
    with progress(len(frames), words('cli.film.making')) as advance:
        data = films.make(kind, width, frames, lambda: advance(1))
    write_file(output, data)
