"""Learns the order of moves: `python -m solver.learning` measures proofs and writes the weights of the kernel anew.

Of the winner search it learns how promising moves are (`solver/kernel/promise.pxd`), of the bounded search what outlook they have
(`solver/kernel/outlook.pxd`). The proofs are found with the weights that the kernel was built with: build it with the new ones and learn
again, and they fit its searches better. They change how long a search takes, never its answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from tqdm import tqdm

from solver import kernel, learning_bounds, learning_winners
from solver.files import replaced
from solver.notation import parse_size
from solver.softmax import fit, images

WINNERS = {"6x6": 1000, "7x7": 5000, "8x8": 2500}  # samples of each
BOUNDS = {"6x6": 5000, "7x7": 8000}
WEIGHTS = Path(__file__).parent / "kernel" / "weights.h"
_SIDES = 2
_PER_LINE = 24
_T = TypeVar("_T")


def learn(seed: int = 0) -> str:
    """The weights, as C."""
    winners = [
        sample
        for name, count in WINNERS.items()
        for sample in _shown(f"winner {name}", count, learning_winners.draw_samples(parse_size(name), np.random.default_rng(seed)))
    ]
    bounds = [
        sample
        for name, count in BOUNDS.items()
        for sample in _shown(f"bounds {name}", count, learning_bounds.draw_samples(parse_size(name), np.random.default_rng(seed)))
    ]
    sides = [learning_bounds.fit_outlook([sample for which, sample in bounds if which == side]) for side in range(_SIDES)]
    return written(fit(winners, images(kernel.FEATURES["end"])), sides)


def _shown(name: str, count: int, drawn: Iterator[_T]) -> Iterator[_T]:
    yield from tqdm(islice(drawn, count), name, count, disable=None)


def written(promise: np.ndarray, outlook: list[np.ndarray]) -> str:
    """The weights as C."""
    sides = ",\n".join(f"{{{_lines(weights)}}}" for weights in outlook)
    return (
        f"/* Written by `python -m solver.learning`. */\nstatic const short WEIGHTS[] = {{\n{_lines(promise)}}};\n"
        f"static const short OUTLOOK[{len(outlook)}][{len(outlook[0])}] = {{\n{sides}}};\n"
    )


def _lines(weights: np.ndarray) -> str:
    return ",\n".join(", ".join(map(str, weights[i : i + _PER_LINE])) for i in range(0, len(weights), _PER_LINE))


if __name__ == "__main__":
    text = learn()
    with replaced(WEIGHTS) as part:
        part.write_text(text)
