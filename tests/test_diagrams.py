"""Boards drawn for the eye: every stone in its place, whatever the orientation."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from test_position import positions, relaxed
from test_sgf import hexbook

from solver import diagrams as module
from solver.diagrams import format_diamond, format_hexwiki, format_upright, format_upside_down
from solver.notation import format_board, format_cell, parse_moves, position_after
from solver.position import Color, Position, Size, cells_of

EXAMPLE = position_after(Size(3, 2), parse_moves(Size(3, 2), "c1 a2"))


def test_docstring_examples() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted and not outcome.failed


def test_the_drawings_at_the_top_of_the_module() -> None:
    assert format_upside_down(EXAMPLE).split("\n") == [
        "    a b c",
        " 2 W . . 2",
        "1 . . B 1",
        " a b c",
    ]
    assert format_diamond(EXAMPLE).split("\n") == [
        "    c",
        "  b   B",
        "a   .   .",
        "  .   .",
        "1   W",
        "  2",
    ]
    assert format_upright(EXAMPLE).split("\n") == [
        "   1 a",
        "  2 . b",
        "   W . c",
        "    . B",
        "     .",
    ]


@relaxed
@given(positions())
def test_diamonds_hold_every_cell_in_order(position: Position) -> None:
    size = position.size
    words = ["B" if position.black >> cell & 1 else "W" if position.white >> cell & 1 else "." for cell in range(size.cells)]
    places = {cell: divmod(cell, size.columns) for cell in range(size.cells)}
    for drawing, line in (format_diamond, lambda row, column: row - column), (format_upright, lambda row, column: row + column):
        order = sorted(range(size.cells), key=lambda cell: (line(*places[cell]), places[cell][1]))
        assert re.findall(r"[.BW]", drawing(position)) == [words[cell] for cell in order]


@relaxed
@given(positions())
def test_upside_down_is_the_mirror_image(position: Position) -> None:
    assert format_upside_down(position).split("\n") == format_board(position).split("\n")[::-1]


@relaxed
@given(positions())
def test_hexwiki_names_rows_first_and_every_stone(position: Position) -> None:
    size = position.size
    markup = re.fullmatch(r'<hexboard size="(\d+)x(\d+)" contents="(.*)"/>', format_hexwiki(position))
    assert markup and (int(markup[1]), int(markup[2])) == (size.rows, size.columns)
    stones: dict[str, list[str]] = {"R": [], "B": []}
    for word in markup[3].split():
        if word in stones:
            color = word
        else:
            stones[color].append(word)
    for letter, side in (("R", Color.BLACK), ("B", Color.WHITE)):
        assert stones[letter] == [format_cell(size, cell) for cell in cells_of(position.stones(side))]


@pytest.mark.parametrize(("name", "drawn"), [
    ("diamond", format_diamond), ("upright", format_upright), ("upside-down", format_upside_down), ("hexwiki", format_hexwiki),
])
def test_show_draws_them(name: str, drawn: object) -> None:
    assert callable(drawn) and hexbook("show", "3x2", "c1 a2", "--format", name) == drawn(EXAMPLE) + "\n"


def test_the_page_of_conventions_shows_what_is_printed() -> None:
    page = (Path(module.__file__).parent / "CONVENTIONS.md").read_text()
    examples = re.findall(r"^\$ hexbook (.*)\n((?:.+\n)+)", page.replace("```", ""), re.MULTILINE)
    assert len(examples) == 7
    for command, printed in examples:
        without_version = re.sub(r"(?<=AP\[hexbook:)[^]]*", "", hexbook(*shlex.split(command)))
        assert without_version == re.sub(r"(?<=AP\[hexbook:)[^]]*", "", printed)
