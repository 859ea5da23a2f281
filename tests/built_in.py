"""The games that the package brings, as against those of other folders."""

from __future__ import annotations

from pathlib import Path

import ludoteca
from ludoteca.game import games

BUILT_IN = tuple(name for name in games() if (Path(ludoteca.__file__).parent / 'games' / name).is_dir())
