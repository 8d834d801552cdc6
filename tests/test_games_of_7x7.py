"""The perfect games in runs/GAMES.md: each is as long as the table says, and ends in checkmate with its last move."""

import re
from pathlib import Path

import pytest

from solver.bounds import read_bounds
from solver.kernel import terminal
from solver.notation import format_hexworld, parse_cell, parse_moves, parse_size, position_after
from solver.position import Color

RUNS = Path(__file__).parent.parent / "runs"
SIZE = parse_size("7x7")
KNOWN = read_bounds(RUNS / "reference" / "7x7-checkmate.csv", SIZE, "checkmate")
ROWS = re.findall(r"^\| \[(\w+)\]\((\S+)\) \| (\w+) \| (\d+) \| ([^|]+) \|$", (RUNS / "GAMES.md").read_text(), re.MULTILINE)


def test_every_class_of_openings_has_a_game() -> None:
    cells = {parse_cell(SIZE, row[0]) for row in ROWS}
    assert len(cells) == len(ROWS) == 25 and cells | {SIZE.cells - 1 - cell for cell in cells} == set(range(SIZE.cells))


@pytest.mark.parametrize(("opening", "link", "winner", "length", "game"), ROWS, ids=[row[0] for row in ROWS])
def test_a_game(opening: str, link: str, winner: str, length: str, game: str) -> None:
    moves = parse_moves(SIZE, f"{opening} {game}")
    known, player = KNOWN[moves[0]], Color[winner.upper()]
    assert (known.winner, known.length) == (player, int(length)) == (player, len(moves) - 1)
    assert link == f"https://hexworld.org/board/{format_hexworld(SIZE, moves[:1])},{game.replace(' ', '')}"
    for ply in range(1, len(moves) + 1):
        position = position_after(SIZE, moves[:ply])
        reached = terminal("checkmate", 7, 7, *position.board[:2], player) is not None
        assert reached == (ply == len(moves)), ply
