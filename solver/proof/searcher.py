"""What the writers of proofs ask of the kernel, from the side of one player."""

from __future__ import annotations

from collections.abc import Callable

from solver.kernel import BoundAnswer, Kernel, WinnerAnswer, terminal
from solver.position import Color, Size, cells_of


class Searcher:
    """Questions about the positions of a board; masks are given as a player's own stones and the other's. Each may raise Stopped."""

    def __init__(self, size: Size, kernel: Kernel, go_on: Callable[[], None]) -> None:
        """`go_on` is called before each question, and raises Stopped to end it all."""
        self._size = size
        self._kernel = kernel
        self._go_on = go_on

    def wins(self, player: int, own: int, other: int, to_move: int) -> bool:
        """Does the player win?"""
        return self._winner(player, own, other, to_move).winner == player

    def winning_move(self, player: int, own: int, other: int) -> int:
        """A winning move of the player, who is to move and wins; if the search knows none, the one that leaves the smallest pattern."""
        answer = self._winner(player, own, other, player)
        if answer.move is not None:
            return answer.move
        patterns = []
        for move in cells_of(answer.carrier):
            after = self._winner(player, own | 1 << move, other, 1 - player)
            if after.winner == player:
                patterns.append((after.carrier.bit_count(), move))
        return min(patterns)[1]

    def quick_move(self, player: int, own: int, other: int, stones: int, metric: str) -> int:
        """A move after which the player, who is to move, reaches the terminal within so many stones; this one is among them."""
        answer = self._within(player, own, other, player, stones, metric)
        assert answer.move is not None, "there is no such move"
        return answer.move

    def delaying_move(self, player: int, own: int, other: int, stones: int, metric: str) -> int:
        """A move of the player after which the opponent does not reach the terminal within so many stones, of which there is one at least."""
        answer = self._within(player, own, other, 1 - player, stones, metric)
        assert answer.move is not None, "there is no such move"
        return answer.move

    def at_goal(self, player: int, own: int, other: int, metric: str) -> bool:
        """Has the player reached the terminal?"""
        return terminal(metric, self._size.columns, self._size.rows, *board(player, own, other), player) is not None

    def _winner(self, player: int, own: int, other: int, to_move: int) -> WinnerAnswer:
        self._go_on()
        return self._kernel.winner(*board(player, own, other), to_move)

    def _within(self, player: int, own: int, other: int, attacker: int, stones: int, metric: str) -> BoundAnswer:
        """The player is to move."""
        self._go_on()
        return self._kernel.within(*board(player, own, other), player, attacker, stones, metric)


def board(player: int, own: int, other: int) -> tuple[int, int]:
    """Black's stones and White's, from a player's own and the other's."""
    return (other, own) if player == Color.WHITE else (own, other)
