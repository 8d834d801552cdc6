"""The kernel's winner before the judge: everything on 3x3, openings and set-up positions on other boards, known openings."""

from functools import cache, partial
from itertools import combinations, product
from random import Random

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import (
    BLACK,
    WHITE,
    Setup,
    bits,
    deterministic,
    drawn_setups,
    from_board,
    opening,
    quiet_setup,
    random_setup,
    read_data,
    starved_lattice,
)

from solver import kernel

# Boards with so few empty cells that the judge answers at once: columns, rows, empty cells.
JUDGED = [(4, 4, 9), (5, 4, 9), (4, 5, 9), (5, 5, 8), (6, 3, 8), (3, 6, 8), (2, 8, 8), (6, 6, 7)]
SMALL = ["1x1", "1x2", "2x1", "1x5", "5x1", "2x2", "2x3", "3x2", "2x5", "5x2", "3x4", "4x3"]

solver = cache(partial(kernel.Kernel, memory=16 << 20))


def agrees(searcher: kernel.Kernel, setup: Setup, to_move: int) -> None:
    """Compares the winner with the judge's, and checks the carrier and that there is a winning move where one is of use."""
    answer, board = searcher.winner(setup.black, setup.white, to_move), setup.board
    assert "BW"[answer.winner] == oracle.winner(board, "BW"[to_move]), (board, to_move)
    assert answer.carrier & ~setup.empty == 0, (board, to_move, answer)
    alone = setup.put(setup.empty & ~answer.carrier, 1 - answer.winner)
    assert oracle.winner(alone.board, "BW"[to_move]) == "BW"[answer.winner], (board, to_move, answer)
    if answer.winner != to_move or oracle.connection(board, "BW"[to_move]):
        assert answer.move is None, (board, to_move, answer)
    else:
        assert answer.move in bits(setup.empty), (board, to_move, answer)
        after = setup.put(1 << answer.move, to_move)
        assert oracle.winner(after.board, "BW"[1 - to_move]) == "BW"[to_move], (board, to_move, answer)


def test_every_setup_of_3x3() -> None:
    for content in product(".BW", repeat=9):
        text = "".join(content)
        for to_move in (BLACK, WHITE):
            agrees(solver(3, 3), from_board((text[:3], text[3:6], text[6:])), to_move)


@pytest.mark.parametrize("size", SMALL)
def test_openings_and_replies_of_small_boards(size: str) -> None:
    columns, rows = map(int, size.split("x"))
    empty = Setup(columns, rows)
    for to_move in (BLACK, WHITE):
        agrees(solver(columns, rows), empty, to_move)
        for cell in bits(empty.full):
            after = empty.put(1 << cell, to_move)
            agrees(solver(columns, rows), after, 1 - to_move)
            for reply in bits(after.empty):
                agrees(solver(columns, rows), after.put(1 << reply, 1 - to_move), to_move)


@pytest.mark.parametrize("columns, rows, empty", JUDGED)
def test_setup_positions(columns: int, rows: int, empty: int) -> None:
    rng = Random(f"winner {columns} {rows}")
    for _ in range(12):
        agrees(solver(columns, rows), quiet_setup(rng, columns, rows, empty), rng.randrange(2))


@pytest.mark.parametrize("columns, rows", [(4, 4), (6, 5), (5, 6), (7, 7), (7, 8), (8, 7), (8, 8)])
def test_chains_whose_links_must_share_cells(columns: int, rows: int) -> None:
    rng = Random(f"starved {columns} {rows}")
    for missing in [0, 1, 2, 3] * 4:
        setup, _ = starved_lattice(rng, columns, rows, missing)
        if setup.empty.bit_count() <= 9:
            agrees(solver(columns, rows), setup, rng.randrange(2))


@pytest.mark.slow
@pytest.mark.parametrize("columns, rows, empty", [(4, 4, 11), (5, 4, 11), (5, 5, 11), (3, 7, 11), (6, 6, 10), (8, 8, 9)])
def test_many_setup_positions(columns: int, rows: int, empty: int) -> None:
    rng = Random(f"winners {columns} {rows}")
    for _ in range(150):
        agrees(solver(columns, rows), quiet_setup(rng, columns, rows, empty), rng.randrange(2))


@pytest.mark.parametrize("switch", kernel.SWITCHES)
def test_each_ingredient_off(switch: str) -> None:
    for columns, rows, empty in [(4, 4, 8), (5, 3, 8), (5, 5, 7)]:
        searcher, rng = kernel.Kernel(columns, rows, memory=16 << 20, **{switch: 0}), Random(f"without {columns}")
        for _ in range(10):
            agrees(searcher, quiet_setup(rng, columns, rows, empty), rng.randrange(2))


@pytest.mark.parametrize("off", [*combinations(("fill", "patterns", "deduction"), 2), ("fill", "patterns", "deduction")], ids="-".join)
def test_ingredients_off_together(off: tuple[str, ...]) -> None:
    for columns, rows, empty in [(3, 3, 7), (4, 3, 7), (3, 4, 7), (4, 4, 6), (5, 4, 6), (4, 5, 6), (5, 5, 6)]:
        searcher, rng = kernel.Kernel(columns, rows, memory=16 << 20, **dict.fromkeys(off, 0)), Random(f"{off} {columns} {rows}")
        for _ in range(60):
            agrees(searcher, random_setup(rng, columns, rows, empty), rng.randrange(2))


