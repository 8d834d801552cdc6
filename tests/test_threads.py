"""Several searches on one question: the same answers as one, through one shared table, and all of them stop."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from solver import kernel
from solver.engine import Engine
from solver.options import Limits
from solver.position import Position, Size


@pytest.mark.parametrize("metric", ["checkmate", "connection"])
def test_threads_agree_with_one_search(metric: str) -> None:
    size, draw = Size(5, 5), random.Random(8)
    with Engine(size) as one, Engine(size, limits=Limits(threads=3)) as three:
        for _ in range(12):
            position = Position.start(size)
            for cell in draw.sample(range(size.cells), draw.randint(0, 5)):
                position = position.play(cell)
            assert three.solve(position, metric).length == one.solve(position, metric).length


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


def test_partners_must_be_of_one_board() -> None:
    with pytest.raises(ValueError, match="one board"):
        kernel.Kernel(4, 4, partner=kernel.Kernel(4, 5))
