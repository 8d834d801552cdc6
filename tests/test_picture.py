"""Pictures: read back as XML, and looked at as a reader would, in grey too."""

import doctest
import json
import re
import subprocess
import sys
import time
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from positions import read_data

import books.picture
from books.chart import table_svg
from books.picture import CARRIER, EMPTY, Key, Swatch, board, pattern, png
from solver.notation import format_cell, parse_cell, parse_moves, parse_size, position_after
from solver.position import Color, InputError, Position, Size
from solver.solution import Solution

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
SIZES = [Size(*size) for size in ((1, 1), (2, 2), (3, 3), (6, 6), (8, 8), (4, 7), (7, 4), (1, 9), (64, 1))]


def known_table(size: str, metric: str) -> dict[int, Solution]:
    """The opening table that the tests' data tell; they name one of each two symmetric openings, or both."""
    board_size, table = parse_size(size), {}
    for row in read_data("lengths.csv"):
        if (row["size"], row["metric"]) == (size, metric):
            cell = parse_cell(board_size, row["opening"])
            for image in {cell, board_size.cells - 1 - cell}:
                table[image] = solved(board_size, image, metric, Color[row["winner"].upper()], int(row["length"]))
    assert len(table) == board_size.cells
    return dict(sorted(table.items()))


def solved(size: Size, opening: int, metric: str, winner: Color | None, lower: int, upper: int | None = None) -> Solution:
    """What a search might tell of an opening."""
    return Solution(Position.start(size).play(opening), metric, winner, lower, lower if upper is None else upper, "search")


def by_class(tree: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in tree.iter() if name in element.get("class", "").split()]


def cells_in(tree: ET.Element) -> dict[str, ET.Element]:
    """The groups of the cells by name; each is there once."""
    groups = by_class(tree, "cell")
    cells = {group.get("data-cell", ""): group for group in groups}
    assert len(cells) == len(groups)
    return cells


def corners(polygon: ET.Element) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in polygon.get("points", "").split()]


def hexagon(cell: ET.Element) -> ET.Element:
    (polygon,) = cell.findall(SVG + "polygon")
    return polygon


def middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    return tuple(sum(values) / len(points) for values in zip(*points))


def label(cell: ET.Element) -> str | None:
    return cell.findtext(SVG + "text")


def marks(cell: ET.Element) -> list[str]:
    return [mark.get("class", "").removeprefix("mark ") for mark in by_class(cell, "mark")]


