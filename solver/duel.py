"""A game between a person and an engine, with the swap rule on demand, in which the person may take moves back."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine import Engine, Progress
from solver.guess import guessed_moves
from solver.player import winner_by
from solver.position import Color, InputError, Position


class State(NamedTuple):
    """How a game stands."""

    position: Position
    person: Color
    """The person's colour; the engine has the other one."""
    swapped: bool
    """Whether the second player has taken over the opening."""

    @property
    def persons_turn(self) -> bool:
        """Whether the person is to move."""
        return self.position.to_move == self.person


class Duel:
    """A game and its history. It is over at the terminal of the metric, with metric winner at checkmate.

    The engine plays optimal moves. With the swap rule, the second player may answer the only stone on the board by taking its side;
    the colours stay, the players change places, and White moves next. Whoever plays well takes every opening that wins: then the
    engine opens so that the game lasts longest.
    """

    def __init__(self, engine: Engine, position: Position, person: Color, *, metric: str, swap: bool) -> None:
        self._engine, self._metric, self._swap = engine, metric, swap
        self._states = [State(position, person, False)]

    @property
    def state(self) -> State:
        """How the game stands now."""
        return self._states[-1]

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.state.position

    @property
    def winner(self) -> Color | None:
        """Who has won; None while the game goes on, as it does while the first stone can be taken over."""
        if self.may_swap:
            return None
        return winner_by("checkmate" if self._metric == "winner" else self._metric, self.position)

    @property
    def may_swap(self) -> bool:
        """Whether the side to move may swap."""
        alone = (self.position.black | self.position.white).bit_count() == 1
        return self._swap and alone and not self.state.swapped

    def play(self, move: int) -> None:
        """Put a stone of the side to move. Raises InputError where that is not possible."""
        if self.winner is not None:
            raise InputError("the game is over; take a move back with undo, or start a new one")
        self._states.append(self.state._replace(position=self.position.play(move)))

    def swap(self) -> None:
        """Change places. Raises InputError where the rules do not allow it."""
        if not self._swap:
            raise InputError("this game has no swap rule; start one with --swap")
        if not self.may_swap:
            raise InputError("only the answer to the first stone can be a swap")
        self._states.append(State(self.position, self.state.person.other, True))

    def answer(self, progress: Progress | None = None) -> int | None:
        """Let the engine move or, if that is best, swap: its move, or None for the swap."""
        if self.may_swap and self.should_swap(progress):
            self.swap()
            return None
        move = self.best_move(progress)
        self.play(move)
        return move

    def should_swap(self, progress: Progress | None = None) -> bool:
        """Whether the stone on the board wins for the player that put it there."""
        return self._engine.solve(self.position, "winner", progress).winner == self.position.to_move.other

    def best_move(self, progress: Progress | None = None) -> int:
        """An optimal move for the side to move; where a limit comes first, the best guess."""
        if self._swap and not (self.position.black | self.position.white):
            values = self._engine.moves(self.position, self._metric, progress)
            return max(values, key=lambda value: value.length or 0).move
        line = self._engine.line(self.position, self._metric, progress)
        return line[0] if line else guessed_moves(self.position)[0]

    def undo(self) -> bool:
        """Take back the person's last decision and what followed; False if there is none."""
        for length in range(len(self._states) - 1, 0, -1):
            if self._states[length - 1].persons_turn:
                del self._states[length:]
                return True
        return False

    def restart(self) -> None:
        """Begin again, with the same sides."""
        del self._states[1:]
