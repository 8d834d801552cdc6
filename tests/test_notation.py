"""The text forms: each is read back as it is written, and bad text is refused in one line."""

import doctest
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_position import positions, relaxed, sizes

from solver import notation as module
from solver.notation import (
    format_board, format_cell, format_hexworld, format_moves, moves_reaching, parse_board, parse_cell,
    parse_hexworld, parse_moves, parse_size, position_after,
)
from solver.position import Color, InputError, Position, Size, cells_of

SIX = Size(6, 6)


@st.composite
def games(draw: st.DrawFn) -> tuple[Size, list[int]]:
    """A board and distinct cells of it."""
    size = draw(sizes)
    return size, draw(st.lists(st.integers(0, size.cells - 1), unique=True))


def refused(read: Callable[[], object], *parts: str) -> None:
    """Expect an InputError of one line in which each of `parts` occurs."""
    with pytest.raises(InputError) as caught:
        read()
    message = str(caught.value)
    assert len(message.splitlines()) == 1 and len(message) < 200
    for part in parts:
        assert part in message


def test_docstring_examples() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed


@given(sizes)
def test_sizes_round_trip(size: Size) -> None:
    assert parse_size(str(size)) == parse_size(f" {size} \n".upper()) == size
    if size.square:
        assert parse_size(str(size.rows)) == size


@pytest.mark.parametrize("text", [
    "", "six", "6x", "x6", "6x7x8", "6 7", "-6", "6.0", "\u0666", "6" * 5000, "9x8", "0", "0x4",
])
def test_bad_sizes(text: str) -> None:
    refused(lambda: parse_size(text), "board")


@given(sizes)
def test_cells_round_trip(size: Size) -> None:
    names = [format_cell(size, cell) for cell in range(size.cells)]
    assert len(set(names)) == size.cells
    assert [parse_cell(size, name) for name in names] == list(range(size.cells))
    assert [parse_cell(size, name.upper()) for name in names] == list(range(size.cells))


def test_columns_past_z() -> None:
    wide = Size(64, 1)
    names = [format_cell(wide, cell) for cell in (0, 25, 26, 51, 52, 63)]
    assert names == ["a1", "z1", "aa1", "az1", "ba1", "bl1"]
    assert format_cell(Size(1, 64), 63) == "a64"


@pytest.mark.parametrize("text", [
    "g1", "a7", "a0", "a", "3", "3c", "c3d4", "swap", "", "ä1", "\u212a1", "a²",
    "z" * 9999 + "1", "a" + "1" * 9999,
])
def test_bad_cells(text: str) -> None:
    refused(lambda: parse_cell(SIX, text), "6x6 board", "a1", "f6")


@given(games())
def test_move_lists_round_trip(game: tuple[Size, list[int]]) -> None:
    size, moves = game
    text = format_moves(size, moves)
    assert parse_moves(size, text) == moves
    assert parse_moves(size, f"\n{text.upper().replace(' ', ' ,')},\t") == moves


def test_moves_alternate_from_black() -> None:
    position = position_after(SIX, parse_moves(SIX, "a2 b1 f6"))
    assert position == Position(SIX, 1 << 6 | 1 << 35, 1 << 1, Color.WHITE)
    assert position_after(SIX, []) == Position.start(SIX)


def test_bad_moves() -> None:
    refused(lambda: parse_moves(SIX, "c3, d4; e5"), "'d4;'", "6x6")
    refused(lambda: position_after(SIX, parse_moves(SIX, "c3 d4 C3")), "c3", "occupied", "6x6")
    refused(lambda: position_after(SIX, [36]), "6x6")


@given(positions())
@settings(deadline=None)
def test_moves_reach_any_position(position: Position) -> None:
    moves = moves_reaching(position)
    game = parse_hexworld(format_hexworld(position.size, moves))
    assert game.position == position
    black, white = position.black.bit_count(), position.white.bit_count()
    assert moves.count(None) == abs(black - white - position.to_move)
    if None in moves:
        assert game.moves is None
    else:
        assert game.moves == moves and position_after(position.size, moves) == position


@relaxed
@given(positions())
def test_boards_round_trip(position: Position) -> None:
    text = format_board(position)
    assert parse_board(text, position.to_move) == position
    assert parse_board(text.swapcase(), position.to_move) == position
    assert all(line == line.rstrip() for line in text.split("\n"))


