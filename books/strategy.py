"""What a worker process finds out for a book: the positions that the winners' strategies lead through, and their values.

Positions are searched in the orientation in which they are reached, so that the kernel finds in its tables what it has searched
before. Values and moves do not depend on the order in which positions come, nor on what the store knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from books.contents import Entry, followers, quick
from books.format import Coder, pack
from books.probe import seen_through
from solver.kernel import Kernel
from solver.options import Limits
from solver.position import MOST_CELLS, Color, Position, Size
from solver.replies import Replies
from solver.solution import plies, stones_in
from solver.store import UNKNOWN, Record, Store, merge
from solver.worker import Status

Subtree = dict[bytes, bytes]
"""Positions and values, as a book holds them."""

_PERIOD = 5.0  # seconds between two batches for the store


class Strategist:
    """Finds the values of replies, or follows the strategies of one board. `solver.pool` takes it as an engine."""

    def __init__(self, size: Size, *, store: Store, limits: Limits, follow: bool) -> None:
        """`size` is that of a canonical board; for `follow` see `solve`."""
        self._kernel = Kernel(size.columns, size.rows, limits.memory)
        self._follow = follow
        self._coder = Coder(size)
        self._store = store
        self._told = set[bytes]()  # positions that were in an answer already
        self._fresh: dict[tuple[Position, str], Record] = {}  # what the store does not have yet
        self._written = time.monotonic()

    def solve(self, start: Position, metric: str, progress: Callable[[Status], None]) -> Subtree:
        """The values of the positions after all moves or, with `follow`, of all to which the strategy goes on from there.

        What an earlier answer told is left out.
        """
        subtree: Subtree = {}
        value = self._value(start, metric)[0]
        families = [iter([(start, value)]) if self._follow else self._replies(start, value, metric)]
        while families:
            for position, entry in families.pop():
                canonical, symmetry = position.canonical()
                key = self._coder.key(canonical)
                if key not in self._told:
                    self._told.add(key)
                    subtree[key] = pack(key, seen_through(symmetry, entry))
                    if self._follow:
                        families.append(self._followers(position, entry, metric))
                progress(Status(self._kernel.nodes, None))
                if time.monotonic() - self._written > _PERIOD:
                    self._write()
        self._write()
        return subtree

    def forget(self) -> None:
        """Keep the tables nevertheless: one start has much to do with the next, and answers do not depend on them."""

    def _followers(self, position: Position, entry: Entry, metric: str) -> Iterator[tuple[Position, Entry]]:
        """The positions to which the strategy goes on, with their values."""
        if quick(position, entry):
            return
        if position.to_move != entry.winner:
            yield from self._replies(position, entry, metric)
            return
        for reply in followers(position, entry, lambda reply, kept: self._holds(reply, kept, metric)):
            yield reply, entry if entry.length is None else entry._replace(length=entry.length - 1)

    def _replies(self, position: Position, entry: Entry, metric: str) -> Iterator[tuple[Position, Entry]]:
        """The positions after all moves, with their values."""
        value = Record(entry.winner, entry.length or 0, entry.length, 0, 0)
        replies = Replies(position, value)
        if metric != "winner" or entry.winner == position.to_move:
            passed, pattern = self._value(position.passed(), metric)
            replies = Replies(position, value, Record(passed.winner, passed.length or 0, passed.length, 0, 0))
            if pattern is not None and passed.winner != position.to_move:
                replies.learn(passed.length, pattern)
        for move in position.legal():
            reply = position.play(move)
            told = replies.told(move)
            if told.winner is None and metric != "winner":
                told = replies.told(move, Color(self._kernel.winner(*reply.board).winner))
            found, pattern = self._value(reply, metric, told)
            if pattern is not None and found.winner == reply.to_move:
                replies.learn(found.length, pattern)
            yield reply, found

    def _value(self, position: Position, metric: str, bound: Record = UNKNOWN) -> tuple[Entry, int | None]:
        """The value of a position, of which `bound` is known already, and the winner's pattern, if a search told one."""
        told = bound.winner is not None
        solved = told and (metric == "winner" or bound.lower == bound.upper)
        soon = told and quick(position, Entry(bound.winner, bound.upper))
        known = bound if solved or soon else merge(self._remembered(position, metric), bound)
        winner = known.winner
        length: int | None = None
        pattern: int | None = None
        if winner is None:
            answer = self._kernel.winner(*position.board)
            winner, pattern = Color(answer.winner), answer.carrier
        if metric != "winner":
            length, pattern = self._length(position, metric, known._replace(winner=winner))
        assert winner is not None
        entry = Entry(winner, length)
        if not quick(position, entry):
            self._learn(position, metric, Record(winner, length or 0, length, 0, 0))
        return entry, pattern

    def _length(self, position: Position, metric: str, known: Record) -> tuple[int, int | None]:
        """The length, within the bounds and for the winner that are known, and the pattern of its proof, if there was one."""
        assert known.winner is not None
        stones, most = stones_in(known.lower), MOST_CELLS if known.upper is None else stones_in(known.upper)
        while stones < most:
            answer = self._kernel.within(*position.board, known.winner, stones, metric)
            if answer.proved:
                return plies(stones, position, known.winner), answer.carrier
            stones += 1
        return plies(stones, position, known.winner), None

    def _holds(self, position: Position, value: Entry, metric: str) -> bool:
        """Whether the winner of a `value`, whose opponent is to move, wins here in no more than its length."""
        if value.length is None:
            return self._value(position, metric)[0].winner == value.winner
        known = self._remembered(position, metric)
        if known.winner == value.winner.other or known.lower > value.length:
            return False
        if known.upper is not None and known.upper <= value.length:
            return True
        holds = self._kernel.within(*position.board, value.winner, stones_in(value.length), metric).proved
        if holds:
            self._learn(position, metric, Record(value.winner, value.length, value.length, 0, 0))
        else:
            winner = Color(self._kernel.winner(*position.board).winner)
            self._learn(position, metric, Record(winner, value.length + 2 if winner == value.winner else 0, None, 0, 0))
        return holds

    def _remembered(self, position: Position, metric: str) -> Record:
        """What was learned of a position, now or at another time."""
        canonical, symmetry = position.canonical()
        fresh = self._fresh.get((canonical, metric))
        if fresh is not None:
            return fresh.seen_through(symmetry)
        return self._store.get(position, metric) or UNKNOWN

    def _learn(self, position: Position, metric: str, record: Record) -> None:
        canonical, symmetry = position.canonical()
        before = self._fresh.get((canonical, metric), UNKNOWN)
        self._fresh[canonical, metric] = merge(before, record.seen_through(symmetry))

    def _write(self) -> None:
        """Hand what is fresh on to the store."""
        self._store.put_many((canonical, metric, record) for (canonical, metric), record in self._fresh.items())
        self._fresh.clear()
        self._written = time.monotonic()
