"""A move in a given time: the optimal one where the time suffices to prove it, and the best that is known otherwise.

The game goes on after checkmate, up to the connection, for as long as somebody asks for moves: the winner joins its edges in
the fewest moves and the loser holds out for the most.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

from solver.engine import Engine, Progress
from solver.guess import guessed_moves
from solver.kernel import terminal
from solver.position import Color, Position
from solver.solution import Solution

_SHARE_OF_VALUE = 0.7  # of the time; the rest is for a line, or for a look at the guessed moves
_SHARE_OF_GUESS = 0.5  # of the time that is left, for each move that is looked at


class Choice(NamedTuple):
    """A move, and how sure it is."""

    move: int | None  # None: the edges are joined, the game is over
    doubt: str | None  # what is not proved of it; None: it is optimal


class TimedEngine(Engine):
    """An engine whose time is set anew for each question."""

    def allow(self, seconds: float) -> None:
        """Stop each of the next calls after this time."""
        self.limits = replace(self.limits, seconds=seconds)


def winner_by(metric: str, position: Position) -> Color | None:
    """The player that has reached the terminal of `metric` ("checkmate" or "connection"), if one has."""
    size = position.size
    for color in Color:
        if terminal(metric, size.columns, size.rows, position.black, position.white, color) is not None:
            return color
    return None


def choose(engine: TimedEngine, position: Position, metric: str, seconds: float, progress: Progress | None = None) -> Choice:
    """A move for the side to move, optimal under `metric` if that can be proved in `seconds`.

    Otherwise it is a winning move, or the defence for which the longest resistance is proved; and if the winner is not even
    known, the first of the guessed moves that is not seen to lose. `progress` may raise LimitReached to have the move at once.
    """
    if winner_by("connection", position) is not None:
        return Choice(None, None)
    search = _Search(engine, seconds, progress)
    goal = metric if winner_by("checkmate", position) is None else "connection"
    mates = [move for move in position.legal() if winner_by("checkmate", position.play(move)) == position.to_move]
    if mates and goal != "connection":  # all are optimal; after that one the game is over soonest, lest it goes on and on
        return Choice(min(mates, key=lambda move: search.value(position.play(move), "connection", _SHARE_OF_VALUE).upper), None)
    solution = search.value(position, goal, _SHARE_OF_VALUE)
    return _known(search, solution) or _guessed(search, solution)


class _Search:
    """An engine, and the time for all its answers together."""

    def __init__(self, engine: TimedEngine, seconds: float, progress: Progress | None) -> None:
        self._engine, self._progress = engine, progress
        self._deadline = time.monotonic() + seconds

    def value(self, position: Position, metric: str, share: float) -> Solution:
        """What can be found in a share of the time that is left."""
        self._engine.allow(share * self._time_left())
        return self._engine.solve(position, metric, self._progress)

    def move(self, position: Position, metric: str) -> int | None:
        """The first move of a line, if it can be found in the time that is left."""
        self._engine.allow(self._time_left())
        line = self._engine.line(position, metric, self._progress)
        return line[0] if line else None

    def _time_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())


def _known(search: _Search, solution: Solution) -> Choice | None:
    """An optimal move of a solved position, or the best that was proved on the way; None if that is nothing."""
    position = solution.position
    if solution.solved and (move := search.move(position, solution.metric)) is not None:
        return Choice(move, None)
    if solution.move is not None:
        return Choice(solution.move, None if solution.solved else _bounds(solution))
    if solution.winner is not None and (move := search.move(position, "winner")) is not None:
        return Choice(move, _bounds(solution))
    return None


def _guessed(search: _Search, solution: Solution) -> Choice:
    """A move by shortest paths, the first of them that is not seen to lose."""
    position, moves = solution.position, guessed_moves(solution.position)
    if solution.winner != position.to_move.other:
        for move in moves:
            winner = search.value(position.play(move), "winner", _SHARE_OF_GUESS).winner
            if winner == position.to_move:
                return Choice(move, "it wins, but perhaps not in the fewest moves")
            if winner is None:
                return Choice(move, f"it is a guess: {'a' if solution.winner is None else 'the'} winning move was not found")
    return Choice(moves[0], "it loses, and another may hold out longer")


def _bounds(solution: Solution) -> str:
    bounds = f"in {solution.lower} to {solution.upper} plies to {solution.metric}"
    if solution.winner == solution.position.to_move:
        return f"it wins, {bounds}, but perhaps not in the fewest"
    return f"it loses, {bounds}, and another may hold out longer"
