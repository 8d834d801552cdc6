"""A board as a picture: functions from positions to SVG text, as readable in grey as in colour.

The edges wear their players' colours: top and bottom black, left and right white. Every cell is a group that names itself, to a
mouse that rests on it and to screen readers::

    <g class="cell" data-cell="c3"><title>c3: Black's stone</title>...</g>

Looks are plain attributes, which any style sheet overrides by the classes `background`, `heading`, `board`, `edge`, `coordinate`,
`cell`, `carrier`, `stone`, `label`, `mark` and `legend`; what belongs to a player has the class `black` or `white` as well.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from books.rhombus import SIDE, Point, centre, coordinates, edges, hexagon
from solver.notation import format_cell
from solver.position import Color, InputError, Position, Size

EMPTY, CARRIER = "#f7f5f0", "#b9cdb5"
"""The fills of an empty cell and of one in the carrier."""

_BLACK, _WHITE, _GREY, _LINE = "#1a1a1a", "#ffffff", "#555555", "#9c9c9c"
_STONES = {Color.BLACK: _BLACK, Color.WHITE: _WHITE}
_FONT = "Helvetica, Arial, sans-serif"
_LETTER = 0.62  # how wide a letter may be, in font sizes
_MARGIN = 16.0  # around everything
_SWATCH = 0.5  # the size of the legend's cells
_COLOR = re.compile("#[0-9a-fA-F]{6}")


class Svg(str):
    """SVG text, all of it ASCII, that a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


class Swatch(NamedTuple):
    """A small cell in a legend."""

    fill: str = EMPTY
    label: str = ""
    mark: Color | None = None


class Key(NamedTuple):
    """A line of a legend: cells as they look on the board, and what they mean."""

    swatches: Sequence[Swatch]
    text: str


def board(
    position: Position,
    *,
    fill: Mapping[int, str] = {},
    labels: Mapping[int, str] = {},
    marks: Mapping[int, Color] = {},
    titles: Mapping[int, str] = {},
    carrier: int = 0,
    coordinates: bool = True,
    heading: Sequence[str] = (),
    legend: Sequence[Key] = (),
    notes: Sequence[str] = (),
    width: int | None = None,
    style: str | None = None,
) -> Svg:
    """Draw a position.

    By cell: `fill` gives colours, written #rrggbb; `labels` short texts, on stones too; `marks` small stones, such as of the player
    who wins after a move there; `titles` what follows the names of the cells. The cells of the mask `carrier` are shaded. Above
    stand the lines of `heading`, the first in bold, below those of `legend` and, smaller, of `notes`. `width` is in pixels (None:
    as wide as the place where the picture is shown); `style` is a style sheet to put in. Raises ValueError for a colour that is
    written otherwise.

    >>> from solver.notation import parse_moves, position_after
    >>> size = Size(3, 3)
    >>> svg = board(position_after(size, parse_moves(size, "b2 c1")), heading=["A start"])
    >>> svg.count('class="cell"'), "<title>c1: White's stone</title>" in svg
    (9, True)
    """
    size = position.size
    rhombus = ET.Element("g", {"class": "board"})
    corners = _draw_edges(rhombus, size)
    if coordinates:
        corners += _draw_coordinates(rhombus, size)
    for cell in range(size.cells):
        shaded = bool(carrier >> cell & 1)
        group = _add(rhombus, "g", "cell carrier" if shaded else "cell", data_cell=format_cell(size, cell))
        _add(group, "title").text = f"{format_cell(size, cell)}: {titles.get(cell) or _contents(position, cell, shaded)}"
        swatch = Swatch(fill.get(cell, CARRIER if shaded else EMPTY), labels.get(cell, ""), marks.get(cell))
        _draw_cell(group, centre(size, cell), 1.0, swatch, _stone(position, cell))
    return _page(rhombus, corners, _heading(heading), _legend(legend, notes), width, style)


