"""Moves by shortest paths, for where no search can prove one: a guess, and never more than that.

A player's distance through a cell is the number of stones with which it joins its edges by way of that cell, if the opponent
looks on and every two-bridge counts as joined. Cells that lie on short paths of both players are the ones to play: there a
stone builds and blocks at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from itertools import combinations

from solver.position import Color, Position, Size

_STEPS = (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)  # row, column


def guessed_moves(position: Position) -> list[int]:
    """The legal moves, the most promising first: short paths of both players through the cell, then the centre.

    >>> guessed_moves(Position.start(Size(3, 3)))[0]
    4
    """
    size = position.size
    own, other = (_paths(position, color) for color in (position.to_move, position.to_move.other))

    def promise(cell: int) -> tuple[float, float, int]:
        row, column = divmod(cell, size.columns)
        off_centre = abs(2 * row - size.rows + 1) + abs(2 * column - size.columns + 1)
        return own[cell] + other[cell], off_centre, cell

    return sorted(position.legal(), key=promise)


def _paths(position: Position, color: Color) -> list[float]:
    """The stones of the shortest path of `color` through each cell; infinite where there is none."""
    size, own = position.size, position.stones(color)
    costs = [0 if own >> cell & 1 else 1 if position.empty >> cell & 1 else math.inf for cell in range(size.cells)]
    first, second = (_distances(position, costs, edge) for edge in _edges(size, color))
    return [first[cell] + second[cell] - cost if cost < math.inf else math.inf for cell, cost in enumerate(costs)]


def _distances(position: Position, costs: list[float], edge: frozenset[int]) -> list[float]:
    """The stones of the shortest path from an edge up to each cell, that cell included."""
    size, empty = position.size, position.empty
    free = {cell for cell in range(size.cells) if empty >> cell & 1}
    near = {cell for cell in range(size.cells) if len(_neighbours(size)[cell] & edge & free) >= 2}  # a two-bridge from the edge
    distances = [costs[cell] if cell in edge or cell in near else math.inf for cell in range(size.cells)]
    changed = True
    while changed:  # the boards are small
        changed = False
        for one, other, between in _links(size):
            if between <= free:
                for here, there in (one, other), (other, one):
                    if distances[here] + costs[there] < distances[there]:
                        distances[there], changed = distances[here] + costs[there], True
    return distances


@cache
def _links(size: Size) -> list[tuple[int, int, frozenset[int]]]:
    """The pairs of cells that touch or are a two-bridge apart, with the cells that must be empty for it."""
    neighbours = _neighbours(size)
    pairs = combinations(range(size.cells), 2)
    links = ((one, other, neighbours[one] & neighbours[other], other in neighbours[one]) for one, other in pairs)
    return [(one, other, frozenset() if touch else common) for one, other, common, touch in links if touch or len(common) == 2]


@cache
def _neighbours(size: Size) -> list[frozenset[int]]:
    def around(cell: int) -> Iterable[int]:
        row, column = divmod(cell, size.columns)
        for down, right in _STEPS:
            if 0 <= row + down < size.rows and 0 <= column + right < size.columns:
                yield (row + down) * size.columns + column + right

    return [frozenset(around(cell)) for cell in range(size.cells)]


@cache
def _edges(size: Size, color: Color) -> tuple[frozenset[int], frozenset[int]]:
    """The two rows of cells that `color` wants to join."""
    cells, last = range(size.cells), size.cells - 1
    if color == Color.BLACK:
        return frozenset(cells[: size.columns]), frozenset(cells[last - size.columns + 1 :])
    return frozenset(cells[:: size.columns]), frozenset(cells[size.columns - 1 :: size.columns])