@relaxed
@given(positions(), st.data())
def test_marked_boards_round_trip(position: Position, data: st.DataObject) -> None:
    mark = st.sampled_from(["1", "2", "18", "W18", "b0", "*", "+", "-7", "x*", ".1", "1.", "#3"])
    marked = data.draw(st.integers(0, position.size.full)) & position.empty
    marks = {cell: data.draw(mark) for cell in cells_of(marked)}
    text = format_board(position, marks)
    assert parse_board(text, position.to_move) == position
    assert all(mark in text for mark in marks.values())


def test_marks_are_drawn_in_line() -> None:
    marks = {0: "W18", 1: "L9", 3: "*"}
    assert format_board(Position(Size(3, 2), 0b100, 0, Color.WHITE), marks).split("\n") == [
        " a   b   c",
        "1 W18  L9  B  1",
        "  2  *   .   .  2",
        "       a   b   c",
    ]


@pytest.mark.parametrize("cell, mark", [(0, "W"), (0, ""), (0, "1 2"), (0, "1\n"), (2, "5"), (9, "5")])
def test_marks_that_would_not_read_back(cell: int, mark: str) -> None:
    with pytest.raises(ValueError, match="mark empty cells"):
        format_board(Position(Size(3, 2), 0b100, 0, Color.WHITE), {cell: mark})


@pytest.mark.parametrize("text", [
    ".b\nw.\n..",
    "\n\n# a comment\n. B\n\n W .  \n # another\n  ..\n\n",
    ". x\nO .\n. .",
    "1 . B\n2 W .\n3 . .",
    "  a b\n 1 . b\n  2 W . 2\n   3 . . 3",
    ". B 1\nW . 2\n. . 3\nA B",
    "\t.\tB\r\n W .\r\n . .\r\n",
])
def test_boards_read_loosely(text: str) -> None:
    assert parse_board(text, Color.WHITE) == Position(Size(2, 3), 0b10, 0b100, Color.WHITE)


@pytest.mark.parametrize("text, parts", [
    ("", ["no rows"]),
    ("# nothing\n\n a b", ["no rows"]),
    (". .\n. . .", ["line 2", "3 cells", "2"]),
    ("# top\n. .\n. q", ["line 3", "'q'", "X for Black"]),
    (". .\n3 . .", ["line 2", "row 2", "'3'"]),
    (". .\n. . 1", ["line 2", "row 2", "'1'"]),
    ("1\n2", ["line 1", "no cells"]),
    ("a b c\n. .", ["line 1", "column letters"]),
    ("a c\n. .", ["line 1", "column letters"]),
    ("a b\n. .\na b c", ["line 3", "column letters"]),
    (". .\na b\n. .", ["line 2", "'a'"]),
    ("a b\n. .\na b\na b\n. .\na b", ["line 3", "'a'"]),
    ("." * 65, ["line 1", "65", "64"]),
    ("\n".join(["........."] * 8), ["line 8", "72", "64"]),
    (". 0", ["line 1", "'0'"]),
    ("1 . 0 .", ["line 1", "'0'"]),
    ("a b\n1B . 1", ["line 2", "'1'"]),
    ("a b\n1 . W18", ["line 2", "'1'"]),
    ("a b\n1 . Q 1", ["line 2", "'q'"]),
])
def test_bad_boards(text: str, parts: list[str]) -> None:
    refused(lambda: parse_board(text, Color.BLACK), *parts)


@given(games(), st.sampled_from(["", "https://hexworld.org/board/", " hexworld.org/board/"]))
def test_hexworld_links_round_trip(game: tuple[Size, list[int]], host: str) -> None:
    size, moves = game
    position, read = parse_hexworld(host + format_hexworld(size, moves) + "\n")
    assert position == position_after(size, moves) and read == moves


@pytest.mark.parametrize("link, moves", [
    ("#6", ""),
    ("#6c1,", ""),
    ("6c1,a2c3", "a2 c3"),
    ("#6x6r9nc1m,A2 c3", "a2 c3"),
    ("#6c1,a2c3,d4e5", "a2 c3"),
    ("#6c1,,d4zz99", ""),
    ("https://hexworld.org/board/#6r9c1,a2c3:rw", "a2 c3"),
    ("#6c1,a2:Sc3:fb", "a2 c3"),
    ("https://hexanna1.github.io/hex-study/y.html#6c1%2Ca2c3", "a2 c3"),
])
def test_hexworld_moves(link: str, moves: str) -> None:
    game = parse_hexworld(link)
    assert game.position.size == SIX and format_moves(SIX, game.moves or []) == moves


