"""Boards for analysis: trees of variations from any position, and what a search says of their positions.

`tree` is the data: where a board begins, its nodes, their names, comments and marks, and its JSON form.
`board` plays the turns that lead to a node, so that pages can show it as they show a match. `sources` says
where a board may begin: what somebody may know of a match. `engine` searches a position.
"""

from ludoteca.analysis.board import AnalysisBoard, board_at, check_tree, root_state
from ludoteca.analysis.engine import EFFORTS, search_position
from ludoteca.analysis.sources import from_match, from_position, from_start
from ludoteca.analysis.tree import (
    LARGEST,
    MOST_NODES,
    AnalysisNode,
    AnalysisTree,
    Mark,
    Root,
)

__all__ = [
    'EFFORTS',
    'LARGEST',
    'MOST_NODES',
    'AnalysisBoard',
    'AnalysisNode',
    'AnalysisTree',
    'Mark',
    'Root',
    'board_at',
    'check_tree',
    'from_match',
    'from_position',
    'from_start',
    'root_state',
    'search_position',
]
