"""The style sheet that every page with a drawing needs: tokens, and how the classes of drawings behave under
pointer and keyboard.

Classes that drawings use, in all games:

  board        the <svg> itself
  target       an element that is a click's target now; `chosen` is added by the page to one that was picked
  hit          its transparent area; `focus` its focus ring, shown by keyboard focus only; `mark` its soft
               mark at rest; `chosen-ring` a ring shown while it is chosen
  coordinate   names of places; left out by setting; on a phone shown in the lens or if a sentence uses them
  turns        the marks round a thing that can be turned, id `turns-<id of the target>`: the page gives it
               the class `shown` while the target is under the pointer, focused or chosen (in a finished
               picture it is simply not hidden)
  piece        what travels in animations; never takes a click
  settles      a piece that moves into place without being turned on the way
  glow         what the last turn has lit up: it flashes when the turn arrives
  places       all places of a thing, id `places-<id of the first target>`: the page gives it the class
               `shown` while the thing is held, under the pointer or focused; other elements that are shown
               then have that id as `data-shown-by`
  reach        a mark, or a target as a whole, that is shown only while its target can be chosen (class `can`,
               added by the page)
  ghost        what the page lays over the board as a preview: `ghost-symbol`, `ghost-path` (with
               `ghost-path-case` below it), `ghost-text`, `ghost-glow` (with `ghost-glow-case` below it)
"""

from __future__ import annotations

from functools import cache

from ludoteca.drawing.palette import css

BOARD = """
.board { display: block; user-select: none; -webkit-user-select: none; touch-action: manipulation; font-family: var(--font); }
.board .piece, .board .ghost, .board .decoration { pointer-events: none; }
.board .target { cursor: pointer; outline: none; }
.board .focus { display: none; fill: none; stroke-linejoin: round; }
.board .focus .case { stroke: var(--focus-board-case); stroke-width: 6px; }
.board .focus .core { stroke: var(--focus-board); stroke-width: 3px; }
.board .target:focus { box-shadow: none; }
.board .target:focus-visible .focus { display: inline; }
.board .mark { transition: opacity var(--t-fast) var(--ease); }
.board .target:hover .mark, .board .target:focus-visible .mark, .board .chosen .mark { opacity: 1; }
.board .chosen-ring { display: none; }
.board .chosen .chosen-ring { display: inline; }
.board .reach { display: none; }
.board .can .reach, .board .can.reach { display: inline; }
.board .places { display: none; }
.board .places.shown { display: inline; }
.board .turns { cursor: pointer; }
.board .turns.hidden { display: none; }
.board .turns.hidden.shown { display: inline; }
.board .ghost-symbol { opacity: var(--ghost-opacity); }
.board .ghost-path, .board .ghost-path-case { fill: none; stroke-linecap: butt; stroke-linejoin: round; }
.board .ghost-path-case { stroke: var(--seat-edge, #fffdf4); stroke-width: 13px; }
.board .ghost-path { stroke: var(--seat, var(--legal)); stroke-width: 8.6px; }
.board .ghost-glow, .board .ghost-glow-case { fill: none; stroke-linecap: round; }
.board .ghost-glow-case { stroke: var(--last-case); stroke-width: 8.4px; }
.board .ghost-glow { stroke: #ffd23f; stroke-width: 4.9px; }
.board .ghost-text { font-weight: 700; fill: var(--ghost-line); paint-order: stroke; stroke: var(--legal-case); stroke-width: 4px; }
@media (max-width: 760px), (max-height: 520px) { .board .coordinate:not(.named) { display: none; } }
.sign, .icon, .mark { flex: none; }
.sign, .icon { display: block; }
"""  # noqa: E501


@cache
def stylesheet() -> str:
    """All rules: tokens (`palette.css`) and boards."""
    return css() + BOARD