def pattern(
    position: Position, carrier: int, *, move: int | None = None, heading: Sequence[str] = (), width: int | None = None
) -> Svg:
    """Draw a threat pattern: the empty cells of `carrier` shaded, and a small stone on `move`, if the side to move wins by one.

    Raises ValueError if the carrier holds a cell that is not empty.
    """
    if carrier & ~position.empty:
        raise ValueError("a carrier holds empty cells only")
    legend, marks = [Key([Swatch(CARRIER)], "carrier")], {}
    if move is not None:
        marks[move] = position.to_move
        legend.append(Key([Swatch(CARRIER, mark=position.to_move)], f"{str(position.to_move).capitalize()} wins by this move"))
    return board(position, carrier=carrier, marks=marks, heading=heading, legend=legend, width=width)


def png(svg: str, scale: float = 3.0) -> bytes:
    """The picture as a PNG file, `scale` pixels to a unit of its viewBox. Raises InputError as `require_png` does."""
    require_png()
    from cairosvg import svg2png

    return bytes(svg2png(bytestring=svg.encode(), scale=scale))


def require_png() -> None:
    """Raise InputError, with what to do about it, where `png` cannot work."""
    try:
        import cairosvg  # noqa: F401
    except ImportError:
        advice = f"run {sys.executable} -m pip install cairosvg, or choose the format svg"
        raise InputError(f"PNG pictures need cairosvg, which is not installed; {advice}") from None
    except OSError:
        advice = "install it (libcairo2 on Debian), or choose the format svg"
        raise InputError(f"PNG pictures need the cairo library, which cairosvg does not find; {advice}") from None


def _draw_edges(parent: ET.Element, size: Size) -> list[Point]:
    """Draw the edges; their corners."""
    corners = []
    for color, outline in edges(size):
        _polygon(parent, f"edge {color}", outline, _STONES[color], _GREY)
        corners += outline
    return corners


def _draw_coordinates(parent: ET.Element, size: Size) -> list[Point]:
    """Draw the coordinates; the corners of the boxes around them."""
    corners = []
    for text, (x, y) in coordinates(size):
        _text(parent, "coordinate", text, (x, y), 15, _GREY)
        corners += [(x - 9, y - 9), (x + 9, y + 9)]
    return corners


def _draw_cell(parent: ET.Element, middle: Point, scale: float, face: Swatch, stone: Color | None = None) -> None:
    """Draw a hexagon with what is on it. A mark stands in the middle, or below a label."""
    _polygon(parent, "", hexagon(middle, scale * SIDE), face.fill, _LINE)
    ground = face.fill
    if stone is not None:
        _circle(parent, f"stone {stone}", middle, 0.6 * scale * SIDE, _STONES[stone])
        ground = _STONES[stone]
    x, y = middle
    if face.label:
        raised = (x, y - 0.06 * scale * SIDE) if face.mark is not None else middle
        _text(parent, "label", face.label, raised, scale * (24 if len(face.label) < 3 else 19), _ink(ground), bold=True)
    if face.mark is not None:
        low, radius = (0.6, 0.16) if face.label else (0, 0.34)
        _circle(parent, f"mark {face.mark}", (x, y + low * scale * SIDE), radius * scale * SIDE, _STONES[face.mark])


class _Block(NamedTuple):
    """Lines above or below the board."""

    element: ET.Element
    width: float
    height: float


