"""The moves of a position with their values, best first, for programs and for people."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from solver.notation import format_cell, format_moves
from solver.position import Color, Position, Size
from solver.solution import MoveValue


def moves_json(size: Size, values: Sequence[MoveValue]) -> list[dict[str, Any]]:
    """An object for each move, for a JSON writer; what is not known is null, and lengths that are not known are left out."""
    return [
        {"move": format_cell(size, value.move), "winner": "unknown" if value.winner is None else str(value.winner)}
        | ({} if value.length is None else {"length": value.length})
        | {"winning": value.winning, "optimal": value.optimal, "source": value.source}
        for value in values
    ]


def good_moves(values: Sequence[MoveValue]) -> dict[int, str]:
    """Marks for a board: on winning moves, and on the longest defences in a lost position; the best ones have a star.

    A mark is the number of plies that are left after the move, or + where only the winner was asked for.
    """
    good = [value for value in values if value.winning]
    if not good:
        good = [value for value in values if value.optimal and value.length is not None]
    return {value.move: "+" if value.length is None else f"{value.length}{'*' if value.optimal else ''}" for value in good}


def ranked(position: Position, values: Sequence[MoveValue]) -> list[str]:
    """A line for each group of moves that are worth the same, the best group first.

    >>> from solver.position import Color
    >>> values = [MoveValue(1, Color.BLACK, 0, True, True, "book"), MoveValue(0, Color.WHITE, 1, False, False, "book")]
    >>> print(*ranked(Position.start(Size(2, 1)), values), sep="\\n")
    best  Black wins at once: b1
          White wins in 1 ply: a1
    """
    lines = []
    for worth, group in groupby(values, key=lambda value: value[1:5]):
        winner, length, _, optimal = worth
        moves = format_moves(position.size, (value.move for value in group))
        lines.append(f"{'best' if optimal else '':<6}{outcome(winner, length)}: {moves}")
    return lines


def outcome(winner: Color | None, length: int | None) -> str:
    """Winner and length in words."""
    if winner is None:
        return "not known"
    wins = f"{str(winner).capitalize()} wins"
    if length is None:
        return wins
    return f"{wins} at once" if length == 0 else f"{wins} in {length} {'ply' if length == 1 else 'plies'}"
