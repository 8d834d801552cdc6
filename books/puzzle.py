"""What makers of puzzles ask of a position: who is alive, is the solution the only one, and which cells does it need?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from books.ranking import outcome
from solver.notation import format_board, format_cell, format_moves
from solver.position import Color, Position, cells_of
from solver.solution import MoveValue, Pattern, Solution

_STATES = {
    "alive": "is alive (wins even if the other side moves first)",
    "dead": "is dead (loses even if it moves first)",
    "unsettled": "is unsettled (wins if it moves first)",
    "unknown": "is not known to be alive or dead",
}


class Puzzle(NamedTuple):
    """The answers about a position."""

    solution: Solution
    """The position as it is."""
    passed: Solution
    """The same stones with the other side to move."""
    moves: Sequence[MoveValue]
    """All moves of the side to move, best first."""
    pattern: Pattern | None
    """Where the winner wins; None if it was not found in time."""

    def state(self, color: Color) -> str:
        """"alive" if a player wins even when the opponent moves first, "dead" if it loses even when it moves first itself.

        "unsettled" if whoever moves first wins, "unknown" if a limit came first.
        """
        first, second = self.solution, self.passed
        if first.position.to_move != color:
            first, second = second, first
        if second.winner == color:  # a stone more does no harm
            return "alive"
        if first.winner == color.other:
            return "dead"
        return "unsettled" if first.winner == color and second.winner is not None else "unknown"

    @property
    def unique(self) -> bool | None:
        """Whether one move wins and no other; None if that is not known, if none wins, or if the game is over."""
        winning = [value.winning for value in self.moves]
        if self.solution.length == 0:
            return None
        if winning.count(True) > 1:
            return False
        return True if winning.count(True) == 1 and None not in winning else None

    def to_json(self) -> dict[str, Any]:
        """As an object for a JSON writer."""
        size, pattern = self.solution.position.size, self.pattern
        return {
            **{str(color): self.state(color) for color in Color},
            "passed": {"to_move": str(self.passed.position.to_move)} | self.passed.value_json(),
            "winning": format_moves(size, (value.move for value in self.moves if value.winning)),
            "unique": self.unique,
            "pattern": None if pattern is None else {
                "cells": format_moves(size, cells_of(pattern.carrier)),
                "move": None if pattern.move is None else format_cell(size, pattern.move),
            },
        }

    def text(self) -> str:
        """As lines for people, the pattern drawn on a board."""
        position, passed = self.solution.position, self.passed
        states = "; ".join(f"{str(color).capitalize()} {_STATES[self.state(color)]}" for color in Color)
        lines = [f"With {str(passed.position.to_move).capitalize()} to move: {outcome(passed.winner, passed.length)}.", f"{states}."]
        if self.solution.winner == position.to_move:
            lines.append(self._solutions())
        if self.pattern is not None:
            lines += ["", *_pattern_lines(position, self.pattern, str(self.solution.winner))]
        return "\n".join(lines)

    def _solutions(self) -> str:
        size = self.solution.position.size
        winning = [value for value in self.moves if value.winning]
        if not winning or self.solution.length == 0:
            return "The game is over."
        best = format_cell(size, winning[0].move)
        if len(winning) == 1:
            return f"{best} is the only move that wins{'' if self.unique else ', as far as is known'}."
        optimal = [value.move for value in winning if value.optimal and value.length is not None]
        shortest = f", the shortest is {best} alone" if len(optimal) == 1 else ""
        return f"{len(winning)} moves win{shortest}."


def _pattern_lines(position: Position, pattern: Pattern, winner: str) -> list[str]:
    """A heading, and the board with the cells of the pattern marked."""
    cells = pattern.carrier.bit_count()
    marks = dict.fromkeys(cells_of(pattern.carrier), "+")
    if pattern.move is not None:
        marks[pattern.move] = "*"
    first = "" if pattern.move is None else ", by * first"
    heading = f"{winner.capitalize()} needs {'no empty cell' if not cells else 'this cell' if cells == 1 else f'these {cells} cells'}"
    return [f"{heading} and no other{first}:", format_board(position, marks)] if cells else [f"{heading}."]
