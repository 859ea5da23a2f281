#!/usr/bin/env python3
"""What a shard of games costs: seconds of the processor to play its games by chance and to make its file, the
bytes of a row, and what the process that gathers shards spends on each.

    python benchmarks/shards.py                 every game with two players
    python benchmarks/shards.py myraclia 5      one of them with five

Seconds are of the processor, on one thread, so other work on the computer matters little. docs/clusters.md
has the figures.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from pathlib import Path

from ludoteca.game import games
from ludoteca.research import rows
from ludoteca.research.simulate import SHARD, Job, sums_of

GAMES = 1 << 14
"""Games that are timed; sizes are those of a whole shard's rows."""


def main() -> None:
    names = sys.argv[1:2] or list(games())
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print('game        players  games/s  with rows  bytes/row  shard MB  s/shard  gathered shards/s')
    for name in names:
        job = Job.of(name, players, seed='shards')
        sums_of(job, range(10))  # compiled or loaded
        began = time.process_time()
        sums_of(job, range(GAMES))
        bare = time.process_time() - began
        began = time.process_time()
        made = rows.make_files(job, range(GAMES), False, None, b'')
        whole = time.process_time() - began
        size = len(made.files['games']) / GAMES
        print(
            f'{name:12}{players:7}{GAMES / bare:9,.0f}{GAMES / whole:11,.0f}{size:11.1f}'
            f'{size * SHARD / 1e6:10.2f}{whole / GAMES * SHARD:9.1f}{gathered(made):19,.0f}',
            flush=True,
        )


def gathered(made: rows.Made) -> float:
    """How many shards a second one process takes from the wire and writes."""
    sent, times = pickle.dumps(made), 20
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        for k in range(times):
            found: rows.Made = pickle.loads(sent)
            rows.write_whole(Path(folder, f'{k}.parquet'), found.files['games'])
        return times / (time.process_time() - began) * GAMES / SHARD


if __name__ == '__main__':
    main()