def test_hexworld_swap_mirrors_the_stones() -> None:
    def stones(link: str) -> tuple[str, str, str]:
        position = parse_hexworld(link).position
        assert parse_hexworld(link).moves is None
        drawn = format_board(position).replace(" ", "")
        return drawn.replace("\n", "/"), str(position.black.bit_count()), str(position.to_move)

    assert stones("#3c1,a2:s") == ("abc/1.W.1/2...2/3...3/abc", "0", "black")
    assert stones("#3c1,a2:sa2") == ("abc/1.W.1/2B..2/3...3/abc", "1", "white")
    assert stones("#3c1,a2:s:s") == ("abc/1...1/2B..2/3...3/abc", "1", "white")
    refused(lambda: parse_hexworld("#3x4c1,a2:s"), "3x4", "square")


def test_hexworld_passes() -> None:
    position, moves = parse_hexworld("#3x2c1,a1:pc2")
    assert position == Position(Size(3, 2), 0b100_001, 0, Color.WHITE) and moves is None
    assert parse_hexworld("#21x3c1,:p").position == Position(Size(21, 3), 0, 0, Color.WHITE)


@pytest.mark.parametrize("link, parts", [
    ("", ["HexWorld"]),
    ("https://hexworld.org/board/", ["HexWorld", "#6c1,a2c3"]),
    ("#c1,a2", ["HexWorld"]),
    ("#6xc1,a2", ["HexWorld"]),
    ("#11c1,a2", ["11x11"]),
    ("#" + "9" * 5000, ["board"]),
    ("#6c1,a2:q", ["':q'", "move"]),
    ("#6c1,a2c", ["'c'", "move"]),
    ("#6c1,a2g1", ["'g1'", "6x6"]),
    ("#6c1,a2b3a2", ["a2", "occupied"]),
])
def test_bad_hexworld_links(link: str, parts: list[str]) -> None:
    refused(lambda: parse_hexworld(link), *parts)


def reads_or_refuses(read: Callable[[], object]) -> None:
    try:
        read()
    except InputError as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) < 200


def noise(alphabet: str) -> st.SearchStrategy[str]:
    """Any text, and text made of the characters that a reader knows."""
    return st.one_of(st.text(), st.text(alphabet=alphabet, max_size=80))


fuzzed = settings(deadline=None, max_examples=300)


@fuzzed
@given(noise("0123456789xX× "))
def test_any_text_as_size(text: str) -> None:
    reads_or_refuses(lambda: parse_size(text))


@fuzzed
@given(sizes, noise("abcdfgzAF0123456789, \n"))
def test_any_text_as_moves(size: Size, text: str) -> None:
    reads_or_refuses(lambda: position_after(size, parse_moves(size, text)))


@fuzzed
@given(noise("aAbBcwWxo.0123*#- \n\n"), st.sampled_from(Color))
def test_any_text_as_board(text: str, to_move: Color) -> None:
    reads_or_refuses(lambda: parse_board(text, to_move))


@fuzzed
@given(st.one_of(noise("#,:%abc123xspSrfw "), noise("abc123:spSrfbw,%").map(lambda moves: f"#3c1,{moves}")))
@example("#6" + "c" * 50_000 + "!")
@example("#6c1," + "a" * 50_000)
@example("#6c1," + ":p" * 50_000)
def test_any_text_as_hexworld_link(link: str) -> None:
    reads_or_refuses(lambda: parse_hexworld(link))


@pytest.mark.parametrize("unit", ["a", "1", ".", "b ", ".\n", "a1 ", "#", ",", " ", "6x"])
def test_long_text_is_refused_at_once(unit: str) -> None:
    text = unit * 200_000
    reads_or_refuses(lambda: parse_size(text))
    reads_or_refuses(lambda: parse_moves(SIX, text))
    reads_or_refuses(lambda: parse_board(text, Color.BLACK))
    reads_or_refuses(lambda: parse_board(f"a\n1 {text} 1", Color.BLACK))
    reads_or_refuses(lambda: parse_hexworld(text))
    reads_or_refuses(lambda: parse_hexworld(f"#6c1,{text}"))
