"""Writes certificates: files that prove the value of a position to anyone who can check a line of text after the other.

The format, what its lines mean, and why they prove something stand in `books.checker`, which shares no code with what is used here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from solver.engine import Engine, Progress
from solver.files import replaced
from solver.options import Limits
from solver.position import MOST_CELLS, Color, Position, Size
from solver.proof.deduction import Deducer
from solver.proof.delaying import Delaying
from solver.proof.ledger import Ledger, Option
from solver.proof.searcher import Searcher
from solver.proof.winning import Winning
from solver.solution import Solution, plies, stones_in
from solver.store import Store
from solver.worker import LimitReached, Watch, Worker

HEADER = "hexbook certificate 1"


class Certificate(NamedTuple):
    """A proof of a position's value, or of its winner and an upper bound of the length."""

    solution: Solution  # what is proved
    lines: list[str]

    def write(self, path: Path) -> int:
        """Put it at `path`, whole or not at all; returns its bytes. Raises InputError if that fails."""
        text = "".join(f"{line}\n" for line in self.lines)
        with replaced(path) as place, place.open("w", encoding="ascii", newline="\n") as file:
            file.write(text)
            file.flush()
            if place.is_file():  # a pipe has no disk
                os.fsync(file.fileno())
        return len(text)


class Certifier:
    """Solves positions of a board and writes the proofs; a context manager."""

    def __init__(self, size: Size, *, store: Store | None = None, limits: Limits = Limits()) -> None:
        """`limits` hold for each position. The memory is shared by the search for the value and the search for its proof."""
        self._size = size
        self._limits = replace(limits, memory=limits.memory // 2)
        self._engine = Engine(size, store=store, limits=self._limits)
        self._worker = Worker(size, self._limits.memory, limits.threads)
        self._deducer = Deducer(size.columns, size.rows)

    def __enter__(self) -> Certifier:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._worker.close()
        self._engine.close()

    def certify(
        self, position: Position, metric: str, progress: Progress | None = None, *, most: int | None = None
    ) -> Certificate | Solution:
        """The proof of the position's value; only what is known of it if the time limit comes first.

        With `most`, the proof of the winner and that it needs no more plies, whether or not the length is known; only what is known if it
        needs more.
        """
        started = time.monotonic()
        if most is not None:
            most = min(most, position.empty.bit_count())
        solution = self._engine.solve(position, metric, progress, most=most)
        if solution.winner is None or (not solution.solved if most is None else solution.upper > most):
            return solution
        claimed = solution if most is None else _bounded(solution, most)
        seconds = self._limits.seconds
        watch = Watch(None if seconds is None else started + seconds, progress or (lambda status: None))
        try:
            self._search(claimed, watch)
            proof = self._worker.run(watch, lambda kernel, go_on: list(self._proof(claimed, Searcher(self._size, kernel, go_on))))
        except LimitReached:
            return solution
        return Certificate(claimed, [*_claim(claimed), *proof, "end"])

    def _search(self, solution: Solution, watch: Watch) -> None:
        """Fill the tables with what the proof will ask for; here all threads work together."""
        board = solution.position.board
        self._worker.winner(watch, *board)
        if solution.metric != "winner":
            stones = stones_in(solution.upper)
            for most in (stones, stones - 1) if solution.length else (stones,):
                self._worker.within(watch._replace(lower=solution.lower), *board, solution.winner, most, solution.metric)

    def _proof(self, solution: Solution, searcher: Searcher) -> Iterator[str]:
        """The lines of both parts; of the first only, unless there is a length to be proved from below."""
        position, winner, metric, size = solution.position, solution.winner, solution.metric, self._size
        assert winner is not None
        own, other = position.stones(winner), position.stones(winner.other)
        moves = position.to_move == winner

        ledger = Ledger(size, winner, metric, self._deducer)
        winning = Winning(size, metric, ledger, self._deducer, searcher)
        most = MOST_CELLS if metric == "winner" else stones_in(solution.upper)
        root: Option = winning.weak(own, other, most) if moves else (None, winning.strong(own, other, most))
        yield "join"
        yield from ledger.lines(root)

        if solution.length:
            ledger = Ledger(size, winner.other, "winner", self._deducer)
            delaying = Delaying(size, metric, ledger, self._deducer, searcher)
            root = (None, delaying.hold(other, own, most - 1)) if moves else delaying.reply(other, own, most - 1)
            yield "hold"
            yield from ledger.lines(root)


def _bounded(solution: Solution, most: int) -> Solution:
    """What is left of it if all that is known of the length is that it is no more than `most`."""
    assert solution.winner is not None
    stones = (most + (solution.position.to_move == solution.winner)) // 2
    return replace(solution, lower=0, upper=plies(stones, solution.position, solution.winner))


def _claim(solution: Solution) -> Iterator[str]:
    """The lines before the proof: the position and its value."""
    position, size = solution.position, solution.position.size
    yield HEADER
    yield f"board {size.columns} {size.rows}"
    black, white = (f"{position.stones(color):0{size.cells}b}"[::-1] for color in Color)
    cells = "".join("B" if b == "1" else "W" if w == "1" else "." for b, w in zip(black, white))
    yield from (cells[start : start + size.columns] for start in range(0, size.cells, size.columns))
    yield f"{position.to_move} to move"
    kind = "in" if solution.solved else "within"
    yield f"{solution.winner} wins" + ("" if solution.metric == "winner" else f" {kind} {solution.upper} plies to {solution.metric}")
