"""The games of the package, a folder each, and those in the folders that LUDOTECA_GAMES names. Importing it
loads none; games with component sets are found by `ludoteca.game.variants`."""

from ludoteca.game import variants as variants
from ludoteca.game.registry import places

# Here, and not where games are asked for: a process that is sent something of a game outside the package
# imports its module first.
__path__.extend(str(place) for place in places() if place.is_dir())
