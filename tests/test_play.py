"""hexbook play: the game, and the dialogue as a person meets it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import shelf
from processes import started

import books
from books.adviser import Adviser
from solver.duel import Duel
from solver.engine import Engine
from solver.notation import parse_moves, position_after
from solver.options import Limits
from solver.position import Color, InputError, Position, Size

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "solver", "play"]
SIZE = Size(4, 4)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with books.open(shelf.book("4x4")) as book, Adviser(book, limits=shelf.SMALL) as adviser:
        yield adviser


def duel_of(engine: Engine, moves: str = "", person: Color = Color.BLACK, *, metric: str = "checkmate", swap: bool = False) -> Duel:
    return Duel(engine, position_after(engine.size, parse_moves(engine.size, moves)), person, metric=metric, swap=swap)


def test_the_engine_wins_by_the_shortest_way(engine: Engine) -> None:
    duel = duel_of(engine, "a1")
    length = engine.solve(duel.position).length
    plies = 0
    while duel.winner is None:
        if duel.state.persons_turn:
            duel.play(engine.moves(duel.position)[0].move)
        else:
            duel.answer()
        plies += 1
    assert duel.winner == Color.WHITE and plies == length


def test_the_engine_defends_by_the_longest_way(engine: Engine) -> None:
    duel = duel_of(engine, "d1")
    while duel.winner is None:
        value = engine.moves(duel.position)[0]
        if duel.state.persons_turn:
            duel.play(value.move)
        else:
            duel.answer()
            assert engine.solve(duel.position).length == value.length
    assert duel.winner == Color.BLACK


@pytest.mark.parametrize("metric", ["winner", "connection"])
def test_other_metrics(metric: str) -> None:
    with Engine(Size(3, 3), limits=shelf.SMALL) as engine:
        duel = duel_of(engine, person=Color.WHITE, metric=metric)
        while duel.winner is None:
            if duel.state.persons_turn:
                duel.play(duel.position.legal()[0])
            else:
                duel.answer()
        assert duel.winner == Color.BLACK


def test_a_game_that_is_over(engine: Engine) -> None:
    duel = duel_of(engine, "d1 a1 d2 b1 c3 a2")
    assert duel.winner == Color.BLACK
    with pytest.raises(InputError, match="over"):
        duel.play(15)


def test_undo_goes_back_to_the_last_decision(engine: Engine) -> None:
    duel = duel_of(engine)
    assert not duel.undo()
    duel.play(0)
    duel.answer()
    duel.play(duel.position.legal()[0])
    duel.answer()
    assert duel.undo() and duel.position.black == 1 and duel.state.persons_turn
    assert duel.undo() and duel.position == Position.start(SIZE) and not duel.undo()
    second = duel_of(engine, person=Color.WHITE)
    second.answer()
    assert not second.undo()
    second.play(second.position.legal()[0])
    second.answer()
    assert second.undo() and second.state.persons_turn and second.position.white == 0 and not second.undo()
    second.restart()
    assert second.position == Position.start(SIZE)


def test_the_engine_swaps_every_opening_that_wins(engine: Engine) -> None:
    for opening in Position.start(SIZE).legal():
        duel = duel_of(engine, swap=True)
        duel.play(opening)
        wins = engine.solve(duel.position, "winner").winner == Color.BLACK
        assert (duel.answer() is None) == wins
        assert duel.state.person == (Color.WHITE if wins else Color.BLACK) and duel.state.persons_turn
        assert duel.undo() and duel.position == Position.start(SIZE) and duel.state.person == Color.BLACK


def test_the_person_swaps(engine: Engine) -> None:
    duel = duel_of(engine, person=Color.WHITE, swap=True)
    with pytest.raises(InputError, match="first stone"):
        duel.swap()
    opening = duel.answer()
    longest = max(value.length or 0 for value in engine.moves(Position.start(SIZE)))
    assert opening is not None and engine.solve(duel.position).length == longest
    assert duel.may_swap
    duel.swap()
    assert duel.state.person == Color.BLACK and not duel.state.persons_turn and not duel.may_swap
    assert duel.undo() and duel.may_swap and duel.state.person == Color.WHITE
    with pytest.raises(InputError, match="--swap"):
        duel_of(engine, "a1").swap()


def test_a_limit_leaves_a_guess() -> None:
    with Engine(Size(8, 8), limits=Limits(seconds=0.01, memory=64 << 20)) as engine:
        duel = duel_of(engine, person=Color.WHITE)
        assert duel.answer() is not None and duel.position.black


def said(*arguments: str | Path, typed: str, status: int = 0) -> str:
    command = [*COMMAND, *map(str, arguments), "--store", "none"]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == status, done.stderr
    assert ("Traceback" not in done.stderr) and (status == 2) == bool(done.stderr)
    return done.stdout + done.stderr


def test_a_dialogue() -> None:
    typed = "d1\nhint\nfoo\na9\nd1\n\nmoves\nundo\nundo\nundo\nhelp\nswap\nd2\nquit\nnever read\n"
    text = said("4", "--book", shelf.book("4x4"), typed=typed)
    assert "White plays" in text and "black> " in text
    assert re.search(r"black> [a-d][1-4]: Black wins in \d+ plies", text)
    assert "'foo' is no cell" in text and "'a9' lies outside" in text and "d1 is occupied" in text
    assert "best  Black wins" in text and "no move of yours to take back" in text
    assert "take your last move back" in text and "no swap rule" in text
    assert text.count(" a b c d\n") >= 5 and text.endswith("black> ")


def test_the_end_of_the_input_is_the_end() -> None:
    for typed in ("", "b1", "b1\n"):
        assert said("3", typed=typed).endswith("> \n")


def test_a_finished_game_can_go_back_or_begin_again() -> None:
    text = said("3", "--book", shelf.book("3x3"), typed="b2\nhint\na1\nmoves\nundo\nb2\nnew\nb1\n")
    assert text.count("You win: black") == 2
    assert "over> the game is over." in text and "over> the game is over; take a move back" in text
    assert "White plays" in text


def test_the_engine_wins_as_white() -> None:
    text = said(shelf.book("3x3"), "--side", "white", typed="a1\n")
    assert "Black plays b2." in text and "I win: black" in text


def test_swapping_in_the_dialogue() -> None:
    text = said("3", "--swap", "--book", shelf.book("3x3"), typed="b2\nhint\n")
    assert "I swap and play black now; you are white." in text
    text = said("3", "--swap", "--side", "white", "--book", shelf.book("3x3"), typed="hint\nswap\nhint\n")
    assert "Black plays" in text and "You are black now." in text and "White plays" in text


def test_a_game_from_a_position() -> None:
    text = said("3", "a1", "--side", "white", typed="b2\n")
    assert "You win: white" in text


@pytest.mark.parametrize(
    ("arguments", "hint"), [(["0"], "0x0"), (["3", "--side", "red"], "red"), (["/no/such.book"], "no such file"), ([], "size")]
)
def test_bad_input(arguments: list[str], hint: str) -> None:
    assert hint in said(*arguments, typed="", status=2)


def test_ctrl_c_while_the_engine_thinks() -> None:
    command = [*COMMAND, "8", "--side", "white", "--store", "none", "--book", "none"]
    with started(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1.5)
        assert process.poll() is None
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert time.monotonic() - pressed < 2
    assert process.returncode == 130 and "Traceback" not in errors and "interrupted" in errors
