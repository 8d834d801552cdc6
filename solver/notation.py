r"""The text forms of sizes, cells, moves, positions and HexWorld links.

Columns have letters from the left (a to z, then aa, ab, ...), rows have numbers from the
top.  The readers ignore case and raise InputError, one line, for what they cannot read.

A board is written row by row, each shifted half a cell to the right of the one above::

     a b c d
    1 . . B . 1
     2 . W . . 2
      3 . . . . 3
         a b c d

Read back, a board is one line a row, of the cells ``.`` empty, ``B`` or ``X`` Black, ``W``
or ``O`` White.  Blanks between cells, shifts, row numbers and column letters may be left
out; blank lines and lines that begin with ``#`` are passed over.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import NamedTuple
from urllib.parse import unquote

from solver.position import MOST_CELLS, Color, InputError, Position, Size, Symmetry, cells_of

_SIZE = re.compile(r"([0-9]{1,9})(?:[xX×]([0-9]{1,9}))?")
_CELL = re.compile(r"([a-zA-Z]+)([0-9]+)")
_IN_MARK = re.compile(r"[0-9*+-]")  # tells a mark on a cell from a stone
_HEXWORLD_HEAD = re.compile(r"([0-9]+(?:x[0-9]+)?)(?:[a-wyz][0-9]*)*")
_HEXWORLD_MOVE = re.compile(r"[a-zA-Z]+[0-9]+|:(?:[spS]|[rf][bw])")
_EMPTY, _BLACK, _WHITE = ".", "bx", "wo"  # the cells of a board that is read


def quoted(value: object) -> str:
    """A value for an error message: a text in quotes, on one line, not long.

    >>> print(quoted("a\\nb"), quoted(list(range(99))))
    'a\\nb' [0, 1, 2, 3, 4, 5, 6,...
    """
    if isinstance(value, str):
        text = repr(value[:30])  # the length of the text as shown counts: \U0001da8c is one character
        return text if len(text) <= 26 else text[:22] + "..." + text[0]
    try:
        text = repr(value)
    except ValueError:  # Python does not write integers of thousands of digits
        return "such a large number"
    return text if len(text) <= 24 else text[:21] + "..."


def whole_number(text: str, digits: int = 9) -> int | None:
    """The number that some ASCII digits stand for; None for any other text, and for more digits than that.

    >>> whole_number("007"), whole_number("-7"), whole_number("1_0"), whole_number("1000", digits=3)
    (7, None, None, None)
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def parse_size(text: str) -> Size:
    """Read ``6`` (6 columns, 6 rows) or ``6x7`` (6 columns, 7 rows).

    >>> parse_size("6"), parse_size("6X7")
    (Size(columns=6, rows=6), Size(columns=6, rows=7))
    """
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise InputError(f"{quoted(text)} is no board size; "
                         "write 6 for 6x6, or 6x7 for 6 columns and 7 rows")
    columns, rows = match.groups()
    return Size(int(columns), int(rows or columns))


def _column_name(column: int) -> str:
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def _column_names(columns: int) -> list[str]:
    return [_column_name(column) for column in range(columns)]


def format_cell(size: Size, cell: int) -> str:
    """The name of a cell.

    >>> format_cell(Size(6, 6), 14)
    'c3'
    """
    row, column = divmod(cell, size.columns)
    return f"{_column_name(column)}{row + 1}"


def parse_cell(size: Size, text: str) -> int:
    """Read the name of a cell of a `size` board.

    >>> parse_cell(Size(6, 6), "C3")
    14
    """
    match = _CELL.fullmatch(text.strip())
    last = format_cell(size, size.cells - 1)
    if not match:
        raise InputError(f"{quoted(text)} is no cell of the {size} board; "
                         f"write a column letter and a row number, from a1 to {last}")
    letters, digits = match.groups()
    if len(letters) <= 2 and len(digits) <= 2:
        column, row = 0, int(digits) - 1
        for letter in letters.lower():
            column = 26 * column + ord(letter) - ord("a") + 1
        column -= 1
        if column < size.columns and 0 <= row < size.rows:
            return row * size.columns + column
    raise InputError(f"{quoted(text)} lies outside the {size} board; its cells are a1 to {last}")


def parse_moves(size: Size, text: str) -> list[int]:
    """Read cells separated by blanks, line ends or commas; no text is no moves.

    >>> parse_moves(Size(6, 6), "c3 D4,e5")
    [14, 21, 28]
    """
    return [parse_cell(size, word) for word in text.replace(",", " ").split()]


def format_moves(size: Size, cells: Iterable[int]) -> str:
    """Cells as a move list.

    >>> format_moves(Size(6, 6), [14, 21])
    'c3 d4'
    """
    return " ".join(format_cell(size, cell) for cell in cells)


def _play(position: Position, cell: int) -> Position:
    size = position.size
    if 0 <= cell < size.cells and not position.empty >> cell & 1:
        raise InputError(f"{format_cell(size, cell)} is occupied already on the {size} board; "
                         "name every cell once")
    return position.play(cell)


def position_after(size: Size, moves: Iterable[int]) -> Position:
    """The position after alternating moves from the empty board, Black first.

    Raises InputError, naming the cell, if one is occupied.
    """
    position = Position.start(size)
    for cell in moves:
        position = _play(position, cell)
    return position


def moves_reaching(position: Position) -> list[int | None]:
    """Alternating moves, Black first and None a pass, after which `position` stands.

    Each player's stones come in ascending order.  There are no more passes than needed, and
    none at all if and only if some move list (see position_after) leads to the position.

    >>> moves_reaching(Position(Size(3, 3), 0b000010001, 0b100, Color.BLACK))
    [0, 2, 4, None]
    """
    pairs = zip_longest(cells_of(position.black), cells_of(position.white))
    moves = list(chain.from_iterable(pairs))
    if position.to_move == Color.WHITE:
        if moves and moves[-1] is None:
            moves.pop()
        else:
            moves.append(None)
    return moves


def format_board(position: Position, marks: Mapping[int, str] | None = None) -> str:
    """Draw a position, without a line end after the last line.

    `marks` replaces the dots of empty cells by short texts, such as ``18``, ``W18`` or
    ``*``.  parse_board accepts the result and reads marked cells as empty; for this a mark
    must stand on an empty cell, hold a digit or one of ``* + -`` and no blank, else
    ValueError is raised.

    >>> print(format_board(Position(Size(4, 3), 0b0100, 0b0010_0000, Color.BLACK)))
     a b c d
    1 . . B . 1
     2 . W . . 2
      3 . . . . 3
         a b c d
    """
    size = position.size
    words = ["."] * size.cells
    for cell, mark in (marks or {}).items():
        if not position.empty >> cell & 1 or mark.split() != [mark] or not _IN_MARK.search(mark):
            raise ValueError(f"mark {mark!r} on cell {cell}: mark empty cells, "
                             "with a digit or one of *+- and without blanks")
        words[cell] = mark
    for color, letter in (Color.BLACK, "B"), (Color.WHITE, "W"):
        for cell in cells_of(position.stones(color)):
            words[cell] = letter
    return "\n".join(_slanted(size, words))


def _slanted(size: Size, words: Sequence[str]) -> Iterator[str]:
    """The lines of a board with `words` on its cells."""
    letters = _column_names(size.columns)
    width = max(map(len, chain(words, letters))) | 1  # odd, so that a row shifts by whole characters
    shift = (width + 1) // 2
    margin = max(len(str(size.rows)), shift - 1)

    def line(row: int, number: str, words: Sequence[str]) -> str:
        cells = " ".join(word.center(width) for word in words)
        return f"{' ' * (row * shift)}{number:>{margin}} {cells} {number}".rstrip()

    yield line(0, "", letters)[shift:]
    for row in range(size.rows):
        yield line(row, str(row + 1), words[row * size.columns:(row + 1) * size.columns])
    yield line(size.rows, "", letters)


def parse_board(text: str, to_move: Color) -> Position:
    """Read a board as format_board draws it, or more loosely (see the top of this file).

    The text gives the size.  Raises InputError that names the line if rows differ in length,
    if row numbers or column letters are wrong, if a character is unknown, or if there are
    more than 64 cells.

    >>> parse_board(". b \\n w .", Color.WHITE)
    Position(size=Size(columns=2, rows=2), black=2, white=4, to_move=<Color.WHITE: 1>)
    """
    numbered = enumerate((line.lower().split() for line in text.splitlines()), start=1)
    lines = [(number, words) for number, words in numbered if words and words[0][0] != "#"]
    lettered = [lines.pop(end) for end in (0, -1) if lines and lines[end][1][0] == "a"]
    letters = len(lettered[0][1]) if lettered else None
    rows: list[str] = []
    for number, words in lines:
        row = _row_cells(number, len(rows) + 1, words, letters)
        if rows and len(row) != len(rows[0]):
            raise InputError(f"board line {number} has {len(row)} cells where the rows above have "
                             f"{len(rows[0])}; make all rows equally long")
        rows.append(row)
        if len(rows) * len(row) > MOST_CELLS:
            raise InputError(f"board line {number} brings the board to {len(rows) * len(row)} "
                             f"cells; take at most {MOST_CELLS}")
    if not rows:
        raise InputError("the board has no rows; write a line a row, like '. B W'")
    for number, words in lettered:
        if words != _column_names(len(rows[0])):
            raise InputError(f"board line {number}: column letters do not fit the rows of "
                             f"{len(rows[0])} cells; correct them or leave them out")
    cells = "".join(rows)
    black, white = (sum(1 << cell for cell, symbol in enumerate(cells) if symbol in symbols)
                    for symbols in (_BLACK, _WHITE))
    return Position(Size(len(rows[0]), len(rows)), black, white, to_move)


def _row_cells(number: int, row: int, words: list[str], letters: int | None) -> str:
    """The cells of row number `row`, a character each, from the lower-case words of a line.

    `letters` counts the column letters.  A line that has as many cells and both row numbers
    is as format_board draws it: only there may a word be a mark, so that a slip in a board
    typed by hand is never taken for one.
    """
    coordinates = 0
    for end in (0, -1):
        if words and words[end].isdecimal():
            if words[end] != str(row):
                raise InputError(f"board line {number} is row {row} but has row number "
                                 f"{quoted(words[end])}; correct it or leave it out")
            words = words[1:] if end == 0 else words[:-1]
            coordinates += 1
    if coordinates == 2 and len(words) == letters:
        words = ["." if _IN_MARK.search(word) else word for word in words]
    cells = "".join(words)
    if not cells:
        raise InputError(f"board line {number} has no cells; write . B or W for each")
    for symbol in cells:
        if symbol not in _EMPTY + _BLACK + _WHITE:
            raise InputError(f"board line {number}: {quoted(symbol)} is no cell; write . for "
                             "empty, B or X for Black, W or O for White")
    return cells


class HexWorldGame(NamedTuple):
    """What a HexWorld link shows."""

    position: Position
    """The position at the link's cursor."""
    moves: list[int] | None
    """The moves up to there, or None if they include a pass or swap-pieces."""


def parse_hexworld(link: str) -> HexWorldGame:
    """Read a HexWorld link, or only its part from ``#`` on.

    The grammar is ``#SIZE[xROWS][config][,MOVES[,FUTURE]]``: SIZE counts the columns, MOVES
    are cells run together in which ``:p`` passes and ``:s`` (swap-pieces, on square boards)
    mirrors the stones in the long diagonal and exchanges their colours.  Red is Black.  The
    configuration, swap-sides (``:S``), resignations and forfeits (``:rb :rw :fb :fw``) do
    not touch the position and are passed over; so is FUTURE, the moves after the cursor.

    >>> parse_hexworld("https://hexworld.org/board/#6c1,a2c3,d4").moves
    [6, 14]
    >>> position = parse_hexworld("#6c1,a2:s").position  # White on b1, Black to move
    >>> position == Position(Size(6, 6), 0, 0b10, Color.BLACK)
    True
    """
    text = "".join(unquote(link).split())
    head, _, tail = text[text.find("#") + 1:].partition(",")
    played = tail.partition(",")[0]
    match = _HEXWORLD_HEAD.fullmatch(head.lower())
    if not match:
        raise InputError(f"{quoted(link)} is no HexWorld link; "
                         "copy all of it, like https://hexworld.org/board/#6c1,a2c3")
    position = Position.start(parse_size(match[1]))
    moves: list[int] | None = []
    for token in _hexworld_tokens(played):
        if token == ":p":
            position, moves = replace(position, to_move=position.to_move.other), None
        elif token == ":s":
            if not position.size.square:
                raise InputError(f"the HexWorld link swaps pieces on a {position.size} board; "
                                 "only square boards can be mirrored")
            position, moves = Symmetry(rotate=False, reflect=True).position(position), None
        elif not token.startswith(":"):
            cell = parse_cell(position.size, token)
            position = _play(position, cell)
            if moves is not None:
                moves.append(cell)
    return HexWorldGame(position, moves)


def _hexworld_tokens(played: str) -> Iterator[str]:
    at = 0
    while at < len(played):
        match = _HEXWORLD_MOVE.match(played, at)
        if not match:
            raise InputError(f"the HexWorld link has {quoted(played[at:])} where a move should "
                             "be; moves are cells, :s, :p, :rb, :rw, :fb or :fw")
        yield match[0]
        at = match.end()


def format_hexworld(size: Size, moves: Iterable[int | None]) -> str:
    """The part of a HexWorld link from ``#`` on; append it to https://hexworld.org/board/.

    The moves alternate, Black first, and None is a pass: what moves_reaching returns
    writes any position.

    >>> format_hexworld(Size(6, 6), [6, 14])
    '#6c1,a2c3'
    >>> format_hexworld(Size(3, 2), [0, None, 5])
    '#3x2c1,a1:pc2'
    """
    board = size.columns if size.square else size
    played = "".join(":p" if cell is None else format_cell(size, cell) for cell in moves)
    return f"#{board}c1,{played}"
