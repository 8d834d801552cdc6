"""Making a book: worker processes find out what belongs into it, and this process writes it when all is known.

First come the values of the last roots, found together for all that follow one position, then those of the other roots, which follow
from them, and then the strategies, each below one root.
The store is the memory of the build: what took time to find is in it soon after, so that a build that was killed goes on from
there. What the book becomes depends neither on it nor on the number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import cast

from books.contents import PLIES, Entry, minimax, quick, roots, strategic
from books.display import Display
from books.file import write
from books.format import Coder, Metadata, checksum, pack, unpack
from books.probe import seen_through
from books.strategy import Strategist, Subtree
from solver.job import Batch, Job
from solver.options import Limits, available_cpus
from solver.player import winner_by
from solver.pool import solve_in_processes
from solver.position import InputError, Position, Size
from solver.store import Store


def build(
    path: Path,
    size: Size,
    metric: str = "checkmate",
    *,
    store: Store,
    plies: int = PLIES,
    workers: int | None = None,
    limits: Limits = Limits(),
    progress: bool = True,
) -> Metadata:
    """Build the book of a board, complete up to `plies` moves (at least 1), and put it at `path`; returns what it says of itself.

    `workers` None: a process for each CPU; each of them takes the memory of `limits`. With `progress`, standard error shows a bar
    if it is a terminal, and else a line is logged each minute. Raises InputError when the book cannot be written or a worker is
    killed twice at the same position; an older book at `path` then stands as it was.
    """
    layers = roots(size, plies)
    draft = _Draft(layers[0][0].size, metric)

    def work(name: str, positions: list[Position], *, follow: bool) -> None:
        display = Display(name, len(positions), progress)
        found = solve_in_processes(
            Batch(Job(position, metric) for position in positions),
            store=store,
            workers=workers or available_cpus(),
            limits=limits,
            engine=partial(Strategist, follow=follow),
            tick=lambda _, nodes: display.tick(len(draft.records), nodes),
        )
        with closing(display), closing(found):
            for _, subtree in found:
                if subtree is None:
                    raise InputError("the build is given up, its worker was killed twice; is there memory enough? (see --memory)")
                draft.records |= cast(Subtree, subtree)
                display.update()

    work("replies", layers[-2], follow=False)
    for layer in reversed(layers[:-1]):
        for position in layer:
            draft.add_parent(position)
    starts = (position for position in strategic(layers, draft.value) if (position.black | position.white).bit_count() == plies)
    work("strategies", [position for position in starts if not quick(position, draft.value(position))], follow=True)
    records = sorted(draft.records.items())
    metadata = Metadata(
        size=size,
        metric=metric,
        plies=plies,
        counts=_counts(draft.coder, records),
        checksum=checksum(records),
        program=f"hexbook {version('hexbook')}",
        made=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
    )
    write(path, metadata, records)
    return metadata


class _Draft:
    """A book that is not written yet; `size` is that of its canonical board."""

    def __init__(self, size: Size, metric: str) -> None:
        self.coder = Coder(size)
        self.records: Subtree = {}
        self._metric = metric

    def value(self, position: Position) -> Entry:
        """The value of a position that is there."""
        canonical, symmetry = position.canonical()
        key = self.coder.key(canonical)
        return seen_through(symmetry, unpack(key, self.records[key], self._metric))

    def add_parent(self, position: Position) -> None:
        """Add a position, all of whose replies are there."""
        winner = winner_by("checkmate" if self._metric == "winner" else self._metric, position)
        if winner is not None:
            entry = Entry(winner, None if self._metric == "winner" else 0)
        else:
            entry = minimax(position, map(self.value, map(position.play, position.legal())))
        canonical, symmetry = position.canonical()
        key = self.coder.key(canonical)
        self.records[key] = pack(key, seen_through(symmetry, entry))


def _counts(coder: Coder, records: Sequence[tuple[bytes, bytes]]) -> tuple[int, ...]:
    """The positions by their stones."""
    positions = (coder.position(key) for key, _ in records)
    counts = Counter((position.black | position.white).bit_count() for position in positions)
    return tuple(counts[stones] for stones in range(max(counts) + 1))
