"""Lengths narrowed from both sides: the questions, the table that remembers the answers, and a run from nothing to the exact lengths."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_cli import hexbook

from solver.bounds import read_bounds, write_bounds
from solver.brackets import Brackets, combined
from solver.job import Job
from solver.notation import parse_cell
from solver.position import Color, InputError, Position, Size
from solver.run import Run
from solver.solution import Solution
from solver.store import Store

SIZE = Size(4, 4)
REFERENCE = Path(__file__).parents[1] / "runs" / "reference" / "4x4-checkmate.csv"


def unknown(cell: int) -> Solution:
    position = Position.start(SIZE).play(cell)
    return Solution(position, "checkmate", None, 0, position.empty.bit_count(), "search")


def answer(job: Job, length: int) -> Solution:
    """What an engine finds for which no question is too long; Black wins in an even number of plies."""
    assert job.most is not None
    known = replace(unknown(job.position.black.bit_length() - 1), winner=Color.BLACK)
    return replace(known, upper=job.most) if length <= job.most else replace(known, lower=job.most // 2 * 2 + 2)


def rows(file: Path) -> dict[str, dict[str, str]]:
    lines = (line for line in file.read_text().splitlines() if not line.startswith("#"))
    return {row["opening"]: row for row in csv.DictReader(lines)}


@pytest.mark.parametrize("length", range(0, 16, 2))
def test_questions_end_at_the_length(length: int) -> None:
    brackets = Brackets([unknown(5)], seconds=100)
    known, questions = unknown(5), 0
    while (job := brackets.take()) is not None:
        assert job.most is not None and known.lower <= job.most < known.upper, "a question whose answer is known"
        known = brackets.learn(job, answer(job, length)) or known
        questions += 1
    assert (known.winner, known.lower, known.upper) == (Color.BLACK, length, length)
    assert questions <= 8


def test_questions_take_longer_until_the_limit() -> None:
    brackets, asked = Brackets([unknown(5), unknown(6)], seconds=50), list[tuple[int, float]]()
    while (job := brackets.take()) is not None:
        assert brackets.learn(job, None if len(asked) % 2 else unknown(job.position.black.bit_length() - 1)) is None
        asked.append((job.position.black.bit_length() - 1, job.seconds or 0))
    assert {seconds for _, seconds in asked} == {10, 20, 40}
    assert [seconds for _, seconds in asked] == sorted(seconds for _, seconds in asked)
    assert {cell for cell, _ in asked} == {5, 6}


def test_no_opening_is_asked_about_twice_at_once() -> None:
    brackets = Brackets([unknown(5), unknown(6)], seconds=50)
    first, second = brackets.take(), brackets.take()
    assert first is not None and second is not None and first.position != second.position
    assert brackets.take() is None
    brackets.put_back(first)
    assert brackets.take() == first


def test_bounds_of_two_searches() -> None:
    one = replace(unknown(5), winner=Color.BLACK, lower=4, upper=10, nodes=7)
    other = replace(one, lower=6, upper=12, nodes=5, seconds=2.0)
    assert combined(one, other) == replace(one, lower=6, upper=10, nodes=7, seconds=2.0)


def run_file(directory: Path, *lines: str) -> Path:
    file = directory / "narrow.toml"
    keys = ('size = "4x4"', 'metric = "checkmate"', 'openings = "all"', 'bounds = "tables/bounds.csv"', "memory = 32", "workers = 1")
    file.write_text("\n".join((*keys, *lines)))
    return file


def test_a_run_finds_the_lengths_and_believes_its_table(tmp_path: Path) -> None:
    table = tmp_path / "tables" / "bounds.csv"
    run = Run.load(run_file(tmp_path))
    solutions = run.execute(None, progress=False)
    assert len(solutions) == SIZE.cells and all(solution.solved for solution in solutions)
    found, expected = rows(table), rows(REFERENCE)
    assert {name: (row["winner"], row["lower"]) for name, row in found.items()} == {
        name: (row["winner"], row["length"]) for name, row in expected.items()
    }
    assert all(row["lower"] == row["upper"] and row["proof"] == "exact" for row in found.values())
    before, log = table.read_text(), run.log.read_text()
    assert [solution.length for solution in run.execute(None, progress=False)] == [solution.length for solution in solutions]
    assert (table.read_text(), run.log.read_text()) == (before, log), "nothing is searched again"


def test_a_run_goes_on_from_the_bounds_of_an_image(tmp_path: Path) -> None:
    table = tmp_path / "tables" / "bounds.csv"
    table.parent.mkdir()
    length = int(rows(REFERENCE)["a2"]["length"])
    table.write_text(f"opening,winner,lower,upper,nodes,seconds,proof\nd3,{rows(REFERENCE)['a2']['winner']},{length},{length},1,2.0,exact\n")
    with Store.open(tmp_path / "store") as store:
        Run.load(run_file(tmp_path)).execute(store, progress=False)
        assert store.get(Position.start(SIZE).play(parse_cell(SIZE, "a2")), "checkmate") is None, "a store holds what was searched"
    assert rows(table)["a2"]["nodes"] == "1"


def test_the_opening_table_of_a_table_of_bounds(tmp_path: Path) -> None:
    table = tmp_path / "bounds.csv"
    read = rows(REFERENCE)
    lines = [f"{name},{row['winner']},{row['length']},{row['length']},1,2.0,exact" for name, row in read.items() if name != "b2"]
    text = "\n".join(["opening,winner,lower,upper,nodes,seconds,proof", *lines, "b2,black,0,14,1,2.0,open"]) + "\n"
    table.write_text(text.replace("a1,white", "a1,black").replace("a1,black,5,5", "a1,black,6,6"))
    shown = hexbook("table", "4", "--bounds", table, "--store", "none", "--format", "csv")
    found = {row["opening"]: (row["winner"], row["length"]) for row in csv.DictReader(shown.splitlines())}
    told = {name: (row["winner"], row["length"]) for name, row in read.items()}
    assert found == told | {"a1": ("black", "6")}, "what the table says is believed, and what it leaves open is searched"
    for wrong in (("--bounds", tmp_path / "none.csv"), ("--bounds", table, "--metric", "winner")):
        hexbook("table", "4", *wrong, status=2)


def test_a_table_that_a_search_contradicts(tmp_path: Path) -> None:
    table = tmp_path / "tables" / "bounds.csv"
    table.parent.mkdir()
    assert rows(REFERENCE)["a1"]["winner"] == "white"
    table.write_text("opening,winner,lower,upper,nodes,seconds,proof\na1,black,0,14,1,2.0,open\n")
    with pytest.raises(InputError, match="contradicts"):
        Run.load(run_file(tmp_path)).execute(None, progress=False)


def test_a_table_read_is_the_table_written(tmp_path: Path) -> None:
    file = tmp_path / "bounds.csv"
    known = {
        5: replace(unknown(5), winner=Color.BLACK, lower=4, upper=10, nodes=7, seconds=1.5, source="store"),
        6: replace(unknown(6), source="store"),
    }
    write_bounds(file, ["a heading"], known.values())
    assert read_bounds(file, SIZE, "checkmate") == known
    assert read_bounds(tmp_path / "none.csv", SIZE, "checkmate") == {}


def spoilt(change: Callable[[str], str]) -> str:
    return change("opening,winner,lower,upper,nodes,seconds,proof\nb2,black,4,10,7,1.5,open\n")


@pytest.mark.parametrize(
    "text",
    [
        "", "# only a heading\n", spoilt(lambda text: text.replace("lower,", "")), spoilt(lambda text: text.replace("b2", "e5")),
        spoilt(lambda text: text.replace("black", "red")), spoilt(lambda text: text.replace("4,10", "10,4")),
        spoilt(lambda text: text.replace("4,10", "4,99")), spoilt(lambda text: text.replace("1.5", "inf")),
        spoilt(lambda text: text.replace(",7,1.5,open", "")), spoilt(lambda text: text.replace("4,10", "x,10")),
        spoilt(lambda text: text.replace("open", "exact")), spoilt(lambda text: text.replace("4,10,7,1.5,open", "5,5,7,1.5,exact")),
        spoilt(lambda text: text.replace(",7,", f",{1 << 63},")), spoilt(lambda text: text + text.splitlines()[1] + "\n"),
    ],
)
def test_a_table_that_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bounds.csv"
    file.write_text(text)
    with pytest.raises(InputError, match="bounds.csv"):
        read_bounds(file, SIZE, "checkmate")


@pytest.mark.parametrize("lines", [('reference = "r.csv"',), ("nodes = true",), ("split = 5",)])
def test_keys_that_do_not_go_together(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="bounds"):
        Run.load(run_file(tmp_path, *lines))


def test_winners_have_no_bounds(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    file.write_text(file.read_text().replace("checkmate", "winner"))
    with pytest.raises(InputError, match="bounds"):
        Run.load(file)
