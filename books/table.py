"""The opening table of a board: winner and length after each of Black's first moves, as text, CSV or JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from solver.notation import format_board, format_cell
from solver.position import Color, Position
from solver.solution import Solution


def table_text(openings: Mapping[int, Solution]) -> str:
    """A board with the value of each opening on its cell, and a key to it. `openings` is not empty, its metrics are the same."""
    first = next(iter(openings.values()))
    size, metric = first.position.size, first.metric
    subject = "winner" if metric == "winner" else f"winner and plies to {metric}"
    marks = {move: _mark(solution) for move, solution in openings.items()}
    key = ["+ the opening wins, - it loses" if metric == "winner" else "B Black (the opening) wins, W White wins, in so many plies"]
    if not all(solution.solved for solution in openings.values()):
        key[0] += ", * not known" if metric == "winner" else ", + at least so many, * winner not known"
    winning = sum(solution.winner == Color.BLACK for solution in openings.values())
    key.append(f"{winning} of {len(openings)} openings win")
    return "\n".join([f"{size}: {subject} after each opening", "", format_board(Position.start(size), marks), "", *key])


def table_csv(openings: Mapping[int, Solution]) -> str:
    """A line for each opening, under a header; fields that are not known, or not asked for, are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("opening", "winner", "length", "metric"))
    for move, solution in openings.items():
        writer.writerow((format_cell(solution.position.size, move), solution.winner, solution.length, solution.metric))
    return text.getvalue().rstrip("\n")


def table_json(openings: Mapping[int, Solution]) -> dict[str, Any]:
    """The table as an object for a JSON writer; where a limit stopped the search, bounds stand instead of the length."""
    first = next(iter(openings.values()))
    size = first.position.size
    return {
        "size": str(size),
        "metric": first.metric,
        "openings": {format_cell(size, move): solution.value_json() for move, solution in openings.items()},
    }


def _mark(solution: Solution) -> str:
    if solution.winner is None:
        return "*"
    if solution.metric == "winner":
        return "+" if solution.winner == Color.BLACK else "-"
    initial = str(solution.winner)[0].upper()
    return f"{initial}{solution.lower}" if solution.solved else f"{initial}{solution.lower}+"
