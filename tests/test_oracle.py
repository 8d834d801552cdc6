"""The judge before its own judges: published winners, lengths worked out by hand, and what the definitions imply."""

import doctest
from random import Random
from types import ModuleType

import oracle
import positions
import pytest
from positions import alternating, opening, quiet_setup, random_setup, read_data

def recorded_by_the_judge() -> list[object]:
    """Size, opening, winner and the lengths in both metrics of each opening; slow where the judge needs many seconds."""
    openings: dict[tuple[str, str, str], dict[str, int]] = {}
    for row in read_data("lengths.csv"):
        if row["source"] == "judge":
            lengths = openings.setdefault((row["size"], row["opening"], row["winner"]), {})
            lengths[row["metric"]] = int(row["length"])
    return [
        pytest.param(*named, lengths, id="-".join(named), marks=pytest.mark.slow if named[0] in ("3x5", "5x3", "4x4") else ())
        for named, lengths in openings.items()
    ]


@pytest.mark.parametrize("module", [oracle, positions])
def test_examples_in_docstrings(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("size", ["1x1", "2x2", "3x3"])
def test_published_winners(size: str) -> None:
    for row in read_data("winners.csv"):
        if row["size"] == size:
            board = opening(size, row["opening"]).board
            assert oracle.winner(board, "W") == row["winner"][0].upper(), row


def test_a_published_winner_of_4x4() -> None:
    """One of 16; the recorded lengths of 4x4 cover them all, slowly."""
    assert oracle.winner(opening("4x4", "b1").board, "W") == "W"


@pytest.mark.parametrize("size, cell, winner, lengths", recorded_by_the_judge())
def test_recorded_lengths(size: str, cell: str, winner: str, lengths: dict[str, int]) -> None:
    board = opening(size, cell).board
    assert oracle.winner(board, "W") == winner[0].upper()
    assert {metric: oracle.length(board, "W", metric) for metric in lengths} == lengths


def test_recorded_and_published_winners_agree() -> None:
    published = {(row["size"], row["opening"]): row["winner"] for row in read_data("winners.csv")}
    recorded = {(row["size"], row["opening"]): row["winner"] for row in read_data("lengths.csv")}
    assert len(published.keys() & recorded.keys()) == 1 + 4 + 9 + 16 + 25 + 18
    assert all(published[key] == recorded[key] for key in published.keys() & recorded.keys())


def test_a_winning_opening_has_an_even_length_and_a_losing_one_an_odd_length() -> None:
    for row in read_data("lengths.csv"):
        assert int(row["length"]) % 2 == (row["winner"] == "white"), row


@pytest.mark.parametrize("shorter", [1, 2, 3])
def test_the_shorter_way_wins_even_moving_second(shorter: int) -> None:
    wide = ("." * (shorter + 1),) * shorter
    tall = ("." * shorter,) * (shorter + 1)
    assert oracle.winner(wide, "W") == "B"
    assert oracle.winner(tall, "B") == "W"


@pytest.mark.parametrize(
    "board, to_move, winner, checkmate, connection",
    [
        # One cell: the side to move takes it.
        ((".",), "B", "B", 1, 1),
        ((".",), "W", "W", 1, 1),
        (("B",), "W", "B", 0, 0),
        # One row: every black stone joins top and bottom, White needs all cells.
        (("...",), "B", "B", 1, 1),
        (("...",), "W", "B", 2, 2),
        (("W.W",), "W", "W", 1, 1),
        ((".", ".", "."), "B", "W", 2, 2),
        # 2x2: after b1, a2 and b2 are a bridge to the bottom row. After a1 White answers on b1 or a2.
        ((".B", ".."), "W", "B", 0, 2),
        (("B.", ".."), "W", "W", 1, 3),
        (("..", ".."), "B", "B", 1, 3),
        # The centre of 3x3 has a bridge to either edge, and two intrusions to answer.
        (("...", ".B.", "..."), "W", "B", 0, 4),
        (("...", "...", "..."), "B", "B", 1, 5),
        # Black to move in the same position needs both its bridges closed all the same.
        (("...", ".B.", "..."), "B", "B", 0, 3),
        # a1 on two rows: after White's a2 Black takes c1, with a bridge to the bottom row.
        (("B..", "..."), "W", "B", 2, 4),
        # Nothing is left to play, or the winner does not need it.
        (("BW", "BW"), "B", "B", 0, 0),
        (("B.", "B."), "W", "B", 0, 0),
    ],
)
def test_lengths_worked_out_by_hand(board: oracle.Board, to_move: str, winner: str, checkmate: int, connection: int) -> None:
    assert oracle.winner(board, to_move) == winner
    assert oracle.length(board, to_move, "checkmate") == checkmate
    assert oracle.length(board, to_move, "connection") == connection


@pytest.mark.parametrize(
    "board, player, expected",
    [
        # From the second row to the top: not from the last column, and not past an opposing stone.
        (("...", "B..", "B.."), "B", True),
        (("...", ".B.", "B.."), "B", True),
        (("...", "..B", "..B"), "B", False),
        ((".W.", "B..", "B.."), "B", False),
        # From the second last row to the bottom: not from the first column.
        (("..B", "..B", "..."), "B", True),
        (("B..", "B..", "..."), "B", False),
        # White to the left and to the right.
        (("...", ".WW", "..."), "W", True),
        (("...", ".WW", "B.."), "W", False),
        (("...", "...", ".WW"), "W", False),
        (("...", "WW.", "..."), "W", True),
        (("WW.", "...", "..."), "W", False),
        # Joined by a template from the third row, but not by a two-bridge.
        (("....", "....", "..B.", "..B.", "..B.", "..B."), "B", False),
        # Two-bridges between stones, in their three directions, for both players.
        (("..B", "...", ".B."), "B", True),
        (("..B", "..W", ".B."), "B", False),
        (("..B", ".W.", ".B."), "B", False),
        (("....", ".B..", "..B.", "...."), "B", True),
        ((".....", "...B.", ".B...", "....."), "B", True),
        ((".....", "...B.", ".BW..", "....."), "B", False),
        (("...", "..W", "W.."), "W", True),
        (("....", ".W..", "..W.", "...."), "W", True),
        (("....", "..W.", "....", ".W..", "...."), "W", True),
        # Two stones with a single common neighbour are no bridge.
        (("B..", "...", "B.."), "B", False),
        # A group carries a chain from one of its stones to another.
        (("..WW", "BBBB", "WW.."), "B", True),
        (("W.WW", "BBBB", "WW.."), "B", False),
        # No stones, no chain.
        (("...", "...", "..."), "B", False),
    ],
)
def test_checkmate_of_drawn_boards(board: oracle.Board, player: str, expected: bool) -> None:
    assert oracle.checkmate(board, player) is expected


def test_overlapping_two_bridges_are_no_chain() -> None:
    """Stones on three alternate neighbours of c3: all three bridges between them need c3."""
    free = (".....", "..B..", "...B.", ".B...", ".....")
    cut = (".....", "..B..", ".W.B.", ".B...", ".....")
    assert oracle.checkmate(free, "B")
    assert not oracle.checkmate(cut, "B")
    assert not oracle.checkmate(oracle.play(cut, (2, 2), "W"), "B")
    assert oracle.checkmate(oracle.play(cut, (2, 2), "B"), "B")


def test_checkmate_wins_whoever_moves() -> None:
    rng = Random(1)
    for columns, rows in [(4, 4), (5, 4), (3, 6), (5, 5)]:
        for _ in range(60):
            board = random_setup(rng, columns, rows, empty=7).board
            for player in "BW":
                if oracle.checkmate(board, player):
                    assert oracle.winner(board, "B") == oracle.winner(board, "W") == player, board
                if oracle.connection(board, player):
                    assert oracle.checkmate(board, player), board


def test_an_answered_intrusion_leaves_a_checkmate() -> None:
    """Whatever the opponent takes, the player has a reply after which the chain still stands."""
    rng = Random(2)
    for _ in range(100):
        board = random_setup(rng, 5, 5, empty=8).board
        for player in "BW":
            if oracle.checkmate(board, player):
                for cell in oracle.cells(board, "."):
                    after = oracle.play(board, cell, oracle.OTHER[player])
                    answers = (oracle.play(after, reply, player) for reply in oracle.cells(after, "."))
                    assert oracle.checkmate(after, player) or any(
                        oracle.checkmate(answer, player) for answer in answers
                    ), (board, cell)


def minimax(board: oracle.Board, to_move: str, attacker: str, metric: str) -> float:
    """The length by the other obvious way: no bound, all moves, infinite where the attacker never gets there."""
    if oracle.TERMINAL[metric](board, attacker):
        return 0
    lengths = [
        minimax(oracle.play(board, cell, to_move), oracle.OTHER[to_move], attacker, metric)
        for cell in oracle.cells(board, ".")
    ]
    return 1 + (min if to_move == attacker else max)(lengths) if lengths else float("inf")


def test_bounded_and_unbounded_minimax_agree() -> None:
    rng = Random(3)
    for _ in range(40):
        board, to_move = quiet_setup(rng, 4, 4, empty=5).board, rng.choice("BW")
        best = oracle.winner(board, to_move)
        for metric in oracle.TERMINAL:
            assert minimax(board, to_move, best, metric) == oracle.length(board, to_move, metric), board
            assert minimax(board, to_move, oracle.OTHER[best], metric) == float("inf"), board


def test_symmetric_positions_have_equal_answers() -> None:
    rng = Random(4)
    for _ in range(40):
        setup, to_move = quiet_setup(rng, 4, 3, empty=8), rng.randrange(2)
        for image, color in ((setup.rotated(), to_move), (setup.reflected(), 1 - to_move)):
            same = color == to_move
            expected = oracle.winner(setup.board, "BW"[to_move])
            assert oracle.winner(image.board, "BW"[color]) == (expected if same else oracle.OTHER[expected])
            for metric in oracle.TERMINAL:
                assert oracle.length(image.board, "BW"[color], metric) == oracle.length(
                    setup.board, "BW"[to_move], metric
                )


def test_symmetries_are_involutions() -> None:
    rng = Random(5)
    for _ in range(20):
        setup = random_setup(rng, 5, 3, empty=6)
        assert setup.rotated().rotated() == setup == setup.reflected().reflected()
        assert setup.rotated().reflected() == setup.reflected().rotated()


def test_alternating_play_reaches_6046_positions_of_3x3() -> None:
    assert sum(1 for _ in alternating(3, 3)) == 6046
