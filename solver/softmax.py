"""A linear softmax model of moves: which of a position's moves is the best one, by features of each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from solver import kernel

_RIDGE = 1e-4
_SPARED = 3  # added to every cost: of proofs as short as that, it does not matter which is shorter


class Sample(NamedTuple):
    """A position's moves: the features of each, and its part of the probability."""

    features: list[list[int]]
    target: np.ndarray


def measured(searcher: kernel.Kernel, moves: list[int], nodes: int, decides: Callable[[int, int], bool]) -> np.ndarray | None:
    """Try moves one after the other and each from empty tables: `decides` tells whether a move does, and raises Stopped when that takes more
    than so many positions. None is followed much beyond three times the cheapest so far, the first not much beyond six times `nodes`.
    Each move's part of the probability, greater the shorter its proof is; None if no move is found to decide."""
    costs, least = list[float](), 2 * nodes
    for move in moves:
        searcher.clear()
        before = searcher.nodes
        cost = np.inf
        with suppress(kernel.Stopped):
            if decides(move, 3 * least + 30):
                cost = searcher.nodes - before
        least = min(least, cost)
        costs.append(cost)
    value = 1 / (np.array(costs) + _SPARED)
    return value / value.sum() if value.any() else None


def fit(samples: list[Sample], tied: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """The weights with the least cross entropy, in units of `kernel.SCALE`; feature i has the weight of feature tied[i]. Those of features
    that no sample has are 0. `known`: weights that are kept, where they are not 0, beside the ones that are fitted."""
    rows = [tied[listed] for sample in samples for listed in sample.features]
    ends = np.cumsum([0, *map(len, rows)])
    matrix = csr_matrix((np.ones(ends[-1]), np.concatenate(rows), ends), (len(rows), len(tied)))
    which = np.repeat(np.arange(len(samples)), [len(sample.features) for sample in samples])
    target = np.concatenate([sample.target for sample in samples])
    kept = np.zeros(len(tied)) if known is None else known / kernel.SCALE
    free = kept == 0

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        score = matrix @ (weights * free + kept)
        greatest = np.full(len(samples), -np.inf)
        np.maximum.at(greatest, which, score)
        score -= greatest[which]
        total = np.bincount(which, np.exp(score))
        gradient = free * (matrix.T @ (np.exp(score) / total[which] - target)) / len(samples) + 2 * _RIDGE * weights
        return -target @ (score - np.log(total)[which]) / len(samples) + _RIDGE * weights @ weights, gradient

    best = minimize(loss, np.zeros(len(tied)), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return np.round(kernel.SCALE * (best * free + kept)[tied]).astype(int)


def images(end: int) -> np.ndarray:
    """For each feature before `end`, the lesser of it and its image under the half turn of the board, which turns neither colour."""
    groups = kernel.FEATURES
    tied = np.arange(end)
    ring = np.arange(3**6)
    turned = ring % 27 * 27 + ring // 27
    for name in ("ring", "tips"):
        tied[groups[name] + ring] = groups[name] + np.minimum(ring, turned)
    return tied
