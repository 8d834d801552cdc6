"""The good and the optimal moves of all 649 positions of 6x6 with at most two stones, up to symmetry: the empty board, the position after
each of 18 openings (one of each pair of images), and after each of their 35 replies.

They are kept in values-6x6.csv, for they take some ten minutes to compute: `python -m solver.papers.values BOOK > FILE` makes the file anew
from the lengths of the book of 6x6. The book has the length of every such position, so that a move only has to be asked two questions: does
it win, and does it keep the length?
"""

from __future__ import annotations

import csv
import sys
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import books
from solver.kernel import Kernel
from solver.notation import format_moves, parse_moves, position_after
from solver.openings import job_list
from solver.position import InputError, Position, Size

SIZE = Size(6, 6)
_FILE = "values-6x6.csv"


class Judged(NamedTuple):
    """A position in which it is known of every move whether it is good and whether it is optimal."""

    position: Position
    length: int  # plies to checkmate
    won: bool  # by the side to move
    good: frozenset[int]  # moves that keep the win; none if there is none
    optimal: frozenset[int]  # moves that keep the length


def judged_positions() -> list[Judged]:
    """The positions with fewer stones first."""
    lines = (files(__package__) / _FILE).read_text(encoding="ascii").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    found = []
    for row in rows:
        good, optimal = (frozenset(parse_moves(SIZE, row[kind])) for kind in ("good", "optimal"))
        found.append(Judged(position_after(SIZE, parse_moves(SIZE, row["moves"])), int(row["length"]), bool(good), good, optimal))
    return found


def judge(kernel: Kernel, position: Position, length: int) -> Judged:
    """Which moves are good and optimal in a position of this length in plies to checkmate, by searches."""
    won = bool(length % 2)
    winner = position.to_move if won else position.to_move.other
    good, optimal = set(), set()
    for move in position.legal():
        child = position.play(move)
        stones = child.black, child.white, child.to_move
        if won and kernel.winner(*stones).winner != winner:
            continue
        if won:
            good.add(move)
        if kernel.within(*stones, winner, (length + 1) // 2 - 1, "checkmate").proved == won:
            optimal.add(move)
    return Judged(position, length, won, frozenset(good), frozenset(optimal))


def _write(book: Path) -> None:
    print("# 6x6, metric checkmate: length in plies, moves that keep the win, and moves that keep the length, in every position of at most two")
    print("# stones (openings: one of each pair of images)")
    print("moves,length,good,optimal")
    openings = [[cell] for cell in job_list(SIZE, range(SIZE.cells))]
    replies = [[*played, reply] for played in openings for reply in range(SIZE.cells) if reply not in played]
    kernel = Kernel(SIZE.columns, SIZE.rows)
    with books.open(book) as lengths:
        for played in [[], *openings, *replies]:
            position = position_after(SIZE, played)
            length = lengths.probe(position).length
            if length is None:
                raise InputError(f"{book} has no lengths; give the checkmate book of 6x6")
            found = judge(kernel, position, length)
            good, optimal = (format_moves(SIZE, sorted(moves)) for moves in (found.good, found.optimal))
            print(format_moves(SIZE, played), length, good, optimal, sep=",", flush=True)


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
