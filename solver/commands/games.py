"""A position and the line from there as a game that other programs read."""

from __future__ import annotations

from dataclasses import replace

from solver.commands.answers import verdict
from solver.commands.arguments import Named
from solver.notation import format_hexworld, format_moves, moves_reaching
from solver.sgf import format_sgf
from solver.solution import Solution

_HEXWORLD = "https://hexworld.org/board/"


def game_sgf(named: Named, solution: Solution | None = None) -> str:
    """An SGF game: the moves to the position, then the line of `solution`, with its value and what is left of it as comments."""
    line = solution.line or () if solution else ()
    start, moves = named.game(line)
    comments = {}
    if solution is not None:
        first = len(moves) - len(line)
        comments[first] = verdict(solution)
        if solution.length is not None:
            for ply, left in enumerate(range(solution.length - 1, -1, -1), start=first + 1):
                comments[ply] = verdict(replace(solution, lower=left, upper=left))
    return format_sgf(start, moves, comments)


def game_hexworld(named: Named, solution: Solution | None = None) -> str:
    """A HexWorld link that shows the position; the line of `solution` comes after the cursor."""
    size = named.position.size
    link = _HEXWORLD + format_hexworld(size, moves_reaching(named.position) if named.moves is None else named.moves)
    if solution is None or not solution.line:
        return link
    return f"{link},{format_moves(size, solution.line).replace(' ', '')}"
