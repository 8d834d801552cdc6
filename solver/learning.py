"""Learns how promising moves are: `python -m solver.learning` measures proofs and writes the weights of the kernel anew.

A sample is a position from the proofs of openings that the side to move wins, with what it costs to prove a win by each of its moves. The
weights are those of a linear softmax model (`solver/kernel/promise.pxd`) that makes the moves with the shortest proofs the likeliest. The
proofs are found with the weights that the kernel was built with: build it with the new ones and learn again, and they fit its searches
better. They change how long a search takes, never its answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from tqdm import tqdm

from solver import kernel
from solver.files import replaced
from solver.notation import parse_size
from solver.position import Size

BOARDS = {"6x6": 1000, "7x7": 5000, "8x8": 2500}  # samples of each
WEIGHTS = Path(__file__).parent / "kernel" / "weights.h"
_MOST_NODES = 50_000  # of the search for proofs in an opening
_CLASSES = 7  # proofs of 2, 3, 4 to 7, 8 to 15, ... positions, and not of 2**7 or more
_RIDGE = 1e-4
_MEMORY = 512 << 20  # bytes
_PER_LINE = 24


class Sample(NamedTuple):
    """A position's moves: the features of each, and its part of the probability, which is greater the shorter its proof is."""

    features: list[list[int]]
    target: np.ndarray


def learn(boards: dict[str, int], seed: int = 0) -> np.ndarray:
    """The weights, in units of `kernel.SCALE`, from so many samples of each board."""
    samples = list[Sample]()
    for name, count in boards.items():
        drawn = draw_samples(parse_size(name), np.random.default_rng(seed))
        samples += [sample for _, sample in zip(tqdm(range(count), name, disable=None), drawn, strict=False)]
    return fit(samples)


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
    """Moves are tried in the order of their promise; no proof is followed much beyond three times the shortest so far."""
    features, costs, least = list[list[int]](), list[float](), 2 * proof.nodes
    for move, listed in sorted(moves.items(), key=lambda item: -weights[item[1]].sum()):
        stones = [own | (1 << move if side == proof.to_move else 0) for side, own in enumerate((proof.black, proof.white))]
        searcher.clear()
        before = searcher.nodes
        cost = np.inf
        with suppress(kernel.Stopped):
            if searcher.winner(stones[0], stones[1], 1 - proof.to_move, 3 * least + 30).winner == proof.to_move:
                cost = searcher.nodes - before
        least = min(least, cost)
        features.append(listed)
        costs.append(cost)
    value = 1 / (np.array(costs) + 3)
    return Sample(features, value / value.sum()) if value.any() else None


def fit(samples: list[Sample]) -> np.ndarray:
    """The weights with the least cross entropy; features that are each other's image under the half turn have the same one."""
    tied = images()
    rows = [tied[listed] for sample in samples for listed in sample.features]
    ends = np.cumsum([0, *map(len, rows)])
    matrix = csr_matrix((np.ones(ends[-1]), np.concatenate(rows), ends), (len(rows), len(tied)))
    which = np.repeat(np.arange(len(samples)), [len(sample.features) for sample in samples])
    target = np.concatenate([sample.target for sample in samples])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        score = matrix @ weights
        greatest = np.full(len(samples), -np.inf)
        np.maximum.at(greatest, which, score)
        score -= greatest[which]
        total = np.bincount(which, np.exp(score))
        gradient = matrix.T @ (np.exp(score) / total[which] - target) / len(samples) + 2 * _RIDGE * weights
        return -target @ (score - np.log(total)[which]) / len(samples) + _RIDGE * weights @ weights, gradient

    best = minimize(loss, np.zeros(len(tied)), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return np.round(kernel.SCALE * best[tied]).astype(int)


def images() -> np.ndarray:
    """For each feature, the lesser of it and its image under the half turn of the board, which turns neither colour."""
    groups = kernel.FEATURES
    tied = np.arange(groups["end"])
    ring = np.arange(3**6)
    turned = ring % 27 * 27 + ring // 27
    for name in ("ring", "tips"):
        tied[groups[name] + ring] = groups[name] + np.minimum(ring, turned)
    steps = np.arange(7 * 7)
    tied[groups["from_last"] + steps] = groups["from_last"] + np.minimum(steps, 48 - steps)
    return tied


def write(weights: np.ndarray, path: Path) -> None:
    """The weights as C."""
    lines = (", ".join(map(str, weights[i : i + _PER_LINE])) for i in range(0, len(weights), _PER_LINE))
    text = "/* Written by `python -m solver.learning`. */\nstatic const short WEIGHTS[] = {\n" + ",\n".join(lines) + "};\n"
    with replaced(path) as part:
        part.write_text(text)


if __name__ == "__main__":
    write(learn(BOARDS), WEIGHTS)
