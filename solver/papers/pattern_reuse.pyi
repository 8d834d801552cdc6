"""Connection Utility Search with a table of threat patterns (Rasmussen, Maire and Hayward 2006, section 6). Cells and masks are the kernel's."""

from typing import NamedTuple

CONNECTION: int
"""A game is over when the edges are joined, as in the paper."""
CHECKMATE: int
"""A game is over at checkmate."""
CHECKMATE_AHEAD: int
"""Checkmates that a player could reach with its next stone are found without visiting the positions."""
DEDUCED: int
"""A game is over when H-search finds a virtual connection of the edges, for the side to move or for the other; its weak connections are
taken for weak patterns."""

UTILITIES: int
"""Moves of the highest connection utility first; by Queenbee's total potential where these are equal."""
POTENTIALS: int
"""Moves of the lowest total potential first; by utility where these are equal."""
POTENTIALS_ALONE: int
"""The same without utilities."""
REGIONS: int
"""Moves first that leave the smallest must-play region to the opponent, by all that the table knows (and H-search, with DEDUCED) before any
of them is searched; then by utility and potential."""

class Result(NamedTuple):
    winner: int
    support: int    # stones and cells of the winner's pattern: weak if the side to move wins, else strong;
    carrier: int    # of no use after every_move or if not finished
    nodes: int      # positions visited but for the first one
    expanded: int   # those of them that no pattern decided at once, the first one included
    patterns: int   # in the table, images included
    finished: bool  # False: the limit of nodes was reached, and nothing is known

class Search:
    """The table is kept from one position to the next."""

    def __init__(
        self, columns: int, rows: int, *, terminal: int = ..., order: int = ..., scaled: bool = True, images: bool = True
    ) -> None:
        """`scaled`: the highest utility of each proved pattern counts as 1, whatever the search took; else as often as it was counted.
        `images`: patterns also answer the turned and reflected positions.
        """

    def solve(self, black: int, white: int, to_move: int, every_move: bool = False, limit: int | None = None) -> Result:
        """Who wins. With every_move the other moves of the first position are searched even when one is found to win."""
