"""What the positions after all moves of a position have in common, so that not each of them needs a search of its own.

The *pass* is the same position with the opponent to move. An extra stone of the loser never shortens a game and an extra stone of the
winner never lengthens it, and a move outside a pattern does not disturb it. So, with the mover's moves:

- where the mover loses, it loses no sooner than after a pass and, unless the game is over, at the latest as the position says: a
  move into the bridges of a checkmate may take it back;
- a move by which the opponent wins is at least as long as the pass; outside the pattern in which the opponent wins after the pass, or
  after some other move of the mover, it is at most as long as the one that the pattern goes with;
- a move by which the mover wins leaves at least the length of the position less one; where the mover wins even after a pass, all its
  moves win, at the latest as after the pass.

>>> from solver.position import Size
>>> start = Position.start(Size(2, 2))  # Black wins in 1, and White, if Black passes, in 1 by b1, which leaves the two cells of a bridge
>>> replies = Replies(start, Record(Color.BLACK, 1, 1, 0, 0), Record(Color.WHITE, 1, 1, 0, 0))
>>> replies.learn(1, 0b1110)
>>> replies.told(0)[:3], replies.told(1)[:3], replies.told(1, Color.BLACK)[:3]
((<Color.WHITE: 1>, 1, 1), (None, 0, None), (<Color.BLACK: 0>, 0, None))
"""

from __future__ import annotations

from solver.position import Color, Position
from solver.store import UNKNOWN, Record


class Replies:
    """The bounds of the positions after the moves of one position. Lengths are in plies; metric winner has none."""

    def __init__(self, position: Position, value: Record, passed: Record = UNKNOWN) -> None:
        """`value` is what is known of the position, `passed` of the pass."""
        self._mover = position.to_move
        self._value, self._passed = value, passed
        self._patterns: list[tuple[int | None, int]] = []

    def learn(self, length: int | None, carrier: int) -> None:
        """The opponent wins within `length` inside the empty cells of `carrier`, being to move after a pass or after any move."""
        self._patterns.append((length, carrier))

    def told(self, move: int, winner: Color | None = None) -> Record:
        """What is known of the position after a move; also of its length, if the winner there, once it is found out, is told."""
        apart = [length for length, carrier in self._patterns if not carrier >> move & 1]
        if apart or self._value.winner == self._mover.other:
            winner = self._mover.other
        elif self._passed.winner == self._mover:
            winner = self._mover
        if winner is None:
            return UNKNOWN
        if winner == self._mover:
            upper = self._passed.upper if self._passed.winner == winner else None
            return Record(winner, max(0, self._value.lower - 1), upper, 0, 0)
        if self._value.winner == winner and self._value.upper is not None and self._value.lower:  # else it may have won already
            apart.append(self._value.upper - 1)
        uppers = [length for length in apart if length is not None]
        return Record(winner, self._passed.lower, min(uppers, default=None), 0, 0)
