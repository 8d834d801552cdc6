"""Where things lie in the picture of a board: hexagons on a point, each row half a cell to the right of the one above.

The centre of cell a1 is the origin, x goes to the right and y down; a hexagon has sides of length SIDE. The corners of a hexagon::

           1
        0     2        Black's edges run along 0-1-2 of the top row and 3-4-5 of the bottom row,
        5     3        White's along 5-0 and 4-5 of the left column and 1-2 and 2-3 of the right one.
           4
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from solver.notation import format_cell
from solver.position import Color, Size

Point = tuple[float, float]

SIDE = 36.0
_ACROSS, _DOWN = math.sqrt(3) * SIDE, 1.5 * SIDE  # from a cell to the next in its row, from a row to the next
_BAND = 9.0  # the width of the edges
_AWAY = 58.0  # from the centre of a cell on the rim to its coordinate


def centre(size: Size, cell: int) -> Point:
    """The centre of a cell."""
    row, column = divmod(cell, size.columns)
    return (column + row / 2) * _ACROSS, row * _DOWN


def hexagon(middle: Point, side: float = SIDE) -> list[Point]:
    """The six corners, from the upper left one clockwise."""
    angles = (math.radians(60 * corner - 150) for corner in range(6))
    return [(middle[0] + side * math.cos(angle), middle[1] + side * math.sin(angle)) for angle in angles]


def edges(size: Size) -> list[tuple[Color, list[Point]]]:
    """The outlines of the four edges, bands around the board; at an obtuse corner the two players share a side of the cell."""
    top = _top(size)
    right = _right(size)
    opposite = [_turned(size, point) for point in (*top, *right)]
    outline = [*top, *right, *opposite]
    outer = [
        _outside(before, point, after)
        for before, point, after in zip([outline[-1], *outline], outline, [*outline[1:], outline[0]])
    ]
    bands = []
    start = 0
    for color, length in zip((Color.BLACK, Color.WHITE) * 2, (len(top), len(right)) * 2):
        run = [index % len(outline) for index in range(start, start + length + 1)]
        bands.append((color, [outline[index] for index in run] + [outer[index] for index in reversed(run)]))
        start += length
    return bands


def coordinates(size: Size) -> Iterator[tuple[str, Point]]:
    """The column letters above and below, the row numbers on both sides, and their centres."""
    last_row = size.cells - size.columns
    for column in range(size.columns):
        letters = format_cell(size, column).removesuffix("1")
        yield letters, _moved(centre(size, column), 0, -_AWAY)
        yield letters, _moved(centre(size, last_row + column), 0, _AWAY)
    for row in range(size.rows):
        first = row * size.columns
        yield str(row + 1), _moved(centre(size, first), -_AWAY, 0)
        yield str(row + 1), _moved(centre(size, first + size.columns - 1), _AWAY, 0)


def _top(size: Size) -> list[Point]:
    """The inner corners of Black's top edge, clockwise; the first point of the next edge ends it."""
    return [corner for column in range(size.columns) for corner in hexagon(centre(size, column))[:2]]


def _right(size: Size) -> list[Point]:
    """The inner corners of White's right edge, which begins in the middle of a side; the next edge's first point ends it."""
    rim = [hexagon(centre(size, row * size.columns + size.columns - 1)) for row in range(size.rows)]
    (x1, y1), (x2, y2) = rim[0][1:3]
    return [((x1 + x2) / 2, (y1 + y2) / 2), *(corner for corners in rim for corner in corners[2:4])][:-1]


def _turned(size: Size, point: Point) -> Point:
    """A point after half a turn of the board."""
    x, y = centre(size, size.cells - 1)
    return x - point[0], y - point[1]


def _moved(point: Point, right: float, down: float) -> Point:
    return point[0] + right, point[1] + down


def _outside(before: Point, point: Point, after: Point) -> Point:
    """The point of the bands' outer rim that belongs to a point of an outline that is walked clockwise."""
    (x1, y1), (x2, y2) = _normal(before, point), _normal(point, after)
    reach = _BAND / (1 + x1 * x2 + y1 * y2)
    return _moved(point, reach * (x1 + x2), reach * (y1 + y2))


def _normal(start: Point, end: Point) -> Point:
    """The unit vector to the left of the way from start to end."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = math.hypot(x, y)
    return y / length, -x / length
