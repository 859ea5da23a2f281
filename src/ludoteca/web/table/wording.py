"""The sentences of the table page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial, reduce
from itertools import groupby

from ludoteca.game import Event, Game, Value, View
from ludoteca.match import Match, MatchResult, Notice, Request
from ludoteca.review.lines import LineStep
from ludoteca.text import words
from ludoteca.text.numbers import with_half
from ludoteca.text.players import listed
from ludoteca.web.table.model import SeatLabel, TableView


def begins_words(match: Match, rematch: bool, drawn: bool) -> str:
    """Who begins the match and why: it is a `rematch`, or the seats were `drawn`; '' if neither is so."""
    reason = 'drawn' if match.game.next_first == 'drawn' or not rematch else match.game.next_first
    if not rematch and not drawn:
        return ''
    return words(f'web.table.begins.{reason}', first=match.players[match.first], last=match.players[-1])


def next_words(table: TableView) -> str:
    """Who would begin a rematch and why."""
    match = table.match
    first, last = table.name(match.next_order[0]), table.name(0)
    return words(f'web.table.next.{match.game.next_first}', first=first, last=last)


def result_words(table: TableView) -> str:
    """Who has won."""
    result = table.match.result
    assert result is not None
    if table.won and table.mine == result.winners and len(result.winners) == 1:
        return with_points(words('web.table.result.yours'), result)
    return winner_words(result, table.names)


def winner_words(result: MatchResult, names: Sequence[str]) -> str:
    """Who has won, for everybody: one alone, all, or some of several."""
    winners = [names[seat] for seat in result.winners]
    if len(winners) == 1:
        return with_points(words('web.table.result.won', name=winners[0]), result)
    if result.drawn:
        return words('web.table.result.shared')
    return words('web.table.result.several', names=listed(winners))


def with_points(text: str, result: MatchResult) -> str:
    """Who has won of two, with the points of both where they decided it."""
    first, last = max(result.scores), min(result.scores)
    decided = result.by < 0 and result.scores.index(first) in result.winners
    return f'{text} {first:g}–{last:g}' if decided and first > last and len(result.scores) == 2 else text


def notice_words(table: TableView, notice: Notice) -> str:
    """What happened beside the turns, as a sentence; '' for what the visitor has done."""
    if notice.seat in table.mine:
        return ''
    player, request = table.name(notice.seat) if notice.seat >= 0 else '', notice.request
    if request is None:
        return f'{words(f"match.row.{notice.kind}", player=player)}.'
    name, who = table.name(request.seat), table.name(request.value) if request.kind == 'replace' else ''
    if notice.kind == 'ask':
        return request_words(table, request)
    return words(f'web.table.notice.{notice.kind}.{request.kind}', player=player, name=name, who=who)


def request_words(table: TableView, request: Request) -> str:
    """What a player asks the others for."""
    who = table.name(request.value) if request.kind == 'replace' else ''
    kind = 'best_of' if request.kind == 'rematch' and request.value > 1 else request.kind
    return words(f'web.table.request.{kind}', name=table.name(request.seat), who=who)


def score_words(table: TableView, over: bool = False) -> str:
    """What each has won in a best of three or in all rematches; '' for a match that is no rematch. `over`:
    with the winner of a best of three that is over."""
    won = [table.score.get(colour, 0.0) for colour in table.colours] if table.score or table.series else []
    pairs = zip(table.names, won, strict=False)
    score = '\u00a0– '.join(f'{name}\u00a0{with_half(games)}' for name, games in pairs)
    if not table.series:
        return score
    if not over or table.series_goes_on:
        return words('web.table.best_of.score', score=score)
    key = 'won' if won.count(max(won)) == 1 else 'drawn'
    return words(f'web.table.best_of.{key}', name=table.names[won.index(max(won))], score=score)


def ending_words(table: TableView, view: View) -> str:
    """How the match has ended, with the points unless the line about the winner has them."""
    result = table.match.result
    assert result is not None
    told = result.by >= 0 or with_points('', result)
    return end_words(table, result) if told else table.game.prompt(view).text


def end_words(table: TableView, result: MatchResult) -> str:
    """Why the match is over."""
    if result.by >= 0:
        return words('web.table.result.resigned', name=table.name(result.by))
    winner = table.name(result.winners[0]) if result.winners else ''
    return table.game.words(f'ending.{result.ending}', player=winner)


def stage_words(table: TableView, at: int | None = None) -> str:
    """How far the match has come (`at`: had come after so many turns): in the game's own words, else in
    rounds. A secret arrangement is no round."""
    match = table.match
    if match.status == 'running' and match.arranged(match.turns if at is None else at):
        return words('web.table.arrange.place')
    finished = match.finished(at)
    over = match.result is not None and finished == match.finished()
    return match.stage(at) or words('web.table.round', n=max(finished - over, 0) // match.setup.players + 1)


def options_words(game: Game, changed: Mapping[str, Value]) -> list[str]:
    """The options of a match that are not those that pages propose. `changed`: those that differ from the
    defaults of the rules."""
    defaults = {name: values[0] for name, values in game.options.values().items()}
    usual = {**defaults, **game.usual_options}
    return [
        _option_words(game, name, value)
        for name, value in {**defaults, **changed}.items()
        if usual.get(name) != value
    ]


def _option_words(game: Game, name: str, value: Value) -> str:
    """A chosen option in words; what is switched off has words of its own."""
    label, key = game.words(f'option.{name}'), f'option.{name}.{str(value).lower()}'
    if value is True or key not in game.words:
        return label
    return game.words(key) if value is False else f'{label}: {game.words(key)}'


def terms_words(game: Game, players: int, options: Mapping[str, Value], hints: bool | None) -> str:
    """How many play, with which options, and whether they may ask for hints (None: nobody plays others)."""
    parts = [words('web.lobby.players', n=players)]
    parts += options_words(game, options)
    if hints is not None:
        parts.append(words('web.table.hints.on' if hints else 'web.table.hints.off'))
    return ' · '.join(parts)


def level_word(level: str) -> str:
    """The name of a level for people."""
    return words(f'web.level.{level}') if f'web.level.{level}' in words else level


def player_words(label: SeatLabel, at_screen: int = 1) -> str:
    """The kind of a player. `at_screen`: how many of the players are at the visitor's screen; of several
    nobody is called "you"."""
    if label.kind == 'bot':
        return words('web.table.bot', level=level_word(label.level).lower())
    if label.kind == 'open':
        return words('web.table.open_seat')
    if label.kind == 'analyst' or (label.mine and at_screen > 1):
        return ''
    return words('web.table.you') if label.mine else words('web.table.person')


def event_text(game: Game, event: Event, names: Sequence[str]) -> str:
    """An event as a sentence; '' if the game has no words for it."""
    key = f'event.{event.kind}'
    if key not in game.words:
        return ''
    player = names[event.seat] if 0 <= event.seat < len(names) else ''
    return game.words(key, player=player, **event.values)


def did_text(game: Game, events: Iterable[Event], names: Sequence[str], seat: int) -> str:
    """What a seat did in a turn, as one sentence without its subject and without a full stop; '' if the game
    has no words for it."""
    parts: list[str] = []
    for event in events:
        key = f'log.did.{event.kind}'
        if event.seat == seat and key in game.words:
            parts.append(game.words(key, player=names[seat], **event.values))
    return listed(parts)


def turn_text(game: Game, events: Sequence[Event], names: Sequence[str], seat: int) -> str:
    """What a seat did in a turn, as one sentence that begins with its name, without a full stop; in games
    without words for that, all that happened."""
    did = did_text(game, events, names, seat)
    return f'{names[seat]} {did}' if did else events_text(game, events, names).rstrip('.')


def line_texts(game: Game, steps: Iterable[LineStep], names: Sequence[str]) -> list[str]:
    """The turns of a line, each as `turn_text` tells it."""
    turns = groupby(steps, lambda step: (step.seat, int(step.before.turn)))
    return [
        turn_text(game, [event for step in turn for event in step.events], names, seat)
        for (seat, _), turn in turns
    ]


def do_text(game: Game, events: Iterable[Event], seat: int) -> str:
    """The turn that these events would make, as advice to its seat: one sentence in the imperative without a
    full stop; '' if the game has no words for it. It leaves out how fights end.

    The words of a step are under `log.do.<kind>`. Where there is an `.item`, neighbours with the same words
    are one step, and `{what}` lists their items; with `.after` (for one item `.after.one`) it goes on in the
    step before. `.alone` is for the only step."""
    say, steps, joined = game.words, list[str](), False
    own = (event for event in events if event.seat == seat)
    for _, alike in groupby(own, partial(_step_of, game)):
        event, *more = alike
        key, what = f'log.do.{event.kind}', counted([_item(game, one) for one in (event, *more)])
        goes_on = bool(steps) and f'{key}.after' in say
        if goes_on:
            one = not more and f'{key}.after.one' in say
            steps[-1] += say(f'{key}.after.one' if one else f'{key}.after', what=what)
        elif key in say:
            steps.append(say(key, **event.values, what=what))
        elif f'{key}.alone' in say and not steps:
            steps.append(say(f'{key}.alone', **event.values))
        joined |= goes_on or bool(more)
    if not joined:
        return listed(steps)
    return reduce(lambda first, last: words('then', first=first, last=last), steps)


def _item(game: Game, event: Event) -> str:
    key = f'log.do.{event.kind}.item'
    return game.words(key, **event.values) if key in game.words else ''


def _step_of(game: Game, event: Event) -> Hashable:
    """What neighbouring events share that form one step."""
    key = f'log.do.{event.kind}'
    return game.words(key, **event.values, what='') if f'{key}.item' in game.words else id(event)


def advice(game: Game, turn: Sequence[LineStep], seat: int, names: Sequence[str]) -> str:
    """What a seat should do, as `do_text` tells it; in games without words for that, what happens then."""
    events = [event for step in turn for event in step.events]
    return do_text(game, events, seat) or events_text(game, events, names).rstrip('.')


def also_text(game: Game, events: Iterable[Event], names: Sequence[str]) -> str:
    """What else followed from a turn, as sentences; '' if the game has no words for it."""
    texts = []
    for event in events:
        key = f'log.also.{event.kind}'
        if key in game.words:
            player = names[event.seat] if 0 <= event.seat < len(names) else ''
            texts.append(game.words(key, player=player, **event.values))
    return ' '.join(texts)


def gains_of(events: Iterable[Event]) -> dict[int, float]:
    """The points that events bring to each seat, without sums of zero."""
    found: dict[int, float] = {}
    for event in events:
        for seat, points in event.gains:
            found[seat] = found.get(seat, 0) + points
    return {seat: points for seat, points in found.items() if points}


def counted(values: Iterable[str]) -> str:
    """Values as a list in words, each once: '2 blue, green and 4 red'."""
    return listed(
        [
            value if n == 1 else words('web.table.recap.times', n=n, what=value)
            for value, n in Counter(values).items()
        ]
    )


def signed(points: float) -> str:
    """Points with their sign."""
    number = with_half(abs(points))
    return words('web.table.gain.more' if points > 0 else 'web.table.gain.less', n=number)


def events_text(game: Game, events: Iterable[Event], names: Sequence[str]) -> str:
    """Events as a few sentences. Consecutive repeats are merged."""
    texts = [text for text in (event_text(game, event, names) for event in events) if text]
    return ' '.join(text for k, text in enumerate(texts) if not k or text != texts[k - 1])
