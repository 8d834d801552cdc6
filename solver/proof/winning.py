"""Strategies that win: a player joins its edges, whatever the opponent does, within so many stones or at all.

A position with the opponent to move is proved by a node that fits it: one that is known already; or a chain that the kernel deduces; or
answers to the opponent's moves, each a move of the player and the node of the position after it. Only moves inside the cells that all
answers so far need are left to be answered.
"""

from __future__ import annotations

from solver.position import MOST_CELLS, Size, cells_of
from solver.proof.chains import Chains, Lost
from solver.proof.deduction import Deducer, Joint
from solver.proof.ledger import Ledger, Option
from solver.proof.searcher import Searcher, board


class Winning:
    """Strategies of the ledger's player. Positions are the masks of its own and of the other's stones."""

    def __init__(self, size: Size, metric: str, ledger: Ledger, deducer: Deducer, searcher: Searcher) -> None:
        self._size = size
        self._metric = metric
        self._ledger = ledger
        self._deducer = deducer
        self._searcher = searcher
        self._player = ledger.player
        self._chains = Chains(ledger, deducer)
        self._proved: dict[tuple[int, int, int], int] = {}

    def strong(self, own: int, other: int, stones: int = MOST_CELLS) -> int:
        """A node for a position with the opponent to move, which the player wins; within so many stones, but for metric winner."""
        key = own, other, stones
        if key not in self._proved:
            node = self._ledger.find_join(own, other, stones)
            if node is None:
                node = self._filled(own, other) if self._metric == "winner" else self._searched(own, other, stones)
            self._proved[key] = node
        return self._proved[key]

    def weak(self, own: int, other: int, stones: int = MOST_CELLS) -> Option:
        """A move and the node after it, for a position with the player to move; without a move if none is needed."""
        node = self._ledger.find_join(own, other, stones)
        if node is not None:
            return None, node
        connected = self._deduce(own, other, stones)
        if connected and (node := self._solid(stones)) is not None:
            return None, node
        for joint in self._chains.threats() if connected is False else ():
            if (option := self._threat(joint, stones)) is not None:
                return option
        if self._metric == "winner":
            move = self._searcher.winning_move(self._player, own, other)
            return move, self.strong(own | 1 << move, other)
        move = self._searcher.quick_move(self._player, own, other, stones, self._metric)
        return move, self.strong(own | 1 << move, other, stones - 1)

    def _filled(self, own: int, other: int) -> int:
        """As strong(), when dead and captured cells are given away, so that positions that differ in them only are proved once."""
        theirs = self._deducer.fill(*board(self._player, own, other))[1 - self._player] & ~own
        pairs = self._deducer.captured(*board(self._player, own, theirs), self._player)
        filled = own
        for one, two in pairs:
            filled |= 1 << one | 1 << two
        node = self._ledger.find_join(filled, theirs, MOST_CELLS)
        if node is None:
            node = self._searched(filled, theirs, MOST_CELLS)
        for one, two in reversed(pairs):
            filled &= ~(1 << one | 1 << two)
            node = self._ledger.dead(node, (one, two), filled)
        return node

    def _searched(self, own: int, other: int, stones: int) -> int:
        if self._metric != "winner" and self._searcher.at_goal(self._player, own, other, self._metric):
            return self._goal(own, other)
        options, left = list[Option](), self._size.full & ~(own | other)
        connected = self._deduce(own, other, stones)
        if connected and (node := self._solid(stones)) is not None:
            return node
        if connected is False:
            options, left = self._threatened(left, stones)
        while left:
            intruded = other | (left & -left if options else 0)
            option = self.weak(own, intruded, stones)
            if option[0] is None:
                return option[1]
            options.append(option)
            left &= self._ledger.pattern(option)[1]
        return self._ledger.answers(options)

    def _goal(self, own: int, other: int) -> int:
        """The node of a chain that stands already."""
        empty = self._size.full & ~(own | other)
        for stone in cells_of(own):
            if self._searcher.at_goal(self._player, own & ~(1 << stone), other | 1 << stone, self._metric):
                own, other = own & ~(1 << stone), other | 1 << stone
        return self._chains.goal(own, empty, self._metric == "checkmate")

    def _threatened(self, left: int, stones: int) -> tuple[list[Option], int]:
        """Deduced answers, chosen so that few moves are left to be answered and few cells are needed; and these moves."""
        options, used, threats = list[Option](), 0, self._chains.threats()
        while threats:
            best = min(threats, key=lambda joint: 4 * (joint.cells & left).bit_count() + (joint.cells & ~used).bit_count())
            threats = [joint for joint in threats if joint is not best and left & ~joint.cells]
            if left & ~best.cells and (option := self._threat(best, stones)) is not None:
                options.append(option)
                left &= best.cells
                used |= best.cells
        return options, left

    def _deduce(self, own: int, other: int, stones: int) -> bool | None:
        return self._chains.deduce(own, other, stones, self._metric == "checkmate")

    def _solid(self, stones: int) -> int | None:
        """The deduced connection that needs no move, if its node can be found and costs no more."""
        try:
            node = self._chains.solid()
        except Lost:
            return None
        return node if self._ledger.cost(node) <= stones else None

    def _threat(self, joint: Joint, stones: int) -> Option | None:
        """A deduced connection with a move, if its node can be found and costs no more."""
        try:
            option = self._chains.option(joint)
        except Lost:
            return None
        move, node = option
        return option if self._ledger.cost(node) < stones else None
