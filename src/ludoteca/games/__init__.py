"""The games of the package, a folder each. Importing it loads none; games with component sets are found by
`ludoteca.game.components`."""

from ludoteca.game import components as components
