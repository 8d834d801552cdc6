"""Ablations: what each ingredient of the search is worth, measured by leaving it out.

Without an ingredient the answers stay the same; the search only takes more (now and then less) to find them. Each row is measured in a
process of its own: nodes, CPU seconds and memory for some openings of a board, the tables empty before each opening.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from solver import kernel
from solver.measure import Measurement, measure_apart, report
from solver.notation import parse_moves, parse_size
from solver.openings import job_list
from solver.position import Position

SECONDS = 180.0  # CPU time of a row, which is cut off then
_LOOK = 0.2  # seconds between two looks at the clock


class Study(NamedTuple):
    """One search, the work that it is given, and its ingredients."""

    purpose: str
    metric: str
    works: tuple[str, ...]  # a board, and openings of it if not all
    ingredients: dict[str, str]  # by the names of the kernel's switches: what they are


STUDIES = {
    "winner": Study(
        "winners, without each ingredient of the search in turn",
        "winner",
        ("5x5", "6x6", "7x7"),
        {
            "fill": "dead and captured cells are filled in before a position is looked up, so that more positions are the same one",
            "deduction": "virtual connections, built up by AND and OR (H-search), decide positions and confine moves to must-play regions",
            "guess": "unsearched moves begin with a proof number by their promise, as learned from proofs, instead of 1, and keep a part of it",
            "patterns": "the stones and empty cells that a proof rests on decide every other position that has them",
            "reach": "shortest paths begin at all points that deduction has connected to the edge, not only at the edge and its bridges",
            "history": "unsearched moves begin with a smaller proof number if they have won before as the reply to the same move",
        },
    ),
    "length": Study(
        "lengths to checkmate, without each ingredient of the search in turn",
        "checkmate",
        ("5x5", "6x6 c1 d3 e3 b3"),
        {
            "dead": "dead cells and those that the defender has captured are given to it, so that more positions are the same one",
            "vulnerable": "moves of the attacker that are dead after a reply next to them, and so never the quickest, are left out",
            "zone": "cells and stones on no path that the winner could still pay for are removed, so that more positions are the same one",
            "oracle": "deduction and a short search for the winner strike moves after which the attacker would not even win",
            "pressure": "of the moves that look best, the one whose threats leave the opponent the fewest answers is tried first",
            "history": "moves that succeeded before, on their own or as the answer to the same move, are tried earlier",
            "outlook": "moves are tried in an order that was learned from proofs and refutations",
            "upper": "virtual connections that cost few enough stones prove the bound without search, and confine the defender's moves",
            "numbers": "a winner's move is left for the time being when another one looks easier to prove (proof numbers)",
        },
    ),
}


class Row(NamedTuple):
    """One line of an ablation."""

    work: str
    without: str | None  # None: with every ingredient
    cost: Measurement


def rows(study: str) -> Iterator[Row]:
    """The rows of a study as they come: for each work, that with all ingredients and then those without one."""
    _, _, works, ingredients = STUDIES[study]
    for work in works:
        for without in (None, *ingredients):
            yield Row(work, without, measure_apart("solver.ablation", study, work, *([without] if without else [])))


def solve(metric: str, work: str, without: str | None = None) -> tuple[int, bool]:
    """The nodes for the openings of `work`, in this process, and whether all were solved before the time was up."""
    board, *named = work.split()
    size = parse_size(board)
    openings = parse_moves(size, " ".join(named)) or range(size.cells)
    positions = [Position.start(size).play(cell).canonical()[0] for cell in job_list(size, openings)]
    searcher = kernel.Kernel(size.columns, size.rows, **({without: 0} if without else {}))
    with _time_limit(searcher):
        try:
            for position in positions:
                _solve_one(searcher, position, metric)
                searcher.clear()
        except kernel.Stopped:
            return searcher.nodes, False
    return searcher.nodes, True


def _solve_one(searcher: kernel.Kernel, position: Position, metric: str) -> None:
    """What the engine asks: the winner, and then within how many stones, for each number until the answer is yes."""
    question = position.board
    winner, stones = searcher.winner(*question).winner, 0
    while metric != "winner" and not searcher.within(*question, winner, stones, metric).proved:
        stones += 1


@contextmanager
def _time_limit(searcher: kernel.Kernel) -> Iterator[None]:
    """Stop the search when its time is up; told again and again, since it hears only while it searches."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK):
            if time.process_time() > SECONDS:
                searcher.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


if __name__ == "__main__":
    study, *row = sys.argv[1:]
    report(lambda: solve(STUDIES[study].metric, *row))
