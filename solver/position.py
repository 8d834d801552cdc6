"""Boards, positions and their symmetries, as sets of cells in machine words.

The cells of a board are numbered row by row from the top left; each row lies half a
cell to the right of the one above.  A board of 4 columns and 3 rows::

            0   1   2   3            Black joins the top row to the bottom row,
              4   5   6   7          White joins the left column to the right column.
                8   9  10  11

A set of cells is a *mask*: an int of at most 64 bits in which bit ``row * columns +
column`` stands for that cell.  Rows and columns count from 0 here; letters and digits
belong to :mod:`solver.notation`.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Self

MOST_CELLS = 64
"""The largest board: its cells fill one machine word."""


class InputError(ValueError):
    """Bad input: one line that says what is wrong and what to do about it."""


class Color(IntEnum):
    """A player.  Black moves first and joins top to bottom, White left to right.

    >>> print(Color.BLACK, Color.BLACK.other)
    black white
    """

    BLACK = 0
    WHITE = 1

    @property
    def other(self) -> "Color":
        """The opponent."""
        return Color(1 - self)

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


@dataclass(frozen=True, slots=True)
class Size:
    """A board of 1 to 64 cells; anything else raises InputError.

    >>> print(Size(6, 7), Size(6, 7).cells)
    6x7 42
    """

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise InputError(f"a board of {self} has no cells; take at least 1 column and 1 row")
        if self.cells > MOST_CELLS:
            raise InputError(f"a board of {self} has {self.cells} cells; take at most {MOST_CELLS}")

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @property
    def full(self) -> int:
        """The mask of all cells."""
        return (1 << self.cells) - 1

    @property
    def square(self) -> bool:
        """Whether there are as many columns as rows."""
        return self.columns == self.rows

    @property
    def transposed(self) -> "Size":
        """The board with columns and rows exchanged."""
        return Size(self.rows, self.columns)

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


def cells_of(mask: int) -> list[int]:
    """The cells of a mask, in ascending order.

    >>> cells_of(0b100110)
    [1, 2, 5]
    """
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cells


@dataclass(frozen=True, slots=True)
class Position:
    """Black's stones, White's stones and the side to move.

    The counts of stones need not match and either side may be to move.  Stones outside
    the board or on one another raise InputError.  That both sides are connected needs no
    check: with at most one stone a cell, no Hex board allows it.
    """

    size: Size
    black: int
    white: int
    to_move: Color

    def __post_init__(self) -> None:
        if (self.black | self.white) & ~self.size.full:
            raise InputError(f"a stone lies outside the {self.size} board; keep all on its cells")
        if shared := cells_of(self.black & self.white):
            raise InputError(f"two stones share {self._name(shared[0])}; put one at most on a cell")

    @classmethod
    def start(cls, size: Size) -> Self:
        """The empty board with Black to move."""
        return cls(size, 0, 0, Color.BLACK)

    @property
    def empty(self) -> int:
        """The mask of the empty cells."""
        return self.size.full & ~(self.black | self.white)

    @property
    def board(self) -> tuple[int, int, Color]:
        """Black's stones, White's stones and the side to move, as the kernel takes a position."""
        return self.black, self.white, self.to_move

    def legal(self) -> list[int]:
        """The empty cells in ascending order: all moves there are."""
        return cells_of(self.empty)

    def stones(self, color: Color) -> int:
        """The mask of one player's stones."""
        return self.white if color else self.black

    def play(self, cell: int) -> Self:
        """The position after the side to move plays on `cell`.

        Raises InputError if the cell is occupied or not on the board.

        >>> Position.start(Size(3, 3)).play(4).play(2).legal()
        [0, 1, 3, 5, 6, 7, 8]
        """
        if not 0 <= cell < self.size.cells:
            raise InputError(f"cell {cell} is not on the {self.size} board; "
                             f"its cells are 0 to {self.size.cells - 1}")
        stone = 1 << cell
        if not self.empty & stone:
            raise InputError(f"{self._name(cell)} is occupied; play on an empty cell")
        if self.to_move == Color.BLACK:
            return type(self)(self.size, self.black | stone, self.white, Color.WHITE)
        return type(self)(self.size, self.black, self.white | stone, Color.BLACK)

    def passed(self) -> Self:
        """The same stones with the other side to move."""
        return type(self)(self.size, self.black, self.white, self.to_move.other)

    def canonical(self) -> tuple["Position", "Symmetry"]:
        """The representative of the four images, and the symmetry that leads to it.

        It is the image that is smallest by (rows, columns, to_move, black, white): the
        board is at least as wide as high, and on a square board Black is to move.
        """
        # Reflecting changes the shape of the board or, on a square one, only the side to
        # move among the leading terms; so these alone decide, before any stone is looked at.
        size, to_move = self.size, self.to_move
        reflect = (size.columns, size.rows, to_move.other) < (size.rows, size.columns, to_move)
        upright, turned = Symmetry(False, reflect), Symmetry(True, reflect)
        first, second = upright.position(self), turned.position(self)
        if (second.black, second.white) < (first.black, first.white):
            return second, turned
        return first, upright

    def _name(self, cell: int) -> str:
        row, column = divmod(cell, self.size.columns)
        return f"row {row + 1}, column {column + 1} of the {self.size} board"


class Symmetry(NamedTuple):
    """One of the four maps of Hex positions that keep what matters.

    `rotate` turns the board by 180 degrees and keeps the colours.  `reflect` mirrors it in
    the long diagonal, (row, column) to (column, row), and exchanges the colours, for the
    mirror exchanges the players' edges; the size is transposed.  The two commute and each
    map undoes itself, so that a symmetry also leads from the image back to the original.

    >>> Symmetry(rotate=True, reflect=False).cell(Size(4, 3), 1)
    10
    >>> Symmetry(rotate=False, reflect=True).cell(Size(4, 3), 1)
    3
    """

    rotate: bool
    reflect: bool

    def size(self, size: Size) -> Size:
        """The size of the image of a board."""
        return size.transposed if self.reflect else size

    def cell(self, size: Size, cell: int) -> int:
        """The cell of the image board on which `cell` of a `size` board lands."""
        if self.rotate:
            cell = size.cells - 1 - cell
        if self.reflect:
            row, column = divmod(cell, size.columns)
            cell = column * size.rows + row
        return cell

    def color(self, color: Color) -> Color:
        """The player that has `color`'s part in the image."""
        return color.other if self.reflect else color

    def mask(self, size: Size, mask: int) -> int:
        """The mask of the image board on which `mask` of a `size` board lands."""
        # As a binary number, highest cell first, the board is read from its last corner on:
        # turning it reads backwards, mirroring it takes the columns one after the other.
        bits = f"{mask:0{size.cells}b}"
        if self.rotate:
            bits = bits[::-1]
        if self.reflect:
            bits = "".join(bits[column::size.columns] for column in range(size.columns))
        return int(bits, 2)

    def position(self, position: Position) -> Position:
        """The image of a position, which has the same value for the image players."""
        size = position.size
        black, white = self.mask(size, position.black), self.mask(size, position.white)
        if self.reflect:
            black, white = white, black
        return Position(self.size(size), black, white, self.color(position.to_move))


SYMMETRIES = tuple(Symmetry(rotate, reflect) for reflect in (False, True) for rotate in (False, True))
"""All four, the identity first."""
