"""SGF: games are read back as they are written, other programs' files are understood, and anything else is refused in one line."""

import doctest
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_notation import SIX, fuzzed, games, noise, reads_or_refuses, refused
from test_position import positions, relaxed

from solver import sgf as module
from solver.cli import main
from solver.notation import format_board, format_moves, parse_cell, parse_moves, position_after
from solver.position import Color, Position, Size, Symmetry
from solver.sgf import SgfGame, format_sgf, load_sgf, parse_sgf

MIRROR = Symmetry(rotate=False, reflect=True)


def hexbook(*arguments: str | Path, status: int = 0, typed: str = "") -> str:
    """What a command prints, its message if `status` is 2; it runs in this process, which is quick."""
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors), mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()))):
        assert main(list(map(str, arguments))) == status
    return errors.getvalue() if status == 2 else output.getvalue()


def main_line(text: str) -> str:
    """The moves of a game on 6x6 that alternate from the empty board."""
    game = parse_sgf(text)
    assert game.moves is not None and game.positions[-1] == position_after(SIX, game.moves)
    assert len(game.positions) == len(game.moves) + 1
    return format_moves(SIX, game.moves)


def setup(size: Size, black: str, white: str, to_move: Color) -> Position:
    masks = (sum(1 << parse_cell(size, word) for word in words.split()) for words in (black, white))
    return Position(size, *masks, to_move)


def test_docstring_examples() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed


@given(games())
def test_games_round_trip(game: tuple[Size, list[int]]) -> None:
    size, moves = game
    read = parse_sgf(format_sgf(Position.start(size), moves))
    assert read.moves == moves
    assert read.positions == [position_after(size, moves[:ply]) for ply in range(len(moves) + 1)]


@relaxed
@given(positions(), st.data())
def test_games_from_any_position_round_trip(start: Position, data: st.DataObject) -> None:
    moves = data.draw(st.lists(st.sampled_from(start.legal()), max_size=5, unique=True)) if start.empty else []
    read = parse_sgf(format_sgf(start, moves))
    assert read.positions[0] == start and len(read.positions) == len(moves) + 1
    position = start
    for move, after in zip(moves, read.positions[1:], strict=True):
        position = position.play(move)
        assert after == position
    assert read.moves == (moves if start == Position.start(start.size) else None)


@fuzzed
@given(st.text(), st.text())
@example("brackets ] [ ( ) and a backslash \\", "\\")
def test_comments_do_not_disturb_the_game(first: str, second: str) -> None:
    text = format_sgf(Position.start(SIX), [6, 14], {0: first, 2: second})
    assert parse_sgf(text).moves == [6, 14]


def test_what_is_written() -> None:
    text = format_sgf(Position.start(Size(6, 7)), [6, 14], {1: "White wins [in 19]"})
    head, *nodes = text.split("\n")
    assert head.startswith("(;FF[4]GM[11]") and "AP[hexbook:" in head and head.endswith("SZ[6:7]")
    assert nodes == [";B[a2]C[White wins [in 19\\]]", ";W[c3])"]
    assert format_sgf(setup(SIX, "a2 b1", "c3", Color.WHITE), []).endswith("SZ[6]AB[b1][a2]AW[c3]PL[W])")


@pytest.mark.parametrize("text", [
    "(;FF[4]GM[11]SZ[6];B[a2];W[c3];B[d4])",
    "( ; FF [4]\nGM[11] SZ[6] ; B [A2] \n;W[ c3 ];B[D4] )",
    "text before (;SZ[6:6];B[a2];W[c3];B[d4]) text after (;SZ[4])",
    "(;SZ[6];B[a2](;W[c3](;B[d4])(;B[e5]))(;W[f6];B[f5]))",
    "(;SZ[6];B[a2](;W[c3];B[d4](;W[resign])(;W[a1])))",
    "(;SZ[6]C[a \\] bracket, ; B[f1\\] ) and \\\\];B[a2];W[c3];B[d4];W[forfeit])",
    "(;GaMe[11]SiZe[6]KM[0];Black[a2]BL[12]C[];White[c3]N[x];;B[d4];)",
    "(;SZ[6]PL[B];B[a2];W[c3];B[d4])",
    "(;FF[4]PB[x]PW[y;]]SZ[6]RE[B];B[ab];W[cc];B[dd])",
    "(;SZ[6]RE[W]GC[game #1];W[ab];B[cc];W[dd];B[resign])",
    "\ufeff(;SZ[6];B[a2]\r\n;W[c3]\r\n(;B[d4]))\r\n",
])
def test_main_line(text: str) -> None:
    assert main_line(text) == "a2 c3 d4"


def test_default_size_is_11() -> None:
    refused(lambda: parse_sgf("(;GM[11];B[a1])"), "11x11", "at most 64")


