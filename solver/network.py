"""The network of `solver/kernel/promise.pxd`: its training, and its weights as C."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver import kernel

_WIDTH = 32
_AROUND = ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))  # rows and columns, in the order of the kernel
_BATCH = 256
_EPOCHS = 22
_RATE = 4e-3
_DECAY = 1e-4
_VALUE = 256  # ones of a value in the kernel
_WEIGHT = 1024  # ones of a weight of the layers and the output
_PER_LINE = 32


class Board(NamedTuple):
    """A position as the side to move sees it, which joins the first row to the last: arrays of (rows, columns)."""

    inputs: np.ndarray  # of each cell, those of `kernel.Kernel.inputs`
    moves: np.ndarray
    target: np.ndarray  # of each cell, its part of the probability, which is greater the shorter the proof by that move is


def turned(board: Board) -> Board:
    """After a half turn."""
    inputs, moves, target = (values[::-1, ::-1].copy() for values in board)
    around, groups = inputs[..., :13] - 3 * np.arange(13), kernel.INPUTS
    opposite = np.array([0, 4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9])
    inputs[..., :13] = around[..., opposite] + 3 * np.arange(13)
    last = inputs[..., 15] - groups["last"]
    inputs[..., 15] = groups["last"] + np.where(last < 49, 48 - last, last)
    return Board(inputs, moves, target)


def fit(boards: list[Board], epochs: int = _EPOCHS, seed: int = 0) -> dict[str, np.ndarray]:
    """The weights with about the least cross entropy over the boards and their images, by their names in network.h. Takes PyTorch."""
    import torch
    from torch import nn
    from torch.nn import functional

    torch.manual_seed(seed)
    end = kernel.INPUTS["end"]
    boards = boards + [turned(board) for board in boards]
    rows, columns = (max(board.moves.shape[axis] for board in boards) for axis in range(2))
    padded = [np.zeros((len(boards), rows, columns, *last), kind) for last, kind in (((boards[0].inputs.shape[2],), np.int32), ((), bool), ((), np.float32))]
    padded[0][:] = end
    for i, board in enumerate(boards):
        for whole, part in zip(padded, board, strict=True):
            whole[i, : part.shape[0], : part.shape[1]] = part
    inputs, moves, target = map(torch.from_numpy, padded)

    kept = torch.zeros(3, 3)
    for row, column in _AROUND:
        kept[row + 1, column + 1] = 1
    embedding = nn.EmbeddingBag(end + 1, _WIDTH, mode="sum", padding_idx=end)
    layers = nn.ModuleList(nn.Conv2d(_WIDTH, _WIDTH, 3, padding=1) for _ in range(2))
    output = nn.Linear(_WIDTH, 1, bias=False)
    with torch.no_grad():
        embedding.weight *= 0.1
    weights = [*embedding.parameters(), *layers.parameters(), *output.parameters()]

    def loss(batch: torch.Tensor) -> torch.Tensor:
        of_batch = inputs[batch]
        board = (of_batch[:, None, :, :, 0] < end).float()
        value = embedding(of_batch.flatten(0, 2)).relu().unflatten(0, of_batch.shape[:3]).permute(0, 3, 1, 2) * board
        for layer in layers:
            value = (functional.conv2d(value, layer.weight * kept, layer.bias, padding=1) + value).relu() * board
        score = output(value.permute(0, 2, 3, 1))[..., 0].masked_fill(~moves[batch], -1e9).flatten(1)
        return -(target[batch].flatten(1) * functional.log_softmax(score, 1)).sum(1).mean()

    optimizer = torch.optim.AdamW(weights, lr=_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, epochs * -(-len(boards) // _BATCH), pct_start=0.15)
    for _ in range(epochs):
        for batch in torch.randperm(len(boards)).split(_BATCH):
            optimizer.zero_grad()
            loss(batch).backward()
            optimizer.step()
            schedule.step()

    def whole(values: torch.Tensor, one: int) -> np.ndarray:
        return np.round(values.detach().numpy() * one).astype(int)

    around = [torch.cat([layer.weight[:, :, row + 1, column + 1] for row, column in _AROUND], 1) for layer in layers]
    return {
        "INPUT": whole(embedding.weight[:end], _VALUE),
        "LAYER": whole(torch.stack(around), _WEIGHT),
        "BIAS": whole(torch.stack([layer.bias for layer in layers]), _VALUE * _WEIGHT),
        "OUTPUT": whole(output.weight[0], _WEIGHT),
    }


def written(network: dict[str, np.ndarray]) -> str:
    """The weights as C."""
    # The weights of two values that a sum takes in at once stand side by side, those of all sums one after the other.
    layers = network["LAYER"]
    network = network | {"LAYER": layers.reshape(*layers.shape[:2], -1, 2).swapaxes(1, 2).reshape(len(layers), -1, 2 * layers.shape[1])}
    lines = ["/* Written by `python -m solver.learning`. */", f"#define WIDTH {len(network['OUTPUT'])}"]
    for name, values in network.items():
        kind = "int" if name == "BIAS" else "short"
        lines.append(f"static const {kind} {name}{''.join(f'[{size}]' for size in values.shape)} = {_braced(values)};")
    return "\n".join(lines) + "\n"


def _braced(values: np.ndarray) -> str:
    if values.ndim == 1:
        rows = [", ".join(map(str, values[i : i + _PER_LINE])) for i in range(0, len(values), _PER_LINE)]
        return "{" + ",\n".join(rows) + "}"
    return "{" + ",\n".join(map(_braced, values)) + "}"
