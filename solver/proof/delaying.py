"""Strategies that hold out: a player keeps the opponent, the attacker, from the terminal while it places so many stones.

A position with the attacker to move is proved by a node that fits it: one that is known already; or a wall, where even passes of the
player leave the attacker too few stones; or answers to the attacker's moves. After most moves the player has an answer that wins, which
holds out for ever: those come first, since they leave the fewest moves to be answered.
"""

from __future__ import annotations

from solver.position import Size, cells_of
from solver.proof.deduction import Deducer
from solver.proof.ledger import Ledger, Option
from solver.proof.searcher import Searcher
from solver.proof.winning import Winning


class Delaying:
    """Strategies of the ledger's player. Positions are the masks of its own and of the other's stones."""

    def __init__(self, size: Size, metric: str, ledger: Ledger, deducer: Deducer, searcher: Searcher) -> None:
        self._size = size
        self._metric = metric
        self._ledger = ledger
        self._deducer = deducer
        self._searcher = searcher
        self._player = ledger.player
        self._winning = Winning(size, "winner", ledger, deducer, searcher)
        self._proved: dict[tuple[int, int, int], int] = {}

    def hold(self, own: int, other: int, stones: int) -> int:
        """A node for a position with the attacker to move, which is not at its goal within so many stones."""
        key = own, other, stones
        if key not in self._proved:
            node = self._ledger.find_hold(own, other, stones)
            if node is None:
                node = self._wall(own, other, stones)
            self._proved[key] = self._answered(own, other, stones) if node is None else node
        return self._proved[key]

    def reply(self, own: int, other: int, stones: int) -> Option:
        """A move and the node after it, for a position with the player to move; no move if the attacker has no stone left to place."""
        if self._wins(own, other):
            return self._winning.weak(own, other)
        if not stones:
            return None, self.hold(own, other, 0)
        move = self._searcher.delaying_move(self._player, own, other, stones, self._metric)
        return move, self.hold(own | 1 << move, other, stones)

    def _answered(self, own: int, other: int, stones: int) -> int:
        left = self._size.full & ~(own | other)
        options = [self.reply(own, other, stones - 1)]
        left &= self._ledger.pattern(options[0])[1]
        for stage in (self._wins, lambda own, other: True):
            for move in cells_of(left):
                if left >> move & 1 and stage(own, other | 1 << move):
                    options.append(self.reply(own, other | 1 << move, stones - 1))
                    left &= self._ledger.pattern(options[-1])[1]
        return self._ledger.answers(options)

    def _wins(self, own: int, other: int) -> bool:
        """Does the player win if it moves?"""
        return self._searcher.wins(self._player, own, other, self._player)

    def _wall(self, own: int, other: int, stones: int) -> int | None:
        """A wall with as few cells and stones as this order of trying finds; None: the attacker is too near."""
        cells = self._size.full & ~(own | other)
        if not self._stands(own, cells, stones):
            return None
        for cell in [1 << cell for cell in cells_of(cells) + cells_of(own)]:
            if self._stands(own & ~cell, cells & ~cell, stones):
                own, cells = own & ~cell, cells & ~cell
        return self._ledger.wall(own, cells, stones)

    def _stands(self, own: int, cells: int, stones: int) -> bool:
        """Is the attacker, with stones on all other cells, more than so many stones from its goal?"""
        theirs, attacker, mate = self._size.full & ~(own | cells), 1 - self._player, self._metric == "checkmate"
        if self._deducer.distance(attacker, theirs, cells, mate, stones) > stones:
            return True
        return not stones and mate and not self._searcher.at_goal(attacker, theirs, own, self._metric)
