"""What an explorer page holds: the values of positions near the start of the game and along best play, in compact form.

Held are, for one metric,

- in full, with the value of every legal move: all positions after fewer than `depth` moves, and all positions on the optimal game
  that follows each opening, up to its end;
- with one optimal game to the end: these, and all positions after exactly `depth` moves;
- or, instead of the latter, if there is a book: what that tells along its strategies (see `books.excerpt`).

A value is one letter of ALPHABET: the winner's remaining stones, plus 33 if White wins; UNKNOWN where a limit came first. The plies
follow from the side to move (see `solver.solution.plies`). A cell is the letter of its number. The name of a position has the
letters of the black stones, in ascending order, and then those of the white stones; of the two names that half a turn of the board
exchanges, the smaller one serves. ``lines`` has for every position held its value and an optimal game, or the beginning of one that
goes on with the line of the position to which it leads; ``values`` has for those held in full the values of the moves to all empty
cells, in ascending order: all in the orientation of the name.

>>> from solver.notation import parse_moves, parse_size, position_after
>>> size = parse_size("3")
>>> name(position_after(size, parse_moves(size, "c3 a1")))  # as after a1 c3: cells 0 and 8
('AI', Symmetry(rotate=True, reflect=False))
>>> value_letter(Color.WHITE, 3), value_of("j", Color.WHITE, "checkmate")
('j', Value(winner=<Color.WHITE: 1>, length=3))
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from books.excerpt import Excerpt, excerpts, onward
from books.probe import Book
from solver.position import MOST_CELLS, Color, Position, Size, Symmetry, cells_of
from solver.solution import MoveValue, Solution, stones_in

ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_.~"
UNKNOWN = "?"

_PLAYER = MOST_CELLS // 2 + 1  # the numbers of stones that a winner may need, 0 among them
_UPRIGHT, _HALF_TURN = Symmetry(rotate=False, reflect=False), Symmetry(rotate=True, reflect=False)
_MOST_POSITIONS = 200  # held in full at the depth that is chosen if none is asked for


class Source(Protocol):
    """What values come from: an engine, with a book or without."""

    def solve(self, position: Position, metric: str) -> Solution: ...

    def moves(self, position: Position, metric: str) -> list[MoveValue]: ...

    def line(self, position: Position, metric: str) -> tuple[int, ...] | None: ...


class Value(NamedTuple):
    """The value of a position; None stands for unknown."""

    winner: Color | None
    length: int | None


@dataclass
class Atlas:
    """What a page holds of one metric."""

    depth: int
    from_book: bool = False
    lines: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    @property
    def solved(self) -> bool:
        """Whether no limit came between."""
        return not any(UNKNOWN in letters for held in (self.lines, self.values) for letters in held.values())

    def to_json(self) -> dict[str, Any]:
        """As an object for a JSON writer."""
        return {"lines": self.lines, "values": self.values}


class Gathering:
    """Fills an atlas step by step, so that progress can be shown.

    >>> len(Gathering(Size(3, 3), "checkmate", 2))
    42
    """

    def __init__(self, size: Size, metric: str, depth: int, book: Book | None = None) -> None:
        """`book`, if there is one, is of this board; it serves if it has lengths of this metric and the page does not hold all there is."""
        if book is not None and (metric == "winner" or book.metadata.metric != metric or depth == size.cells):
            book = None
        self.atlas = Atlas(depth, from_book=book is not None)
        self._size, self._metric, self._book = size, metric, book
        self._layers = list(layers(size, depth if book is None else depth - 1))

    def __len__(self) -> int:
        """The number of steps: the positions after up to `depth` moves, or after fewer and those of the book."""
        return sum(map(len, self._layers)) + (0 if self._book is None else len(self._book))

    def steps(self, source: Source) -> Iterator[None]:
        """Take the steps; yields after each of them. `source` is asked for all that is not along the strategies of the book."""
        for played, layer in enumerate(self._layers):
            for position in layer:
                self._hold(source, position, played < self.atlas.depth)
                if played == 1:
                    self._follow(source, position)
                yield
        if self._book is not None:
            for excerpt in excerpts(self._book, self._size):
                if excerpt is not None:
                    self._cite(excerpt)
                yield

    def _follow(self, source: Source, position: Position) -> None:
        """Hold in full what comes in the optimal game after an opening, until it meets that of an earlier one."""
        line = self._game(source, position)
        for played, move in enumerate(line, start=1):
            position = position.play(move)
            if name(position)[0] in self.atlas.values:
                return
            self._hold(source, position, True, line[played:])

    def _hold(self, source: Source, position: Position, in_full: bool, line: Sequence[int] | None = None) -> None:
        """Hold a position, with `line` or else a game that the source names."""
        key, symmetry = name(position)
        turned = symmetry.position(position)
        if in_full and key not in self.atlas.values:
            moves = sorted(source.moves(turned, self._metric))
            self.atlas.values[key] = "".join(value_letter(value.winner, value.length, self._metric) for value in moves)
        if key not in self.atlas.lines:
            solution = source.solve(turned, self._metric)
            own = value_letter(solution.winner, solution.length, self._metric)
            line = self._game(source, position) if line is None else line
            self.atlas.lines[key] = own + "".join(ALPHABET[symmetry.cell(position.size, move)] for move in line)

    def _game(self, source: Source, position: Position) -> list[int]:
        """An optimal game to the end, along the strategies of the book where they go on; none if a limit came first."""
        game, end = list[int](), position
        while self._book is not None and (move := onward(self._book, end)) is not None:
            game.append(move)
            end = end.play(move)
        rest = source.line(end, self._metric)
        return [] if rest is None else [*game, *rest]

    def _cite(self, excerpt: Excerpt) -> None:
        """Hold what the book tells of a position, unless more is held of it."""
        key, symmetry = name(excerpt.position)
        if key not in self.atlas.lines:
            cells = (symmetry.cell(self._size, move) for move in excerpt.line)
            self.atlas.lines[key] = value_letter(*excerpt.value) + "".join(ALPHABET[cell] for cell in cells)
        if excerpt.replies is not None and key not in self.atlas.values:
            letters = "".join(value_letter(*value) for value in excerpt.replies)
            self.atlas.values[key] = letters[::-1] if symmetry.rotate else letters


def layers(size: Size, depth: int) -> Iterator[list[Position]]:
    """The positions after 0 moves, 1 move and so on up to `depth`, one of each two that half a turn exchanges."""
    layer = {"": Position.start(size)}
    yield list(layer.values())
    for _ in range(min(depth, size.cells)):
        children = (position.play(move) for position in layer.values() for move in position.legal())
        layer = {name(child)[0]: child for child in children}
        yield list(layer.values())


def usual_depth(size: Size) -> int:
    """The depth of a page if none is asked for: so deep that no more than some hundred positions are held in full.

    >>> [usual_depth(Size(side, side)) for side in range(1, 8)]
    [1, 4, 4, 3, 2, 2, 2]
    """
    held = 0
    for depth, layer in enumerate(layers(size, size.cells)):
        held += len(layer)
        if held > _MOST_POSITIONS and depth >= 1:
            return depth
    return size.cells


def name(position: Position) -> tuple[str, Symmetry]:
    """The name of a position, and the symmetry that leads to the orientation in which it has this name."""
    return min((_letters(symmetry.position(position)), symmetry) for symmetry in (_UPRIGHT, _HALF_TURN))


def value_letter(winner: Color | None, length: int | None, metric: str = "checkmate") -> str:
    """The letter of a value."""
    if winner is None or (length is None and metric != "winner"):
        return UNKNOWN
    stones = 0 if length is None else stones_in(length)
    return ALPHABET[winner * _PLAYER + stones]


def value_of(letter: str, to_move: Color, metric: str) -> Value:
    """The value that a letter stands for in a position; the inverse of `value_letter`."""
    if letter == UNKNOWN:
        return Value(None, None)
    winner, stones = divmod(ALPHABET.index(letter), _PLAYER)
    if metric == "winner":
        return Value(Color(winner), None)
    return Value(Color(winner), max(0, 2 * stones - (to_move == winner)))


def _letters(position: Position) -> str:
    return "".join(ALPHABET[cell] for stones in (position.black, position.white) for cell in cells_of(stones))