def _page(rhombus: ET.Element, corners: Sequence[Point], head: _Block, foot: _Block, width: int | None, style: str | None) -> Svg:
    """Put a board that reaches to `corners` between heading and legend."""
    (left, top), (right, bottom) = (tuple(map(pick, zip(*corners))) for pick in (min, max))
    below = head.height + bottom - top
    for element, x, y in (head.element, 0, 0), (rhombus, -left, head.height - top), (foot.element, 0, below):
        element.set("transform", f"translate({_MARGIN + x:.1f} {_MARGIN + y:.1f})")
    across = max(right - left, head.width, foot.width) + 2 * _MARGIN
    down = below + foot.height + 2 * _MARGIN

    svg = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {across:.0f} {down:.0f}"})
    if width is not None:
        svg.attrib |= {"width": str(width), "height": f"{width * down / across:.0f}"}
    _add(svg, "title").text = next(head.element.itertext(), "A Hex board")
    if style:
        _add(svg, "style").text = style
    _add(svg, "rect", "background", width="100%", height="100%", fill=_WHITE)
    svg.extend(part for part in (head.element, rhombus, foot.element) if len(part))
    ET.indent(svg)
    return Svg(ET.tostring(svg, encoding="us-ascii").decode())


def _heading(lines: Sequence[str]) -> _Block:
    group, width, y = ET.Element("g", {"class": "heading"}), 0.0, 10.0
    for line in lines:
        size = 15 if y > 10 else 20
        width = max(width, _write(group, line, (0, y), size, _BLACK, bold=y == 10))
        y += 24
    return _Block(group, width, y if lines else 0)


def _legend(keys: Sequence[Key], notes: Sequence[str]) -> _Block:
    group, width, y = ET.Element("g", {"class": "legend"}), 0.0, 32.0
    side = _SWATCH * SIDE
    for key in keys:
        for place, swatch in enumerate(key.swatches):
            _draw_cell(group, ((place + 0.5) * 1.74 * side, y), _SWATCH, swatch)
        width = max(width, _write(group, key.text, (len(key.swatches) * 1.74 * side + 10, y), 15, _BLACK))
        y += 2.3 * side
    for note in notes:
        width = max(width, _write(group, note, (0, y), 12, _GREY))
        y += 18
    return _Block(group, width, y - 12 if keys or notes else 0)


def _contents(position: Position, cell: int, shaded: bool) -> str:
    stone = _stone(position, cell)
    return ("empty, in the carrier" if shaded else "empty") if stone is None else f"{str(stone).capitalize()}'s stone"


def _stone(position: Position, cell: int) -> Color | None:
    return next((color for color in Color if position.stones(color) >> cell & 1), None)


def _ink(ground: str) -> str:
    """Black or white, whichever can be read on a colour."""
    red, green, blue = (int(ground[start:start + 2], 16) for start in (1, 3, 5))
    return _BLACK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else _WHITE


def _polygon(parent: ET.Element, kind: str, corners: Sequence[Point], fill: str, line: str) -> None:
    if not _COLOR.fullmatch(fill):
        raise ValueError(f"{fill!r} is no colour of the form #rrggbb")
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    _add(parent, "polygon", kind, points=points, fill=fill, stroke=line, stroke_width="1.3", stroke_linejoin="round")


def _circle(parent: ET.Element, kind: str, middle: Point, radius: float, fill: str) -> None:
    rim = _WHITE if fill == _BLACK else _BLACK
    x, y = middle
    _add(parent, "circle", kind, cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:.1f}", fill=fill, stroke=rim, stroke_width="1.2")


def _write(parent: ET.Element, text: str, start: Point, size: float, fill: str, bold: bool = False) -> float:
    """Write a line of text that begins at `start`; where it ends."""
    _text(parent, "", text, start, size, fill, bold).set("text-anchor", "start")
    return start[0] + _LETTER * size * len(text)


def _text(parent: ET.Element, kind: str, text: str, middle: Point, size: float, fill: str, bold: bool = False) -> ET.Element:
    x, y = middle[0], middle[1] + 0.36 * size  # from the middle of the letters down to the line on which they stand
    element = _add(parent, "text", kind, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor="middle", font_family=_FONT, font_size=f"{size:g}",
                   font_weight="bold" if bold else "normal", fill=fill)
    element.text = text
    return element


def _add(parent: ET.Element, tag: str, kind: str = "", **attributes: str) -> ET.Element:
    """A new element in `parent`, of the class `kind`."""
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return ET.SubElement(parent, tag, {"class": kind} | named if kind else named)

