"""`play` and `replay`: a game at the terminal.

In a game's text a piece is marked by the first letter of its owner's colour before a closing bracket, and
players are called by their colours; both are printed in that colour here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from ludoteca.cli.common import (
    fail,
    print_json,
    read_match,
    read_options,
    read_seat,
    read_seed,
    read_text,
    write_file,
)
from ludoteca.cli.kernels import prepared
from ludoteca.drawing.palette import PLAYERS
from ludoteca.game import SPECTATOR, Event, Game, GameError, load
from ludoteca.match import BOT, PERSON, LogEntry, Match, Seat, Setup, deal_colours, files
from ludoteca.search import LEVELS, bot_names, make_bot, stream, think
from ludoteca.text import words
from ludoteca.text.players import listed
from ludoteca.web.serving.preparation import Preparation

FORMAT = 1  # of saved games
HINT = LEVELS['hard']
HINTS = 3  # actions that a hint names
PEOPLE = 'none'  # instead of a bot's level


# ---- showing -----------------------------------------------------------------------------------------------


def paint(game: Game, colours: Sequence[str], text: str) -> Text:
    """A game's text with its players' words and letters in their colours."""
    painted = Text(text)
    painted.highlight_regex(r'\[\w+ +\]', 'dim')
    for name in colours:
        colour, word = PLAYERS[name], game.words(f'colour.{name}')
        ink = 'black' if colour.name in ('yellow', 'purple') else 'white'
        painted.highlight_regex(rf'(?<=[ (]){word[0]}(?=[)>\]])', f'bold {ink} on {colour.base}')
        painted.highlight_regex(rf'\b{word}\b', f'bold {colour.tone[1]}')
    return painted


def sentence(game: Game, names: Sequence[str], event: Event) -> str:
    """What happened, in words."""
    return game.words(
        f'event.{event.kind}', player=names[event.seat] if event.seat >= 0 else '', **event.values
    )


def result_words(match: Match, names: Sequence[str]) -> str:
    """How a match ended, in the game's own words, and the points if the game counts any."""
    result = match.result
    assert result is not None
    who = words('cli.play.and').join(names[seat] for seat in result.winners)
    if result.by >= 0:
        how = words('cli.play.resigned', player=names[result.by], who=who)
    else:
        how = match.game.prompt(dataclasses.replace(match.view(SPECTATOR), names=tuple(names))).text
    if not any(result.scores):
        return how
    points = ', '.join(f'{name} {score:g}' for name, score in zip(names, result.scores, strict=True))
    return words('cli.play.over', how=how, points=points)


# ---- playing -----------------------------------------------------------------------------------------------


def play(
    name: str,
    players: int | None,
    bots: str | None,
    seat: str | None,
    seed: str | None,
    options: Sequence[str],
    path: str | None,
    colour: str = '',
) -> None:
    """Play a game at this terminal against bots, with other people, or both. A saved match (`path`) goes on
    as it was set up."""
    set_up = {
        '--players': players,
        '--bots': bots,
        '--seat': seat,
        '--seed': seed,
        '--option': options,
        '--colour': colour,
    }
    if path is not None and (given := [option for option, value in set_up.items() if value]):
        fail('loaded', options=listed(given))
    game = load(name)
    with prepared(game) as preparation:
        match = (
            new_match(game, players, bots or 'easy', seat, seed, options, colour)
            if path is None
            else load_match(game, path)
        )
        TerminalMatch(match, Console(highlight=False), preparation).run()


def new_match(
    game: Game,
    players: int | None,
    bots: str,
    seat: str | None,
    seed: str | None,
    options: Sequence[str],
    colour: str = '',
) -> Match:
    """A match of one person (or of several, where `bots` says none) with bots on the other seats."""
    players = game.players[0] if players is None else players
    chosen = read_options(game, options).changed()
    Setup.new(game.name, players, chosen)  # refuses an impossible number of players
    levels = [level.strip() for level in bots.split(',')]
    levels = levels * (players - 1) if len(levels) == 1 else levels
    if len(levels) != players - 1:
        fail('bots', seats=players - 1, given=len(levels))
    for level in levels:
        if level != PEOPLE and level not in bot_names():
            fail('level', level=level, levels=', '.join((PEOPLE, *bot_names())))
    drawn = read_seed(seed)
    mine = stream(drawn, -1) % players if seat is None else read_seat(game, players, seat, spectator=False)
    levels.insert(mine, PEOPLE)
    dealt = deal_colours(game.colours(players), [*[''] * mine, colour])
    seats = [
        Seat()
        if level == PEOPLE
        else Seat(words('cli.play.bot', colour=words(f'colour.{dealt[k]}')), BOT, level)
        for k, level in enumerate(levels)
    ]
    return Match(Setup.new(game.name, players, chosen, seats, drawn, dealt))


