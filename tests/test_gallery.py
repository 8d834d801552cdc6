"""The pictures in runs/gallery show the values of the tables in runs/reference, and nothing else."""

import csv
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from test_picture import SVG, by_class, cells_in, label, marks

RUNS = Path(__file__).parent.parent / "runs"
GALLERY = RUNS / "gallery"
NAMES = [f"{n}x{n}-{metric}" for n in range(3, 7) for metric in ("checkmate", "connection")] + ["7x7-checkmate"]


def reference(name: str) -> dict[str, tuple[str, str]]:
    """Winner and length by opening."""
    with (RUNS / "reference" / f"{name}.csv").open() as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["opening"]: (row["winner"], row.get("length") or row["upper"]) for row in rows}


def test_the_gallery_is_whole() -> None:
    assert sorted(path.stem for path in GALLERY.glob("*.svg")) == NAMES
    page = (GALLERY / "README.md").read_text()
    assert all(f"({name}.svg)" in page for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_shows_its_table(name: str) -> None:
    size, metric = name.split("-")
    picture, table = ET.parse(GALLERY / f"{name}.svg").getroot(), reference(name)
    assert picture.findtext(SVG + "title") == f"Hex {size.replace('x', '×')}"
    (heading,) = by_class(picture, "heading")
    assert [text.text for text in heading][1] == f"Winner and plies to {metric} after each first move of Black"
    cells = cells_in(picture)
    assert set(cells) == set(table)
    for opening, (winner, length) in table.items():
        cell = cells[opening]
        assert (label(cell), marks(cell)) == (length, [winner])
        assert cell.findtext(SVG + "title") == f"{opening}: {winner.capitalize()} wins in {length} plies"
    (legend,) = by_class(picture, "legend")
    lines = {text.text for text in legend.iter(SVG + "text")}
    for winner in ("black", "white"):
        count = sum(value[0] == winner for value in table.values())
        assert f"{winner.capitalize()} wins: {count} of {len(table)}" in lines
