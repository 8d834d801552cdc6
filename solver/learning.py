"""Learns the order of moves: `python -m solver.learning` measures proofs and writes the weights of the kernel anew.

Of the winner search it learns how promising moves are (`solver/kernel/promise.pxd`; this takes PyTorch, the extra `learning`), of the bounded search what outlook they have
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

from solver import learning_bounds, learning_winners, network
from solver.files import replaced
from solver.notation import parse_size

WINNERS = {"7x7": 86000, "8x8": 10000}  # samples of each
BOUNDS = {"6x6": 5000, "7x7": 8000}
KERNEL = Path(__file__).parent / "kernel"
_SIDES = 2
_PER_LINE = 24
_T = TypeVar("_T")


def learn(seed: int = 0) -> dict[str, str]:
    """The files of weights, as C."""
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
    return {"network.h": network.written(network.fit(winners)), "weights.h": written(sides)}


def _shown(name: str, count: int, drawn: Iterator[_T]) -> Iterator[_T]:
    yield from tqdm(islice(drawn, count), name, count, disable=None)


def written(outlook: list[np.ndarray]) -> str:
    """The weights of the bounded search as C."""
    sides = ",\n".join(f"{{{_lines(weights)}}}" for weights in outlook)
    return (
        "/* Written by `python -m solver.learning`. */\n"
        f"static const short OUTLOOK[{len(outlook)}][{len(outlook[0])}] = {{\n{sides}}};\n"
    )


def _lines(weights: np.ndarray) -> str:
    return ",\n".join(", ".join(map(str, weights[i : i + _PER_LINE])) for i in range(0, len(weights), _PER_LINE))


if __name__ == "__main__":
    for name, text in learn().items():
        with replaced(KERNEL / name) as part:
            part.write_text(text)
