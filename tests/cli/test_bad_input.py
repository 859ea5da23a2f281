"""Whatever is wrong with what was typed: one sentence on stderr, exit status 2, nothing on stdout, no file
written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import myriath, myrmidons, octiles
from tests.cli.conftest import Run

GOOD = json.dumps(octiles.POSITION)
BATTLE = json.dumps(myrmidons.POSITION)


def altered(**keys: object) -> str:
    return json.dumps({key: value for key, value in {**octiles.POSITION, **keys}.items() if value is not ...})


FILES: dict[str, str | bytes] = {
    'good.json': GOOD,
    'broken.json': '{"game": "octiles", ',
    'list.json': '[1, 2]',
    'number.json': '7',
    'deep.json': '[' * 100_000,
    'digits.json': '1' * 5000,
    'empty.json': '',
    'binary.json': b'\xff\xfe\x00',
    'othergame.json': altered(game='chess'),
    'nogame.json': altered(game=[]),
    'incomplete.json': altered(stack=...),
    'toomany.json': altered(players=7),
    'negative.json': altered(to_move=-1),
    'text.json': altered(players='two'),
    'nan.json': GOOD.replace('"to_move": 1', '"to_move": NaN'),
    'unknownkey.json': altered(colour='red'),
    'unknown.json': altered(stack=[8, *[None] * 16]),
    'battle.json': BATTLE,
    'secrets.json': BATTLE.replace('"2-5-2"', 'null'),
    'triple.json': BATTLE.replace('"2-5-2"', '"2-5-3"'),
    'won.json': json.dumps({**myrmidons.POSITION, 'winner': 0}),
    'toolarge.json': json.dumps({**myrmidons.POSITION, 'options': {'size': 12}}),
    'early.json': json.dumps({**myriath.POSITION, 'tiles': [{'owner': 0, 'tile': 'U-AI', 'at': [3, 3]}]}),
    'overlap.json': json.dumps(
        {
            **myriath.POSITION,
            'tiles': [*myriath.POSITION['tiles'], {'owner': 0, 'tile': 'U-AI', 'at': [3, 3]}],
        }
    ),
    'outside.json': json.dumps({**myriath.POSITION, 'tiles': [{'owner': 0, 'tile': 'O', 'at': [6, 6]}]}),
    'points.json': json.dumps({**myriath.POSITION, 'scores': [0, 0.5]}),
    'passed.json': json.dumps({**myriath.POSITION, 'passes': 1}),
    'late.json': json.dumps({**myriath.POSITION, 'turn': 40}),
    'match.txt': 'Game: octiles\n',
    'tiles.txt': 'Game: myriath\n\n1. O c3\n2. O d4\n3. U-II r0\n',
    'words.txt': 'Game: myrmidons\n\n1. deploy 2-5-2 deploy 1-3-5 deploy\n',
    'save.json': '{"ludoteca": 1}',
    'old.svg': 'untouched',
}

CASES: list[tuple[str, str]] = [
    # arguments, a part of the sentence
    ('nonsense', 'nonsense'),
    ('--nonsense', 'nonsense'),
    ('simulate', 'GAME'),
    ('simulate chess', "no game 'chess'"),
    ('simulate octiles --players 1', '2 to 4'),
    ('simulate octiles --players 5', '2 to 4'),
    ('simulate octiles --players -2', '2 to 4'),
    ('simulate octiles --players two', '--players'),
    ('simulate octiles --games 0', 'At least one game'),
    ('simulate octiles --games -5', 'At least one game'),
    ('simulate octiles --games 1e9', '--games'),
    ('simulate octiles --threads 0', 'At least one thread'),
    ('simulate octiles --seed -1', 'seed'),
    ('simulate octiles --uniform both', '--uniform'),
    ('simulate octiles --by chess-master', "'chess-master'"),
    ('simulate octiles --by easy,easy,easy', 'for each of the 2'),
    ('simulate octiles --by expert:many', 'whole number of simulations'),
    ('simulate octiles --by expert:0', 'whole number of simulations'),
    ('simulate octiles --by yardstick --uniform turns', 'Bots choose by themselves'),
    ('simulate octiles --first -1', 'numbered from 0'),
    ('simulate octiles --each-turn', '--out'),
    ('simulate octiles --by yardstick --games 0', 'At least one game'),
    ('simulate octiles --option repetition', 'NAME=VALUE'),
    ('ladder octiles --players two', '--players'),
    ('ladder octiles --players 9', 'neighbouring levels'),
    ('ladder octiles --levels easy', 'neighbouring levels'),
    ('ladder octiles --levels easy,great', "no level 'great'"),
    ('ladder octiles --games 0', 'At least one game'),
    ('ladder octiles --workers 0', '--workers'),
    ('ladder octiles --out good.json', 'no game of a ladder'),
    ('simulate octiles --option speed=9', "no option 'speed'"),
    ('simulate octiles --option repetition=maybe', 'repetition'),
    ('simulate myrmidons --players 3', '2'),
    ('simulate myrmidons --option size=7', "'7'"),
    ('simulate myrmidons --option size=12', 'expansion'),
    ('simulate myrmidons --option capture=8', 'twelve'),
    ('simulate myrmidons --option types', 'NAME=VALUE'),
    ('simulate myrmidons --option types=5-1-3', 'agreed army only'),
    ('simulate myrmidons --option army=agreed --option types=5-1-3', 'not 1'),
    ('simulate myrmidons --option army=agreed --option types=', 'not 0'),
    ('simulate myrmidons --option army=agreed --option types=5-1-3,5-1-4', "'5-1-4'"),
    ('legal myrmidons good.json', '"octiles"'),
    ('legal myrmidons triple.json', "'2-5-3'"),
    ('legal myrmidons won.json', '"winner"'),
    ('legal myrmidons toolarge.json', 'expansion'),
    ('perft myrmidons --depth 1 --position secrets.json', 'unknown values'),
    ('draw myrmidons battle.json -o old.svg --seat yellow', "no seat 'yellow'"),
    ('play myrmidons --bots none,none', '1'),
    ('play myrmidons --option army=mine', "'mine'"),
    ('replay words.txt', 'words.txt'),
    ('simulate myriath --players 5', '2 to 4'),
    ('simulate myriath --option repetition=true', "no option 'repetition'"),
    ('legal myriath good.json', '"octiles"'),
    ('legal myriath early.json', 'octagons of all seats'),
    ('legal myriath overlap.json', 'U-AI d4 overlaps'),
    ('legal myriath outside.json', '7 crossings'),
    ('draw myriath points.json -o old.svg', '[0, 0]'),
    ('perft myriath --depth 1 --position passed.json', 'seat 1 can lay'),
    ('perft myriath --depth 1 --position late.json', '"turn"'),
    ('play myriath --bots easy,easy', '1'),
    ('play myriath --seat yellow', "no seat 'yellow'"),
    ('replay tiles.txt', 'tiles.txt'),
    ('legal octiles', 'POSITION.json'),
    ('legal chess good.json', "no game 'chess'"),
    ('legal octiles missing.json', 'There is no file missing.json'),
    ('legal octiles .', 'is a directory'),
    ('legal octiles good.json/x', 'cannot be read'),
    ('legal octiles broken.json', 'line 1'),
    ('legal octiles list.json', 'no position'),
    ('legal octiles number.json', 'no position'),
    ('legal octiles deep.json', 'deep.json'),
    ('legal octiles digits.json', 'digits.json'),
    ('legal octiles empty.json', 'not JSON'),
    ('legal octiles binary.json', 'UTF-8'),
    ('legal octiles othergame.json', '"chess"'),
    ('legal octiles nogame.json', 'not of octiles'),
    ('legal octiles incomplete.json', '"stack"'),
    ('legal octiles toomany.json', '"players"'),
    ('legal octiles negative.json', '"to_move"'),
    ('legal octiles text.json', '"players"'),
    ('legal octiles nan.json', '"to_move"'),
    ('legal octiles unknownkey.json', '"colour"'),
    ('perft octiles', '--depth'),
    ('perft octiles --depth -1', 'depth'),
    ('perft octiles --depth x', '--depth'),
    ('perft octiles --depth 1 --position missing.json', 'missing.json'),
    ('perft octiles --depth 1 --position unknown.json', 'unknown values'),
    ('perft octiles --depth 1 --position good.json --players 2', '--players'),
    ('draw octiles', '--output'),
    ('draw octiles -o old.gif', '.svg or .png'),
    ('draw octiles -o old', '.svg or .png'),
    ('draw octiles -o nowhere/p.svg', 'nowhere/p.svg'),
    ('draw octiles broken.json -o old.svg', 'broken.json'),
    ('draw octiles good.json -o old.svg --seat 2', "no seat '2'"),
    ('draw octiles good.json -o old.svg --seat green', "no seat 'green'"),
    ('draw octiles good.json -o old.svg --seed 1', '--seed'),
    ('draw octiles good.json -o old.svg --theme pink', '--theme'),
    ('draw octiles good.json -o p.png --width 0', 'pixels'),
    ('draw octiles good.json -o p.png --width 99999', 'pixels'),
    ('bench chess', "no game 'chess'"),
    ('bench octiles --players 9', '2 to 4'),
    ('bench octiles --repeats 0', 'repeated'),
    ('bench octiles --seconds -1', 'seconds'),
    ('bench octiles --seconds nan', 'seconds'),
    ('play chess', "no game 'chess'"),
    ('play octiles --players 9', '9'),
    ('play octiles --bots champion', "no level 'champion'"),
    ('play octiles --bots easy,easy', '2'),
    ('play octiles --seat 2', "no seat '2'"),
    ('play octiles --seat spectator', "no seat 'spectator'"),
    ('play octiles --load missing.json', 'missing.json'),
    ('play octiles --load good.json', 'no saved game'),
    ('play octiles --load save.json', 'no saved game'),
    ('restore missing.zip', 'missing.zip'),
    ('restore words.txt', 'words.txt is damaged, or no copy'),
    ('backup words.txt', 'words.txt already'),
    ('backup copy.zip --database postgresql://a@localhost/b', 'pg_dump'),
    ('move-data missing.sqlite3 new.sqlite3', 'no database missing.sqlite3'),
    ('move-data sqlite:// new.sqlite3', 'in memory'),
    ('move-data words.txt new.sqlite3', 'damaged or no database'),
    ('move-data nosuch://host/name new.sqlite3', 'nosuch://host/name'),
    ('move-data old.sqlite3', 'TO'),
    ('review missing.txt', 'missing.txt'),
    ('review words.txt', 'words.txt'),
    ('review words.txt --sims 0', 'from 1 to 1,000,000, not 0'),
    ('review words.txt --workers 0', '1 or more, not 0'),
    ('replay missing.txt', 'missing.txt'),
    ('replay match.txt', 'match.txt'),
    ('replay broken.json', 'broken.json'),
    ('arena octiles', '--bots'),
    ('arena octiles --bots random', 'bots'),
    ('arena octiles --bots random,champion', 'champion'),
    ('arena octiles --bots random,random --games 0', 'At least one game'),
    ('arena octiles --bots random,random --sims -1', 'at least one simulation'),
    ('arena octiles --bots random,random --time -1', 'more than zero'),
    ('arena octiles --bots random,random --sims 5 --time 1', '--sims or --time'),
    ('arena octiles --bots random,random --workers 0', '--workers'),
    ('arena octiles --bots random,random --players 7', '2 to 4'),
    ('prepare chess', "no game 'chess'"),
    ('serve --port 70000', '70000'),
    ('check-matches --database nonsense', 'nonsense'),
    ('lessons nonsense', 'nonsense'),
    ('lessons --database nonsense', 'nonsense'),
]


@pytest.mark.parametrize(('arguments', 'part'), CASES, ids=[arguments for arguments, _ in CASES])
def test_bad_input_is_refused_in_one_sentence(run: Run, arguments: str, part: str) -> None:
    for name, content in FILES.items():
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    answer = run(*arguments.split())
    assert answer.status == 2, answer
    assert answer.out == ''
    assert answer.err.count('\n') == 1, answer.err
    assert answer.err.rstrip()[-1] in '.!?'
    assert part in answer.err
    assert sorted(path.name for path in Path().iterdir()) == sorted(FILES)
    assert Path('old.svg').read_text() == 'untouched'
