"""The nodes of one part of a certificate, as they are found; at the end those that the root rests on are written.

What the nodes mean, and why, stands in books/checker.py; the names are the same. The ledger knows the pattern of each node, so that a
node proved for one position is found again for every other that fits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

import numpy as np

from solver.position import Size, cells_of
from solver.proof.deduction import Deducer

NEVER = 1000
"""Stands for stones without limit."""

Step = tuple[int, int | None]
"""A point of a chain (a cell, or an edge) and the node that joins it to the point before; None: they are linked, or it is the first."""

Option = tuple[int | None, int]
"""A move, or none, and the node that applies after it."""


class Node(NamedTuple):
    """A join, or a hold of so many stones; each with its pattern."""

    kind: str
    items: tuple[Step, ...] | tuple[Option, ...] | tuple[int, ...]
    ends: tuple[int, int] | None  # what is joined; None: nothing, it holds out
    stones: int
    cells: int
    bridged: int = NEVER
    solid: int = NEVER
    held: int = NEVER

    @property
    def children(self) -> list[int]:
        """The nodes that it names."""
        if self.kind == "w":
            return []
        if self.kind == "d":
            return [self.items[0]]
        return [node for _, node in self.items if node is not None]


class Ledger:
    """The nodes of a player, numbered in the order in which they were found."""

    def __init__(self, size: Size, player: int, metric: str, deducer: Deducer) -> None:
        """`metric` says what the joins of the player are to cost; for metric winner, nothing."""
        self.nodes: list[Node] = []
        self.player = player
        self.edges = size.cells, size.cells + 1  # the player's first and last edge, as points of chains
        self._cells, self._full = size.cells, size.full
        self._metric = metric
        self._deducer = deducer
        self._numbers: dict[tuple[object, ...], int] = {}
        self._joins, self._holds = _Patterns(), _Patterns()

    def chain(self, steps: Sequence[Step]) -> int:
        """A node that joins the first point to the last."""
        parts, stones = list[tuple[int, int, int]](), 0
        for index, (point, node) in enumerate(steps):
            if point < self._cells:
                stones |= 1 << point
            if node is not None:
                stones |= self.nodes[node].stones
                parts.append((self.nodes[node].cells, self.nodes[node].bridged, self.nodes[node].solid))
            elif index and (pair := self.link(steps[index - 1][0], point)):
                parts.append((pair, 0, 1))
        cells = [part[0] & ~stones for part in parts]
        whole = reduce(or_, cells, 0)
        assert whole.bit_count() == sum(part.bit_count() for part in cells), "parts of a chain share cells"
        solid = sum(part[2] for part in parts)
        bridged = max((solid - part[2] + part[1] for part in parts if part[1]), default=0)
        ends = _ends(steps[0][0], steps[-1][0])
        return self._add(Node("c", tuple(steps), ends, stones, whole, min(bridged, NEVER), min(solid, NEVER)))

    def answers(self, options: Sequence[Option]) -> int:
        """A node that answers every move of the opponent. Options too many are left out."""
        options = self._needed(sorted(set(options), key=lambda option: (option[0] is not None, option)))
        nodes = [self.nodes[node] for _, node in options]
        stones = reduce(or_, (self.pattern(option)[0] for option in options))
        cells = [self.pattern(option)[1] & ~stones for option in options]
        assert not reduce(and_, cells), "a move is not answered"
        whole, items = reduce(or_, cells), tuple(options)
        if nodes[0].ends and all(node.ends == nodes[0].ends for node in nodes):
            bridged, solid = 1 + max(node.bridged for node in nodes), 1 + max(node.solid for node in nodes)
            return self._add(Node("a", items, nodes[0].ends, stones, whole, min(bridged, NEVER), min(solid, NEVER)))
        held = 1 + min(node.held for node in nodes)
        return self._add(Node("a", items, None, stones, whole, held=min(held, NEVER)))

    def dead(self, node: int, pair: tuple[int, int], own: int) -> int:
        """The node without need of stones on a pair of captured cells, or on one dead cell (then the two are the same), where the player's
        own stones make them so."""
        gone, base, near = 1 << pair[0] | 1 << pair[1], self.nodes[node], self._deducer.near
        if not base.stones & gone:
            return node
        around = (near[pair[0]] | near[pair[1]]) & own & ~(gone | base.stones)
        for cell in cells_of(around):
            if self._are_dead(gone, base.stones | around & ~(1 << cell), base.cells):
                around &= ~(1 << cell)
        stones = (base.stones | around) & ~gone
        cells = base.cells & ~(gone | stones) | (gone if pair[0] != pair[1] else 0)
        return self._add(Node("d", (node, gone, around), base.ends, stones, cells))

    def wall(self, stones: int, cells: int, held: int) -> int:
        """A node that holds out so long without a move."""
        return self._add(Node("w", (stones, cells), None, stones, cells, held=held))

    def pattern(self, option: Option) -> tuple[int, int]:
        """The stones and the cells that an option needs before its move."""
        move, node = option
        cell = 0 if move is None else 1 << move
        return self.nodes[node].stones & ~cell, self.nodes[node].cells | cell

    def cost(self, node: int) -> int:
        """The stones within which a join reaches the terminal of the metric."""
        return {"winner": 0, "checkmate": self.nodes[node].bridged, "connection": self.nodes[node].solid}[self._metric]

    def find_join(self, own: int, other: int, most: int) -> int | None:
        """A node that joins the edges in this position, at a cost of so many stones at most."""
        return self._joins.find(own, other, -most)

    def find_hold(self, own: int, other: int, held: int) -> int | None:
        """A node that holds out against so many stones in this position."""
        return self._holds.find(own, other, held)

    def link(self, one: int, two: int) -> int | None:
        """The cells of the two-bridge between two points of a chain, 0 for contact; None: they are not linked."""
        low, high = _ends(one, two)
        if low >= self._cells:
            return None  # two edges
        if high >= self._cells:
            contact = self._deducer.edges[self.player][high - self._cells] >> low & 1
            pair = self._deducer.edge_pair(self.player, high - self._cells, low)
        else:
            contact = self._deducer.near[low] >> high & 1
            pair = self._deducer.near[low] & self._deducer.near[high]
        return 0 if contact else pair if pair.bit_count() == 2 else None

    def lines(self, root: Option) -> Iterator[str]:
        """The lines of a part with that root: only the nodes that it needs, each as late as it can be."""
        places: dict[int, int] = {}

        def back(node: int) -> int:
            return len(places) - places[node]

        waiting = [(root[1], False)]
        while waiting:
            node, ready = waiting.pop()
            if node in places:
                continue
            if ready:
                yield self._line(self.nodes[node], back)
                places[node] = len(places)
            else:
                waiting.append((node, True))
                waiting += [(child, False) for child in reversed(self.nodes[node].children)]
        yield f"root {_option(root, back)}"

    def _line(self, node: Node, back: Callable[[int], int]) -> str:
        if node.kind == "w":
            words = [f"{mask:x}" for mask in node.items]
        elif node.kind == "d":
            words = [str(back(node.items[0])), *(f"{mask:x}" for mask in node.items[1:])]
        elif node.kind == "a":
            words = [_option(option, back) for option in node.items]
        else:
            words = [self._name(point) + ("" if via is None else f"={back(via)}") for point, via in node.items]
        return " ".join((node.kind, *words))

    def _name(self, point: int) -> str:
        return str(point) if point < self._cells else "<>"[point - self._cells]

    def _add(self, node: Node) -> int:
        key = node.kind, node.items
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self.nodes)
        self.nodes.append(node)
        if node.ends == self.edges:
            self._joins.add(number, node.stones, node.cells, -self.cost(number))
        if node.ends is None:
            self._holds.add(number, node.stones, node.cells, node.held)
        return number

    def _are_dead(self, gone: int, stones: int, cells: int) -> bool:
        """Are these cells dead, each if the other is the player's, where it has these stones and all but these cells is the opponent's?"""
        theirs = self._full & ~(stones | cells | gone)
        return not any(self._deducer.alive(self.player, cell, (stones | gone) & ~(1 << cell), theirs) for cell in cells_of(gone))

    def _needed(self, options: list[Option]) -> list[Option]:
        """The options without those that can be left out, the first ones first."""
        cells = [self.pattern(option)[1] for option in options]
        index = 0
        while index < len(options) and len(options) > 1:
            if reduce(and_, cells[:index] + cells[index + 1 :]):
                index += 1
            else:
                del options[index], cells[index]
        return options


class _Patterns:
    """The patterns of nodes, each with a value."""

    def __init__(self) -> None:
        self._count = 0
        self._numbers = np.zeros(1024, np.int64)
        self._masks = np.zeros((2, 1024), np.uint64)
        self._values = np.zeros((2, 1024), np.int64)  # the value, and how many cells there are

    def add(self, number: int, stones: int, cells: int, value: int) -> None:
        """Add the pattern of a node."""
        if self._count == len(self._numbers):
            self._numbers = np.concatenate([self._numbers, self._numbers])
            self._masks = np.concatenate([self._masks, self._masks], axis=1)
            self._values = np.concatenate([self._values, self._values], axis=1)
        self._numbers[self._count] = number
        self._masks[:, self._count] = stones, cells
        self._values[:, self._count] = value, cells.bit_count()
        self._count += 1

    def find(self, own: int, other: int, value: int) -> int | None:
        """Of the nodes that fit a position and have that value at least, the one with the fewest cells.

        Nodes are left out whose cells hold stones of the player: they fit as well, but then a node that rests on them and on others could
        have to answer moves there.
        """
        stones, cells = self._masks[:, : self._count]
        values, sizes = self._values[:, : self._count]
        misfits = stones & np.uint64(~own & (1 << 64) - 1) | cells & np.uint64(own | other)
        fits = np.flatnonzero((misfits == 0) & (values >= value))
        return int(self._numbers[fits[np.argmin(sizes[fits])]]) if len(fits) else None


def _option(option: Option, back: Callable[[int], int]) -> str:
    move, node = option
    return f"{'-' if move is None else move}:{back(node)}"


def _ends(one: int, two: int) -> tuple[int, int]:
    return (one, two) if one < two else (two, one)