def test_setup() -> None:
    game = parse_sgf("(;SZ[3:4]AB[a1][b2]AW[c4]PL[W];W[a4];B[b1])")
    assert game.moves is None and len(game.positions) == 3
    assert game.positions[0] == setup(Size(3, 4), "a1 b2", "c4", Color.WHITE)
    assert game.positions[2] == setup(Size(3, 4), "a1 b2 b1", "c4 a4", Color.WHITE)
    later = parse_sgf("(;SZ[6];B[a2];AB[c3]AW[d4]AE[a2]PL[white];W[a1])")
    assert later.positions == [
        Position.start(SIX), setup(SIX, "c3", "d4", Color.WHITE), setup(SIX, "c3", "d4 a1", Color.BLACK)
    ]
    assert parse_sgf("(;SZ[6]AB[a1][b1];W[c1])").positions[0].to_move == Color.WHITE


def test_a_side_may_move_twice_or_first() -> None:
    game = parse_sgf("(;SZ[6];B[a1];B[b1])")
    assert game.moves is None and game.positions[-1] == setup(SIX, "a1 b1", "", Color.WHITE)
    assert parse_sgf("(;SZ[6];W[a1])").positions == [
        setup(SIX, "", "", Color.WHITE), setup(SIX, "", "a1", Color.BLACK)
    ]
    assert parse_sgf("(;SZ[6];B[a1];W[pass];B[b1])").positions[-1] == game.positions[-1]


def test_swap_pieces_mirrors_and_recolours() -> None:
    game = parse_sgf("(;SZ[6];B[a2];W[swap-pieces];B[c3])")
    assert game.moves is None
    assert game.positions[2:] == [setup(SIX, "", "b1", Color.BLACK), setup(SIX, "c3", "b1", Color.WHITE)]
    assert game.positions[2] == MIRROR.position(game.positions[1])
    refused(lambda: parse_sgf("(;SZ[3:4];B[a2];W[swap-pieces])"), "3x4", "square")


@pytest.mark.parametrize("text", ["(;SZ[6];B[a2];W[swap-sides];W[c3])", "(;AP[HexGui:0.9]SZ[6];B[a2];W[swap-pieces];W[c3])"])
def test_swap_sides_leaves_the_board_alone(text: str) -> None:
    assert parse_sgf(text).positions[-1] == setup(SIX, "a2", "c3", Color.BLACK)


def test_little_golem() -> None:
    """Found in the tests of PlayHex, on a board that is small enough: PB moves first, as W."""
    text = "(;FF[4]EV[null]PB[lazy\\player]PW[Shumacher;]]SZ[8]RE[B]GC[game #1804563];W[ad];B[swap];W[eg];B[resign])"
    game = parse_sgf(text)
    size = Size(8, 8)
    assert game.positions == [
        Position.start(size),
        setup(size, "a4", "", Color.WHITE),
        setup(size, "", "d1", Color.BLACK),
        setup(size, "e7", "d1", Color.WHITE),
    ]
    assert parse_sgf(text.replace("W[", "?[").replace("B[", "W[").replace("?[", "B[")) == game  # Black may begin there, too


@pytest.mark.parametrize(("text", "parts"), [
    ("", ["no SGF game"]),
    ("just text", ["no SGF game", "(;"]),
    ("(;", ["cut off"]),
    ("(;SZ[6];B[a1](;W[b2])", ["cut off"]),
    ("(;SZ[6]\n\n;B[a1] foo)", ["line 3", "foo"]),
    ("(;SZ[6];B)", ["line 1", "B)"]),
    ("(;SZ[6];B[a1", ["line 1"]),
    ("(;GM[1]SZ[6])", ["'1'", "GM[11]"]),
    ("(;GM[a\x0cb])", ["'a\\x0cb'"]),
    ("(;SZ[6]PL[\n])", ["'\\n'"]),
    ("(;SZ[big])", ["big"]),
    ("(;SZ[0])", ["0x0"]),
    ("(;SZ[6];B[a1];W[b7])", ["b7", "6x6"]),
    ("(;SZ[6];B[ag])", ["a7", "6x6"]),
    ("(;SZ[6];B[a1];W[a1])", ["move 2", "a1", "occupied"]),
    ("(;SZ[6];B[ab];W[a2])", ["move 2", "a2"]),
    ("(;SZ[6]AB[a1:b2])", ["a1:b2"]),
    ("(;SZ[6]AB[a1]AW[a1])", ["sets a1 by AB and by AW"]),
    ("(;SZ[6]PL[me])", ["'me' as PL"]),
])
def test_bad_games(text: str, parts: list[str]) -> None:
    refused(lambda: parse_sgf(text), *parts)


@fuzzed
@given(st.one_of(
    noise("();[]\\ABWEPLSZGMC16abc: \n"),
    st.lists(st.sampled_from(
        "( ) ; B[a1] W[b2] B[ab] W[swap] B[swap-pieces] AB[a1][c3] AE[a1] PL[W] C[\\]] x B [".split()
    )).map(lambda words: "(;SZ[4]" + "".join(words) + ")"),
))
def test_any_text_as_sgf(text: str) -> None:
    reads_or_refuses(lambda: parse_sgf(text))


