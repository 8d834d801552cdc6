"""Samples from the winner search: positions that the side to move wins, from proofs, with what it costs to prove a win by each of its moves,
or, where that is too much, with the move of the proof."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from solver import kernel
from solver.network import Board
from solver.position import Size
from solver.softmax import measured

_MOST_STONES = 5  # of the random positions that are searched
_MOST_NODES = 30_000  # of the search for proofs in one
_CLASSES = 8  # proofs of 2, 3, 4 to 7, 8 to 15, ... positions; those of 2**8 and more are great
_OF_EACH = 4  # positions taken from one search, on average
_MOST_NODES_OF_OPENING = 2_000_000
_MEMORY = 1 << 30  # bytes


def draw_samples(size: Size, rng: np.random.Generator) -> Iterator[Board]:
    """Samples of positions met in the proofs of random positions, without end; short proofs and long ones alike."""
    searcher = kernel.Kernel(size.columns, size.rows, _MEMORY)
    seen = set[tuple[int, int, int]]()
    while True:
        proofs = _proofs(searcher, size, rng)
        for _ in range(_OF_EACH * len(proofs)):
            of_class = proofs[rng.integers(len(proofs))]
            proof = of_class[rng.integers(len(of_class))]
            position = proof.black, proof.white, proof.to_move
            if position not in seen:
                seen.add(position)
                if sample := _measured(searcher, size, proof):
                    yield sample


def draw_great(size: Size, opening: int, rng: np.random.Generator) -> Iterator[Board]:
    """Samples of the great proofs, of 2**8 positions and more, in the search of an opening. Their other moves would take too long to be
    measured, so the move that was found is all the target."""
    searcher = kernel.Kernel(size.columns, size.rows, _MEMORY)
    with suppress(kernel.Stopped):
        searcher.winner(1 << opening, 0, 1, _MOST_NODES_OF_OPENING)
    great = sorted(proof for proof in searcher.proofs() if proof.nodes >= 2**_CLASSES)
    for i in rng.permutation(len(great)):
        inputs = searcher.inputs(*great[i][:4])
        if inputs is not None and len(inputs.promises) > 1 and great[i].move in inputs.promises:
            yield _board(size, great[i].to_move, inputs, {great[i].move: 1.0})


def _proofs(searcher: kernel.Kernel, size: Size, rng: np.random.Generator) -> list[list[kernel.Proof]]:
    """From the search of a random position, by their classes."""
    cells = [1 << int(cell) for cell in rng.choice(size.cells, rng.integers(1, _MOST_STONES + 1), replace=False)]
    searcher.clear()
    with suppress(kernel.Stopped):
        searcher.winner(sum(cells[::2]), sum(cells[1::2]), len(cells) % 2, _MOST_NODES)
    classes = defaultdict[int, list[kernel.Proof]](list)
    for proof in searcher.proofs():
        if proof.nodes < 2**_CLASSES:
            classes[proof.nodes.bit_length()].append(proof)
    return [sorted(classes[length]) for length in sorted(classes)]


def _measured(searcher: kernel.Kernel, size: Size, proof: kernel.Proof) -> Board | None:
    """Moves are tried in the order of their promise."""
    inputs = searcher.inputs(proof.black, proof.white, proof.to_move, proof.last)
    if inputs is None or len(inputs.promises) < 2:
        return None

    def wins(move: int, nodes: int) -> bool:
        black, white = (own | (1 << move if side == proof.to_move else 0) for side, own in enumerate((proof.black, proof.white)))
        return searcher.winner(black, white, 1 - proof.to_move, nodes).winner == proof.to_move

    moves = sorted(inputs.promises, key=lambda move: -inputs.promises[move])
    target = measured(searcher, moves, proof.nodes, wins)
    if target is None:
        return None
    return _board(size, proof.to_move, inputs, dict(zip(moves, target, strict=True)))


def _board(size: Size, to_move: int, inputs: kernel.Inputs, target: dict[int, float]) -> Board:
    cells, legal, shares = np.array(inputs.cells, np.int16), np.zeros(size.cells, bool), np.zeros(size.cells, np.float32)
    legal[list(inputs.promises)], shares[list(target)] = True, list(target.values())
    grids = [values.reshape(size.rows, size.columns, *values.shape[1:]) for values in (cells, legal, shares)]
    return Board(*(grids if to_move == 0 else [grid.swapaxes(0, 1) for grid in grids]))
