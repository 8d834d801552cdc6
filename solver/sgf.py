r"""Hex games in SGF, the Smart Game Format (FF[4], GM[11]; red-bean.com/sgf/hex.html).

A game is a tree of nodes in brackets, a node is a semicolon and properties, a property is a name and values in square
brackets, where ``\`` takes the next character as it is::

    (;FF[4]GM[11]SZ[6];B[a2]C[a losing opening];W[d3](;B[c4];W[b5])(;B[d4]))

Only the main line, the first branch everywhere, is read.  ``SZ[6]`` or ``SZ[columns:rows]`` is the board (11x11 where it is
missing), ``AB AW AE PL`` set up stones and the side to move, ``B W`` are moves: cells as hexbook names them, or
``swap-pieces`` (the stones are mirrored in the long diagonal and change colours), ``swap-sides`` (the players change chairs,
the board stays), ``pass``, ``resign``, ``forfeit``.  Black joins top and bottom, as everywhere in hexbook.

Little Golem's dialect (``.hsgf``) is read too: cells of two letters, column and row, from ``aa``; ``swap`` for swap-pieces;
and White mostly moves first.  There the first mover becomes Black, whatever it is called, for it joins top and bottom.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from solver.files import read_text
from solver.notation import format_cell, parse_cell, parse_size, quoted
from solver.position import Color, InputError, Position, Size, Symmetry, cells_of

_GAME = re.compile(r"\(\s*;")
_TOKEN = re.compile(  # a bracket, a semicolon or a property; Little Golem leaves a ] at the end of a name as it is
    r"\s*+(?:([();])|([A-Za-z]++)((?:\s*+\[[^\]\\]*+(?:\\.[^\]\\]*+)*+\])++)\]*+)", re.DOTALL
)
_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:\r\n|\n\r|[\r\n]|(.))")
_TWO_LETTERS = re.compile(r"[a-z]{2}")
_DEFAULT_SIZE = "11"
_COLORS = {"B": Color.BLACK, "W": Color.WHITE}
_MIRROR = Symmetry(rotate=False, reflect=True)

_Node = dict[str, list[str]]


class SgfGame(NamedTuple):
    """The main line of a game."""

    positions: list[Position]
    """The start, and the position after each move; a resignation or a forfeit is none."""
    moves: list[int] | None
    """The moves, if they alternate from the empty board, Black first; None if there is a set-up, a swap or a pass."""


def load_sgf(path: Path) -> SgfGame:
    """Read the game in a file. Raises OSError if there is no such file, InputError if it holds no game of Hex."""
    return parse_sgf(read_text(path, errors="replace"))


def parse_sgf(text: str) -> SgfGame:
    """Read the first game in `text`.

    Raises InputError if there is none, if it is not Hex, or if a stone is set off the board or on another.

    >>> parse_sgf("(;GM[11]SZ[6];B[a2];W[C3])").moves
    [6, 14]
    >>> parse_sgf("(;SZ[6];W[ab];B[cc])").moves  # Little Golem
    [6, 14]
    """
    nodes = list(_main_line(text))
    game_type, size = (nodes[0].get(name, [default])[0].strip() for name, default in (("GM", "11"), ("SZ", _DEFAULT_SIZE)))
    if game_type != "11":
        raise InputError(f"the SGF game is of type {quoted(game_type)}; Hex is GM[11]")
    record = _Record(parse_size(size.replace(":", "x")), nodes)
    for node in nodes:
        record.set_up(node)
        for name, color in _COLORS.items():
            for value in node.get(name, ()):
                record.move(color, value)
    return SgfGame(record.positions, record.moves)


def format_sgf(start: Position, moves: Sequence[int], comments: Mapping[int, str] | None = None) -> str:
    """A game of alternating `moves` from `start`, with `comments[k]` on the position after k of them.

    Raises InputError if a move is not possible.

    >>> print(format_sgf(Position.start(Size(6, 6)), [6, 14], {2: "White wins"}).partition("SZ")[2])
    [6]
    ;B[a2]
    ;W[c3]C[White wins])
    """
    from importlib.metadata import version  # slow to load

    size, comments = start.size, comments or {}
    board = str(size.columns) if size.square else f"{size.columns}:{size.rows}"
    root = f";FF[4]GM[11]CA[UTF-8]AP[hexbook:{version('hexbook')}]SZ[{board}]"
    if start != Position.start(size):
        root += f"{_stones('AB', start, Color.BLACK)}{_stones('AW', start, Color.WHITE)}PL[{_letter(start.to_move)}]"
    nodes, position = [root], start
    for move in moves:
        nodes.append(f";{_letter(position.to_move)}[{format_cell(size, move)}]")
        position = position.play(move)
    for ply, comment in comments.items():
        nodes[ply] += f"C[{_escaped(comment)}]"
    return "(" + "\n".join(nodes) + ")"


class _Record:
    """A game while it is read."""

    def __init__(self, size: Size, nodes: Sequence[_Node]) -> None:
        self.positions = [Position.start(size)]
        self.moves: list[int] | None = []
        played = [(name, value.strip().lower()) for node in nodes for name in _COLORS for value in node.get(name, ())]
        little_golem = any(value == "swap" or _TWO_LETTERS.fullmatch(value) for _, value in played)
        self._exchanged = little_golem and played[0][0] == "W"
        self._old_hexgui = nodes[0].get("AP", [""])[0].startswith("HexGui:0.")  # its swap-pieces left the stones alone

    def set_up(self, node: _Node) -> None:
        """The stones and the side to move that a node sets; they replace the position so far and are no move."""
        position = self.positions[-1]
        set_here = dict[int, str]()
        for name, owner in ("AE", None), ("AB", Color.BLACK), ("AW", Color.WHITE):
            for value in node.get(name, ()):
                cell = _point(position.size, value)
                if set_here.setdefault(cell, name) != name:
                    raise InputError(f"a node of the SGF game sets {format_cell(position.size, cell)} by {set_here[cell]} and by {name}")
                position = self._with_stone(position, 1 << cell, owner)
        for value in node.get("PL", ()):
            letter = value.strip().upper()[:1]
            if letter not in _COLORS:
                raise InputError(f"the SGF game has {quoted(value)} as PL; write PL[B] or PL[W]")
            position = replace(position, to_move=self._side(_COLORS[letter]))
        if position != self.positions[-1]:
            self.positions[-1], self.moves = position, None

    def move(self, color: Color, value: str) -> None:
        """One move; that a side moves twice running is no error."""
        color, word = self._side(color), value.strip().lower()
        if word in ("resign", "forfeit"):
            return
        before = replace(self.positions[-1], to_move=color)
        alternates = before == self.positions[-1]
        self.positions[-1] = before
        if word in ("swap-sides", "swap-pieces", "swap", "pass", ""):
            self.positions.append(self._without_stone(before, word))
            self.moves = None
            return
        cell = _point(before.size, word)
        if not before.empty >> cell & 1:
            raise InputError(f"move {len(self.positions)} of the SGF game is on {format_cell(before.size, cell)}, "
                             "which is occupied already")
        self.positions.append(before.play(cell))
        if not alternates:
            self.moves = None
        if self.moves is not None:
            self.moves.append(cell)

    def _without_stone(self, before: Position, word: str) -> Position:
        if word == "swap-sides" or (word == "swap-pieces" and self._old_hexgui):
            return before
        if word in ("pass", ""):
            return replace(before, to_move=before.to_move.other)
        if not before.size.square:
            raise InputError(f"the SGF game swaps pieces on a {before.size} board; only square boards can be mirrored")
        return _MIRROR.position(before)

    def _side(self, color: Color) -> Color:
        return color.other if self._exchanged else color

    def _with_stone(self, position: Position, stone: int, owner: Color | None) -> Position:
        black, white = position.black & ~stone, position.white & ~stone
        if owner is not None and self._side(owner) == Color.BLACK:
            black |= stone
        elif owner is not None:
            white |= stone
        return replace(position, black=black, white=white)


def _main_line(text: str) -> Iterator[_Node]:
    """The nodes of the main line, which are those before the first closing bracket; the rest must be well formed as well."""
    start = _GAME.search(text)
    if not start:
        raise InputError("there is no SGF game in the text; a game begins with '(;'")
    node: _Node | None = None
    depth, on_main_line, at = 0, True, start.start()
    while True:
        token = _TOKEN.match(text, at)
        if not token:
            raise InputError(_what_is_wrong(text, at))
        at = token.end()
        mark, name, values = token.groups()
        if on_main_line and node is not None and mark:
            yield node
            node = None
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth, on_main_line = depth - 1, False
            if not depth:
                return
        elif on_main_line:
            node = {} if node is None else node
            if name:  # old files have lower-case letters in names, which say nothing
                key = "".join(letter for letter in name if letter.isupper())
                node.setdefault(key, []).extend(_ESCAPE.sub(r"\1", value) for value in _VALUE.findall(values))


def _what_is_wrong(text: str, at: int) -> str:
    rest = text[at:].strip()
    if not rest:
        return "the SGF game is cut off: it does not end with ')'"
    line = text.count("\n", 0, len(text) - len(text[at:].lstrip())) + 1
    return f"line {line} of the SGF text has {rest[:20]!r} where ( or ; or a property such as B[c3] should be"


def _point(size: Size, text: str) -> int:
    word = text.strip().lower()
    if _TWO_LETTERS.fullmatch(word):
        word = f"{word[0]}{ord(word[1]) - ord('a') + 1}"
    return parse_cell(size, word)


def _letter(color: Color) -> str:
    return "W" if color else "B"


def _stones(name: str, position: Position, color: Color) -> str:
    cells = "".join(f"[{format_cell(position.size, cell)}]" for cell in cells_of(position.stones(color)))
    return name + cells if cells else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
