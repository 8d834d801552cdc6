"""Re-checking a book: is it what it says, is it closed, and are its values right?

Where all replies to a position are in the book, its value must follow from theirs; every other value is searched for again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from random import Random

from books.contents import Entry, Unanswered, followers, minimax, roots, strategic
from books.file import naming
from books.format import Coder, checksum
from books.probe import Book, seen_through
from solver.engine import Engine
from solver.notation import format_board
from solver.options import Limits
from solver.position import SYMMETRIES, Position

SAMPLES = 300
"""Positions that are checked, beside the roots whose replies are all held, if not all are."""


class Fault(Exception):
    """What is wrong with a book; its message may end with the board in question."""


def verify(
    book: Book,
    *,
    samples: int | None = SAMPLES,
    seed: int = 0,
    limits: Limits = Limits(),
    progress: Callable[[], object] = lambda: None,
) -> int:
    """Check the records as a whole, the roots before the last move, and `samples` others drawn with `seed`; None: every position.

    `progress` is called after each position. Returns the number of positions checked. Raises Fault, and InputError for a damaged
    record.
    """
    found = checksum(book.records())
    if found != book.metadata.checksum:
        raise Fault(f"the checksum of its records is {found}, not {book.metadata.checksum} as it says")
    try:
        counts = _check_positions(book, samples, seed, limits, progress)
    except Unanswered as error:
        raise _fault(error.args[0], "the book has no optimal answer to this position") from None
    if (held := sum(1 for _ in book.records())) != len(book):
        raise Fault(f"it has {held} positions, not {len(book)} as it says")
    if samples is None and tuple(counts[stones] for stones in range(max(counts) + 1)) != book.metadata.counts:
        raise Fault(f"by their stones it says it has {book.metadata.counts} positions, but {dict(counts)} follow from the roots")
    return counts.total()


def _check_positions(
    book: Book, samples: int | None, seed: int, limits: Limits, progress: Callable[[], object]
) -> Counter[int]:
    """Check one position after the other; how many, by their stones."""
    counts = Counter[int]()
    checker = _Checker(book)
    with Engine(checker.roots[0].size, limits=limits) as engine:
        for position in checker.all() if samples is None else checker.some(samples, seed):
            checker.check(position, engine)
            counts[(position.black | position.white).bit_count()] += 1
            progress()
    return counts


class _Checker:
    """A book, and what is to be asked of its positions."""

    def __init__(self, book: Book) -> None:
        self._book = book
        layers = roots(book.metadata.size, book.metadata.plies)
        self.roots = [position for layer in layers for position in layer]
        for root in self.roots:
            self._entry(root)
        self._inner = dict.fromkeys(position.canonical()[0] for layer in layers[:-1] for position in layer)
        self._aside = {position.canonical()[0] for position in self.roots}
        self._aside -= {position.canonical()[0] for position in strategic(layers, self._entry)}

    def some(self, samples: int, seed: int) -> Iterable[Position]:
        """The roots whose replies the book holds, and other positions that it holds."""
        keys = [key for key, _ in self._book.records()]
        coder = Coder(self._book.metadata.size)
        with naming(self._book.path):
            drawn = [coder.position(key) for key in Random(seed).sample(keys, min(samples, len(keys)))]
        return dict.fromkeys([*self._inner, *drawn])

    def all(self) -> Iterator[Position]:
        """The roots and every position to which the strategies lead, once."""
        waiting, seen = list(reversed(self.roots)), set[Position]()
        while waiting:
            position = waiting.pop()
            canonical = position.canonical()[0]
            if canonical not in seen:
                seen.add(canonical)
                yield position
                waiting += self._followers(position)

    def check(self, position: Position, engine: Engine) -> None:
        """Raise Fault if the book lacks a position or what follows from it, or has a wrong value for it."""
        entry = self._entry(position)
        for symmetry in SYMMETRIES:
            if self._entry(symmetry.position(position)) != seen_through(symmetry, entry):
                raise _fault(position, "the images of this position have different values")
        replies = [position.play(move) for move in position.legal()]
        complete = position.canonical()[0] in self._inner or len(self._followers(position)) == len(replies)
        if complete and replies and entry.length != 0:
            right = minimax(position, map(self._entry, replies))
        else:
            found = engine.solve(position, self._book.metadata.metric)
            assert found.winner is not None
            right = Entry(found.winner, found.length)
        if right != entry:
            raise _fault(position, f"the book says of this position {_words(entry)}, but {_words(right)}")

    def _followers(self, position: Position) -> list[Position]:
        """The positions to which the strategy goes on from a position of the book."""
        if position.canonical()[0] in self._aside:
            return []
        return followers(position, self._entry(position), lambda reply, kept: self._book.get(reply) == kept)

    def _entry(self, position: Position) -> Entry:
        entry = self._book.get(position)
        if entry is None:
            raise _fault(position, "the book lacks this position")
        return entry


def _fault(position: Position, words: str) -> Fault:
    return Fault(f"{words}:\n{format_board(position)}\n{str(position.to_move).capitalize()} to move")


def _words(entry: Entry) -> str:
    return f"{entry.winner} wins" if entry.length is None else f"{entry.winner} wins in {entry.length}"
