"""What replies have in common: bounds that hold by the judge's word, and positions that need no search."""

import doctest
from random import Random

import oracle
import pytest
from positions import Setup, quiet_setup

from solver import replies as module
from solver.engine import Engine
from solver.kernel import Kernel
from solver.notation import parse_moves, position_after
from solver.options import Limits
from solver.position import Color, Position, Size
from solver.replies import Replies
from solver.store import Record

SMALL = Limits(memory=64 << 20)


def true_value(position: Position, metric: str) -> Record:
    """Winner and length by the judge."""
    board = Setup(position.size.columns, position.size.rows, position.black, position.white).board
    player = "BW"[position.to_move]
    length = oracle.length(board, player, metric)
    return Record(Color("BW".index(oracle.winner(board, player))), length, length, 0, 0)


def stones(length: int) -> int:
    return (length + 1) // 2


@pytest.mark.parametrize("metric", ["checkmate", "connection"])
def test_bounds_hold(metric: str) -> None:
    rng, exact, vague = Random(3), 0, 0
    for columns, rows, empty in [(2, 2, 4), (3, 3, 8), (3, 4, 8), (5, 4, 7), (5, 5, 7)] * 4:
        setup = quiet_setup(rng, columns, rows, rng.randint(empty // 2, empty))
        position = Position(Size(columns, rows), setup.black, setup.white, Color(rng.randrange(2)))
        kernel, opponent = Kernel(columns, rows, 32 << 20), position.to_move.other
        replies = Replies(position, true_value(position, metric), true_value(position.passed(), metric))
        for move in [None, *position.legal()]:
            after = position.passed() if move is None else position.play(move)
            winner, length = true_value(after, metric)[:2]
            if move is not None:
                for told in (replies.told(move), replies.told(move, winner)):
                    assert told.winner in (winner, None) and told.lower <= length, (position, move)
                    assert told.upper is None or told.upper >= length, (position, move)
                exact, vague = exact + (told.lower == told.upper), vague + (told.lower != told.upper)
            if winner == opponent:
                answer = kernel.within(after.black, after.white, after.to_move, winner, stones(length), metric)
                assert answer.proved and answer.carrier is not None
                replies.learn(length, answer.carrier)
    assert exact > vague


@pytest.mark.parametrize("metric", ["winner", "checkmate", "connection"])
def test_moves_are_worth_what_the_positions_after_them_are(metric: str) -> None:
    """Whether the pass was remembered, as a bound or not at all, or found."""
    rng = Random(8)
    for side, stones_at_least in ((4, 4), (5, 10)):
        for _ in range(6):
            position = Position.start(Size(side, side))
            for _ in range(rng.randint(stones_at_least, stones_at_least + 4)):
                position = position.play(rng.choice(position.legal()))
            with Engine(position.size, limits=SMALL) as engine, Engine(position.size, limits=SMALL) as other:
                if rng.random() < 0.5:
                    engine.solve(position.passed(), metric)
                for value in engine.moves(position, metric):
                    solution = other.solve(position.play(value.move), metric)
                    assert (value.winner, value.length) == (solution.winner, solution.length), (position, value)


def test_many_replies_need_no_search() -> None:
    """Blunders after c3 and b2 on 5x5."""
    position = position_after(Size(5, 5), parse_moves(Size(5, 5), "c3 b2 d2"))
    with Engine(position.size, limits=SMALL) as engine, Engine(position.size, limits=SMALL) as other:
        engine.moves(position)
        together = engine.nodes
        other.solve(position)
        for move in position.legal():
            other.solve(position.play(move))
        assert together < 0.8 * other.nodes


def test_the_second_time_nothing_is_searched() -> None:
    position = position_after(Size(5, 5), parse_moves(Size(5, 5), "c3 b2 d2"))
    with Engine(position.size, limits=SMALL) as engine:
        first = engine.moves(position)
        nodes = engine.nodes
        assert engine.moves(position) == first and engine.nodes == nodes


def test_examples_in_docstrings() -> None:
    assert doctest.testmod(module) == (0, 5)
