"""The time a controller gives for a game, as in the Go Text Protocol: main time, then a number of moves in each further period."""

from __future__ import annotations

from typing import NamedTuple

from solver.position import Color

_SAFETY = 0.8  # of the time is used, and a little less, for what happens around a search
_LATENCY = 0.1  # seconds


class _Left(NamedTuple):
    seconds: float
    moves: int  # to make in this time; 0 in main time, which is for the rest of the game


class Clock:
    """Both players' time; without settings there is no limit.

    >>> clock = Clock()
    >>> clock.set_up(60, 10, 5)
    >>> round(clock.budget(Color.BLACK, moves=10), 1)  # a tenth of the main time, and what a further period gives
    6.3
    >>> clock.set_left(Color.BLACK, 4, 2)
    >>> round(clock.budget(Color.BLACK, moves=10), 1)
    1.5
    >>> clock.restart()
    >>> round(clock.budget(Color.BLACK, moves=10), 1)
    6.3
    """

    def __init__(self) -> None:
        self._period: _Left | None = None  # after main time, if there is any
        self._full: dict[Color, _Left] = {}  # at the start of a game; empty without a limit
        self._left: dict[Color, _Left] = {}

    def set_up(self, main: float, period: float, moves: int) -> None:
        """Seconds of main time, then `moves` in `period` seconds over and over; a period without moves is no limit at all."""
        self._period = _Left(period, moves) if moves else None
        start = _Left(main, 0) if main else self._period
        limited = start is not None and (moves or not period)
        self._full = {color: start for color in Color} if start is not None and limited else {}
        self.restart()

    def restart(self) -> None:
        """Give both players the whole time of the settings again, for a new game."""
        self._left = dict(self._full)

    def set_left(self, color: Color, seconds: float, moves: int) -> None:
        """What a player has left: seconds of main time if `moves` is 0, else of a period in which it has to make so many."""
        self._left[color] = _Left(seconds, moves)

    def spend(self, color: Color, seconds: float) -> None:
        """Take the time of a move away."""
        if color not in self._left:
            return
        left, moves = self._left[color]
        left -= seconds
        if self._period and (moves == 1 or left <= 0):
            self._left[color] = self._period
        else:
            self._left[color] = _Left(left, max(0, moves - 1))

    def budget(self, color: Color, moves: int) -> float | None:
        """Seconds for the next move, of about `moves` that the player will still make; None: no limit."""
        if color not in self._left:
            return None
        left = self._left[color]
        seconds = left.seconds / (left.moves or max(1, moves))
        if not left.moves and self._period:
            seconds += self._period.seconds / self._period.moves
        return max(0.0, _SAFETY * seconds - _LATENCY)