class TerminalMatch:
    """A match at this terminal."""

    def __init__(self, match: Match, console: Console, preparation: Preparation) -> None:
        """`preparation`: the compiling of the game's rules, for which strong bots wait."""
        self.match, self.game, self.console = match, match.game, console
        self.preparation = preparation
        self.shown = match.turns  # how many turns of the log have been told
        self.looked = -1  # the person who looked last
        self.open = True
        self.commands: dict[str, Callable[[int, str], None]] = {
            'help': self.help,
            'legal': self.legal,
            'board': self.board,
            'log': self.log,
            'undo': self.undo,
            'hint': self.hint,
            'resign': self.resign,
            'save': self.save,
            'export': self.export,
            'quit': self.quit,
        }

    @property
    def people(self) -> list[int]:
        """The seats played at this terminal."""
        return [k for k, seat in enumerate(self.match.seats) if seat.kind == PERSON]

    def say(self, text: str) -> None:
        """Print a text with the players' colours."""
        self.console.print(paint(self.game, self.match.colours, text), soft_wrap=True)

    def run(self) -> None:
        """Play until the match is over or everybody has left."""
        if not self.people:
            fail('no_person')
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 (gives input() a history and line editing)
        self.say(words('cli.play.welcome', game=self.game.title))
        while self.open and self.match.result is None and self.people:
            seat = next(seat for seat in self.match.to_move if self.match.may_act(seat))
            if seat in self.people:
                self.ask(seat)
            else:
                self.let_bot_play(seat)
        if self.match.result is not None:
            self.tell(self.looked)
            self.say('\n' + self.game.text(self.match.view(max(self.looked, 0))))
            self.say('\n' + result_words(self.match, self.match.players))

    def let_bot_play(self, seat: int) -> None:
        """One action of a bot."""
        known, level = self.match.knowledge(seat), self.match.seats[seat].level
        number = len(self.match.entries)
        if not self.preparation.strong_enough(self.game.name, level):
            self.wait_for_rules(self.match.players[seat])
        with self.console.status(words('cli.play.thinking', player=self.match.players[seat])):
            action = make_bot(level).choose(
                self.game, known, seat, stream(f'{self.match.setup.seed}/{seat}', number), None
            )
        self.match.play(seat, [action])

    def wait_for_rules(self, player: str) -> None:
        """Wait until the rules are compiled, for a player whom interpreted rules would weaken."""
        with self.console.status('') as status:
            while not self.preparation.ready(self.game.name):
                percent = int(100 * self.preparation.progress_of(self.game.name))
                status.update(words('cli.play.preparing', player=player, percent=percent))
                time.sleep(0.1)

    def tell(self, seat: int) -> None:
        """Tell what has happened since the last time, as the seat may know it."""
        names = self.match.players
        for row in self.match.log(seat, since=self.shown):
            if row.kind == 'turn':
                self.say(f'{row.number}. {names[row.seat]}: {row.name}')
                for event in row.events:
                    self.console.print('   ', end='')
                    self.say(sentence(self.game, names, event))
        self.shown = self.match.turns

    def ask(self, seat: int) -> None:
        """Show a person the position, and do what is typed until something is played."""
        if self.game.hidden and len(self.people) > 1 and self.looked != seat:
            self.console.clear()
            self.read(words('cli.play.curtain', player=self.match.players[seat]))
        self.looked = seat
        self.tell(seat)
        self.board(seat, '')
        while self.open and self.match.result is None and self.match.may_act(seat) and seat in self.people:
            before = len(self.match.entries)
            typed = self.read(words('cli.play.prompt', player=self.match.players[seat]))
            try:
                self.do(seat, typed)
            except GameError as problem:
                self.say(str(problem))
            if len(self.match.entries) != before:
                return

    def read(self, prompt: str) -> str:
        """Read a line that somebody types; the end of the input leaves the table."""
        try:
            self.console.print(paint(self.game, self.match.colours, prompt), end='')
            return input().strip()
        except EOFError:
            self.console.print()
            self.quit(-1, '')
            return ''

    def do(self, seat: int, typed: str) -> None:
        """A command, or the names of steps or a whole turn. Raises GameError."""
        word, _, rest = typed.partition(' ')
        if not word:
            return
        if word.lower() in self.commands and word not in self.match.names(seat):
            self.commands[word.lower()](seat, rest.strip())
            return
        played = self.match.act(seat, None, typed)
        if played.rest:
            self.say(words('cli.play.rest', names=' '.join(played.rest)))

    # commands
    def help(self, seat: int, rest: str) -> None:
        """What can be typed."""
        self.say(words('cli.play.help', example=self.match.names(seat)[0]))

    def legal(self, seat: int, rest: str) -> None:
        """The names of what can be played now."""
        self.say('  '.join(self.match.names(seat)))

    def board(self, seat: int, rest: str) -> None:
        """The position, and what to do."""
        view = self.match.view(seat)
        prompt = self.game.prompt(view)
        self.say('\n' + self.game.text(view) + '\n\n' + ' '.join(filter(None, (prompt.text, prompt.help))))

    def log(self, seat: int, rest: str) -> None:
        """The turns played so far."""
        names = self.match.players
        for row in self.match.log(seat):
            player = names[row.seat] if row.seat >= 0 else ''
            self.say(
                f'{row.number}. {player}: {row.name}'
                if row.kind == 'turn'
                else words(f'match.row.{row.kind}', player=player)
            )

    def undo(self, seat: int, rest: str) -> None:
        """Take back a step of this turn, else the last turn."""
        if self.match.draft(seat):
            self.match.undo(seat)
        else:
            last = [
                row.seat for row in self.match.log(seat) if row.kind == 'turn' and row.seat in self.people
            ]
            asker = last[-1] if last else seat
            if self.match.may_take_back(asker) and not self.match.may_retry(asker):
                self.match.retry(asker)  # against bots alone, also across reveals
            else:
                self.match.ask_takeback(asker, agreed=self.people)
            self.shown = min(self.shown, self.match.turns)

    def hint(self, seat: int, rest: str) -> None:
        """What a strong bot would play."""
        with self.console.status(words('cli.play.thinking', player=HINT.name)):
            found = think(
                self.game,
                self.match.knowledge(seat),
                seat,
                settings=HINT.settings,
                simulations=HINT.usual.simulations,
                seconds=HINT.seconds,
            )
        for i in found.ranking()[:HINTS]:
            if found.visits[i]:
                self.say(words('cli.play.hint', name=found.names[i], chance=f'{100 * found.value(i):.0f}'))
        if len(found.line) > 1:
            self.say(words('cli.play.line', line=' '.join(found.line)))

    def resign(self, seat: int, rest: str) -> None:
        """Give up."""
        if self.read(words('cli.play.really')).lower() in (words('cli.yes'), words('cli.yes')[0]):
            self.match.resign(seat)

    def save(self, seat: int, rest: str) -> None:
        """Write the whole match, secrets included, to go on with later."""
        if not rest:
            fail('save')
        write_file(rest, saved(self.match).encode())
        self.say(words('cli.play.saved', path=rest))

    def export(self, seat: int, rest: str) -> None:
        """Write a match file with what the player may know."""
        if not rest:
            fail('save')
        write_file(rest, files.write(self.match, seat).encode())
        self.say(words('cli.play.exported', path=rest))

    def quit(self, seat: int, rest: str) -> None:
        """Leave."""
        self.open = False


