"""The run files in runs/ and their tables: whole, consistent with each other, with what is known elsewhere, and with other searches."""

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from positions import BLACK, WHITE, Setup, opening, read_data
from test_length import winner_and_length

from solver import kernel
from solver.bounds import read_bounds
from solver.notation import format_cell, parse_cell, parse_size
from solver.openings import job_list
from solver.position import Size
from solver.run import Run

RUNS = Path(__file__).parent.parent / "runs"
FILES = sorted(file.stem for file in RUNS.glob("*.toml") if Run.load(file).bounds is None)
RECTANGLES = {Size(m, n) for m in range(1, 31) for n in range(1, 31) if m != n and m * n <= 30}
SLOW = {"7x7", "8x8", "6x6-checkmate", "6x6-connection", "rectangles-checkmate", "rectangles-connection"}

# Other orders of the moves, and with them other proofs of the same answers: no learning from moves that succeeded and none from proofs of
# winners; or the order of a kernel that helps another one.
ORDERINGS = {
    "unlearned": lambda: kernel.Kernel(6, 6, history=0, guess=0, patterns=0),
    "helping": lambda: kernel.Kernel(6, 6, partner=kernel.Kernel(6, 6)),
}
QUICK_6X6 = ("d1", "e1", "d3")


class Value(NamedTuple):
    winner: str
    length: int | None


@cache
def load(name: str) -> Run:
    return Run.load(RUNS / f"{name}.toml")


def read(reference: Path | None) -> list[dict[str, str]]:
    """The lines of a table without the node counts, which belong to a version of the program."""
    assert reference is not None
    with reference.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [{column: value for column, value in row.items() if column != "nodes"} for row in rows]


@cache
def values(metric: str) -> dict[tuple[str, str], Value]:
    """By size and opening: what the tables of a metric say."""
    found = {}
    for name in FILES:
        run = load(name)
        if run.metric == metric:
            for row in read(run.reference):
                size = row.get("size") or str(*run.openings)
                found[size, row["opening"]] = Value(row["winner"], int(row["length"]) if "length" in row else None)
    return found


def test_the_run_files() -> None:
    squares = [f"{n}x{n}" for n in range(1, 9)] + [f"{n}x{n}-connection" for n in range(1, 7)]
    assert FILES == sorted([*squares, "6x6-checkmate", "rectangles-checkmate", "rectangles-connection"])
    for name in FILES:
        run = load(name)
        assert all(cells == tuple(range(size.cells)) for size, cells in run.openings.items())
        assert set(map(str, run.openings)) == {name.split("-")[0]} or set(run.openings) == RECTANGLES
        assert run.reference == RUNS / "reference" / (f"{name}.csv" if "-" in name else f"{name}-{run.metric}.csv")


@pytest.mark.parametrize("name", FILES)
def test_a_table_is_whole_and_the_same_for_images(name: str) -> None:
    run = load(name)
    wanted = [(str(size), format_cell(size, cell)) for size, cells in run.openings.items() for cell in cells]
    rows = read(run.reference)
    assert [(row.get("size") or str(*run.openings), row["opening"]) for row in rows] == wanted
    table = values(run.metric)
    for size, cells in run.openings.items():
        for cell in cells:
            value, image = (table[str(size), format_cell(size, at)] for at in (cell, size.cells - 1 - cell))
            assert value == image
            assert value.length is None or value.length % 2 == (value.winner == "white")


@pytest.mark.parametrize("file", ["winners.csv", "lengths.csv"])
def test_tables_say_what_is_known(file: str) -> None:
    compared = 0
    for row in read_data(file):
        metric, length = row.get("metric", "winner"), row.get("length")
        for other in {metric, "winner", "checkmate"} if metric == "winner" else {metric}:
            value = values(other).get((row["size"], row["opening"]))
            if value is not None:
                assert value.winner == row["winner"], row
                assert length is None or value.length == int(length), row
                compared += 1
    assert compared >= len(read_data(file))


def test_metrics_agree() -> None:
    winners, checkmates, connections = values("winner"), values("checkmate"), values("connection")
    assert set(checkmates) == set(connections)
    for key, mate in checkmates.items():
        assert mate.winner == connections[key].winner and mate.length <= connections[key].length, key
        assert mate.winner == winners.get(key, mate).winner, key


def test_bounds_on_7x7() -> None:
    run, size = load("7x7-checkmate"), Size(7, 7)
    assert run.bounds is not None
    known = read_bounds(run.bounds, size, run.metric)
    assert list(known) == list(range(size.cells))
    for cell, solution in known.items():
        assert solution.winner is None or str(solution.winner) == values("winner")["7x7", format_cell(size, cell)].winner
        image = known[size.cells - 1 - cell]
        assert (solution.winner, solution.lower, solution.upper) == (image.winner, image.lower, image.upper)
        for bound in (solution.lower, solution.upper) if solution.winner is not None else ():
            assert not bound or bound % 2 == solution.winner
    assert any(solution.lower > 20 for solution in known.values())


@pytest.mark.parametrize("metric", ["checkmate", "connection"])
@pytest.mark.parametrize("cells", [range(1, 21), pytest.param(range(21, 31), marks=pytest.mark.slow)])
def test_white_first_on_the_mirrored_board(metric: str, cells: range) -> None:
    """Mirrored in the long diagonal, with the colours exchanged: another question for the kernel, with the same answer."""
    for (size, cell), value in values(metric).items():
        board = parse_size(size)
        if board.cells in cells:
            setup = Setup(board.columns, board.rows, black=1 << parse_cell(board, cell)).reflected()
            winner, length = winner_and_length(solver(setup.columns, setup.rows), setup, BLACK, metric)
            assert (("white", "black")[winner], length) == value, (size, cell)


@cache
def solver(columns: int, rows: int) -> kernel.Kernel:
    return kernel.Kernel(columns, rows, memory=64 << 20)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in FILES])
def test_another_run_writes_the_table_again(tmp_path: Path, name: str) -> None:
    run = load(name)
    again = replace(run, path=tmp_path / "again.toml", reference=tmp_path / "again.csv")
    again.execute(None, progress=False)
    assert read(again.reference) == read(run.reference)


def test_node_counts_do_not_depend_on_the_workers(tmp_path: Path) -> None:
    tables = set()
    for workers in (1, 2):
        run = replace(load("5x5"), path=tmp_path / "5x5.toml", reference=tmp_path / "5x5.csv", nodes=True, workers=workers)
        run.execute(None, progress=False)
        tables.add(run.reference.read_text())
    assert len(tables) == 1


CLASSES_6X6 = [format_cell(Size(6, 6), cell) for cell in job_list(Size(6, 6), range(36))]


@pytest.mark.parametrize("ordering", ORDERINGS)
@pytest.mark.parametrize(
    "cell", [pytest.param(cell, marks=() if cell in QUICK_6X6 else pytest.mark.slow) for cell in CLASSES_6X6]
)
def test_another_ordering_finds_the_same_lengths(cell: str, ordering: str) -> None:
    """Of the image by half a turn, so that no search repeats the one of the table."""
    image, searcher = opening("6x6", cell).rotated(), ORDERINGS[ordering]()
    for metric in ("checkmate", "connection"):
        winner, length = winner_and_length(searcher, image, WHITE, metric)
        assert (("black", "white")[winner], length) == values(metric)["6x6", cell], metric
