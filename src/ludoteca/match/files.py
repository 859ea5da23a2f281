"""Match files: readable text with headers and numbered turns.

    Format: 1
    Game: name of the game
    Rules: 1
    Players: 2
    Options: name=value name=value
    Colours: green red
    Seat 1: person, Ann
    Seat 2: bot easy, Bob
    Date: 2026-11-20
    Seed: 32 hexadecimal digits
    Result: home; outcome 1 0; points 5 3

    1. a2:7 A1-B2
    2. pass

Lines that begin with # are comments; an empty line separates headers from turns. `Options`, `Colours`, `Date`
and the names may be missing. Turns that were sealed together follow each other in seat order. A match that is
not over is written for one seat (`Seen by`), without its seed, with '?' for actions that the seat may not
know and with the beginning as that seat saw it (`Start`, a position as JSON): such a file can be read, not
replayed. A match that began in the middle of a game says from which position (`From`, as JSON).
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NoReturn

from ludoteca.game import SPECTATOR, GameError, View, load, position
from ludoteca.match.log import RESIGNED, LogRow, MatchResult
from ludoteca.match.match import Match
from ludoteca.match.setup import BOT, PERSON, WHOLE, Seat, Setup, deal_colours
from ludoteca.text import words

FORMAT = 1
LONGEST = 2_000_000
"""Characters of the longest file that is read: some 50,000 turns."""
MOST_PLAYERS = 5
HEADERS = (
    'Format',
    'Game',
    'Rules',
    'Players',
    'Options',
    'Colours',
    *(f'Seat {number}' for number in range(1, MOST_PLAYERS + 1)),
    'Date',
    'Seen by',
    'Start',
    'From',
    'Seed',
    'Result',
)
UNFINISHED = 'not over'
_RESULT = re.compile(
    r'(?P<ending>[\w -]+?)(?: \(seat (?P<by>\d{1,2})\))?; outcome (?P<outcome>[\d. ]+); points (?P<points>[-\d. ]+)'  # noqa: E501
)


# ---- writing -----------------------------------------------------------------------------------------------


def write(match: Match, seat: int = SPECTATOR) -> str:
    """The match as text: all of it if it is over, else what the seat (-1: a spectator) may know. Raises
    GameError if there is no such seat."""
    setup, over = match.setup, match.result is not None
    rows = match.log(seat, uncovered=over)
    lines = [
        f'Format: {FORMAT}',
        f'Game: {setup.game}',
        f'Rules: {setup.version}',
        f'Players: {setup.players}',
    ]
    if setup.options:
        lines.append(
            'Options: ' + ' '.join(f'{name}={_option(value)}' for name, value in setup.options.items())
        )
    if setup.colours:
        lines.append('Colours: ' + ' '.join(setup.colours))
    for number, who in enumerate(setup.seats, 1):
        what = f'{who.kind} {who.level}'.rstrip()
        lines.append(f'Seat {number}: {what}, {who.name}' if who.name else f'Seat {number}: {what}')
    if rows:
        began = datetime.datetime.fromtimestamp(rows[0].time, datetime.UTC)
        lines.append(f'Date: {began.date().isoformat()}')
    if match.result:
        if setup.position is not None:
            lines.append(f'From: {json.dumps(_from(match), separators=(",", ":"))}')
        lines += [f'Seed: {setup.seed}', f'Result: {_result(match.result)}']
    else:
        lines += [
            f'Seen by: {f"seat {seat + 1}" if seat >= 0 else "a spectator"}',
            f'Result: {UNFINISHED}',
            f'Start: {match.game.canonical(match.view(seat, at=0).state)}',
        ]
    lines.append('')
    for row in rows:
        lines.append(f'{row.number}. {row.name}' if row.kind == 'turn' else f'# {row.kind}: {_whose(row)}')
    return '\n'.join(lines).rstrip('\n') + '\n'


def _from(match: Match) -> dict[str, object]:
    """The whole position from which a match began."""
    return match.game.to_json(match.setup.start())


def _option(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _whose(row: LogRow) -> str:
    return f'seat {row.seat + 1}' if row.seat >= 0 else f'after turn {row.number}'


def _result(result: MatchResult) -> str:
    by = f' (seat {result.by + 1})' if result.by >= 0 else ''
    return f'{result.ending}{by}; outcome {_numbers(result.outcome)}; points {_numbers(result.scores)}'


def _numbers(values: Sequence[float]) -> str:
    return ' '.join(f'{value:.6g}' for value in values)


# ---- reading -----------------------------------------------------------------------------------------------


def looks_like_match(text: str) -> bool:
    """True if a text is meant as a match file: if what comes first is a header, or a turn."""
    lines = (line.strip() for line in text.removeprefix('\ufeff').splitlines())
    first = next((line for line in lines if line and not line.startswith('#')), '')
    return first.partition(':')[0] in HEADERS or re.match(r'\d{1,9}\.\s', first) is not None


def read(text: str, longest: int = LONGEST) -> Match:
    """The finished match that a file of at most so many characters describes, replayed and checked step by
    step under the rules as they are now.

    Raises GameError with the number of the line, what is wrong there and what would be right."""
    if len(text) > longest:
        raise GameError(words('match.file.too_long', most=f'{longest:,}', length=f'{len(text):,}'))
    headers, turns = _split(text)
    setup, clock = _setup(headers)
    try:
        match = Match(setup, lambda: clock)
    except GameError as problem:
        _wrong(headers['Game'][0], str(problem))
    written = _int(headers, 'Rules', 1, 10**6) if 'Rules' in headers else match.game.version
    changed = (
        ''
        if written == match.game.version
        else ' ' + words('match.file.version', old=written, new=match.game.version)
    )
    for number, (line, name) in enumerate(turns, 1):
        try:
            _play(match, name)
        except GameError as problem:
            _wrong(line, words('match.file.turn', number=number, sentence=problem) + changed)
    _check_result(
        match, *headers['Result'], last=turns[-1][0] if turns else headers['Result'][0], changed=changed
    )
    return match


def _wrong(line: int, sentence: str) -> NoReturn:
    raise GameError(words('match.file.line', number=line, sentence=sentence))


def _split(text: str) -> tuple[dict[str, tuple[int, str]], list[tuple[int, str]]]:
    """Headers by name and turns in order, each with the number of its line."""
    headers: dict[str, tuple[int, str]] = {}
    turns: list[tuple[int, str]] = []
    for line, content in enumerate(text.removeprefix('\ufeff').splitlines(), 1):
        content = content.strip()
        if not content or content.startswith('#'):
            continue
        if turn := re.fullmatch(r'(\d{1,9})\.\s+(.+)', content):
            if int(turn[1]) != len(turns) + 1:
                _wrong(line, words('match.file.number', right=len(turns) + 1, number=turn[1]))
            turns.append((line, turn[2]))
            continue
        name, colon, value = content.partition(':')
        if not colon or turns:
            _wrong(line, words('match.file.no_turn' if turns else 'match.file.no_line', line=content[:40]))
        if name not in HEADERS:
            _wrong(line, words('match.file.no_header', name=name[:40], headers=', '.join(HEADERS)))
        if name in headers:
            _wrong(line, words('match.file.twice', name=name, line=headers[name][0]))
        headers[name] = line, value.strip()
    if not headers and not turns:
        raise GameError(words('match.file.empty'))
    if 'Game' not in headers:
        raise GameError(words('match.file.no_game'))
    return headers, turns


def _int(headers: dict[str, tuple[int, str]], name: str, least: int, most: int) -> int:
    line, value = headers[name]
    if not re.fullmatch(r'\d{1,9}', value) or not least <= int(value) <= most:
        _wrong(
            line,
            words(
                'match.file.range' if most < 10**6 else 'match.file.whole',
                name=name,
                least=least,
                most=most,
                value=value[:40],
            ),
        )
    return int(value)


def _setup(headers: dict[str, tuple[int, str]]) -> tuple[Setup, float]:
    """The set-up that the headers describe, and when the match was played (seconds since 1970)."""
    if 'Format' in headers and headers['Format'][1] != str(FORMAT):
        line, given = headers['Format']
        _wrong(line, words('match.file.format', given=given[:40], known=FORMAT))
    line, name = headers['Game']
    try:
        game = load(name)
    except GameError as problem:
        _wrong(line, str(problem))
    if headers.get('Result', (0, ''))[1] == UNFINISHED or 'Seen by' in headers:
        _wrong(headers.get('Seen by', headers.get('Result', (0, '')))[0], words('match.file.not_over'))
    for needed in ('Players', 'Seed', 'Result'):
        if needed not in headers:
            raise GameError(words('match.file.missing', name=needed))
    players = _int(headers, 'Players', game.players[0], game.players[-1])
    line, seed = headers['Seed']
    if not re.fullmatch('[0-9a-f]{32}', seed):
        _wrong(line, words('match.file.seed', seed=seed[:40]))
    line, text = headers.get('Options', (0, ''))
    options = {option: value for option, _, value in (part.partition('=') for part in text.split())}
    line, text = headers.get('Colours', (0, ''))
    colours = text.split()
    try:
        deal_colours(game.colours(players), colours)
    except GameError as problem:
        _wrong(line, str(problem))
    seats = []
    for number in range(1, MOST_PLAYERS + 1):
        if f'Seat {number}' in headers:
            line, text = headers[f'Seat {number}']
            if number > players:
                _wrong(line, words('match.file.no_seat', seat=number, players=players))
            seats.append(_seat(line, text))
        elif number <= players:
            seats.append(Seat())
    try:
        setup = Setup.new(name, players, options, seats, colours=colours)
    except GameError as problem:
        _wrong(headers['Options'][0] if 'Options' in headers else headers['Players'][0], str(problem))
    line, date = headers.get('Date', (0, '1970-01-01'))
    try:
        played = datetime.datetime.strptime(date, '%Y-%m-%d').replace(tzinfo=datetime.UTC).timestamp()
    except ValueError:
        _wrong(line, words('match.file.date', date=date[:40]))
    setup = replace(setup, seed=seed)
    if 'From' not in headers:
        return setup, played
    line, text = headers['From']
    try:
        setup = replace(setup, position=position(json.loads(text)).to_json(), knower=WHOLE)
        setup.start()
    except (ValueError, RecursionError) as problem:
        sentence = str(problem) if isinstance(problem, GameError) else words('game.error.not_position')
        _wrong(line, sentence)
    return setup, played


def _seat(line: int, text: str) -> Seat:
    what, _, name = text.partition(',')
    kind, _, level = what.strip().partition(' ')
    if kind not in (PERSON, BOT) or (kind == PERSON and level) or not level.isprintable():
        _wrong(line, words('match.file.seat', seat=text[:40]))
    played: Literal['person', 'bot'] = BOT if kind == BOT else PERSON
    return Seat(name.strip(), played, level.strip())


def _play(match: Match, name: str) -> None:
    """Play a named turn for whoever is to move. Raises GameError, also if it is only half a turn."""
    if match.result:
        raise GameError(words('match.file.over', ending=match.result.ending, name=name[:40]))
    seat = next(seat for seat in match.to_move if match.may_act(seat))
    rest: Sequence[str] = name.split()
    while rest:
        if match.result or not match.may_act(seat):
            raise GameError(words('match.file.turn_over', name=rest[0][:40]))
        rest = match.act(seat, None, rest).rest
    if match.draft(seat) and match.may_act(seat):
        names = ', '.join(match.names(seat)[:8])
        raise GameError(words('match.file.unfinished', name=match.draft(seat)[-1], names=names))


def _check_result(match: Match, line: int, text: str, last: int, changed: str) -> None:
    found = _RESULT.fullmatch(text)
    if not found:
        _wrong(line, words('match.file.result', result=text[:60]))
    if not match.result:
        if found['ending'] != RESIGNED or not found['by']:
            _wrong(last, words('match.file.incomplete', turns=match.turns, line=line) + changed)
        seat = int(found['by']) - 1
        if match.setup.players != 2 or not 0 <= seat < 2:
            _wrong(line, words('match.file.resigned'))
        match.resign(seat)
    assert match.result
    if _result(match.result) != text:
        _wrong(line, words('match.file.other_result', result=_result(match.result)) + changed)


# ---- looking on --------------------------------------------------------------------------------------------


def replay(match: Match, seat: int = SPECTATOR) -> Iterator[tuple[LogRow | None, View]]:
    """The positions of a match from the beginning (with None), each with the row that led to it: uncovered if
    the match is over, else as the seat may know them."""
    over = match.result is not None
    yield None, match.view(seat, at=0, uncovered=over)
    for row in match.log(seat, uncovered=over):
        if row.kind == 'turn':
            yield row, match.view(seat, at=row.number, uncovered=over)
