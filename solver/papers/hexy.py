"""Hexy: circuits whose links know of virtual connections, and a shallow search over them (Anshelevich 2000).

For each player an empty cell is a resistor of one unit, a stone of its own a conductor, one of the other an insulator; a link between
two neighbours has the resistance of both (section 3). Where two groups are virtually connected, each cell next to one of them is linked
to the other as well (section 4). The evaluation is E = R_B / R_W, the resistances between a player's edges: 0 where Black is virtually
connected, infinite where White is.

The paper does not say in which order Hexy tries moves, nor how it gets by with 200 to 500 nodes to a depth of 3. Here moves are tried by
the share of both players' currents that flows through the cell, and only the first `width` of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import spsolve

from solver.papers.hsearch import Deduction
from solver.position import Color, Position, Size

WON = 1e6
"""The value of a virtual connection of the edges."""


class Circuit(NamedTuple):
    """What flows between a player's edges under a unit of voltage."""

    resistance: float
    """0 if the edges are virtually connected, infinite if the opponent has cut them apart."""
    shares: dict[int, float]
    """The share of the current that flows through each empty cell."""


def circuit(deduction: Deduction) -> Circuit:
    """The circuit of the player and position of the last deduction, solved by a sparse factorization of Kirchhoff's equations."""
    if deduction.wins():
        return Circuit(0.0, {})
    ones, others, conductances, cells = deduction.links()
    return solved(ones, others, conductances, cells)


def solved(ones: Sequence[int], others: Sequence[int], conductances: Sequence[float], cells: Sequence[int | None]) -> Circuit:
    """The current from point 0 to point 1 of a network; `cells` names its points.

    >>> solved([0, 2, 0, 3], [2, 1, 3, 1], [1.0, 1.0, 1.0, 1.0], [None, None, 7, 8])  # two cells side by side, each of 1 + 1
    Circuit(resistance=1.0, shares={7: 0.5, 8: 0.5})
    """
    points = len(cells)
    half = csr_array((conductances, (ones, others)), shape=(points, points))
    joined = half + half.T
    _, part = connected_components(joined, directed=False)
    if part[0] != part[1]:
        return Circuit(math.inf, {})
    inner = [point for point in range(2, points) if part[point] == part[0]]
    laplacian = csr_array(diags_array(joined.sum(axis=1)) - joined)
    voltage = np.zeros(points)
    voltage[0] = 1.0
    voltage[inner] = spsolve(laplacian[inner][:, inner].tocsc(), joined[inner][:, [0]].toarray().ravel())
    flows = np.asarray(conductances) * np.abs(voltage[np.asarray(ones)] - voltage[np.asarray(others)])
    through = np.bincount(ones, flows, points) + np.bincount(others, flows, points)
    current = through[0]
    shares = {cells[point]: float(through[point] / 2 / current) for point in inner}
    return Circuit(float(1 / current), {cell: share for cell, share in shares.items() if cell is not None})


class Evaluation(NamedTuple):
    """What Hexy sees in a position."""

    value: float
    """-log E: above 0 where Black stands better, WON or -WON for a virtual connection."""
    moves: list[int]
    """The empty cells, those first through which most current flows."""


@dataclass
class Hexy:
    """The program: `most` is its N, `depth` its D; `generations` 0 does without virtual connections, 1 only knows two-bridges."""

    size: Size
    most: int = 20
    depth: int = 3
    width: int = 12
    generations: int = 200
    nodes: int = 0

    def __post_init__(self) -> None:
        self._deduction = Deduction(self.size.columns, self.size.rows, most=self.most)

    def evaluate(self, position: Position) -> Evaluation:
        """The evaluation of a position, whoever is to move."""
        self.nodes += 1
        circuits = []
        for color in Color:
            self._deduction.deduce(position.black, position.white, color, self.generations)
            circuits.append(circuit(self._deduction))
        black, white = circuits
        if not black.resistance or white.resistance == math.inf:
            value = WON
        elif not white.resistance or black.resistance == math.inf:
            value = -WON
        else:
            value = math.log(white.resistance / black.resistance)
        flow = {cell: black.shares.get(cell, 0.0) + white.shares.get(cell, 0.0) for cell in position.legal()}
        return Evaluation(value, sorted(flow, key=lambda cell: (-round(flow[cell], 9), cell)))

    def move(self, position: Position) -> int:
        """The move that alpha-beta prefers in a position that is not over."""
        moves = self.evaluate(position).moves[: self.width]
        best, chosen = -math.inf, moves[0]
        for cell in moves:
            value = -self._value(position.play(cell), self.depth - 1, -math.inf, -best)
            if value > best:
                best, chosen = value, cell
        return chosen

    def _value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The value for the side to move, by alpha-beta; a sooner win counts for more."""
        found = self.evaluate(position)
        value = found.value if position.to_move == Color.BLACK else -found.value
        if abs(value) == WON:
            return value + math.copysign(depth, value)
        if not depth:
            return value
        best = -math.inf
        for cell in found.moves[: self.width]:
            best = max(best, -self._value(position.play(cell), depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best
