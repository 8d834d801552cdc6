"""Learns the order of moves: `python -m solver.learning` measures proofs and writes the weights of the kernel anew.

Of the winner search it learns how promising moves are (`solver/kernel/promise.pxd`; this takes PyTorch, the extra `learning`), of the bounded
search what outlook they have (`solver/kernel/outlook.pxd`). The proofs are found with the weights that the kernel was built with: build it
with the new ones and learn again, and they fit its searches better. They change how long a search takes, never its answer.

The samples are kept in build/samples, a thousand at a time and apart for each version of the weights, so that a run that was stopped goes on
where it was.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from tqdm import tqdm

from solver import learning_bounds, learning_winners, network
from solver.files import replaced
from solver.notation import parse_size

WINNERS = {"6x6": 12000, "7x7": 86000, "8x8": 10000}  # samples of each
GREAT = {"8x8": 1000}  # from each opening, at most
BOUNDS = {"6x6": 5000, "7x7": 8000}
KERNEL = Path(__file__).parent / "kernel"
SAMPLES = Path(__file__).parent.parent / "build" / "samples"
_PART = 1000  # samples that are drawn and kept together
_SIDES = 2
_PER_LINE = 24
_T = TypeVar("_T")


def learn(seed: int = 0) -> dict[str, str]:
    """The files of weights, as C."""
    winners, bounds = [], []
    for name, count in WINNERS.items():
        winners += _drawn(f"winner {name}", count, partial(learning_winners.draw_samples, parse_size(name)), seed)
    for name, count in GREAT.items():
        size = parse_size(name)
        for opening in range((size.cells + 1) // 2):
            winners += _drawn(f"great {name} {opening}", count, partial(learning_winners.draw_great, size, opening), seed)
    for name, count in BOUNDS.items():
        bounds += _drawn(f"bounds {name}", count, partial(learning_bounds.draw_samples, parse_size(name)), seed)
    sides = [learning_bounds.fit_outlook([sample for which, sample in bounds if which == side]) for side in range(_SIDES)]
    return {"network.h": network.written(network.fit(winners)), "weights.h": written(sides)}


def _drawn(name: str, count: int, draw: Callable[[np.random.Generator], Iterator[_T]], seed: int) -> list[_T]:
    """So many samples, or all there are: first those that earlier runs with these weights have kept, then new ones."""
    place = SAMPLES / hashlib.sha256(b"".join((KERNEL / weights).read_bytes() for weights in ("network.h", "weights.h"))).hexdigest()[:16]
    place.mkdir(parents=True, exist_ok=True)
    files = [place / f"{name} {seed} {part}" for part in range(-(-count // _PART))]
    samples = list[_T]()
    drawn: Iterator[_T] | None = None
    with tqdm(desc=name, total=count, disable=None) as bar:
        for part, file in enumerate(files):
            if not file.exists():
                drawn = drawn or draw(np.random.default_rng([seed, part]))
                with replaced(file) as unfinished:
                    unfinished.write_bytes(pickle.dumps(list(islice(drawn, _PART))))
            samples += pickle.loads(file.read_bytes())
            bar.update(len(samples) - bar.n)
    return samples[:count]


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
