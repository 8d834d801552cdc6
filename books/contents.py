"""What a book holds: a rule that only the values of positions decide, so that all builders make the same book.

The *roots* are all positions after at most so many moves from the empty board. Beside them, a book holds for every opening the
winner's strategy. It goes on, as long as a search would not find the value of a position at once (`quick`),

- where the loser is to move, to the positions after all legal moves: each defence is answered;
- where the winner is to move, to the position after one optimal move, the first by `solver.guess`: one answer is enough.

Stored are the values of all these positions, of the canonical ones among symmetric ones; moves are not stored, since they follow
from the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from solver.guess import guessed_moves
from solver.position import Color, Position, Size

PLIES = 2
"""Moves up to which a book is complete if nothing else is asked for: all openings and all replies."""

QUICK_LENGTH = 10
"""Plies, in which the winner needs five stones at most. On 6x6 search finds this from empty tables in about 3 ms and hardly ever in
more than 10, two plies more in about 20; on smaller boards it is faster."""

_QUICK_CELLS = 44
"""Empty cells, if only the winner is asked for: on 7x7 those of ply 5, where search takes less than 10 ms as a rule."""


class Entry(NamedTuple):
    """The value of a position."""

    winner: Color
    """Who wins with perfect play."""
    length: int | None
    """Plies until the winner reaches the terminal of the book's metric; None in a book of metric winner."""


class Unanswered(Exception):
    """The winner is to move in a position, its argument, and no move keeps the value: the values contradict each other."""


def roots(size: Size, plies: int) -> list[list[Position]]:
    """One of each class of symmetric positions on the canonical board: without moves, after one, and so on up to `plies`.

    Positions after the same opening stand together.

    >>> [len(layer) for layer in roots(Size(3, 3), 2)]
    [1, 5, 36]
    """
    layers = [[Position.start(size).canonical()[0]]]
    for _ in range(plies):
        layers.append(_classes(position.play(move) for position in layers[-1] for move in position.legal()))
    return layers


def quick(position: Position, entry: Entry) -> bool:
    """Whether search finds the value of a position, and so how to play on, without delay."""
    if entry.length is None:
        return position.empty.bit_count() <= _QUICK_CELLS
    return entry.length <= QUICK_LENGTH


def minimax(position: Position, values: Iterable[Entry]) -> Entry:
    """The value of a position, where the game is not over, from the values of the positions after all moves.

    >>> minimax(Position.start(Size(2, 2)), [Entry(Color.WHITE, 1), Entry(Color.BLACK, 0), Entry(Color.BLACK, 2)])
    Entry(winner=<Color.BLACK: 0>, length=1)
    """
    values = list(values)
    wins = [value for value in values if value.winner == position.to_move]
    best = min(wins) if wins else max(values)
    return best if best.length is None else best._replace(length=best.length + 1)


def followers(position: Position, entry: Entry, holds: Callable[[Position, Entry], bool]) -> list[Position]:
    """The positions to which the strategy goes on from one of it.

    `holds` tells whether the winner, who has just moved to a position, wins there within the length of an entry. Raises
    Unanswered.
    """
    if quick(position, entry):
        return []
    if position.to_move != entry.winner:
        return [position.play(move) for move in position.legal()]
    return [position.play(answer(position, entry, holds))]


def answer(position: Position, entry: Entry, holds: Callable[[Position, Entry], bool]) -> int:
    """The move of the strategy where the winner is to move; `holds` as for `followers`. Raises Unanswered."""
    kept = entry if entry.length is None else entry._replace(length=entry.length - 1)
    canonical, symmetry = position.canonical()
    for guess in guessed_moves(canonical):
        move = symmetry.cell(canonical.size, guess)
        if holds(position.play(move), kept):
            return move
    raise Unanswered(position)


def strategic(layers: list[list[Position]], value: Callable[[Position], Entry]) -> list[Position]:
    """Those of the roots that belong to the strategies, one of each class; `value` knows all roots."""
    last = len(layers) - 1
    found = waiting = layers[min(1, last)]
    for _ in range(1, last):
        onward = (followers(position, value(position), lambda reply, kept: value(reply) == kept) for position in waiting)
        waiting = _classes(chain.from_iterable(onward))
        found = found + waiting
    return found


def _classes(positions: Iterable[Position]) -> list[Position]:
    """The first of each class of symmetric positions."""
    found: dict[Position, Position] = {}
    for position in positions:
        found.setdefault(position.canonical()[0], position)
    return list(found.values())
