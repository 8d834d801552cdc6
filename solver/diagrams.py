"""Boards drawn in the ways of other programs and pages; `format_board` draws the board that hexbook itself reads.

The names of the cells stay, only the view changes.  Black on c1 and White on a2 of 3 columns and 2 rows::

    upside-down      diamond      upright

        a b c            c          1 a
     2 W . . 2         b   B       2 . b
    1 . . B 1        a   .   .      W . c
     a b c             .   .         . B
                     1   W            .
                       2
"""

from __future__ import annotations

from collections.abc import Callable

from solver.notation import format_board, format_cell
from solver.position import Color, Position, cells_of

_Place = Callable[[int, int], tuple[int, int]]
"""From row and column to the line and the character; -1 is where the letters and the numbers stand."""


def format_upside_down(position: Position) -> str:
    """Row 1 at the bottom and a1 at the left, as Queenbee's papers draw it: the mirror image of `format_board`."""
    return "\n".join(reversed(format_board(position).split("\n")))


def format_diamond(position: Position) -> str:
    """a1 at the left, as HexGui's diamond and HexWorld's r9: columns lead up to the right, rows down to the right."""
    last = position.size.columns - 1
    return _drawn(position, lambda row, column: (1 + last + row - column, 2 * (1 + row + column)))


def format_upright(position: Position) -> str:
    """a1 at the top: columns lead down to the right, rows down to the left."""
    rows = position.size.rows
    return _drawn(position, lambda row, column: (1 + row + column, 2 + rows + column - row))


def format_hexwiki(position: Position) -> str:
    """HexWiki's markup; there a size is rows x columns, and Red is Black, Blue is White.

    >>> from solver.notation import parse_board
    >>> format_hexwiki(parse_board("..b/ w..".replace("/", chr(10)), Color.WHITE))
    '<hexboard size="2x3" contents="R c1 B a2"/>'
    """
    size = position.size
    stones = (
        " ".join([letter, *(format_cell(size, cell) for cell in cells_of(position.stones(color)))])
        for letter, color in (("R", Color.BLACK), ("B", Color.WHITE))
        if position.stones(color)
    )
    return f'<hexboard size="{size.rows}x{size.columns}" contents="{" ".join(stones)}"/>'


def _drawn(position: Position, place: _Place) -> str:
    """The text with stones, dots and coordinates in their places: a number ends there, all else begins there."""
    size = position.size
    words: dict[tuple[int, int], str] = {}
    for cell in range(size.cells):
        row, column = divmod(cell, size.columns)
        words[place(row, column)] = "B" if position.black >> cell & 1 else "W" if position.white >> cell & 1 else "."
    for column in range(size.columns):
        words[place(-1, column)] = format_cell(size, column).rstrip("1")
    for row in range(size.rows):
        line, last = place(row, -1)
        words[line, last + 1 - len(str(row + 1))] = str(row + 1)
    lines = [""] * (1 + max(line for line, _ in words))
    for (line, start), word in sorted(words.items()):
        lines[line] = lines[line].ljust(start) + word
    return "\n".join(lines)