# ---- saved games -------------------------------------------------------------------------------------------


def saved(match: Match) -> str:
    """A match with all its secrets as JSON, an entry of the log a line."""
    entries = ',\n'.join(json.dumps(dataclasses.astuple(entry)) for entry in match.entries)
    return (
        f'{{"ludoteca": {FORMAT},\n"setup": {json.dumps(match.setup.json())},\n"entries": [\n{entries}\n]}}\n'
    )


def load_match(game: Game, path: str) -> Match:
    """The match in a saved game."""
    text = read_text(path)
    try:
        data = json.loads(text)
        assert isinstance(data, Mapping)
        assert data['ludoteca'] == FORMAT
        setup = Setup.from_json(data['setup'])
        entries = [LogEntry(*entry) for entry in data['entries']]
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError):
        fail('no_save', path=path)
    if setup.game != game.name:
        fail('other_save', path=path, named=setup.game, game=game.name)
    match = Match.rebuild(setup, entries)
    if match.frozen:
        raise GameError(match.frozen)
    return match


# ---- match files -------------------------------------------------------------------------------------------


def replay(path: str, at: int | None, quiet: bool, as_json: bool, components: str | None = None) -> None:
    """Play a match file again, check it, and show where it leads."""
    match = read_match(path, components)
    at = match.turns if at is None else at
    if not 0 <= at <= match.turns:
        fail('turn', turn=at, last=match.turns)
    result, view = match.result, match.view(-1, at=at, uncovered=True)
    assert result is not None
    rows = [row for row in match.log(-1, uncovered=True) if row.kind == 'turn']
    if as_json:
        print_json(
            {
                'game': match.setup.game,
                'players': match.setup.players,
                'options': dict(match.setup.options),
                'turns': [row.name for row in rows],
                'result': dataclasses.asdict(result),
                'at': at,
                'position': match.game.to_json(view.state),
            }
        )
        return
    names, console = match.players, Console(highlight=False)

    def say(text: str) -> None:
        console.print(paint(match.game, match.colours, text), soft_wrap=True)

    if not quiet:
        for row in rows[:at]:
            say(f'{row.number}. {names[row.seat]}: {row.name}')
        say('\n' + match.game.text(view) + '\n')
    say(words('cli.replay.checked', path=path, turns=match.turns) + ' ' + result_words(match, names))
