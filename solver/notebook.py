"""What an engine has learned: kept in memory, and handed on to the store in batches."""

from __future__ import annotations

import time

from solver.position import Position, Symmetry
from solver.store import Record, Store, merge

_PERIOD = 5.0  # seconds between two batches: all that a killed process can lose
_ROOM = 100_000  # records in memory


class Notebook:
    """Records by position and metric; a position finds what was learned of its symmetric images."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._fresh: dict[tuple[Position, str], Record] = {}  # keyed on canonical positions; not in the store yet
        self._written = time.monotonic()

    def get(self, position: Position, metric: str) -> tuple[Record, str] | None:
        """The record of a position and where it comes from, "search" (of this process) or "store"; None: nothing is known."""
        canonical, symmetry = position.canonical()
        fresh = self._fresh.get((canonical, metric))
        if fresh is not None:
            return _seen_through(symmetry, fresh), "search"
        stored = self._store.get(position, metric) if self._store else None
        return None if stored is None else (stored, "store")

    def put(self, position: Position, metric: str, record: Record) -> None:
        """Add to what is known of a position."""
        canonical, symmetry = position.canonical()
        key, record = (canonical, metric), _seen_through(symmetry, record)
        old = self._fresh.get(key)
        self._fresh[key] = record if old is None else merge(old, record)
        if len(self._fresh) >= _ROOM:
            self.flush()

    def flush_if_due(self) -> None:
        """Write a batch when the last one is some seconds old; cheap to ask often."""
        if self._store and time.monotonic() - self._written > _PERIOD:
            self.flush()

    def flush(self) -> None:
        """Hand the fresh records on to the store, as one batch; without a store they are forgotten."""
        if self._store and self._fresh:
            self._store.put_many((position, metric, record) for (position, metric), record in self._fresh.items())
        self._fresh.clear()
        self._written = time.monotonic()


def _seen_through(symmetry: Symmetry, record: Record) -> Record:
    """The record of the symmetric position; every symmetry is its own inverse."""
    return record if record.winner is None else record._replace(winner=symmetry.color(record.winner))
