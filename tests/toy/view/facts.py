"""What drawing and wording both need: words, colours, and the elements that stand for actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ludoteca.text import Words

from .. import components as C
from .. import rules as R

say = Words(Path(__file__).parent.parent)
COLOURS_OF_SEATS = ('blue', 'red', 'yellow', 'green')
ACTIONS = (
    {f'do:bid-{coins}': coins for coins in range(R.DROP)}
    | {f'el:card-{fruit}': R.DROP + k for k, fruit in enumerate(C.FRUITS)}
    | {f'el:market-{fruit}': R.TAKE + k for k, fruit in enumerate(C.FRUITS)}
    | {'el:bag': R.DRAW}
)
IDS = {action: name for name, action in ACTIONS.items()}


def set_of(counts: Iterable[int]) -> tuple[str, ...]:
    """The fruits of which there are some."""
    return tuple(fruit for fruit, count in zip(C.FRUITS, counts, strict=True) if count)


def bid_text(coins: int) -> str:
    """A bid as it is shown: nothing before it is made, a question mark while it is sealed."""
    return {R.NOT_YET: '', R.SEALED: '?'}.get(coins, str(coins))


def listed(names: Sequence[str | None]) -> str:
    """Fruits in words; their number if they are not known."""
    if None in names:
        return say('cards', n=len(names))
    return ' '.join(say(f'fruit.{name}') for name in names) or say('nothing')
