"""Queenbee's search; the settings are those of queenbee.pxd, as solver.papers.styles names them."""
from collections.abc import Sequence
from typing import NamedTuple

class Found(NamedTuple):
    """What a search says of a position. A win or loss is one by checkmate; it is proved if no move was dropped or too dear."""

    move: int
    value: int  # for the side to move: hundredths of a step of the board potentials
    length: int | None  # plies to the checkmate, if one was found
    plies: int  # depth of the last iteration that was finished
    nodes: int  # positions visited
    @property
    def won(self) -> bool: ...
    @property
    def lost(self) -> bool: ...

class Search:
    """The search of one board in one style. Its table is emptied before each position, so that answers do not depend on earlier ones."""

    def __init__(
        self, columns: int, rows: int, *, weights: Sequence[int], width: int = ..., taper: int = ..., before: int = ..., step: int = ...,
        null_move: int = ..., threshold: int = ..., tolerance: int = ..., tension: bool = ..., two_budgets: bool = ...,
        balanced: bool = ..., prunes_reversible: bool = ..., defensive: bool = ..., table_bits: int = ...,
    ) -> None: ...
    def search(self, black: int, white: int, to_move: int, nodes: int, plies: int = ..., excluded: int = ...) -> Found:
        """The best move of a position that is not finished, found by searching `nodes` positions at most (more only if the first line
        is longer), or to a depth of `plies`.

        Moves of the mask `excluded` are not considered; one must be left.
        """
