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

from solver.position import Color, Position, Size, cells_of

_STEPS = (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)  # row, column


def guessed_moves(position: Position) -> list[int]:
    """The legal moves, the most promising first: short paths of both players through the cell, then the centre.

    >>> guessed_moves(Position.start(Size(3, 3)))[0]
    4
    """
    size, links = position.size, _open_links(position)
    own, other = (_paths(position, color, links) for color in (position.to_move, position.to_move.other))

    def promise(cell: int) -> tuple[float, float, int]:
        row, column = divmod(cell, size.columns)
        off_centre = abs(2 * row - size.rows + 1) + abs(2 * column - size.columns + 1)
        return own[cell] + other[cell], off_centre, cell

    return sorted(position.legal(), key=promise)


def _paths(position: Position, color: Color, links: list[int]) -> list[float]:
    """The stones of the shortest path of `color` through each cell; infinite where there is none."""
    first, second = (_distances(position, color, links, edge) for edge in _edges(position.size, color))
    return [one + two - (position.empty >> cell & 1) for cell, (one, two) in enumerate(zip(first, second))]


def _distances(position: Position, color: Color, links: list[int], edge: int) -> list[float]:
    """The stones of the shortest path from an edge up to each cell, that cell included."""
    own, empty = position.stones(color), position.empty
    distances = [math.inf] * position.size.cells
    near = edge  # what a path can come to next, and where it has come
    for cell, around in enumerate(_neighbours(position.size)):
        if (around & edge & empty).bit_count() >= 2:  # a two-bridge from the edge
            near |= 1 << cell
    stones, left = 0, own | empty
    fresh = near & own
    while fresh or near & left:
        while fresh:
            left &= ~fresh
            for cell in cells_of(fresh):
                distances[cell] = stones
                near |= links[cell]
            fresh = near & left & own
        stones += 1
        fresh = near & left
    return distances


def _open_links(position: Position) -> list[int]:
    """The cells that touch each cell or are a two-bridge away whose two cells are empty."""
    links = list(_neighbours(position.size))
    for one, other, between in _bridges(position.size):
        if not between & ~position.empty:
            links[one] |= 1 << other
            links[other] |= 1 << one
    return links


@cache
def _bridges(size: Size) -> list[tuple[int, int, int]]:
    """The pairs of cells that are a two-bridge apart, and the mask of the two cells between."""
    neighbours = _neighbours(size)
    pairs = ((one, other, neighbours[one] & neighbours[other]) for one, other in combinations(range(size.cells), 2))
    return [(one, other, between) for one, other, between in pairs if between.bit_count() == 2 and not neighbours[one] >> other & 1]


@cache
def _neighbours(size: Size) -> list[int]:
    """The mask of the cells around each cell."""

    def around(cell: int) -> Iterable[int]:
        row, column = divmod(cell, size.columns)
        for down, right in _STEPS:
            if 0 <= row + down < size.rows and 0 <= column + right < size.columns:
                yield 1 << (row + down) * size.columns + column + right

    return [sum(around(cell)) for cell in range(size.cells)]


@cache
def _edges(size: Size, color: Color) -> tuple[int, int]:
    """The masks of the two rows of cells that `color` wants to join."""
    if color == Color.BLACK:
        row = (1 << size.columns) - 1
        return row, row << size.cells - size.columns
    column = sum(1 << row * size.columns for row in range(size.rows))
    return column, column << size.columns - 1
