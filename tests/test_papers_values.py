"""The kept values of 6x6: all positions of at most two stones, and the same answers when they are searched anew."""

from random import Random

from solver.kernel import Kernel
from solver.papers.values import judge, judged_positions


def test_all_positions_of_at_most_two_stones() -> None:
    found = judged_positions()
    stones = [(judged.position.black | judged.position.white).bit_count() for judged in found]
    assert [stones.count(n) for n in range(3)] == [1, 18, 18 * 35]
    assert all(judged.won == bool(judged.length % 2) == bool(judged.good) and judged.optimal for judged in found)


def test_short_ones_searched_anew() -> None:
    short = [judged for judged in judged_positions() if judged.length <= 13]
    kernel = Kernel(6, 6, memory=1 << 26)
    for judged in Random(6).sample(short, 5):
        assert judge(kernel, judged.position, judged.length) == judged
