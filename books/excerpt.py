"""What a book tells along its strategies, in the form in which it can be shown: nothing has to be searched for that but endings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from books.contents import Entry, answer, quick
from books.probe import Book, seen_through
from solver.engine import optimal_move
from solver.kernel import Kernel
from solver.position import Color, Position, Size, Symmetry
from solver.solution import stones_in

_MEMORY = 64 << 20  # bytes, for tables; endings need few
_SAME, _MIRROR = Symmetry(rotate=False, reflect=False), Symmetry(rotate=False, reflect=True)


class Excerpt(NamedTuple):
    """A position of a strategy."""

    position: Position
    value: Entry
    line: list[int]
    """Best play: an optimal game to the end where the book ends, else the move after which the strategy goes on."""
    replies: list[Entry] | None
    """The values after all legal moves, in the order of the cells, where the book has the answers to all of them."""


def excerpts(book: Book, size: Size) -> Iterator[Excerpt | None]:
    """The positions of a book with lengths, as they come about on a board of this shape; None for those outside its strategies."""
    assert book.metadata.metric != "winner"
    canonical_size = Position.start(size).canonical()[0].size
    kernel = Kernel(canonical_size.columns, canonical_size.rows, _MEMORY)
    for canonical, value in book:
        symmetry = _SAME if canonical.size == size and _can_be_played(canonical) else _MIRROR
        position = symmetry.position(canonical)
        value = seen_through(symmetry, value)
        if quick(position, value):
            ending = _ending(kernel, canonical, seen_through(symmetry, value), book.metadata.metric)
            yield Excerpt(position, value, [symmetry.cell(canonical.size, move) for move in ending], None)
        else:
            yield _onward(book, position, value)


def _can_be_played(position: Position) -> bool:
    """Whether alternating moves lead there."""
    return position.black.bit_count() - position.white.bit_count() == (position.to_move == Color.WHITE)


def onward(book: Book, position: Position) -> int | None:
    """The move of best play with which a strategy of the book goes on, None where none does."""
    value = book.get(position)
    if value is None or quick(position, value):
        return None
    return _best(position, value, {move: book.get(position.play(move)) for move in position.legal()})


def _onward(book: Book, position: Position, value: Entry) -> Excerpt | None:
    """A position below which the book goes on, if its strategy does."""
    after = {move: book.get(position.play(move)) for move in position.legal()}
    best = _best(position, value, after)
    if best is None:
        return None
    replies = [entry for entry in after.values() if entry is not None]
    return Excerpt(position, value, [best], replies if len(replies) == len(after) else None)


def _best(position: Position, value: Entry, after: Mapping[int, Entry | None]) -> int | None:
    """The optimal move among those after which the book knows the value: the strategy's, where the winner has more than one."""
    assert value.length is not None
    kept = value._replace(length=value.length - 1)
    optimal = {position.play(move): move for move, entry in after.items() if entry == kept}
    if len(optimal) > 1 and position.to_move == value.winner:
        return answer(position, value, lambda reply, kept: reply in optimal)
    return next(iter(optimal.values()), None)


def _ending(kernel: Kernel, position: Position, value: Entry, metric: str) -> list[int]:
    """An optimal game from a position to the end."""
    assert value.length is not None
    moves, stones = list[int](), stones_in(value.length)
    while stones:
        moves.append(optimal_move(kernel.within, position, metric, value.winner, stones))
        stones -= position.to_move == value.winner
        position = position.play(moves[-1])
    return moves