@pytest.mark.parametrize("unit", ["(", "(;", "(;B", "(;B[", "[", "\\", "(;B[\\", "A", " ", "]", ";"])
@pytest.mark.parametrize("start", ["", "(;SZ[6]"])
def test_long_text_is_refused_at_once(start: str, unit: str) -> None:
    reads_or_refuses(lambda: parse_sgf(start + unit * 100_000))


def test_deep_trees_are_read() -> None:
    assert parse_sgf("(;SZ[6]" + "(;C[x]" * 50_000 + ")" * 50_001).moves == []


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_bytes(b"(;SZ[6]PB[J\xf6rg];B[a2];W[c3])")  # Latin-1
    assert load_sgf(file) == SgfGame([position_after(SIX, [6, 14][:ply]) for ply in range(3)], [6, 14])
    file.write_bytes(bytes(range(256)) * 9)
    refused(lambda: load_sgf(file), "no SGF game")


def test_commands_read_games(tmp_path: Path) -> None:
    file = tmp_path / "game.SGF"
    file.write_text("(;SZ[4];B[b2];W[c3];B[resign])")
    board = hexbook("show", "4", "b2 c3")
    assert hexbook("show", file) == hexbook("show", "4", file) == hexbook("show", "4x4", "#4c1,b2c3,a1") == board
    assert hexbook("show", file, "--ply", "1") == hexbook("show", "4", "b2")
    assert hexbook("show", file, "--ply", "0") == hexbook("show", "4")
    assert '"moves": "b2 c3"' in hexbook("solve", file, "--json", "--store", "none")
    for arguments, hint in [
        (("show", file, "--ply", "3"), "2 moves"),
        (("show", file, "--ply", "-1"), "-1"),
        (("show", file, "a1"), "own moves"),
        (("show", "5", file), "4x4, not 5x5"),
        (("show", "5", "#4c1,a1"), "4x4, not 5x5"),
        (("show", "4", "--ply", "1"), "SGF"),
        (("show", "#4c1,a1", "--ply", "1"), "SGF"),
        (("show", tmp_path / "none.sgf"), "none.sgf: No such file"),
        (("solve", "4", "--format", "sgf", "--json"), "--json"),
        (("solve", "4", "--openings", "--format", "sgf"), "one position"),
    ]:
        assert hint in hexbook(*arguments, status=2)


def test_show_writes_what_it_reads(tmp_path: Path) -> None:
    board = hexbook("show", "4x5", "c1 b3 a4")
    assert hexbook("show", "4x5", "c1 b3 a4", "--format", "ascii") == board
    (tmp_path / "game.sgf").write_text(hexbook("show", "4x5", "c1 b3 a4", "--format", "sgf"))
    assert hexbook("show", tmp_path / "game.sgf") == board
    assert hexbook("show", hexbook("show", "4x5", "c1 b3 a4", "--format", "hexworld").strip()) == board


def test_positions_that_no_moves_lead_to(tmp_path: Path) -> None:
    odd = format_board(setup(Size(3, 3), "a1 b1 c3", "a3", Color.BLACK))
    arguments = "show", "--board", "-", "--to-move", "black", "--format"
    game = tmp_path / "odd.sgf"
    game.write_text(hexbook(*arguments, "sgf", typed=odd))
    assert hexbook("show", game) == odd + "\n"
    assert parse_sgf(game.read_text()).positions[-1].to_move == Color.BLACK
    assert hexbook("show", hexbook(*arguments, "hexworld", typed=odd).strip()) == odd + "\n"


def test_solve_writes_the_line_with_its_lengths(tmp_path: Path) -> None:
    text = hexbook("solve", "4", "a1", "--format", "sgf", "--store", "none")
    game = parse_sgf(text)
    assert game.moves is not None and game.moves[0] == 0
    lengths = [int(word.split()[0]) for word in text.split("White wins in ")[1:]]
    assert lengths == list(range(len(game.moves) - 1, -1, -1)) and len(lengths) > 3
    link = hexbook("solve", "4", "a1", "--format", "hexworld", "--store", "none").strip()
    assert link == "https://hexworld.org/board/#4c1,a1," + format_moves(Size(4, 4), game.moves[1:]).replace(" ", "")
    assert "C[White wins]" in hexbook("solve", "4", "a1", "--format", "sgf", "--metric", "winner", "--store", "none")
    assert "C[unknown, at least" in hexbook("solve", "8", "--format", "sgf", "--seconds", "0.1", "--store", "none", status=3)


def test_moves_are_checked_before_they_are_written() -> None:
    refused(lambda: format_sgf(Position.start(SIX), parse_moves(SIX, "a1 b2 a1")), "occupied")
