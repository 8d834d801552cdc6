"""What the engine answers: the value of a position, and of every move in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.position import MOST_CELLS, Color, Position, Symmetry

METRICS = ("winner", "checkmate", "connection")
"""The questions: who wins, and in how many plies to checkmate or to the connection of both edges."""


@dataclass(frozen=True)
class Solution:
    """What is known of a position. `lower` and `upper` bound the length in plies and say nothing for metric winner."""

    position: Position
    metric: str
    winner: Color | None  # None: unknown, a limit stopped the search
    lower: int
    upper: int
    source: str  # "search", "store" or "book"
    nodes: int = 0  # what the search for this answer took, whenever that was
    seconds: float = 0.0  # its CPU time
    move: int | None = None  # a winning and optimal one, or the loser's longest defence, where the search told one
    carrier: int | None = None  # the mask of the winner's pattern, where the search told one
    line: tuple[int, ...] | None = None  # an optimal game from here to the terminal, where one was asked for

    @property
    def solved(self) -> bool:
        """Whether everything that the metric asks for is known."""
        return self.winner is not None and (self.metric == "winner" or self.lower == self.upper)

    @property
    def length(self) -> int | None:
        """Plies until the winner reaches the terminal; None if unknown or not asked for."""
        return self.lower if self.solved and self.metric != "winner" else None

    def value_json(self) -> dict[str, str | int]:
        """The winner, and the length or, where a limit stopped the search, its bounds, by the names that JSON answers use."""
        winner = "unknown" if self.winner is None else str(self.winner)
        if self.length is not None:
            return {"winner": winner, "length": self.length}
        if self.solved:
            return {"winner": winner}
        return {"winner": winner, "lower": self.lower, "upper": self.upper}

    def seen_through(self, symmetry: Symmetry) -> Solution:
        """The same of the symmetric position."""
        size = self.position.size
        return replace(
            self,
            position=symmetry.position(self.position),
            winner=None if self.winner is None else symmetry.color(self.winner),
            move=None if self.move is None else symmetry.cell(size, self.move),
            carrier=None if self.carrier is None else symmetry.mask(size, self.carrier),
            line=None if self.line is None else tuple(symmetry.cell(size, move) for move in self.line),
        )


class Pattern(NamedTuple):
    """A threat pattern: the winner wins, within the length, even if every empty cell outside the carrier is the loser's."""

    carrier: int  # a mask of empty cells
    move: int | None  # the winner's first move; None if the loser is to move or the game is over


class MoveValue(NamedTuple):
    """A legal move and what is known of the position after it; None stands for unknown."""

    move: int
    winner: Color | None
    length: int | None  # plies after the move
    winning: bool | None
    optimal: bool | None  # keeps the winner, and the length: the shortest for the winner, the longest for the loser
    source: str


def plies(stones: int, position: Position, winner: Color) -> int:
    """The length of a game in which `winner` still places that many stones, the last one at its end.

    >>> from solver.position import Size
    >>> position = Position.start(Size(6, 6))
    >>> [plies(k, position, Color.BLACK) for k in (0, 1, 2)], [plies(k, position, Color.WHITE) for k in (0, 1, 2)]
    ([0, 1, 3], [0, 2, 4])
    """
    return max(0, 2 * stones - (position.to_move == winner))


def stones_in(length: int) -> int:
    """The winner's stones in a game of that many plies; the inverse of `plies` for either side to move.

    >>> [stones_in(length) for length in (0, 1, 2, 3, 4)]
    [0, 1, 1, 2, 2]
    """
    return (length + 1) // 2


def judged(position: Position, after: Mapping[int, Solution]) -> list[MoveValue]:
    """The moves of `position`, each given with what is known of the position after it, judged against each other; best first.

    Winning moves come before unknown ones before losing ones; the shorter win and the longer loss first, by what is proved of
    them; then the order of the cells decides. A move is optimal if none can turn out better, and not optimal if another surely is.
    """
    scores = {move: _score(position.to_move, value) for move, value in after.items()}

    def judge(move: int, value: Solution) -> MoveValue:
        worst, best = scores[move]
        others = [score for other, score in scores.items() if other != move]
        winning = None if value.winner is None else value.winner == position.to_move
        beaten = any(other_worst > best for other_worst, _ in others)
        unbeatable = all(other_best <= worst for _, other_best in others)
        optimal = True if unbeatable else False if beaten else None
        return MoveValue(move, value.winner, value.length, winning, optimal, value.source)

    rank = {True: 0, None: 1, False: 2}
    moves = [judge(move, value) for move, value in after.items()]
    return sorted(moves, key=lambda value: (rank[value.winning], -scores[value.move][0], value.move))


def _score(mover: Color, value: Solution) -> tuple[int, int]:
    """The least and the most that a move may turn out to be worth to the mover: any win more than 0, any loss less."""
    lower, upper = (0, 0) if value.metric == "winner" else (value.lower, value.upper)
    least_win = MOST_CELLS + 1
    if value.winner is None:
        return lower - least_win, least_win - lower
    return (least_win - upper, least_win - lower) if value.winner == mover else (lower - least_win, upper - least_win)
