"""The kernel's lengths before the judge, in both metrics: all of 3x3, set-up positions, known openings, and what must hold anywhere."""

from functools import cache, partial
from itertools import product
from random import Random

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import BLACK, WHITE, Setup, alternating, bits, deterministic, drawn_setups, from_board, opening, quiet_setup, random_setup
from positions import read_data, starved_lattice

from solver import kernel
from solver.notation import parse_moves, position_after
from solver.position import Size

METRICS = ("checkmate", "connection")
# Boards with so few empty cells that the judge answers at once: columns, rows, empty cells.
JUDGED = [(4, 4, 8), (5, 4, 8), (4, 5, 8), (5, 5, 7), (6, 3, 8), (3, 6, 8), (2, 8, 7), (8, 2, 7), (6, 6, 6)]
QUICK_6X6 = ("a2", "d3")  # about a second each; the other openings are marked slow

solver = cache(partial(kernel.Kernel, memory=16 << 20))


def fewest_stones(searcher: kernel.Kernel, setup: Setup, to_move: int, attacker: int, metric: str) -> int:
    """The stones with which the winner reaches the terminal, asked for one by one."""
    for stones in range(setup.columns * setup.rows + 1):
        if searcher.within(setup.black, setup.white, to_move, attacker, stones, metric).proved:
            return stones
    raise AssertionError(f"the winner does not reach {metric} at all on {setup.board}")


def plies(stones: int, attacker_moves: bool) -> int:
    """Plies until the attacker has put its last stone."""
    return 2 * stones - attacker_moves if stones else 0


def winner_and_length(searcher: kernel.Kernel, setup: Setup, to_move: int, metric: str) -> tuple[int, int]:
    winner = searcher.winner(setup.black, setup.white, to_move).winner
    return winner, plies(fewest_stones(searcher, setup, to_move, winner, metric), to_move == winner)


def agrees(searcher: kernel.Kernel, setup: Setup, to_move: int) -> None:
    """Compares both lengths with the judge's."""
    board, mover = setup.board, "BW"[to_move]
    for metric in METRICS:
        winner, length = winner_and_length(searcher, setup, to_move, metric)
        assert ("BW"[winner], length) == (oracle.winner(board, mover), oracle.length(board, mover, metric)), (board, mover, metric)


def answers_hold(searcher: kernel.Kernel, setup: Setup, to_move: int, bounds: range, rng: Random) -> None:
    """Asks about both attackers with each bound in any order, and checks each answer, move and carrier by the judge."""
    questions = list(product(range(2), bounds, METRICS))
    for attacker, stones, metric in rng.sample(questions, len(questions)):
        told = searcher.within(setup.black, setup.white, to_move, attacker, stones, metric)
        attacks = to_move == attacker

        def judged(after: Setup, mover: int, bound: int, metric: str = metric, attacker: int = attacker) -> bool:
            limit = plies(bound, mover == attacker)
            return oracle.within(after.board, "BW"[mover], "BW"[attacker], limit, metric)

        asked = (setup.board, "BW"[to_move], "BW"[attacker], stones, metric, told)
        assert told.proved == judged(setup, to_move, stones), asked
        assert (told.carrier is not None) == told.proved, asked
        if told.carrier is not None:
            assert told.carrier & ~setup.empty == 0, asked
            assert judged(setup.put(setup.empty & ~told.carrier, 1 - attacker), to_move, stones), asked
        if told.proved == attacks and setup.empty:
            if judged(setup, to_move, 0):
                continue  # no move is needed
            assert told.move is not None, asked
            assert judged(setup.put(1 << told.move, to_move), 1 - to_move, stones - attacks) == attacks, asked


