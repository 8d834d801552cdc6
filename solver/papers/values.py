"""The exact values of all moves in 36 positions of 6x6: after each opening, one of each pair of images, and after its best reply.

They are kept in values-6x6.csv, since they take about an hour to compute: `python -m solver.papers.values > FILE` makes the file anew.
"""

from __future__ import annotations

import csv
import sys
from importlib.resources import files
from typing import NamedTuple

from solver.engine import Engine
from solver.notation import format_cell, format_moves, parse_cell, parse_moves, position_after
from solver.openings import job_list
from solver.position import Color, Position, Size
from solver.solution import MoveValue

SIZE = Size(6, 6)
_FILE = "values-6x6.csv"
_COLOURS = {str(color): color for color in Color}


class Judged(NamedTuple):
    """A position in which the value of every move is known."""

    position: Position
    won: bool  # by the side to move
    good: frozenset[int]  # moves that keep the win; none if there is none
    optimal: frozenset[int]  # moves that keep the length


def judged_positions() -> list[Judged]:
    """The positions, those after one move first."""
    lines = (files(__package__) / _FILE).read_text(encoding="ascii").splitlines()
    values: dict[str, dict[int, tuple[Color, int]]] = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        values.setdefault(row["moves"], {})[parse_cell(SIZE, row["move"])] = _COLOURS[row["winner"]], int(row["length"])
    return [_judged(position_after(SIZE, parse_moves(SIZE, moves)), after) for moves, after in values.items()]


def _judged(position: Position, after: dict[int, tuple[Color, int]]) -> Judged:
    good = {move: length for move, (winner, length) in after.items() if winner == position.to_move}
    lengths = good or {move: -length for move, (_, length) in after.items()}
    best = min(lengths.values())
    return Judged(position, bool(good), frozenset(good), frozenset(move for move, length in lengths.items() if length == best))


def _write() -> None:
    """All values, from searches, to standard output."""
    print("# 6x6, metric checkmate: winner and length in plies after every move, in the positions after every opening (one of each pair of")
    print("# images) and after its best reply (the first of them in the order of the cells)")
    print("moves,move,winner,length")
    with Engine(SIZE) as engine:
        openings = [[cell] for cell in job_list(SIZE, range(SIZE.cells))]
        replies = [played + [_write_moves(engine, played)] for played in openings]
        for played in replies:
            _write_moves(engine, played)


def _write_moves(engine: Engine, played: list[int]) -> int:
    """Writes the value of every move after those played, and returns the best one."""
    values: list[MoveValue] = engine.moves(position_after(SIZE, played))
    for value in sorted(values, key=lambda value: value.move):
        print(format_moves(SIZE, played), format_cell(SIZE, value.move), value.winner, value.length, sep=",", flush=True)
    return min(value.move for value in values if value.optimal)


if __name__ == "__main__":
    sys.exit(_write())
