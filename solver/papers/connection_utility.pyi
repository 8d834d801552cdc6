"""Connection Utility Search, pattern search and alpha-beta without tables (Rasmussen, Maire and Hayward 2006). Cells and masks are the kernel's."""

from collections.abc import Iterable
from typing import NamedTuple

CELLS_IN_ORDER: int
"""Static order of moves: as `cells` gives them."""
TOTAL_POTENTIAL: int
"""Queenbee's: the lowest sum of both players' potentials first (van Rijswijck 2000, section 5.4)."""
OPPONENT_POTENTIAL: int
"""The lowest potential of the opponent first."""

class Result(NamedTuple):
    winner: int
    carrier: int  # of the winner's threat pattern; of no use after every_move or if not finished
    nodes: int    # positions visited but for the first one, as the paper counts
    finished: bool  # False: the limit of nodes was reached, and nothing is known

class Search:
    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        cells: Iterable[int] | None = None,
        order: int = ...,
        must_play: bool = True,
        utilities: bool = True,
    ) -> None:
        """`cells` is the order of the cells between which the static order makes no difference, by default their numbers'.

        Without utilities it is pattern search; without must-play regions, which utilities need, alpha-beta.
        """

    def solve(self, black: int, white: int, to_move: int, every_move: bool = False, limit: int | None = None) -> Result:
        """Who wins. With every_move the other moves of the first position are searched even when one is found to win."""
