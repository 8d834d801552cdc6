"""Moves in a given time: optimal ones where they are proved, and legal ones always."""

import doctest
import time

import pytest
from hypothesis import given
from test_engine import POSITIONS
from test_engine import positions as each_position
from test_position import positions, relaxed

from solver import guess as module
from solver.engine import METRICS
from solver.guess import guessed_moves
from solver.notation import format_cell, parse_board, parse_moves, position_after
from solver.options import Limits
from solver.player import TimedEngine, choose, winner_by
from solver.position import Color, Position, Size
from solver.worker import LimitReached, Status

ENOUGH = 20.0  # seconds


def engine_of(size: Size) -> TimedEngine:
    return TimedEngine(size, limits=Limits(memory=16 << 20))


def test_docstring_examples() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed


@relaxed
@given(positions())
def test_guesses_are_the_legal_moves(position: Position) -> None:
    assert sorted(guessed_moves(position)) == position.legal()


@pytest.mark.parametrize("columns", range(3, 9))
def test_the_first_guess_is_in_the_middle(columns: int) -> None:
    row, column = divmod(guessed_moves(Position.start(Size(columns, columns)))[0], columns)
    assert columns // 4 <= min(row, column) and max(row, column) <= 3 * columns // 4


def test_guesses_build_and_block_at_once() -> None:
    wall = parse_board("""
        . . . B . .
         . . . B . .
          . . . . . .
           . W W . W W
            . . B . . .
             . . B . . .""", Color.BLACK)
    for color in Color:
        position = Position(wall.size, wall.black, wall.white, color)
        assert format_cell(wall.size, guessed_moves(position)[0]) in ("d3", "d4", "c4")


@each_position
def test_moves_keep_the_value(position: Position) -> None:
    with engine_of(position.size) as engine:
        for metric in METRICS:
            choice = choose(engine, position, metric, ENOUGH)
            if winner_by("connection", position) is not None:
                assert choice == (None, None)
                continue
            goal = metric if winner_by("checkmate", position) is None else "connection"
            assert choice.doubt is None
            optimal = engine.optimal_moves(position, goal)
            assert optimal is not None and choice.move in optimal


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_without_time_there_is_a_legal_move(seconds: float) -> None:
    for position in [*POSITIONS[::5], Position.start(Size(8, 8)), Position.start(Size(64, 1)), Position.start(Size(9, 7))]:
        with engine_of(position.size) as engine:
            start = time.monotonic()
            move = choose(engine, position, "checkmate", seconds).move
            assert time.monotonic() - start < seconds + 0.5
            if move is None:
                assert winner_by("connection", position) is not None
            else:
                assert move in position.legal()


def test_doubts_say_what_is_known() -> None:
    size = Size(7, 7)
    with engine_of(size) as engine:  # the winner is found soon, the length of the connection not by far
        choice = choose(engine, Position.start(size), "connection", 2.5)
        assert choice.doubt is not None and choice.doubt.startswith("it wins, in ")
        lost = Position.start(size).play(24)
        choice = choose(engine, lost, "connection", 1.5)
        assert choice.doubt is not None and choice.doubt.startswith("it loses, in ")
    with engine_of(Size(8, 8)) as large:
        choice = choose(large, Position.start(Size(8, 8)), "checkmate", 0.1)
        assert choice.doubt == "it is a guess: a winning move was not found"


def test_progress_may_ask_for_the_move_at_once() -> None:
    def enough(_: Status) -> None:
        raise LimitReached

    start = time.monotonic()
    with engine_of(Size(8, 8)) as engine:
        assert choose(engine, Position.start(Size(8, 8)), "checkmate", ENOUGH, enough).doubt
    assert time.monotonic() - start < 2


def test_a_loser_makes_the_winner_answer() -> None:
    """One stone short of the connection there is no longer defence than another; it is one that threatens the bridge."""
    size = Size(3, 3)
    position = position_after(size, parse_moves(size, "b2 a1 c1"))
    with engine_of(size) as engine:
        assert format_cell(size, choose(engine, position, "connection", ENOUGH).move or 0) in ("a3", "b3")
