"""Samples from the bounded search: questions to checkmate that a move has decided, with what it costs to decide them by each move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from solver import kernel
from solver.position import Size
from solver.softmax import Sample, fit, images, measured

_MOST_NODES = 150_000  # of the search for one bound of an opening
_FEWEST = 3  # positions of a decision
_CLASSES = 10  # decisions of 3, 4 to 7, 8 to 15, ... positions, and not of 2**10 or more
_MOST_STONES = 9  # that are told apart
_MEMORY = 512 << 20  # bytes


def draw_samples(size: Size, rng: np.random.Generator) -> Iterator[tuple[int, Sample]]:
    """Each with the side that moves: 0 the attacker, 1 the defender. Without end; short decisions and long ones, and of few stones and many,
    alike."""
    searcher = kernel.Kernel(size.columns, size.rows, _MEMORY)
    classes = [defaultdict[tuple[int, int], set[kernel.Decision]](set) for _ in range(2)]
    for opening in range((size.cells + 1) // 2):
        for decision in _decisions(searcher, opening, size.cells):
            if decision.stones > 1 and _FEWEST <= decision.nodes < 2**_CLASSES:
                classes[decision.side][decision.nodes.bit_length(), min(decision.stones, _MOST_STONES)].add(decision)
    ordered = [[sorted(of_side[which]) for which in sorted(of_side)] for of_side in classes]
    while True:
        side = int(rng.integers(2))
        decisions = ordered[side][rng.integers(len(ordered[side]))]
        decision = decisions[rng.integers(len(decisions))]
        moves = searcher.outlook_features(decision.own, decision.empty, side, decision.stones)
        if len(moves) > 1 and (sample := _measured(searcher, decision, moves, (1 << size.cells) - 1)):
            yield side, sample


def _decisions(searcher: kernel.Kernel, opening: int, cells: int) -> Iterator[kernel.Decision]:
    """Met on the way to the length after an opening, from below and, where that is not done soon, from above as well."""
    searcher.clear()
    winner = searcher.winner(1 << opening, 0, 1).winner
    for bounds in (range(1, cells // 2 + 1), range(cells // 2, 0, -1)):
        with suppress(kernel.Stopped):
            for stones in bounds:
                if searcher.within(1 << opening, 0, 1, winner, stones, "checkmate", _MOST_NODES).proved == (bounds.step > 0):
                    break
    yield from searcher.decisions()


def _measured(searcher: kernel.Kernel, decision: kernel.Decision, moves: dict[int, list[int]], board: int) -> Sample | None:
    """Moves are tried in the order of their pressure, the last feature."""
    own, empty, side, stones, nodes = decision
    attacking = side == 0

    def decides(move: int, nodes: int) -> bool:
        after = own | (1 << move if attacking else 0)
        answer = searcher.within(after, board & ~(after | empty & ~(1 << move)), 1 - side, 0, stones - attacking, "checkmate", nodes)
        return answer.proved == attacking

    ordered = sorted(moves.items(), key=lambda item: item[1][-1])
    target = measured(searcher, [move for move, _ in ordered], nodes, decides)
    return None if target is None else Sample([listed for _, listed in ordered], target)


def fit_outlook(samples: list[Sample]) -> np.ndarray:
    """The weights of one side: first of all features but pressure, which is not known of every move, then of pressure in addition."""
    tied = images(kernel.OUTLOOK_FEATURES["end"])
    without = fit([Sample([listed[:-1] for listed in features], target) for features, target in samples], tied)
    return fit(samples, tied, without)
