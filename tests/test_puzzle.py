"""Puzzles: alive, dead or unsettled, the only solution, and the pattern that the winner needs, by the judge's word."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import oracle
import pytest
from positions import Setup, quiet_setup

from books.puzzle import Puzzle
from solver.engine import Engine
from solver.notation import format_board, format_moves, parse_board, parse_moves, position_after
from solver.options import Limits
from solver.position import Color, Position, Size, cells_of
from solver.solution import METRICS

ROOT = Path(__file__).parent.parent
SMALL = Limits(memory=64 << 20)
BRIDGE = ". . . .\n . B . .\n  . . . .\n   B . . .\n"
"""Black has won, by the two cells between its stones and the two between b2 and the edge."""


def true_value(position: Position, metric: str) -> tuple[Color, int | None]:
    board = Setup(position.size.columns, position.size.rows, position.black, position.white).board
    player = "BW"[position.to_move]
    return Color("BW".index(oracle.winner(board, player))), None if metric == "winner" else oracle.length(board, player, metric)


def granted(position: Position, winner: Color, carrier: int) -> Position:
    """All empty cells outside the carrier given to the loser."""
    others = position.empty & ~carrier
    if winner == Color.BLACK:
        return replace(position, white=position.white | others)
    return replace(position, black=position.black | others)


def set_up(rng: Random) -> Position:
    columns, rows, empty = rng.choice([(2, 2, 4), (3, 3, 8), (4, 3, 8), (4, 4, 8), (5, 5, 7)])
    setup = quiet_setup(rng, columns, rows, rng.randint(empty // 2, empty))
    return Position(Size(columns, rows), setup.black, setup.white, Color(rng.randrange(2)))


@pytest.mark.parametrize("metric", METRICS)
def test_a_pattern_is_enough_and_nothing_of_it_can_be_left_out(metric: str) -> None:
    rng = Random(6)
    for _ in range(10):
        position = set_up(rng)
        winner, length = true_value(position, metric)
        with Engine(position.size, limits=SMALL) as engine:
            pattern = engine.pattern(position, metric)
        assert pattern is not None and not pattern.carrier & ~position.empty
        alone = granted(position, winner, pattern.carrier)
        assert true_value(alone, metric)[0] == winner and (length is None or (true_value(alone, metric)[1] or 0) <= length)
        for cell in cells_of(pattern.carrier):
            least = true_value(granted(position, winner, pattern.carrier & ~(1 << cell)), metric)
            assert least[0] != winner or (length is not None and least[1] is not None and least[1] > length), (position, cell)
        over = length == 0 or not pattern.carrier
        assert (pattern.move is None) == (over or position.to_move != winner)
        if pattern.move is not None:
            after = true_value(alone.play(pattern.move), metric)
            assert after == (winner, None if length is None else length - 1)


def puzzle_of(engine: Engine, position: Position, metric: str = "checkmate") -> Puzzle:
    solutions = [engine.solve(each, metric) for each in (position, position.passed())]
    return Puzzle(*solutions, engine.moves(position, metric), engine.pattern(position, metric))


def test_states_and_solutions_are_those_of_the_judge() -> None:
    rng, seen = Random(2), set()
    for _ in range(30):
        position = set_up(rng)
        with Engine(position.size, limits=SMALL) as engine:
            puzzle = puzzle_of(engine, position)
        for color in Color:
            wins = [true_value(replace(position, to_move=first), "winner")[0] == color for first in (color, color.other)]
            state = "alive" if wins[1] else "unsettled" if wins[0] else "dead"
            assert puzzle.state(color) == state
            seen.add(state)
        winning = [move for move in position.legal() if true_value(position.play(move), "winner")[0] == position.to_move]
        over = true_value(position, "checkmate")[1] == 0
        assert sorted(value.move for value in puzzle.moves if value.winning) == winning
        assert puzzle.unique == (None if over or not winning else len(winning) == 1)
        seen.add(puzzle.unique)
    assert seen == {"alive", "dead", "unsettled", True, False, None}


def test_a_limit_leaves_states_unknown_or_right() -> None:
    size = Size(8, 8)
    with Engine(size, limits=Limits(seconds=0.01, memory=64 << 20)) as engine:
        puzzle = puzzle_of(engine, Position.start(size))
    assert puzzle.pattern is None and puzzle.unique is None
    assert {puzzle.state(color) for color in Color} == {"unknown"}
    assert "not known" in puzzle.text() and puzzle.to_json()["pattern"] is None


def test_one_side_tells_the_other() -> None:
    """Whoever wins without the move wins with it, even if that was not searched."""
    position = parse_board(BRIDGE, Color.WHITE)
    with Engine(position.size, limits=SMALL) as engine:
        known = engine.solve(position)
        unknown = replace(engine.solve(position.passed()), winner=None)
    puzzle = Puzzle(known, unknown, [], None)
    assert puzzle.state(Color.BLACK) == "alive" and puzzle.state(Color.WHITE) == "dead"


def query(*arguments: str | Path, typed: str, status: int = 0) -> str:
    command = [sys.executable, "-m", "solver", "query", *map(str, arguments), "--store", "none", "--book", "none"]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == status, done.stderr
    return done.stderr if status == 2 else done.stdout


def asked(*arguments: str | Path, typed: str, to_move: str) -> dict[str, Any]:
    answer = json.loads(query("--board", "-", "--to-move", to_move, "--json", *arguments, typed=typed))
    assert isinstance(answer, dict)
    return answer


ONE_WAY = "W . . .\n . B W .\n  . . . B\n   W . . .\n"


def test_the_answer_for_programs() -> None:
    position = parse_board(ONE_WAY, Color.BLACK)
    puzzle = asked(typed=ONE_WAY, to_move="black")["puzzle"]
    with Engine(position.size, limits=SMALL) as engine:
        solution, passed, pattern = engine.solve(position), engine.solve(position.passed()), engine.pattern(position)
        winning = [value.move for value in engine.moves(position) if value.winning]
    assert pattern is not None and solution.winner == Color.BLACK and passed.winner == Color.WHITE
    assert puzzle == {
        "black": "unsettled",
        "white": "unsettled",
        "passed": {"to_move": "white", "winner": "white", "length": passed.length},
        "winning": format_moves(position.size, winning),
        "unique": len(winning) == 1,
        "pattern": {"cells": format_moves(position.size, cells_of(pattern.carrier)), "move": format_moves(position.size, [pattern.move or 0])},
    }


def test_the_answer_for_people() -> None:
    text = query("--board", "-", "--to-move", "white", typed=BRIDGE)
    assert "Black is alive (wins even if the other side moves first); White is dead (loses even if it moves first)." in text
    assert "With Black to move: Black wins at once." in text
    drawn = text.split("Black needs these 4 cells and no other:\n")[1].split("\n\n")[0]
    assert parse_board(drawn, Color.WHITE) == parse_board(BRIDGE, Color.WHITE) and drawn.count("+") == 4
    assert "The game is over." in query("--board", "-", "--to-move", "black", typed=BRIDGE)
    assert "b3 is the only move that wins." in query("--board", "-", "--to-move", "black", typed=". . W\n B B W\n  W . W\n")
    assert ", by * first:" in query("--board", "-", "--to-move", "black", typed=ONE_WAY)
    assert "needs no empty cell." in query("--board", "-", "--to-move", "white", "--metric", "connection", typed="B .\n B .\n")


def test_positions_that_are_played_are_no_puzzles() -> None:
    assert "puzzle" not in json.loads(query("3", "a1", "--json", typed=""))
    assert "unsettled" not in query("3", "a1", typed="")
    assert "puzzle" in asked(typed=format_board(position_after(Size(3, 3), parse_moves(Size(3, 3), "a1"))), to_move="white")


def test_the_pattern_as_a_picture(tmp_path: Path) -> None:
    answer = asked("--pattern", tmp_path / "one.svg", typed=ONE_WAY, to_move="black")
    picture = ET.parse(tmp_path / "one.svg").getroot()
    shaded = [group.get("data-cell") for group in picture.iter() if "carrier" in (group.get("class") or "").split()]
    assert " ".join(map(str, shaded)) == answer["puzzle"]["pattern"]["cells"]
    query("4", "b2 c3", "--pattern", tmp_path / "two.svg", typed="")
    assert (tmp_path / "two.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(("file", "hint"), [("a.gif", "drawn as .svg or .png"), ("no/such/a.svg", "cannot be written")])
def test_pictures_that_cannot_be(tmp_path: Path, file: str, hint: str) -> None:
    assert hint in query("3", "--pattern", tmp_path / file, typed="", status=2)
