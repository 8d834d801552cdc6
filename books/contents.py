"""What a book holds: a rule that only the values of positions decide, so that all builders make the same book.

The *roots* are the positions after at most so many moves from the empty board. From the roots a book goes on by two steps, as
long as a search would not find the value of a position at once (`quick`):

- where the loser is to move, to the positions after all legal moves: each defence is answered;
- where the winner is to move, to the position after one optimal move, the first by `solver.guess`: one answer is enough.

So from every position of a book its winner can play on optimally, against any defence, until search takes over. Stored are the
values of all these positions, of the canonical ones among symmetric ones; moves are not stored, since they follow from the values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from solver.position import Color, Position, Size

PLIES = 2
"""Moves up to which a book is complete if nothing else is asked for: all openings and all replies."""

_QUICK_LENGTH = 9
"""Plies, that search finds from empty tables in less than 10 ms as a rule: on 6x6 in about 3 ms, on smaller boards in less."""

_QUICK_CELLS = 44
"""Empty cells, if only the winner is asked for: on 7x7 those of ply 5, where search takes less than 10 ms as a rule."""


class Entry(NamedTuple):
    """The value of a position."""

    winner: Color
    """Who wins with perfect play."""
    length: int | None
    """Plies until the winner reaches the terminal of the book's metric; None in a book of metric winner."""


class Contents:
    """The rule for one board, complete up to `plies` moves.

    >>> len(Contents(Size(3, 3), 1).roots), len(Contents(Size(3, 3), 2).roots)
    (6, 42)
    """

    def __init__(self, size: Size, plies: int) -> None:
        layers: list[dict[Position, Position]] = [{}]
        _add(layers[0], Position.start(size).canonical()[0])
        for _ in range(plies):
            layers.append({})
            for position in layers[-2].values():
                for move in position.legal():
                    _add(layers[-1], position.play(move))
        self.inner_roots = [position for layer in layers[:-1] for position in layer.values()]
        """One of each class of symmetric positions after fewer moves, those of fewest first, on the canonical board."""
        self.last_roots = list(layers[-1].values())
        """The same after all moves, those after the same opening together."""
        self._inner = frozenset(canonical for layer in layers[:-1] for canonical in layer)

    @property
    def roots(self) -> list[Position]:
        """All of them."""
        return self.inner_roots + self.last_roots

    def has_all_replies(self, canonical: Position, entry: Entry) -> bool:
        """Whether the positions after all legal moves are in the book."""
        return canonical in self._inner or (canonical.to_move != entry.winner and not quick(canonical, entry))

    def has_one_reply(self, canonical: Position, entry: Entry) -> bool:
        """Whether the position after one optimal move is in the book, and perhaps no other."""
        return canonical not in self._inner and canonical.to_move == entry.winner and not quick(canonical, entry)


def quick(position: Position, entry: Entry) -> bool:
    """Whether search finds the value of a position, and so how to play on, without delay."""
    if entry.length is None:
        return position.empty.bit_count() <= _QUICK_CELLS
    return entry.length <= _QUICK_LENGTH


def minimax(position: Position, values: Iterable[Entry]) -> Entry:
    """The value of a position, where the game is not over, from the values of the positions after all moves.

    >>> minimax(Position.start(Size(2, 2)), [Entry(Color.WHITE, 1), Entry(Color.BLACK, 0), Entry(Color.BLACK, 2)])
    Entry(winner=<Color.BLACK: 0>, length=1)
    """
    values = list(values)
    wins = [value for value in values if value.winner == position.to_move]
    best = min(wins) if wins else max(values)
    return best if best.length is None else best._replace(length=best.length + 1)


def _add(layer: dict[Position, Position], position: Position) -> None:
    layer.setdefault(position.canonical()[0], position)
