"""Samples from the winner search: positions from the proofs of openings that the side to move wins, with what it costs to prove a win by
each of its moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from solver import kernel
from solver.position import Size
from solver.softmax import Sample, measured

_MOST_NODES = 50_000  # of the search for proofs in an opening
_CLASSES = 7  # proofs of 2, 3, 4 to 7, 8 to 15, ... positions, and not of 2**7 or more
_MEMORY = 512 << 20  # bytes


def draw_samples(size: Size, rng: np.random.Generator) -> Iterator[Sample]:
    """Samples of positions met in the proofs of all openings, without end; short proofs and long ones alike."""
    searcher = kernel.Kernel(size.columns, size.rows, _MEMORY)
    weights = np.array(kernel.WEIGHTS)
    classes = defaultdict[int, list[kernel.Proof]](list)
    for opening in range((size.cells + 1) // 2):
        searcher.clear()
        with suppress(kernel.Stopped):
            searcher.winner(1 << opening, 0, 1, _MOST_NODES)
        for proof in searcher.proofs():
            if proof.nodes < 2**_CLASSES:
                classes[proof.nodes.bit_length()].append(proof)
    ordered = [sorted(classes[length]) for length in sorted(classes)]
    while True:
        proofs = ordered[rng.integers(len(ordered))]
        proof = proofs[rng.integers(len(proofs))]
        moves = searcher.features(proof.black, proof.white, proof.to_move, proof.last)
        if len(moves) > 1 and (sample := _measured(searcher, proof, moves, weights)):
            yield sample


def _measured(searcher: kernel.Kernel, proof: kernel.Proof, moves: dict[int, list[int]], weights: np.ndarray) -> Sample | None:
    """Moves are tried in the order of their promise."""

    def wins(move: int, nodes: int) -> bool:
        black, white = (own | (1 << move if side == proof.to_move else 0) for side, own in enumerate((proof.black, proof.white)))
        return searcher.winner(black, white, 1 - proof.to_move, nodes).winner == proof.to_move

    return measured(searcher, sorted(moves.items(), key=lambda item: -weights[item[1]].sum()), proof.nodes, wins)
