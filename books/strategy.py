"""What a worker process finds out for a book: the positions that the winners' strategies lead through, and their values.

Positions are searched in the orientation in which they are reached, so that the kernel finds in its tables what it has searched
before. Values and moves do not depend on the order in which positions come, nor on what the store knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from books.contents import Contents, Entry, quick
from books.format import Coder, pack
from books.probe import seen_through
from solver.guess import guessed_moves
from solver.kernel import Kernel
from solver.options import Limits
from solver.position import MOST_CELLS, Color, Position, Size
from solver.solution import plies
from solver.store import Record, Store, merge
from solver.worker import Status

Subtree = dict[bytes, bytes]
"""Positions and values, as a book holds them."""

_UNKNOWN = Record(None, 0, None, 0, 0)
_PERIOD = 5.0  # seconds between two batches for the store


class Strategist:
    """Follows the strategies of one board. `solver.pool` takes it as an engine."""

    def __init__(self, size: Size, *, store: Store, limits: Limits, contents: Contents) -> None:
        canonical = Position.start(size).canonical()[0].size
        self._kernel = Kernel(canonical.columns, canonical.rows, limits.memory)
        self._contents = contents
        self._coder = Coder(size)
        self._store = store
        self._fresh: dict[tuple[Position, str], Record] = {}  # what the store does not have yet
        self._written = time.monotonic()

    def solve(self, root: Position, metric: str, progress: Callable[[Status], None]) -> Subtree:
        """A root and all that a book holds because of it."""
        subtree: Subtree = {}
        waiting = [(root, self._value(root, metric))]
        while waiting:
            position, entry = waiting.pop()
            canonical, symmetry = position.canonical()
            key, standard = self._coder.key(canonical), seen_through(symmetry, entry)
            if key in subtree:
                continue
            subtree[key] = pack(key, standard)
            if self._contents.has_all_replies(canonical, standard):
                waiting += self._replies(position, entry, metric)
            elif self._contents.has_one_reply(canonical, standard):
                waiting.append(self._best_reply(position, entry, metric))
            progress(Status(self._kernel.nodes, None))
            if time.monotonic() - self._written > _PERIOD:
                self._write()
        self._write()
        return subtree

    def _replies(self, position: Position, entry: Entry, metric: str) -> Iterator[tuple[Position, Entry]]:
        """The positions after all moves with their values."""
        bound = _UNKNOWN
        if position.to_move != entry.winner:
            bound = bound._replace(winner=entry.winner, upper=entry.length - 1 if entry.length else None)
        for move in position.legal():
            reply = position.play(move)
            yield reply, self._value(reply, metric, bound)

    def _best_reply(self, position: Position, entry: Entry, metric: str) -> tuple[Position, Entry]:
        """The position after the first optimal move of the winner, who is to move, and its value."""
        kept = entry._replace(length=None if entry.length is None else entry.length - 1)
        canonical, symmetry = position.canonical()
        for move in guessed_moves(canonical):
            reply = position.play(symmetry.cell(canonical.size, move))
            if self._holds(reply, kept, metric):
                return reply, kept
        raise AssertionError(f"no move keeps {entry} in {position}")

    def _value(self, position: Position, metric: str, bound: Record = _UNKNOWN) -> Entry:
        """The value of a position, of which `bound` is known already."""
        if metric == "winner" and bound.winner is not None:
            return Entry(bound.winner, None)
        soon = bound.winner is not None and bound.upper is not None and quick(position, Entry(bound.winner, bound.upper))
        known = bound if soon else merge(self._remembered(position, metric), bound)
        winner = known.winner
        if winner is None:
            winner = Color(self._kernel.winner(*_board(position)).winner)
        length = None if metric == "winner" else self._length(position, metric, known._replace(winner=winner))
        entry = Entry(winner, length)
        if not quick(position, entry):
            self._learn(position, metric, Record(winner, length or 0, length, 0, 0))
        return entry

    def _length(self, position: Position, metric: str, known: Record) -> int:
        """The length, within the bounds and for the winner that are known."""
        assert known.winner is not None
        stones, most = _stones(known.lower), MOST_CELLS if known.upper is None else _stones(known.upper)
        while stones < most and not self._kernel.within(*_board(position), known.winner, stones, metric).proved:
            stones += 1
        return plies(stones, position, known.winner)

    def _holds(self, position: Position, value: Entry, metric: str) -> bool:
        """Whether the winner of a `value`, whose opponent is to move, wins here in no more than its length."""
        if value.length is None:
            return self._value(position, metric).winner == value.winner
        known = self._remembered(position, metric)
        if known.winner == value.winner.other or known.lower > value.length:
            return False
        if known.upper is not None and known.upper <= value.length:
            return True
        holds = self._kernel.within(*_board(position), value.winner, _stones(value.length), metric).proved
        if holds:
            self._learn(position, metric, Record(value.winner, value.length, value.length, 0, 0))
        else:
            winner = Color(self._kernel.winner(*_board(position)).winner)
            self._learn(position, metric, Record(winner, value.length + 2 if winner == value.winner else 0, None, 0, 0))
        return holds

    def _remembered(self, position: Position, metric: str) -> Record:
        """What was learned of a position, now or at another time."""
        canonical, symmetry = position.canonical()
        fresh = self._fresh.get((canonical, metric))
        if fresh is not None:
            return fresh.seen_through(symmetry)
        return self._store.get(position, metric) or _UNKNOWN

    def _learn(self, position: Position, metric: str, record: Record) -> None:
        canonical, symmetry = position.canonical()
        before = self._fresh.get((canonical, metric), _UNKNOWN)
        self._fresh[canonical, metric] = merge(before, record.seen_through(symmetry))

    def _write(self) -> None:
        """Hand what is fresh on to the store."""
        self._store.put_many((canonical, metric, record) for (canonical, metric), record in self._fresh.items())
        self._fresh.clear()
        self._written = time.monotonic()


def _board(position: Position) -> tuple[int, int, Color]:
    """The position as the kernel takes it."""
    return position.black, position.white, position.to_move


def _stones(length: int) -> int:
    """The winner's stones in a game of that many plies."""
    return (length + 1) // 2
