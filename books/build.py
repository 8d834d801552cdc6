"""Making a book: worker processes find out what belongs into it, root by root, and this process writes it when all is known.

The store is the memory of the build: what took time to find is in it soon after, so that a build that was killed goes on from
there. What the book becomes depends neither on it nor on the number of workers.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import cast

from tqdm import tqdm

from books.contents import PLIES, Contents, Entry, minimax
from books.file import write
from books.format import Coder, Metadata, checksum, pack, unpack
from books.probe import seen_through
from books.strategy import Strategist, Subtree
from solver.kernel import terminal
from solver.options import Limits
from solver.pool import EngineMaker, available_cpus, solve_in_processes
from solver.position import Color, InputError, Position, Size
from solver.store import Store

_log = logging.getLogger(__name__)
_HEARTBEAT = 60.0  # seconds between two signs of life in a log


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
    """Build the book of a board, complete up to `plies` moves, and put it at `path`; returns what it says of itself.

    `workers` None: a process for each CPU; each of them takes the memory of `limits`. With `progress`, standard error shows a bar
    if it is a terminal, and else a line is logged each minute. Raises InputError when the book cannot be written or a worker is
    killed twice at the same position; an older book at `path` then stands as it was.
    """
    contents, coder = Contents(size, plies), Coder(size)
    records: Subtree = {}
    with closing(_Display(len(contents.last_roots), progress)) as display:
        found = solve_in_processes(
            contents.last_roots,
            metric,
            store=store,
            workers=workers or available_cpus(),
            limits=limits,
            engine=cast(EngineMaker, partial(Strategist, contents=contents)),
            tick=lambda _, nodes: display.tick(len(records), nodes),
        )
        with closing(found):
            for _, subtree in found:
                if subtree is None:
                    raise InputError("the build is given up, its worker was killed twice; is there memory enough? (see --memory)")
                records |= cast(Subtree, subtree)
                display.update()
    for position in reversed(contents.inner_roots):
        _add_inner(records, coder, position, metric)
    ordered = sorted(records.items())
    metadata = Metadata(
        size=size,
        metric=metric,
        plies=plies,
        counts=_counts(coder, ordered),
        checksum=checksum(ordered),
        program=f"hexbook {version('hexbook')}",
        made=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
    )
    write(path, metadata, ordered)
    return metadata


def _add_inner(records: Subtree, coder: Coder, position: Position, metric: str) -> None:
    """Add the value of a position all of whose replies are there."""
    size, goal = position.size, "checkmate" if metric == "winner" else metric

    def value(reply: Position) -> Entry:
        canonical, symmetry = reply.canonical()
        key = coder.key(canonical)
        return seen_through(symmetry, unpack(key, records[key], metric))

    ended = [color for color in Color if terminal(goal, size.columns, size.rows, position.black, position.white, color) is not None]
    if ended:
        entry = Entry(ended[0], None if metric == "winner" else 0)
    else:
        entry = minimax(position, map(value, map(position.play, position.legal())))
    canonical, symmetry = position.canonical()
    key = coder.key(canonical)
    records[key] = pack(key, seen_through(symmetry, entry))


def _counts(coder: Coder, records: Sequence[tuple[bytes, bytes]]) -> tuple[int, ...]:
    """The positions by their stones."""
    positions = (coder.position(key) for key, _ in records)
    counts = Counter((position.black | position.white).bit_count() for position in positions)
    return tuple(counts[stones] for stones in range(max(counts) + 1))


class _Display:
    """On standard error: a bar if it is a terminal, else now and then a logged line."""

    def __init__(self, roots: int, shown: bool) -> None:
        self._bar = tqdm(
            total=roots,
            disable=None if shown else True,
            file=sys.stderr,
            bar_format="{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} roots [{elapsed}{postfix}]",
            dynamic_ncols=True,
            leave=False,
        )
        self._logged = shown and self._bar.disable
        self._done, self._time = 0, time.monotonic()

    def tick(self, positions: int, nodes: int) -> None:
        """Show how much has been found."""
        counts = f"{tqdm.format_sizeof(positions)} positions, {tqdm.format_sizeof(nodes)} nodes"
        self._bar.set_postfix_str(counts)
        if self._logged and time.monotonic() - self._time > _HEARTBEAT:
            self._time = time.monotonic()
            _log.info("%d of %d roots: %s", self._done, self._bar.total, counts)

    def update(self) -> None:
        """Count a root."""
        self._done += 1
        self._bar.update()

    def close(self) -> None:
        self._bar.close()
