"""Pattern search as the thesis sketches it, with its three accelerations (van Rijswijck 2000, sections 8.5 and 8.6).

A pattern of a position is a set of empty cells with which the winner wins even if the loser has every other one. A winning move m and
the pattern after it make the winner's pattern. Patterns after the loser's moves make the loser's: their union, once their intersection is
empty, since a move outside one of them is refuted by it.

Three things make it cheaper. *Bridges*: a chain with two-bridges of disjoint cells counts as won, and its cells are the pattern.
*Reversible moves* of the loser (two_distance.pxd) are not tried. *Decomposition*: a pattern that falls into regions which do not touch is
searched region by region, the others taken as safe.

Two of these need more care than the thesis spells out, or they "prove" positions that are not won.
- A move that is reversible on the board need not be so when the loser has all cells outside the pattern, and a pattern promises to hold
  even then. So reversibility is asked again on that board.
- Regions that do not overlap may still need each other: two tracks that both pass through two regions are a win if either region is
  safe as a whole, but not if one track holds in one region and the other track in the other. So regions are taken apart only where each
  joins just two groups of stones (or edges), and none can be spared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import NamedTuple

from solver.kernel import terminal
from solver.papers.two_distance import assess, reversible
from solver.position import Color, Position, Size, cells_of

_STEPS = (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)  # row, column


class Proof(NamedTuple):
    """Who wins, and the mask of the empty cells with which it does so."""

    winner: Color
    pattern: int


@dataclass
class PatternSearch:
    """The search, and how many positions it has visited. Moves are tried in the order of their total potential, then of the cells."""

    bridges: bool = False
    reversible: bool = False
    decomposition: bool = False
    careful: bool = True  # False: reversible moves and regions as printed, without the two provisos
    nodes: int = 0

    def prove(self, position: Position) -> Proof:
        """The winner of a position and a pattern with which it wins."""
        self.nodes += 1
        for color in Color:
            carrier = self._carrier(position, color)
            if carrier is not None:
                return Proof(color, carrier)
        return self._searched(position, position.empty, 0, self.decomposition)

    def _carrier(self, position: Position, color: Color) -> int | None:
        metric = "checkmate" if self.bridges else "connection"
        return terminal(metric, *_masks(position), color)

    def _searched(self, position: Position, must: int, pattern: int, may_split: bool) -> Proof:
        """The proof of a position of which it is known that moves outside `must` lose to `pattern`."""
        mover, other = position.to_move, position.to_move.other
        futile = _reversible(position) if self.reversible else 0
        order = _ordered(position)
        while True:
            move = next((move for move in order if must & ~futile & 1 << move), None)
            if move is not None:
                proof = self.prove(position.play(move))
                if proof.winner == mover:
                    return Proof(mover, proof.pattern | 1 << move)
                must, pattern = must & proof.pattern & ~(1 << move), pattern | proof.pattern
                split = self._split(position, proof.pattern | 1 << move, must, pattern) if may_split else None
                if split is not None:
                    return split
                may_split = False
            else:
                pattern |= must
                still = _reversible(_given(position, mover, position.empty & ~pattern)) if self.careful and must else must
                if not must & ~still:
                    return Proof(other, pattern)
                futile &= still

    def _split(self, position: Position, cells: int, must: int, pattern: int) -> Proof | None:
        """The proof of a position whose mover loses region by region, where the first refutation needs `cells`; None if it is not one."""
        other = position.to_move.other
        regions = _regions(position.size, cells)
        patterns = []
        for region in regions:
            alone = _given(position, other, cells & ~region)
            carrier = self._carrier(alone, other)
            part = Proof(other, carrier) if carrier is not None else self._searched(alone, must & region, pattern & region, False)
            if part.winner != other:
                return part
            patterns.append(part.pattern)
        apart = all(not one & two for i, one in enumerate(patterns) for two in patterns[:i])
        if len(regions) > 1 and apart and (not self.careful or _in_series(position, other, regions, patterns)):
            return Proof(other, sum(patterns))
        return None


def _in_series(position: Position, color: Color, regions: list[int], patterns: list[int]) -> bool:
    """Whether the regions with their patterns do not touch, each joins just two of the color's groups, and none can be spared: then the
    edges are joined as soon as each pattern does its part."""
    grown = [region | pattern for region, pattern in zip(regions, patterns)]
    groups = _shores(position, color)
    links = [[name for name, shore in enumerate(groups) if shore & cells] for cells in grown]
    apart = all(not _around(position.size, one) & two for one, two in permutations(grown, 2))
    spared = (links[:i] + links[i + 1 :] for i in range(len(links)))
    return apart and all(len(ends) == 2 for ends in links) and not any(map(_edges_joined, spared))


def _edges_joined(links: Sequence[Sequence[int]]) -> bool:
    """Whether links between groups lead from group 0 to group 1."""
    reached = {0}
    for _ in links:
        reached.update(name for ends in links if reached.intersection(ends) for name in ends)
    return 1 in reached


def _shores(position: Position, color: Color) -> list[int]:
    """The empty cells next to each of the color's groups; the groups of its two edges come first."""
    size, stones = position.size, position.stones(color)
    rows = _edge_rows(size, color)
    groups = [_flooded(size, row & stones, stones) for row in rows]
    shores = [(_around(size, group) | row) & position.empty for group, row in zip(groups, rows)]
    left = stones & ~(groups[0] | groups[1])
    return shores + [_around(size, group) & position.empty for group in _regions(size, left)]


def _regions(size: Size, cells: int) -> list[int]:
    """The connected parts of a set of cells."""
    regions = []
    while cells:
        regions.append(_flooded(size, cells & -cells, cells))
        cells &= ~regions[-1]
    return regions


def _flooded(size: Size, seed: int, within: int) -> int:
    """The cells of `within` that contact joins to `seed`."""
    while seed != (grown := seed | _around(size, seed) & within):
        seed = grown
    return seed


def _around(size: Size, cells: int) -> int:
    """All neighbours of the cells."""
    near = 0
    for cell in cells_of(cells):
        near |= _near(size)[cell]
    return near


@cache
def _near(size: Size) -> list[int]:
    places = [divmod(cell, size.columns) for cell in range(size.cells)]
    return [
        sum(1 << other for other, (r, c) in enumerate(places) if (r - row, c - column) in _STEPS) for row, column in places
    ]


@cache
def _edge_rows(size: Size, color: Color) -> tuple[int, int]:
    first = (1 << size.columns) - 1 if color == Color.BLACK else sum(1 << row * size.columns for row in range(size.rows))
    return first, first << (size.cells - size.columns if color == Color.BLACK else size.columns - 1)


def _given(position: Position, color: Color, cells: int) -> Position:
    """The position with the color's stones on some of its empty cells."""
    black, white = (position.stones(each) | (cells if each == color else 0) for each in Color)
    return replace(position, black=black, white=white)


def _masks(position: Position) -> tuple[int, int, int, int]:
    return position.size.columns, position.size.rows, position.black, position.white


def _reversible(position: Position) -> int:
    return reversible(*_masks(position), position.to_move)


def _ordered(position: Position) -> list[int]:
    """The moves, the best looking first: by the evaluation after them, then by total potential, then in the order of the cells."""
    _, _, _, totals = assess(*_masks(position))
    sign = -1 if position.to_move == Color.WHITE else 1
    after = {cell: sign * assess(*_masks(position.play(cell)))[0] for cell in totals}
    return sorted(totals, key=lambda cell: (after[cell], totals[cell], cell))
