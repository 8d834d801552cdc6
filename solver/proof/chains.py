"""Chains of certificates from the connections that the kernel deduces.

The kernel keeps what a connection needs, not what it grew from. That is found again here: a connection of a point to an edge is a link,
or goes on by a link from a neighbouring group's connection, or is the OR of connections that take a move first (see
solver/kernel/connections.pxd). Where the list of a point was full and a part of its connection is gone, `Lost` is raised.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.position import cells_of
from solver.proof.deduction import Deducer, Joint
from solver.proof.ledger import Ledger, Option, Step
from solver.proof.searcher import board


class Lost(Exception):
    """What a connection grew from is not known any more."""


class Chains:
    """Turns the connections of the last position deduced into nodes."""

    def __init__(self, ledger: Ledger, deducer: Deducer) -> None:
        self._ledger = ledger
        self._deducer = deducer
        self._player = ledger.player
        self._known: dict[tuple[int, int, int], list[Step]] = {}

    def deduce(self, own: int, other: int, most: int, mate: bool) -> bool | None:
        """Look for connections of the player (see Deducer.deduce)."""
        self._known.clear()
        return self._deducer.deduce(*board(self._player, own, other), self._player, most, mate)

    def goal(self, own: int, empty: int, bridges: bool) -> int:
        """The node of a chain of contacts and (`bridges`) of two-bridges that stands; the search for it is quick if no stone is idle."""
        first, last = self._ledger.edges

        def extended(steps: list[Step], left: int, free: int) -> list[Step] | None:
            for point in [last, *cells_of(left)]:
                via = self._ledger.link(steps[-1][0], point)
                if via is None or via & ~free:
                    continue
                if point == last:
                    return [*steps, (last, None)]
                if found := extended([*steps, (point, None)], left & ~(1 << point), free & ~via):
                    return found
            return None

        chain = extended([(first, None)], own, empty if bridges else 0)
        assert chain, "there is no such chain"
        return self._ledger.chain(chain)

    def solid(self) -> int:
        """The node of the smallest connection that needs no move."""
        return self.option(self._deducer.solid())[1]

    def threats(self) -> list[Joint]:
        """Connections that need a move, the smallest ones first."""
        return sorted(self._deducer.threats(), key=lambda joint: joint.cells.bit_count())

    def option(self, joint: Joint) -> Option:
        """The move of a connection, or none, and the node after it."""
        move, halves = None if self._deducer.group(joint.point) else joint.point, []
        for end in (0, 1):
            if joint.semi[end]:
                move, steps = self._semi(end, joint.point, joint.ends[end])
            else:
                steps = self._full(end, joint.point, joint.ends[end])
            halves.append(steps)
        return move, self._ledger.chain(halves[0] + _reversed(halves[1]))

    def _full(self, end: int, point: int, cells: int) -> list[Step]:
        """The chain from an edge to a point, within the cells."""
        key = end, point, cells
        if key not in self._known:
            self._known[key] = self._seed(end, point, cells) or self._inherited(end, point, cells) or self._either(end, point, cells)
        return self._known[key]

    def _seed(self, end: int, point: int, cells: int) -> list[Step] | None:
        """The point's own link to the edge."""
        edge = self._ledger.edges[end]
        for stone in cells_of(self._stones(point)):
            pair = self._deducer.edge_pair(self._player, end, stone)
            if self._deducer.edges[self._player][end] >> stone & 1 or pair and not pair & ~cells:
                return [(edge, None), *self._path(point, stone, point)]
        return None

    def _inherited(self, end: int, point: int, cells: int) -> list[Step] | None:
        """The chain of a group that is linked to the point."""
        for neighbour, via in self._deducer.links(point):
            for source in self._deducer.full(end, neighbour) if self._deducer.group(neighbour) else ():
                if source & via or (source | via) & ~cells:
                    continue
                try:
                    return self._full(end, neighbour, source) + self._over(neighbour, point, via)
                except Lost:
                    continue
        return None

    def _either(self, end: int, point: int, cells: int) -> list[Step]:
        """A node of answers: connections that take a move first, and that have no cell in common."""
        semi = [c for c in self._deducer.semi(end, point) if not c & ~cells]
        left, chosen = cells, list[int]()
        while left:
            best = min(semi, key=lambda c: (c & left).bit_count(), default=cells)
            if not left & ~best:
                raise Lost
            left &= best
            chosen.append(best)
        if not chosen:
            raise Lost
        options = list[Option]()
        for each in chosen:
            move, steps = self._semi(end, point, each)
            options.append((move, self._ledger.chain(steps)))
        return [(self._ledger.edges[end], None), (point, self._ledger.answers(options))]

    def _semi(self, end: int, point: int, cells: int) -> tuple[int, list[Step]]:
        """A move, and the chain from the edge to the point after it."""
        for neighbour, via in self._deducer.links(point):
            if via & ~cells:
                continue
            grouped, rest = self._deducer.group(neighbour), cells & ~via
            try:
                if grouped and rest in self._deducer.semi(end, neighbour):
                    move, steps = self._semi(end, neighbour, rest)
                    return move, steps + self._over(neighbour, point, via)
                if not grouped and rest >> neighbour & 1:
                    rest &= ~(1 << neighbour)
                    for source in self._deducer.full(end, neighbour):
                        if not source & ~rest:
                            return neighbour, self._full(end, neighbour, source) + self._over(neighbour, point, via)
            except Lost:
                continue
        raise Lost

    def _stones(self, point: int) -> int:
        return self._deducer.group(point) or 1 << point

    def _over(self, one: int, two: int, via: int) -> list[Step]:
        """The steps from a point to another that is linked to it over these cells."""
        near = self._deducer.near
        for first in cells_of(self._stones(one)):
            for second in cells_of(self._stones(two)):
                if near[first] & near[second] == via if via else near[first] >> second & 1:
                    return self._path(one, one, first)[1:] + self._path(two, second, two)
        raise AssertionError("points that are not linked")

    def _path(self, point: int, start: int, goal: int) -> list[Step]:
        """Steps by contact from one stone of a group to another, both included."""
        if start == goal:
            return [(start, None)]
        stones, before, waiting = self._stones(point), {start: start}, [start]
        for stone in waiting:
            for near in cells_of(self._deducer.near[stone] & stones):
                if near not in before:
                    before[near] = stone
                    waiting.append(near)
        path = [goal]
        while path[-1] != start:
            path.append(before[path[-1]])
        return [(stone, None) for stone in reversed(path)]


def _reversed(steps: Sequence[Step]) -> list[Step]:
    """The steps from the second last point on, backwards: the way on from the last one."""
    return [(steps[i - 1][0], steps[i][1]) for i in range(len(steps) - 1, 0, -1)]
