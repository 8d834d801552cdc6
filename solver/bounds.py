"""The table of what is known of lengths that nobody has solved yet: a text file that grows better with every run.

    # 7x7, metric checkmate: winner, and bounds on the length in plies, after every opening
    opening,winner,lower,upper,nodes,seconds,proof
    d4,black,22,26,5835345,101.8,open

`proof` is `exact` where the bounds meet: one stone less was refuted, so many were proved, both by search. It is `open` where they do
not, and `none` where the winner is not known either. Nodes and CPU seconds are at least those of the last search that told news.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from solver.files import read_text, replaced
from solver.notation import format_cell, parse_cell, quoted
from solver.openings import opening
from solver.position import Color, InputError, Position, Size
from solver.solution import Solution, plies, stones_in

_FIELDS = ("opening", "winner", "lower", "upper", "nodes", "seconds", "proof")
_WINNERS: Mapping[str, Color | None] = {"unknown": None, **{str(color): color for color in Color}}


def read_bounds(file: Path, size: Size, metric: str) -> dict[int, Solution]:
    """What a table knows of the openings of a board, by their cells; nothing if there is no such file.

    Raises InputError, which names the line, for what is not understood.
    """
    if not file.exists():
        return {}
    numbered = [(number, line) for number, line in enumerate(read_text(file).splitlines(), start=1) if not line.startswith("#")]
    if not numbered or tuple(numbered[0][1].split(",")) != _FIELDS:
        raise InputError(f"{file} is no table of bounds: its first line after the comments must be {','.join(_FIELDS)}")
    known = {}
    for number, line in numbered[1:]:
        try:
            row = dict(zip(_FIELDS, line.split(","), strict=True))
            cell = parse_cell(size, row["opening"])
            solution = _solution(Position.start(size).play(cell), metric, row)
            if cell in known or row["proof"] != _proof(solution):
                raise ValueError
            known[cell] = solution
        except (InputError, KeyError, ValueError) as error:
            raise InputError(f"{file}, line {number}: no bounds of an opening of {size}: {quoted(line)}") from error
    return known


def write_bounds(file: Path, heading: Iterable[str], solutions: Iterable[Solution]) -> None:
    """Put a table in the place of the old one, whole or not at all."""
    with replaced(file) as whole:
        whole.write_text("".join(f"{line}\n" for line in _lines(heading, solutions)), encoding="utf-8")


def _lines(heading: Iterable[str], solutions: Iterable[Solution]) -> Iterator[str]:
    yield from (f"# {line}" for line in heading)
    yield ",".join(_FIELDS)
    for known in solutions:
        cell = format_cell(known.position.size, opening(known))
        winner = "unknown" if known.winner is None else str(known.winner)
        yield f"{cell},{winner},{known.lower},{known.upper},{known.nodes},{known.seconds:.1f},{_proof(known)}"


def _proof(known: Solution) -> str:
    return "none" if known.winner is None else "exact" if known.solved else "open"


def _solution(position: Position, metric: str, row: Mapping[str, str]) -> Solution:
    lower, upper, nodes, seconds = int(row["lower"]), int(row["upper"]), int(row["nodes"]), float(row["seconds"])
    if not 0 <= lower <= upper <= position.empty.bit_count() or not 0 <= nodes < 1 << 63 or not 0 <= seconds < float("inf"):
        raise ValueError
    winner = _WINNERS[row["winner"]]
    if winner is not None and lower == upper and lower != plies(stones_in(lower), position, winner):
        raise ValueError  # such a game would not end with a move of the winner
    return Solution(position, metric, winner, lower, upper, "store", nodes, seconds)
