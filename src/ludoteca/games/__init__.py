"""The games of the package, a folder each. Nothing but the finder of games with component sets is loaded here."""

from ludoteca.game import components as components
