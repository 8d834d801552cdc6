"""The value of every move: from a book where it knows, and else from the store and by search, equally exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from books.contents import Unanswered, answer, quick
from books.probe import Book
from solver.engine import Engine, Progress
from solver.options import Limits
from solver.position import Position
from solver.solution import MoveValue, Solution, judged
from solver.store import Record, Store
from solver.worker import Here, Watch, Worker


class Adviser(Engine):
    """An engine that asks a book first. A book of any metric tells winners; it tells lengths by its own metric only."""

    def __init__(self, book: Book, *, store: Store | None = None, limits: Limits = Limits(), lines: bool = False) -> None:
        """`book` and `store` stay the caller's to close; `lines` as for Engine."""
        super().__init__(book.metadata.size, store=cast(Store, _Memory(book, store)), limits=limits, lines=lines)
        self._book = book

    def solve(self, position: Position, metric: str = "checkmate", progress: Progress | None = None) -> Solution:
        """As `Engine.solve`, at once if the book holds the position."""
        told = from_book(self._book, position, metric)
        if told is None:
            return super().solve(position, metric, progress)
        return replace(told, line=self.line(position, metric, progress)) if self._lines else told

    def moves(self, position: Position, metric: str = "checkmate", progress: Progress | None = None) -> list[MoveValue]:
        """As `Engine.moves`, at once if the book holds the positions after all moves."""
        after = {move: from_book(self._book, position.play(move), metric) for move in position.legal()}
        known = {move: solution for move, solution in after.items() if solution is not None}
        if len(known) == len(after):
            return judged(position, known)
        values = super().moves(position, metric, progress)
        return [value._replace(source="book") if value.move in known else value for value in values]

    def _winning_move(self, position: Position, asked: Worker | Here, watch: Watch) -> int:
        """That of the book's strategy, if it leads through the position."""
        entry = self._book.get(position)
        if entry is not None and entry.winner == position.to_move and not quick(position, entry):
            try:
                return answer(position, entry, lambda reply, kept: self._book.get(reply) == kept)
            except Unanswered:  # it is held as a reply, but not part of a strategy
                pass
        return super()._winning_move(position, asked, watch)


class _Memory:
    """What the engine takes for its store: the book, and behind it the store."""

    def __init__(self, book: Book, store: Store | None) -> None:
        self._book, self._store = book, store

    def get(self, position: Position, metric: str) -> Record | None:
        """What book or store know of a position."""
        solution = from_book(self._book, position, metric)
        if solution is not None:
            return Record(solution.winner, solution.lower, None if metric == "winner" else solution.upper, 0, 0)
        return None if self._store is None else self._store.get(position, metric)

    def put_many(self, records: Iterable[tuple[Position, str, Record]]) -> None:
        """Keep what was found in the store, if there is one."""
        if self._store is not None:
            self._store.put_many(records)


def from_book(book: Book, position: Position, metric: str) -> Solution | None:
    """The value of a position, if the book tells it."""
    if metric not in ("winner", book.metadata.metric):
        return None
    entry = book.get(position)
    if entry is None:
        return None
    if metric == "winner" or entry.length is None:
        return Solution(position, metric, entry.winner, 0, position.empty.bit_count(), "book")
    return Solution(position, metric, entry.winner, entry.length, entry.length, "book")