@pytest.mark.parametrize("stones", [31, 32, 33, 34, 63, 64])
def test_more_stones_than_can_be_placed(stones: int) -> None:
    """On a board of one row Black needs one stone and White all cells."""
    searcher = kernel.Kernel(64, 1, memory=1 << 20)
    for to_move, metric in product((BLACK, WHITE), METRICS):
        assert searcher.within(0, 0, to_move, BLACK, stones, metric).proved
        assert not searcher.within(0, 0, to_move, WHITE, stones, metric).proved


def test_every_position_of_alternate_play_on_3x3() -> None:
    for setup, to_move in alternating(3, 3):
        agrees(solver(3, 3), setup, to_move)


@pytest.mark.slow
def test_every_setup_of_3x3() -> None:
    rng = Random("every setup")
    for content in product(".BW", repeat=9):
        text = "".join(content)
        for to_move in (BLACK, WHITE):
            answers_hold(solver(3, 3), from_board((text[:3], text[3:6], text[6:])), to_move, range(6), rng)


@pytest.mark.parametrize("columns, rows", [(1, 1), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_every_answer_on_small_boards(columns: int, rows: int) -> None:
    rng = Random(f"small {columns} {rows}")
    for _ in range(60):
        setup = random_setup(rng, columns, rows, empty=rng.randint(0, columns * rows))
        answers_hold(solver(columns, rows), setup, rng.randrange(2), range(6), rng)


@pytest.mark.parametrize("columns, rows, empty", JUDGED)
def test_setup_positions(columns: int, rows: int, empty: int) -> None:
    rng = Random(f"length {columns} {rows}")
    for _ in range(8):
        setup, to_move = quiet_setup(rng, columns, rows, empty), rng.randrange(2)
        agrees(solver(columns, rows), setup, to_move)
        answers_hold(solver(columns, rows), setup, to_move, range(5), rng)


@pytest.mark.parametrize("columns, rows", [(4, 4), (5, 5), (6, 4), (4, 6), (7, 7), (7, 8), (8, 8)])
def test_chains_whose_links_must_share_cells(columns: int, rows: int) -> None:
    rng = Random(f"starved {columns} {rows}")
    for missing in [0, 1, 1, 2, 2, 3] * 2:
        setup, _ = starved_lattice(rng, columns, rows, missing)
        if setup.empty.bit_count() <= 9:
            answers_hold(solver(columns, rows), setup, rng.randrange(2), range(3), rng)


@pytest.mark.slow
@pytest.mark.parametrize("columns, rows, empty", [(4, 4, 10), (5, 4, 10), (4, 5, 10), (5, 5, 9), (3, 7, 10), (6, 6, 9), (8, 8, 8)])
def test_many_setup_positions(columns: int, rows: int, empty: int) -> None:
    rng = Random(f"lengths {columns} {rows}")
    for _ in range(40):
        setup, to_move = quiet_setup(rng, columns, rows, empty), rng.randrange(2)
        agrees(solver(columns, rows), setup, to_move)
        answers_hold(solver(columns, rows), setup, to_move, range(5), rng)


@pytest.mark.parametrize("switch", kernel.SWITCHES)
def test_each_ingredient_off(switch: str) -> None:
    for columns, rows, empty in [(4, 4, 8), (5, 3, 8), (5, 5, 7)]:
        searcher, rng = kernel.Kernel(columns, rows, memory=16 << 20, **{switch: 0}), Random(f"without {columns}")
        for _ in range(5):
            setup, to_move = quiet_setup(rng, columns, rows, empty), rng.randrange(2)
            agrees(searcher, setup, to_move)
            answers_hold(searcher, setup, to_move, range(4), rng)


def test_a_stone_that_joins_nothing_may_end_a_two_bridge() -> None:
    """Only d4 checkmates with five stones in all: e3 next to it makes it dead, but d4 then ends a two-bridge to b5 that e3 does not."""
    size = Size(6, 6)
    position = position_after(size, parse_moves(size, "a3 b4 d3 e5 e4 b6 b5 c6 d5 e1"))
    for switches in ({}, {"dead": 0}, {"vulnerable": 0}):
        searcher = kernel.Kernel(6, 6, memory=16 << 20, **switches)
        proved = [searcher.within(*position.board, BLACK, stones, "checkmate").proved for stones in (4, 5)]
        assert proved == [False, True], switches


def recorded() -> list[object]:
    return [
        pytest.param(row, id="-".join((row["size"], row["opening"], row["metric"])), marks=pytest.mark.slow if slow else ())
        for row in read_data("lengths.csv")
        for slow in [row["size"] == "6x6" and row["opening"] not in QUICK_6X6]
    ]


@pytest.mark.parametrize("row", recorded())
def test_recorded_lengths(row: dict[str, str]) -> None:
    setup = opening(row["size"], row["opening"])
    searcher = solver(setup.columns, setup.rows, memory=128 << 20)
    winner, length = winner_and_length(searcher, setup, WHITE, row["metric"])
    assert (("black", "white")[winner], length) == (row["winner"], int(row["length"]))


def test_answers_do_not_depend_on_what_was_searched_before() -> None:
    """One kernel for many positions, one cleared in between, and one with hardly any memory."""
    rng, kept, tiny = Random("order"), solver(5, 4), kernel.Kernel(5, 4, memory=1 << 16)
    for _ in range(25):
        setup, to_move, metric = quiet_setup(rng, 5, 4, empty=13), rng.randrange(2), rng.choice(METRICS)
        expected = winner_and_length(kept, setup, to_move, metric)
        tiny.clear()
        assert winner_and_length(tiny, setup, to_move, metric) == expected, setup.board
        assert winner_and_length(tiny, setup, to_move, metric) == expected, setup.board


def solved(setup: Setup, to_move: int, metric: str) -> tuple[int, int]:
    return winner_and_length(solver(setup.columns, setup.rows), setup, to_move, metric)


@deterministic
@given(drawn_setups(), st.integers(0, 1), st.sampled_from(METRICS))
def test_both_symmetries(setup: Setup, to_move: int, metric: str) -> None:
    winner, length = solved(setup, to_move, metric)
    assert solved(setup.rotated(), to_move, metric) == (winner, length)
    assert solved(setup.reflected(), 1 - to_move, metric) == (1 - winner, length)


@deterministic
@given(drawn_setups(), st.integers(0, 1), st.sampled_from(METRICS))
def test_a_further_stone_changes_the_length_one_way(setup: Setup, to_move: int, metric: str) -> None:
    """A stone of the loser never shortens the game unless it turns it, a stone of the winner never lengthens it."""
    winner, length = solved(setup, to_move, metric)
    for cell in bits(setup.empty):
        same_winner, shorter = solved(setup.put(1 << cell, winner), to_move, metric)
        assert same_winner == winner and shorter <= length
        other_winner, other_length = solved(setup.put(1 << cell, 1 - winner), to_move, metric)
        assert other_winner != winner or other_length >= length


@deterministic
@given(drawn_setups(), st.integers(0, 1), st.sampled_from(METRICS))
def test_the_length_is_one_more_than_the_best_reply_leaves(setup: Setup, to_move: int, metric: str) -> None:
    winner, length = solved(setup, to_move, metric)
    if length:
        after = [solved(setup.put(1 << cell, to_move), 1 - to_move, metric) for cell in bits(setup.empty)]
        kept = [left for found, left in after if found == winner]
        assert length == 1 + (min(kept) if to_move == winner else max(kept))
        assert to_move == winner or len(kept) == len(after)


@deterministic
@given(drawn_setups(), st.integers(0, 1))
def test_the_connection_takes_no_less_than_the_checkmate(setup: Setup, to_move: int) -> None:
    assert solved(setup, to_move, "connection") >= solved(setup, to_move, "checkmate")
    assert (solved(setup, to_move, "connection")[1] == 0) == any(
        kernel.terminal("connection", *setup, player) is not None for player in range(2)
    )
