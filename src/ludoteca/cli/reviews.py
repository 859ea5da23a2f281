"""`review`: what a finished match teaches, as a graph and two tables."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from ludoteca.cli.common import (
    check_positive,
    fail,
    given_executor,
    percent,
    print_json,
    print_table,
    progress,
    read_match,
)
from ludoteca.match import Match
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.match import Match
    from ludoteca.review import Review, Reviewed

BARS = '▁▂▃▄▅▆▇█'
WIDEST = 72
"""Characters of a graph; a longer match is drawn with several turns a character."""
MOST_SIMULATIONS = 1_000_000


def review(
    path: str,
    sims: int,
    seed: str,
    workers: int | None,
    executor: str | None,
    every: bool,
    as_json: bool,
    components: str | None = None,
) -> None:
    """Review a match file and print what was found."""
    if not 1 <= sims <= MOST_SIMULATIONS:
        fail('between', name='--sims', least=1, most=f'{MOST_SIMULATIONS:,}', value=sims)
    check_positive('--workers', workers)
    match = read_match(path, components)
    with given_executor(executor, workers) as elsewhere:
        found = _reviewed(match, sims, seed, workers, elsewhere)
    if as_json:
        print_json(found.json())
    else:
        _print(match, found, every)


def _reviewed(match: Match, sims: int, seed: str, workers: int | None, executor: Executor | None) -> Review:
    """Have the turns judged by workers, here or elsewhere."""
    from ludoteca.research.processes import results
    from ludoteca.review import Judged, payloads, put_together
    from ludoteca.search import cores

    tasks = payloads(match, sims, seed)
    judged: list[Judged | None] = [None] * len(tasks)
    processes = min(workers or cores(), len(tasks))
    with progress(len(tasks), words('cli.review.judging')) as advance:
        for number, one in results(_judge, enumerate(tasks), processes, executor, [match.setup.game]):
            judged[number] = Judged.from_json(one)
            advance(1)
    return put_together(match, sims, [one for one in judged if one is not None])


def _judge(number: int, task: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    from ludoteca.review import judge_turn

    return number, judge_turn(task)


def _print(match: Match, found: Review, every: bool) -> None:
    title = words(
        'cli.review.title', game=match.game.title, turns=len(found.turns), sims=f'{found.simulations:,}'
    )
    names = match.players
    print(f'{title}\n\n{words("cli.review.graph")}')
    width = max(map(len, names))
    for seat, name in enumerate(names):
        print(f'  {name:<{width}}  {graph([row[seat] for row in found.expected])}')
    print()
    shown = [turn for turn in found.turns if every or turn.judged.judgement in ('inaccuracy', 'mistake')]
    if shown:
        print_table(
            [_row(turn, names) for turn in shown],
            [
                words(f'cli.review.{key}')
                for key in ('number', 'player', 'played', 'judgement', 'loss', 'better')
            ],
            words('cli.review.all_turns' if every else 'cli.review.turns'),
        )
    else:
        print(words('cli.review.none'))
    _print_reasons(found, names)
    print_table(
        [_seat_row(found, seat, name) for seat, name in enumerate(names)],
        [words(f'cli.review.seat.{key}') for key in ('player', 'outcome', 'luck', 'adjusted', 'points')],
        words('cli.review.seat.title'),
    )
    print(words('cli.review.explained'))


def _print_reasons(found: Review, names: Sequence[str]) -> None:
    """What would have been better at the turning points, and why."""
    points = [found.turns[number - 1] for own in found.turning_points for number in own]
    told = [turn for turn in sorted(points, key=lambda turn: turn.number) if turn.judged.why]
    if told:
        print(words('cli.review.why'))
    for turn in told:
        judged = turn.judged
        print(
            words(
                'cli.review.reason',
                number=turn.number,
                player=names[judged.seat],
                better=' '.join(judged.better),
                why=' '.join(judged.why),
            )
        )
    if told:
        print()


def graph(values: Sequence[float]) -> str:
    """Values between 0 and 1 as bars, one a character; of a long row the mean of several."""
    chunk = -(-len(values) // WIDEST)
    parts = [values[k : k + chunk] for k in range(0, len(values), chunk)]
    means = [sum(part) / len(part) for part in parts]
    return ''.join(BARS[min(len(BARS) - 1, max(0, int(mean * len(BARS))))] for mean in means)


def _row(turn: Reviewed, names: Sequence[str]) -> list[str]:
    judged = turn.judged
    return [
        str(turn.number),
        names[judged.seat],
        ' '.join(judged.names),
        words(f'review.{judged.judgement}'),
        percent(judged.loss) if judged.judgement != 'best' else '',
        ' '.join(_from_difference(judged.better, judged.names)),
    ]


def _from_difference(names: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """A turn without what it has in common with another one at the beginning."""
    same = next((k for k, (one, two) in enumerate(zip(names, others, strict=False)) if one != two), 0)
    return [words('cli.review.as_played'), *names[same:]] if same else names


def _seat_row(found: Review, seat: int, name: str) -> list[str]:
    luck, error = found.luck[seat], found.errors[seat]
    return [
        name,
        percent(found.expected[-1][seat]),
        f'{100 * luck:+.0f} ± {100 * error:.0f} %',
        f'{100 * found.adjusted[seat]:.0f} %',
        ', '.join(map(str, found.turning_points[seat])) or words('cli.none'),
    ]
