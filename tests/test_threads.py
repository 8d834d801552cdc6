"""Several searches on one question, or on several that belong together: the same answers as one, through one shared table, and all of
them stop; and threads that start processes."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from solver import kernel
from solver.engine import Engine
from solver.job import Batch, Job
from solver.options import Limits
from solver.pool import solve_in_processes
from solver.position import Position, Size
from solver.worker import Watch, Worker


def some_positions(seed: int, most: int) -> Iterator[Position]:
    """Twelve of 5x5, with at most so many stones."""
    draw = random.Random(seed)
    for _ in range(12):
        position = Position.start(Size(5, 5))
        for cell in draw.sample(range(25), draw.randint(0, most)):
            position = position.play(cell)
        yield position


@pytest.mark.parametrize("metric", ["checkmate", "connection"])
def test_threads_agree_with_one_search(metric: str) -> None:
    with Engine(Size(5, 5)) as one, Engine(Size(5, 5), limits=Limits(threads=3)) as three:
        for position in some_positions(8, 5):
            assert three.solve(position, metric).length == one.solve(position, metric).length


@pytest.mark.parametrize("metric", ["winner", "checkmate", "connection"])
def test_sharers_find_the_values_that_one_search_finds(metric: str) -> None:
    with Engine(Size(5, 5)) as one, Engine(Size(5, 5), limits=Limits(sharers=3)) as three:
        for position in some_positions(9, 7):
            assert three.moves(position, metric) == one.moves(position, metric)


def test_sharers_keep_to_the_time_and_keep_what_they_proved() -> None:
    size = Size(7, 7)
    position = Position.start(size).play(24)
    with Engine(size) as one, Engine(size, limits=Limits(seconds=0.5, sharers=2)) as two:
        winner = one.solve(position, "winner").winner
        two.solve(position, "winner")
        start = time.monotonic()
        moves = two.moves(position)
        assert time.monotonic() - start < 3
        assert len(moves) == 48 and any(value.length is None for value in moves)
        assert all(value.winner in (winner, None) for value in moves)


def test_an_error_of_one_sharer_is_raised() -> None:
    def fail(each: kernel.Kernel, question: int) -> None:
        if question == 2:
            raise MemoryError("no memory")

    worker = Worker(Size(3, 3), 1 << 24, sharers=2)
    with pytest.raises(MemoryError):
        worker.share(Watch(None, lambda _: None), fail, range(4))
    worker.close()


def test_partners_share_what_is_proved_and_find_the_same_lengths() -> None:
    """Eight searches at once on a table so small that they overwrite each other's entries all the time."""
    first = kernel.Kernel(4, 4, 1 << 16)
    kernels = [first, *(kernel.Kernel(4, 4, 1 << 16, partner=first) for _ in range(7))]

    def lengths(each: kernel.Kernel) -> list[list[bool]]:
        return [
            [each.within(1 << cell, 0, 1, each.winner(1 << cell, 0, 1).winner, stones, "checkmate").proved for stones in range(7)]
            for cell in range(16)
        ]

    with ThreadPoolExecutor(len(kernels)) as pool:
        answers = list(pool.map(lengths, kernels))
    assert all(answer == lengths(kernel.Kernel(4, 4)) for answer in answers)


@pytest.mark.parametrize(("opening", "stones"), [(7, 9), (7, 10), (13, 8), (13, 9), (10, 8), (10, 9)])
def test_partners_on_one_question_find_what_one_search_finds(opening: int, stones: int) -> None:
    """b2, b3 and e2 of 6x6 within one stone less than the length, and within the length."""
    first = kernel.Kernel(6, 6)
    kernels = [first, kernel.Kernel(6, 6, partner=first), kernel.Kernel(6, 6, partner=first)]

    def ask(each: kernel.Kernel) -> bool:
        return each.within(1 << opening, 0, 1, 0, stones, "checkmate").proved

    with ThreadPoolExecutor(len(kernels)) as pool:
        answers = list(pool.map(ask, kernels))
    assert answers == [ask(kernel.Kernel(6, 6))] * 3


def test_partners_must_be_of_one_board() -> None:
    with pytest.raises(ValueError, match="one board"):
        kernel.Kernel(4, 4, partner=kernel.Kernel(4, 5))


def test_processes_work_for_another_thread_than_the_main_one() -> None:
    """It can neither set a handler nor be interrupted; its jobs are done nevertheless."""
    position = Position.start(Size(3, 3))

    def solve() -> list[int | None]:
        jobs = Batch([Job(position, "checkmate")])
        found = solve_in_processes(jobs, store=None, workers=1, limits=Limits(memory=1 << 24), engine=Engine, tick=lambda *_: None)
        return [solution.length for _, solution in found]

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(solve).result() == [1]
