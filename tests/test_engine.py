"""The engine against the judge: values, lines and moves; then what it keeps, and how it stops."""

import doctest
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import oracle
import pytest
from positions import Setup, quiet_setup

from solver import solution as solution_module
from solver.engine import METRICS, Engine
from solver.notation import parse_board, parse_cell
from solver.options import Limits
from solver.position import SYMMETRIES, Color, InputError, Position, Size
from solver.solution import MoveValue, Solution, judged
from solver.store import Store

LENGTHS = METRICS[1:]
BOARDS = [(1, 1, 1), (2, 2, 4), (3, 3, 9), (4, 2, 8), (2, 5, 7), (3, 4, 8), (4, 3, 8), (4, 4, 8), (5, 4, 7), (5, 5, 7)]
"""Columns, rows, and the number of empty cells that the judge can still bear."""


def some_positions() -> Iterator[Position]:
    rng = Random(7)
    for columns, rows, empty in BOARDS:
        for _ in range(4):
            setup = quiet_setup(rng, columns, rows, rng.randint(empty // 2, empty))
            yield Position(Size(columns, rows), setup.black, setup.white, Color(rng.randrange(2)))


POSITIONS = list(some_positions())
positions = pytest.mark.parametrize("position", POSITIONS, ids=lambda each: f"{each.size}-{each.black:x}-{each.white:x}")


def board(position: Position) -> oracle.Board:
    return Setup(position.size.columns, position.size.rows, position.black, position.white).board


def true_winner(position: Position) -> Color:
    return Color("BW".index(oracle.winner(board(position), "BW"[position.to_move])))


def true_length(position: Position, metric: str) -> int:
    return oracle.length(board(position), "BW"[position.to_move], metric)


def finished(position: Position, metric: str, winner: Color) -> bool:
    return oracle.TERMINAL[metric](board(position), "BW"[winner])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store") as opened:
        yield opened


@positions
def test_winner_and_lengths_are_those_of_the_judge(position: Position) -> None:
    with Engine(position.size) as engine:
        for metric in METRICS:
            solution = engine.solve(position, metric)
            assert solution.solved and solution.position == position
            assert solution.winner == true_winner(position)
            assert solution.length == (None if metric == "winner" else true_length(position, metric))


@positions
def test_every_move_of_a_line_is_optimal_and_the_last_one_ends_it(position: Position) -> None:
    with Engine(position.size) as engine:
        for metric in LENGTHS:
            solution, line = engine.solve(position, metric), engine.line(position, metric)
            after = position
            for left, move in zip(range(solution.length, 0, -1), line, strict=True):
                assert true_length(after, metric) == left and not finished(after, metric, solution.winner)
                after = after.play(move)
                assert true_winner(after) == solution.winner
            assert finished(after, metric, solution.winner)


@positions
def test_a_winning_line_holds_the_win_until_checkmate(position: Position) -> None:
    with Engine(position.size) as engine:
        winner = engine.solve(position, "winner").winner
        for move in engine.line(position, "winner"):
            assert not finished(position, "checkmate", winner)
            position = position.play(move)
            assert true_winner(position) == winner
    assert finished(position, "checkmate", winner)


@positions
def test_all_moves_are_judged_as_the_judge_does(position: Position) -> None:
    with Engine(position.size) as engine:
        for metric in LENGTHS:
            moves = engine.moves(position, metric)
            assert sorted(value.move for value in moves) == position.legal()
            for value in moves:
                after = position.play(value.move)
                assert (value.winner, value.length) == (true_winner(after), true_length(after, metric))
                assert value.winning == (value.winner == position.to_move)
            wins = [value.length for value in moves if value.winning]
            best = min(wins) if wins else max((value.length for value in moves), default=None)
            assert all(value.optimal == (value.winning == bool(wins) and value.length == best) for value in moves)
            assert [value.winning for value in moves] == sorted((value.winning for value in moves), reverse=True)
            assert all(value.optimal for value in moves[: sum(value.optimal for value in moves)])
            assert engine.optimal_moves(position, metric) == sorted(value.move for value in moves if value.optimal)


@positions
def test_of_winning_moves_none_is_better_than_another(position: Position) -> None:
    with Engine(position.size) as engine:
        moves = engine.moves(position, "winner")
        won = any(value.winning for value in moves)
        assert all(value.length is None and value.optimal == (value.winning or not won) for value in moves)
        assert engine.optimal_moves(position, "winner") == sorted(value.move for value in moves if value.optimal)


def test_a_winning_position_with_a_long_way_to_go() -> None:
    size = Size(5, 5)
    position = Position.start(size).play(parse_cell(size, "a2"))
    with Engine(size) as engine:
        winner = engine.solve(position, "winner").winner
        for metric in LENGTHS:
            solution, line = engine.solve(position, metric), engine.line(position, metric)
            assert solution.winner == winner == Color.WHITE
            assert len(line) == solution.length and solution.length % 2 == 1
            after = position
            for move in line:
                assert not finished(after, metric, winner)
                assert move in engine.optimal_moves(after, metric)
                after = after.play(move)
                assert engine.solve(after, metric).winner == winner
            assert finished(after, metric, winner)


def test_carriers_and_moves_belong_to_the_position_that_was_asked_about() -> None:
    """All four images: what the search tells of one is told of the others in their own cells."""
    original = parse_board(". . . . \n . B . . \n W . . W", Color.WHITE)
    for symmetry in SYMMETRIES:
        position = symmetry.position(original)
        with Engine(position.size) as engine:
            solution = engine.solve(position)
            assert solution.length == true_length(position, "checkmate")
            assert solution.move in engine.optimal_moves(position)
            assert solution.carrier & ~position.empty == 0
            shrunk = position.stones(solution.winner.other) | position.empty & ~solution.carrier
            stones = {solution.winner: position.stones(solution.winner), solution.winner.other: shrunk}
            granted = Position(position.size, stones[Color.BLACK], stones[Color.WHITE], position.to_move)
            assert true_winner(granted) == solution.winner
            assert true_length(granted, "checkmate") <= solution.length


def test_a_game_that_is_over_has_length_0_and_no_line() -> None:
    position = parse_board(". . . \n . B . \n . . .", Color.WHITE)
    with Engine(position.size) as engine:
        assert engine.solve(position).length == 0 and engine.line(position) == ()
        assert {value.length for value in engine.moves(position)} == {0, 1}
        assert engine.line(position, "winner") == ()
    full = parse_board("B W \n B W", Color.WHITE)
    with Engine(full.size) as engine:
        assert [engine.solve(full, metric).length for metric in LENGTHS] == [0, 0]
        assert engine.moves(full) == engine.optimal_moves(full) == []


def test_symmetric_positions_are_solved_once() -> None:
    position = Position.start(Size(4, 3)).play(0).play(5)
    with Engine(position.size) as engine:
        solution = engine.solve(position)
        image = SYMMETRIES[1].position(position)
        nodes = engine.nodes
        assert engine.solve(image).length == solution.length and engine.nodes == nodes
        assert engine.solve(image).nodes == solution.nodes > 0


def test_solutions_carry_lines_on_demand() -> None:
    position = Position.start(Size(3, 3))
    with Engine(position.size, lines=True) as engine:
        solution = engine.solve(position, "connection")
        assert len(solution.line) == solution.length
        turned = solution.seen_through(SYMMETRIES[1])
        assert turned.line == tuple(SYMMETRIES[1].cell(position.size, move) for move in solution.line)


def test_the_store_answers_without_search(store: Store) -> None:
    position = Position.start(Size(4, 4)).play(1)
    with Engine(position.size, store=store) as engine:
        found, line = engine.solve(position), engine.line(position)
        assert found.source == "search"
    with Engine(position.size, store=store) as engine:
        again = engine.solve(position)
        assert (again.source, again.winner, again.length, again.nodes) == ("store", found.winner, found.length, found.nodes)
        assert engine.solve(position, "winner").source == "store"
        other = engine.line(position)
        assert len(other) == len(line) and engine.nodes == 0
    with Engine(position.size, store=store) as engine:
        assert engine.solve(position, "connection").length >= found.length


def test_a_line_found_elsewhere_is_found_again_without_search(store: Store) -> None:
    position = Position.start(Size(4, 4)).play(1)
    with Engine(position.size, lines=True) as other:
        solution = other.solve(position)
    with Engine(position.size, store=store) as engine:
        engine.solve(position)
        engine.keep_line(solution)
        nodes = engine.nodes
        assert len(engine.line(position)) == solution.length and engine.nodes == nodes


def test_a_limit_leaves_bounds_and_the_next_search_goes_on_from_them(store: Store) -> None:
    size = Size(8, 8)
    position = Position.start(size).play(parse_cell(size, "a2"))
    start = time.monotonic()
    with Engine(size, store=store, limits=Limits(seconds=0.3)) as engine:
        for _ in range(2):
            known = engine.solve(position, "checkmate")
            assert not known.solved and known.length is None and known.lower < known.upper <= 63
            assert engine.line(position) is None and engine.optimal_moves(position) is None
    assert time.monotonic() - start < 6
    if known.winner is not None:
        record = store.get(position, "checkmate")
        assert record.winner == known.winner and record.lower == known.lower
        with Engine(size, store=store, limits=Limits(seconds=0.05)) as engine:
            assert engine.solve(position).lower >= known.lower


def test_unsolved_moves_are_unknown_not_guessed() -> None:
    position = Position.start(Size(8, 8))
    with Engine(position.size, limits=Limits(seconds=0.3)) as engine:
        moves = engine.moves(position)
    assert sorted(value.move for value in moves) == position.legal()
    assert all(value.length is None for value in moves)
    assert not any(value.optimal for value in moves)


def test_optimal_moves_at_the_end_are_all_known_or_none(tmp_path: Path) -> None:
    stones = sum(1 << 8 * row + column for row, column in ((1, 5), (3, 4), (5, 3), (7, 2)))  # linked by two-bridges
    position = Position(Size(8, 8), stones, 0, Color.WHITE)
    with Store.open(tmp_path / "store") as store:
        with Engine(position.size, store=store) as engine:
            assert engine.solve(position).length == 0
        with Engine(position.size, store=store, limits=Limits(seconds=1e-9)) as engine:
            assert engine.solve(position).length == 0 and engine.optimal_moves(position) is None


def test_ctrl_c_stops_a_search_within_a_second_and_the_engine_lives_on() -> None:
    small, large = Position.start(Size(8, 8)).play(9).play(18), Position.start(Size(8, 8))
    with Engine(Size(8, 8)) as engine:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        start = time.monotonic()
        try:
            with pytest.raises(KeyboardInterrupt):
                engine.solve(large)
        finally:
            signal.signal(signal.SIGALRM, before)
        assert time.monotonic() - start < 1.3
        won = Position(small.size, 0x0101010101010101, 0, Color.WHITE)
        assert engine.solve(won).length == 0


def test_progress_is_reported() -> None:
    statuses = []
    with Engine(Size(8, 8), limits=Limits(seconds=0.5)) as engine:
        engine.solve(Position.start(Size(8, 8)), progress=statuses.append)
    assert len(statuses) >= 3
    assert [status.nodes for status in statuses] == sorted(status.nodes for status in statuses)


def test_questions_that_make_no_sense_are_refused() -> None:
    with Engine(Size(3, 3)) as engine:
        with pytest.raises(InputError, match="choose winner, checkmate, connection"):
            engine.solve(Position.start(Size(3, 3)), "chess")
        with pytest.raises(ValueError, match="3x3"):
            engine.solve(Position.start(Size(3, 4)))


def value(position: Position, move: int, winner: Color | None, lower: int, upper: int) -> tuple[int, Solution]:
    return move, Solution(position.play(move), "checkmate", winner, lower, upper, "search")


def test_judging_with_gaps_in_the_knowledge() -> None:
    position = Position.start(Size(3, 3))
    black, white = Color.BLACK, Color.WHITE

    def flags(*values: tuple[int, Color | None, int, int]) -> dict[int, tuple[bool | None, bool | None]]:
        moves = judged(position, dict(value(position, *each) for each in values))
        return {each.move: (each.winning, each.optimal) for each in moves}

    assert flags((0, black, 4, 4), (1, black, 6, 8), (2, None, 6, 8)) == {0: (True, True), 1: (True, False), 2: (None, False)}
    assert flags((0, black, 4, 4), (1, None, 2, 8)) == {0: (True, None), 1: (None, None)}
    assert flags((0, black, 4, 6), (1, black, 6, 6), (2, white, 1, 9)) == {0: (True, True), 1: (True, None), 2: (False, False)}
    assert flags((0, white, 5, 5), (1, white, 3, 7)) == {1: (False, None), 0: (False, None)}
    assert flags((0, white, 5, 5), (1, white, 7, 9)) == {1: (False, True), 0: (False, False)}
    values = (4, white, 5, 5), (3, None, 3, 8), (2, black, 2, 2), (1, white, 7, 7), (0, black, 4, 4)
    best_first = judged(position, dict(value(position, *each) for each in values))
    assert [each.move for each in best_first] == [2, 0, 3, 1, 4]
    assert best_first[0] == MoveValue(2, black, 2, True, True, "search")


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(solution_module).failed == 0