def luminance(color: str) -> float:
    """As WCAG 2 defines it: 0 black, 1 white."""
    channels = (int(color[start:start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_examples() -> None:
    assert doctest.testmod(books.picture).failed == 0


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_cell_is_there_once_and_lies_in_the_rhombus(size: Size) -> None:
    cells = cells_in(ET.fromstring(board(Position.start(size))))
    assert list(cells) == [format_cell(size, cell) for cell in range(size.cells)]
    places = [middle(corners(hexagon(group))) for group in cells.values()]
    width = 2 * max(x - places[0][0] for x, _ in corners(hexagon(cells["a1"])))
    for cell, (x, y) in enumerate(places):
        row, column = divmod(cell, size.columns)
        assert x - places[0][0] == pytest.approx((column + row / 2) * width, rel=0.01, abs=0.2)
        assert y - places[0][1] == pytest.approx(row * width * 3**0.5 / 2, rel=0.01, abs=0.2)


@pytest.mark.parametrize("size", [Size(3, 3), Size(4, 7)], ids=str)
def test_neighbours_and_only_they_share_a_side(size: Size) -> None:
    points = [corners(hexagon(group)) for group in cells_in(ET.fromstring(board(Position.start(size)))).values()]
    for one, other in combinations(range(size.cells), 2):
        shared = sum(abs(x1 - x2) + abs(y1 - y2) < 1 for x1, y1 in points[one] for x2, y2 in points[other])
        (row1, column1), (row2, column2) = divmod(one, size.columns), divmod(other, size.columns)
        adjacent = (row2 - row1, column2 - column1) in {(0, 1), (1, 0), (1, -1)}
        assert (shared == 2) == adjacent


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_edges_wear_their_players_colours(size: Size) -> None:
    tree = ET.fromstring(board(Position.start(size)))
    x, y = middle([middle(corners(hexagon(group))) for group in cells_in(tree).values()])
    edges = by_class(tree, "edge")
    assert [edge.get("class") for edge in edges] == ["edge black", "edge white"] * 2
    top, right, bottom, left = ([corner for corner in corners(edge)] for edge in edges)
    assert max(corner[1] for corner in top) < y < min(corner[1] for corner in bottom)
    assert middle(left)[0] < x < middle(right)[0]
    assert luminance(edges[0].get("fill", "")) < 0.02 and luminance(edges[1].get("fill", "")) == 1
    for edge in edges:  # seen on white paper
        assert contrast(edge.get("stroke", ""), "#ffffff") > 4.5


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("coordinates", [True, False])
def test_everything_lies_on_the_page(size: Size, coordinates: bool) -> None:
    legend = [Key([Swatch()], "Three")]
    tree = ET.fromstring(board(Position.start(size), coordinates=coordinates, heading=["One", "Two"], legend=legend))
    _, _, width, height = map(float, tree.get("viewBox", "").split())
    for part in tree.findall(SVG + "g"):
        right, down = map(float, re.findall(r"[-\d.]+", part.get("transform", "")))
        points = [corner for polygon in part.iter(SVG + "polygon") for corner in corners(polygon)]
        points += [(float(text.get("x", "")), float(text.get("y", ""))) for text in part.iter(SVG + "text")]
        assert all(0 < right + x < width and 0 < down + y < height for x, y in points)
    names = [text.text for text in by_class(tree, "coordinate")]
    columns = [format_cell(size, column).removesuffix("1") for column in range(size.columns)]
    assert sorted(names) == sorted(2 * (columns + [str(row + 1) for row in range(size.rows)]) if coordinates else [])


def test_a_position_with_all_that_can_be_on_it() -> None:
    size = Size(4, 3)
    svg = board(
        position_after(size, parse_moves(size, "b2 c1")), fill={0: "#102030"}, labels={0: "<&>", 5: "1"}, marks={3: Color.WHITE},
        titles={0: 'the "best" <move>'}, carrier=0b1100_0000_0000, heading=["A & B", "more"], style=".cell:hover { opacity: 0.5 }",
        width=400,
    )
    assert svg.isascii() and svg._repr_svg_() == svg
    tree = ET.fromstring(svg)
    assert tree.findtext(SVG + "title") == "A & B"
    assert tree.get("width") == "400" and tree.findtext(SVG + "style")
    cells = cells_in(tree)
    assert cells["a1"].findtext(SVG + "title") == 'a1: the "best" <move>'
    assert cells["b2"].findtext(SVG + "title") == "b2: Black's stone"
    assert cells["c3"].findtext(SVG + "title") == "c3: empty, in the carrier"
    assert cells["a2"].findtext(SVG + "title") == "a2: empty"
    assert hexagon(cells["a1"]).get("fill") == "#102030" and hexagon(cells["a2"]).get("fill") == EMPTY
    assert (label(cells["a1"]), label(cells["b2"]), label(cells["a2"])) == ("<&>", "1", None)
    assert {name: marks(cell) for name, cell in cells.items() if marks(cell)} == {"d1": ["white"]}
    stones = {name: [stone.get("class") for stone in by_class(cell, "stone")] for name, cell in cells.items()}
    assert {name: found for name, found in stones.items() if found} == {"b2": ["stone black"], "c1": ["stone white"]}
    assert [cell.get("data-cell") for cell in by_class(tree, "carrier")] == ["c3", "d3"]


def test_a_colour_in_other_words_is_refused() -> None:
    with pytest.raises(ValueError, match="'red' is no colour"):
        board(Position.start(Size(2, 2)), fill={0: "red"})


def test_a_pattern_shows_its_carrier_and_the_move() -> None:
    size = Size(3, 3)
    position = position_after(size, parse_moves(size, "a1 c1"))
    carrier = sum(1 << parse_cell(size, cell) for cell in ("b2", "a3", "b3"))
    tree = ET.fromstring(pattern(position, carrier, move=parse_cell(size, "b2"), heading=["Black wins"]))
    assert [cell.get("data-cell") for cell in by_class(tree, "carrier")] == ["b2", "a3", "b3"]
    assert marks(cells_in(tree)["b2"]) == ["black"]
    assert contrast(CARRIER, EMPTY) > 1.4  # a shade that survives printing
    with pytest.raises(ValueError, match="empty cells only"):
        pattern(position, 1)


@pytest.mark.parametrize("size", ["1x1", "3x3", "4x3", "5x5", "6x6"])
def test_the_table_shows_every_length(size: str) -> None:
    table = known_table(size, "checkmate")
    tree = ET.fromstring(table_svg(table))
    assert tree.findtext(SVG + "title") == f"Hex {size.replace('x', '×')}"
    assert any("plies to checkmate" in (text.text or "") for text in tree.iter(SVG + "text"))
    cells = cells_in(tree)
    assert list(cells) == [format_cell(parse_size(size), cell) for cell in table]
    for (name, cell), solution in zip(cells.items(), table.values()):
        assert label(cell) == str(solution.length)
        assert marks(cell) == [str(solution.winner)]
        assert cell.findtext(SVG + "title") == f"{name}: {str(solution.winner).capitalize()} wins in {solution.length} plies"


@pytest.mark.parametrize("size", ["3x3", "5x5", "6x6"])
def test_winners_and_lengths_can_be_told_apart_in_grey(size: str) -> None:
    table = known_table(size, "checkmate")
    cells = cells_in(ET.fromstring(table_svg(table))).values()
    shades = {winner: {} for winner in Color}
    for cell, solution in zip(cells, table.values()):
        ground = hexagon(cell).get("fill", "")
        shades[solution.winner][solution.length] = luminance(ground)
        (text,), (mark,) = cell.findall(SVG + "text"), by_class(cell, "mark")
        assert contrast(text.get("fill", ""), ground) > 4.5
        assert max(contrast(mark.get(paint, ""), ground) for paint in ("fill", "stroke")) > 4.5
        assert contrast(mark.get("fill", ""), "#ffffff" if solution.winner == Color.BLACK else "#000000") > 15
    assert min(shades[Color.WHITE].values()) > 2 * max(shades[Color.BLACK].values())
    for by_length in shades.values():
        assert all(shorter[1] > longer[1] for shorter, longer in pairwise(sorted(by_length.items())))


def test_the_legend_has_each_length_or_some_of_many() -> None:
    def lengths(table: dict[int, Solution]) -> list[str | None]:
        (legend,) = by_class(ET.fromstring(table_svg(table)), "legend")
        return [text.text for text in by_class(legend, "label")]

    assert lengths(known_table("6x6", "checkmate")) == ["14", "18", "20", "22", "24", "28", "15", "17", "19"]
    size = Size(6, 6)
    many = lengths({cell: solved(size, cell, "connection", Color.BLACK, 2 * (cell % 18)) for cell in range(36)})
    assert len(many) == 7 and (many[0], many[-1]) == ("0", "34")


def test_a_table_of_winners_has_no_numbers() -> None:
    size = Size(3, 3)
    winners = [Color.BLACK if cell in (2, 3, 4, 5, 6) else Color.WHITE for cell in range(size.cells)]
    svg = table_svg({cell: solved(size, cell, "winner", winner, 0, 8) for cell, winner in enumerate(winners)})
    cells = cells_in(ET.fromstring(svg))
    assert "plies" not in svg and not any(label(cell) for cell in cells.values())
    assert [name for name, cell in cells.items() if marks(cell) == ["black"]] == ["c1", "a2", "b2", "c2", "a3"]


def test_what_is_not_known_is_shown_as_that() -> None:
    size = Size(3, 3)
    table = {cell: solved(size, cell, "checkmate", None, 0, 8) for cell in range(7)}
    table[7] = solved(size, 7, "checkmate", Color.WHITE, 3, 7)
    svg = table_svg(table)  # of some openings only
    cells = cells_in(ET.fromstring(svg))
    assert [label(cell) for cell in cells.values()] == ["?"] * 7 + ["3+", None]
    assert cells["a1"].findtext(SVG + "title") == "a1: not known"
    assert cells["b3"].findtext(SVG + "title") == "b3: White wins in 3 to 7 plies"
    assert "at least so many" in svg and "Not known: 7 of 8" in svg


def test_png() -> None:
    pytest.importorskip("cairosvg", exc_type=ImportError)
    data = png(board(Position.start(Size(2, 2))), scale=1)
    assert data.startswith(PNG_SIGNATURE) and len(data) > 1000


@pytest.mark.parametrize("failure, message", [
    ("ImportError", "cairosvg, which is not installed; run .* -m pip install cairosvg, or choose the format svg"),
    ("OSError", "the cairo library, which cairosvg does not find; install it"),
])
def test_png_says_what_is_missing(failure: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cairosvg.py").write_text(f"raise {failure}('no cairo')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cairosvg", raising=False)
    with pytest.raises(InputError, match=message):
        png(board(Position.start(Size(2, 2))))


def hexbook(*arguments: str | Path, status: int = 0, path: Path | None = None) -> bytes:
    """What `hexbook table` prints; of a failure, its one line. `path` comes first where Python looks for modules."""
    command = [sys.executable, "-m", "solver", "table", *map(str, arguments), "--store", "none", "--workers", "1"]
    environment = {"PYTHONPATH": str(path)} if path else None
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=60, env=environment)
    assert done.returncode == status, done.stderr
    if status == 2:
        assert re.fullmatch(rb"hexbook: [^\n]+\n", done.stderr) and not done.stdout
        return done.stderr
    return done.stdout


def test_the_command_draws(tmp_path: Path) -> None:
    printed = hexbook("3", "--format", "svg")
    assert len(cells_in(ET.fromstring(printed))) == 9
    assert hexbook("3", "-o", tmp_path / "a.SVG") == b""
    assert (tmp_path / "a.SVG").read_bytes() == printed
    hexbook("3", "-o", tmp_path / "table.json")
    assert json.loads((tmp_path / "table.json").read_text())["openings"]["c1"] == {"winner": "black", "length": 4}
    hexbook("2", "--format", "text", "-o", tmp_path / "b.svg")
    assert (tmp_path / "b.svg").read_text().startswith("2x2: winner")
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError):
        return
    hexbook("2", "-o", tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes().startswith(PNG_SIGNATURE)


def test_the_command_refuses_early(tmp_path: Path) -> None:
    (tmp_path / "cairosvg.py").write_text("raise ImportError\n")
    start = time.monotonic()
    assert re.search(rb"text.*csv.*json.*svg.*png", hexbook("6", "--format", "gif", status=2))
    assert b"cannot be written" in hexbook("6", "-o", tmp_path / "none" / "a.svg", status=2)
    assert b"cannot be written" in hexbook("6", "-o", tmp_path, status=2)
    assert b"pip install cairosvg" in hexbook("6", "--format", "png", status=2, path=tmp_path)
    assert time.monotonic() - start < 8  # not after the search