@pytest.mark.parametrize("deduction", [0, 1])
def test_moves_one_by_one(deduction: int) -> None:
    for columns, rows, empty in [(3, 3, 7), (4, 3, 7), (4, 4, 8), (4, 5, 7), (5, 5, 7)]:
        searcher, rng = kernel.Kernel(columns, rows, memory=16 << 20, patience=2, deduction=deduction), Random(f"one by one {columns} {rows}")
        for _ in range(60):
            agrees(searcher, random_setup(rng, columns, rows, empty), rng.randrange(2))


def test_moves_one_by_one_from_openings_and_replies() -> None:
    """With few positions at first and few for each move, so that many are left and returned to: winners as by the plain search, sound carriers."""
    plain, rng, more = solver(6, 6), Random("one by one"), 0
    for _ in range(40):
        searcher = kernel.Kernel(6, 6, memory=16 << 20, patience=rng.choice([2, 5, 40]))
        cells = rng.sample(range(36), rng.randint(1, 5))
        black, white = (sum(1 << cell for cell in cells[side::2]) for side in (0, 1))
        answer = searcher.winner(black, white, len(cells) % 2)
        assert answer.winner == plain.winner(black, white, len(cells) % 2).winner, cells
        rest = (1 << 36) - 1 & ~(black | white | answer.carrier)
        alone = (black, white | rest) if answer.winner == BLACK else (black | rest, white)
        assert plain.winner(*alone, len(cells) % 2).winner == answer.winner, cells
        more += searcher.nodes > 5
    assert more > 10


@pytest.mark.parametrize("columns, rows, empty", [(6, 6, 28), (7, 7, 34), (7, 8, 36), (8, 8, 38)])
def test_named_moves_win_by_a_bare_search(columns: int, rows: int, empty: int) -> None:
    """The moves of whole games, so that the tables and patterns of one position serve the next."""
    rng, named = Random(f"moves {columns} {rows}"), 0
    searcher = kernel.Kernel(columns, rows, memory=16 << 20)
    bare = kernel.Kernel(columns, rows, memory=64 << 20, **dict.fromkeys(("fill", "patterns", "reach", "history"), 0))
    for _ in range(60):
        setup, to_move = random_setup(rng, columns, rows, empty), rng.randrange(2)
        for cell in rng.sample(bits(setup.empty), 12):
            answer = searcher.winner(setup.black, setup.white, to_move)
            assert answer.winner == bare.winner(setup.black, setup.white, to_move).winner, (setup.board, to_move)
            if answer.move is not None:
                after = setup.put(1 << answer.move, to_move)
                assert bare.winner(after.black, after.white, 1 - to_move).winner == to_move, (setup.board, to_move, answer)
                named += 1
            setup, to_move = setup.put(1 << cell, to_move), 1 - to_move
    assert named > 100


def known_winners() -> list[object]:
    slow = {"7x7": pytest.mark.slow}
    return [
        pytest.param(row["size"], row["opening"], row["winner"], id=f"{row['size']}-{row['opening']}", marks=slow.get(row["size"], ()))
        for row in read_data("winners.csv")
    ]


@pytest.mark.parametrize("size, cell, winner", known_winners())
def test_published_winners(size: str, cell: str, winner: str) -> None:
    setup = opening(size, cell)
    searcher = solver(setup.columns, setup.rows, memory=128 << 20)
    answer = searcher.winner(setup.black, setup.white, WHITE)
    assert ("black", "white")[answer.winner] == winner
    alone = setup.put(setup.empty & ~answer.carrier, 1 - answer.winner)
    assert searcher.winner(alone.black, alone.white, WHITE).winner == answer.winner


@pytest.mark.parametrize("shorter", [1, 2, 3, 4, 5])
def test_the_shorter_way_wins_even_moving_second(shorter: int) -> None:
    assert solver(shorter + 1, shorter).winner(0, 0, WHITE).winner == BLACK
    assert solver(shorter, shorter + 1).winner(0, 0, BLACK).winner == WHITE


def test_answers_do_not_depend_on_what_was_searched_before() -> None:
    rng, kept = Random("order"), solver(5, 5)
    for _ in range(30):
        setup, to_move = quiet_setup(rng, 5, 5, empty=16), rng.randrange(2)
        fresh = kernel.Kernel(5, 5, memory=1 << 20)
        winner = fresh.winner(setup.black, setup.white, to_move).winner
        assert kept.winner(setup.black, setup.white, to_move).winner == winner
        fresh.clear()
        assert fresh.winner(setup.black, setup.white, to_move).winner == winner


def winner(setup: Setup, to_move: int) -> int:
    return solver(setup.columns, setup.rows).winner(setup.black, setup.white, to_move).winner


@deterministic
@given(drawn_setups(), st.integers(0, 1))
def test_both_symmetries(setup: Setup, to_move: int) -> None:
    assert winner(setup.rotated(), to_move) == winner(setup, to_move)
    assert winner(setup.reflected(), 1 - to_move) == 1 - winner(setup, to_move)


@deterministic
@given(drawn_setups(), st.integers(0, 1))
def test_a_further_stone_or_the_move_never_hurts(setup: Setup, to_move: int) -> None:
    best = winner(setup, to_move)
    assert winner(setup, best) == best
    for cell in bits(setup.empty):
        assert winner(setup.put(1 << cell, best), to_move) == best


@deterministic
@given(drawn_setups(), st.integers(0, 1))
def test_a_position_is_won_if_a_move_wins(setup: Setup, to_move: int) -> None:
    if setup.empty:
        wins = any(winner(setup.put(1 << cell, to_move), 1 - to_move) == to_move for cell in bits(setup.empty))
        assert (winner(setup, to_move) == to_move) == wins, setup.board
