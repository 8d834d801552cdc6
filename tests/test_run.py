"""Runs: every opening once, whatever is killed, and run files that say what is wrong with them.

A stand-in for the engine keeps a journal of its searches and dies or dawdles on demand.
"""

import doctest
import io
import logging
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from processes import started

import solver.openings
from solver.notation import parse_cell
from solver.openings import job_list, opening, solve_openings
from solver.options import Limits
from solver.position import Color, InputError, Position, Size
from solver.run import Run
from solver.solution import Solution
from solver.store import Record, Store
from solver.worker import Status

SIZE = Size(4, 4)
ALL = range(SIZE.cells)
CLASSES = 8
BOUND = Record(None, 4, None, 1000, 100)
ENDLESS = 120  # seconds, longer than any test here


class StandIn:
    """An engine that needs no time: an opening is won by the colour of its cell's parity, in 6 or 7 plies."""

    def __init__(
        self, size: Size, *, store: Store | None = None, limits: Limits = Limits(), journal: Path,
        deadly: dict[int, int] | None = None, endless: frozenset[int] = frozenset(), wrong: int | None = None, pause: float = 0.0,
        cold: bool,
    ) -> None:
        """`deadly`: how often an opening kills its process; `endless` and `wrong` ones; `pause`: seconds for the others."""
        self.store, self.journal, self.limits, self.deadly = store, journal, limits, deadly or {}
        self.endless, self.wrong, self.pause = endless, wrong, pause

    def __enter__(self) -> "StandIn":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def solve(self, position: Position, metric: str, progress) -> Solution:  # type: ignore[no-untyped-def]
        cell = position.black.bit_length() - 1
        known = self.store and self.store.get(position, metric)
        with self.journal.open("a") as journal:
            journal.write(f"{cell} {os.getpid()} {known.lower if known else 0}\n")
        if searched(self.journal)[cell] <= self.deadly.get(cell, 0):
            os.kill(os.getpid(), signal.SIGKILL)
        if cell == self.wrong:
            raise InputError("the stand-in does not like this opening")
        if self.store and cell in self.endless:
            self.store.put_many([(position, metric, BOUND)])
        end = time.monotonic() + (ENDLESS if cell in self.endless else self.pause)
        while time.monotonic() < end:
            progress(Status(1000, None))
            time.sleep(0.1)
        if self.limits.seconds is not None:
            return Solution(position, metric, None, 2, 9, "search", 100, 0.5)
        length = 6 + cell % 2
        return Solution(position, metric, Color(cell % 2), length, length, "search", 100 + cell, 0.5, move=cell + 1)


def solve(
    journal: Path, metric: str = "checkmate", openings: Iterable[int] = ALL, *, store: Store | None = None, workers: int = 2,
    limits: Limits = Limits(), progress: bool = False, **stand_in: Any,
) -> Generator[Solution, None, None]:
    return solve_openings(
        SIZE, metric, openings, store=store, workers=workers, limits=limits, progress=progress,
        engine=partial(StandIn, journal=journal, **stand_in),
    )


def by_opening(solutions: Iterable[Solution]) -> dict[int, Solution]:
    return {opening(solution): solution for solution in solutions}


def searched(journal: Path) -> Counter[int]:
    """How often each opening was begun."""
    return Counter(int(line.split()[0]) for line in journal.read_text().splitlines()) if journal.exists() else Counter()


def processes(journal: Path) -> set[int]:
    return {int(line.split()[1]) for line in journal.read_text().splitlines()}


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def eventually(condition, seconds: float = 20) -> bool:  # type: ignore[no-untyped-def]
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(condition())


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store") as opened:
        yield opened


WHOLE = 'openings = "all"\nworkers = 2\nreference = "reference/small.csv"\n'


def run_file(directory: Path, rest: str = WHOLE, metric: str = "checkmate") -> Path:
    file = directory / "small.toml"
    file.write_text(f'size = "4x4"\nmetric = "{metric}"\n{rest}')
    return file


@pytest.mark.parametrize("size", [Size(1, 1), Size(2, 2), Size(3, 3), Size(6, 6), Size(4, 7), Size(64, 1)])
def test_the_job_list_has_each_class_once_and_the_first_row_last(size: Size) -> None:
    jobs = job_list(size, range(size.cells))
    assert sorted(cell for cells in jobs.values() for cell in cells) == list(range(size.cells))
    assert len(jobs) == (size.cells + 1) // 2
    assert all(first == cells[0] and set(cells) == {first, size.cells - 1 - first} for first, cells in jobs.items())
    if size == Size(3, 3):
        assert list(jobs) == [parse_cell(size, cell) for cell in ("a2", "b2", "a1", "b1", "c1")]


def test_the_worked_examples() -> None:
    assert doctest.testmod(solver.openings).failed == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_each_class_is_searched_once_and_every_opening_reported(journal: Path, workers: int) -> None:
    solutions = by_opening(solve(journal, workers=workers))
    assert sorted(solutions) == list(ALL)
    assert searched(journal) == Counter(range(CLASSES))
    assert len(processes(journal)) <= workers and (os.getpid() in processes(journal)) == (workers == 1)
    for cell, found in solutions.items():
        first = min(cell, 15 - cell)
        assert found.position == Position.start(SIZE).play(cell)
        assert (found.winner, found.length, found.nodes) == (Color(first % 2), 6 + first % 2, 100 + first)
        assert found.move == (first + 1 if cell == first else 15 - (first + 1))


def test_only_the_named_openings_are_reported(journal: Path) -> None:
    assert sorted(map(opening, solve(journal, openings=[14, 3, 12, 3], workers=1))) == [3, 12, 14]
    assert searched(journal) == Counter([3, 14])


def test_what_the_store_knows_is_not_searched_again(store: Store, journal: Path) -> None:
    first = list(solve(journal, openings=[0, 1, 2], store=store))
    assert {found.source for found in first} == {"search"}
    again = by_opening(solve(journal, store=store))
    assert searched(journal) == Counter(range(CLASSES))
    assert {cell for cell in ALL if again[cell].source == "store"} == {0, 1, 2, 13, 14, 15}
    assert (again[14].winner, again[14].length, again[14].nodes, again[14].seconds) == (Color.WHITE, 7, 101, 0.5)
    winners = list(solve(journal, "winner", store=store))
    assert len(winners) == 16 and all(found.source == "store" and found.length is None for found in winners)


def test_a_limit_leaves_bounds_and_is_tried_again(store: Store, journal: Path) -> None:
    (found,) = solve(journal, openings=[0], store=store, limits=Limits(seconds=1))
    assert not found.solved and (found.winner, found.lower, found.upper) == (None, 2, 9)
    assert store.get(found.position, "checkmate")[:3] == (None, 2, 9)
    (found,) = solve(journal, openings=[0], store=store)
    assert found.solved and searched(journal)[0] == 2


def test_a_killed_worker_costs_only_its_own_job_a_second_try(store: Store, journal: Path) -> None:
    solutions = list(solve(journal, store=store, deadly={1: 1, 6: 1}))
    assert len(solutions) == 16 and all(found.solved for found in solutions)
    assert searched(journal) == Counter(range(CLASSES)) + Counter([1, 6])


def test_a_job_that_kills_two_workers_is_given_up(
    store: Store, journal: Path, caplog: pytest.LogCaptureFixture
) -> None:
    solutions = by_opening(solve(journal, store=store, deadly={1: 9}))
    assert {cell for cell in ALL if not solutions[cell].solved} == {1, 14}
    assert searched(journal) == Counter(range(CLASSES)) + Counter([1])
    assert ["b1/c4 is given up" in record.getMessage() for record in caplog.records] == [True]


def test_an_error_of_the_engine_arrives_and_ends_the_workers(journal: Path) -> None:
    with pytest.raises(InputError, match="does not like"):
        list(solve(journal, wrong=1, endless=frozenset([0])))
    assert not any(map(alive, processes(journal)))


def test_closing_the_iterator_ends_the_workers(journal: Path) -> None:
    found = solve(journal, endless=frozenset([0]))
    next(found)
    start = time.monotonic()
    found.close()
    assert time.monotonic() - start < 5
    assert not any(map(alive, processes(journal)))


def test_a_run_leaves_log_and_reference(tmp_path: Path, store: Store, journal: Path) -> None:
    run = Run.load(run_file(tmp_path))
    table = run.execute(store, progress=False, engine=partial(StandIn, journal=journal))
    assert [opening(found) for found in table] == list(ALL)

    lines = (tmp_path / "reference" / "small.csv").read_text().splitlines()
    assert lines[0].startswith("# 4x4, metric checkmate") and ", run small.toml; each length proved" in lines[1]
    assert lines[2:6] == ["opening,winner,length", "a1,black,6", "b1,white,7", "c1,black,6"]
    assert len(lines) == 3 + 16 and lines[-1] == "d4,black,6"
    assert not list((tmp_path / "reference").glob("*.part"))

    log = run.log.read_text().splitlines()
    assert run.log == tmp_path / "logs" / "small.log" and len(log) == CLASSES
    assert sum("b1/c4 winner=white length=7 nodes=101 seconds=0.50" in line for line in log) == 1

    before = run.reference.read_bytes()
    run.execute(store, progress=False, engine=partial(StandIn, journal=journal))
    assert run.reference.read_bytes() == before and run.log.read_text().splitlines() == log
    run.execute(None, progress=False, engine=partial(StandIn, journal=journal))
    assert run.reference.read_bytes() == before and len(run.log.read_text().splitlines()) == 2 * CLASSES


def test_an_unfinished_run_leaves_the_reference_alone(tmp_path: Path, journal: Path) -> None:
    run = Run.load(run_file(tmp_path, 'openings = ["b1", "a1"]\nseconds = 0.5\nreference = "r.csv"\n'))
    run.reference.write_text("what was there\n")
    table = run.execute(None, progress=False, engine=partial(StandIn, journal=journal))
    assert [found.solved for found in table] == [False, False]
    assert run.reference.read_text() == "what was there\n"
    assert "a1/d4 winner=unknown lower=2 upper=9" in run.log.read_text()


def test_a_run_of_winners_has_no_lengths(tmp_path: Path, journal: Path) -> None:
    run = Run.load(run_file(tmp_path, 'openings = ["b1"]\nreference = "r.csv"\n', metric="winner"))
    run.execute(None, progress=False, engine=partial(StandIn, journal=journal))
    assert answers(run.reference) == ["opening,winner", "b1,white"]
    assert " 4x4 b1/c4 winner=white nodes=101" in run.log.read_text()


def test_a_run_of_several_boards_has_one_table(tmp_path: Path, journal: Path) -> None:
    file = tmp_path / "several.toml"
    file.write_text('size = ["2x1", "1x2"]\nmetric = "checkmate"\nopenings = "all"\nworkers = 1\nreference = "r.csv"\n')
    run = Run.load(file)
    table = run.execute(None, progress=False, engine=partial(StandIn, journal=journal))
    assert [(str(found.position.size), opening(found)) for found in table] == [("2x1", 0), ("2x1", 1), ("1x2", 0), ("1x2", 1)]
    assert "2 boards from 2x1 to 1x2, metric checkmate" in run.reference.read_text()
    rows = ["2x1,a1,black,6", "2x1,b1,black,6", "1x2,a1,black,6", "1x2,a2,black,6"]
    assert answers(run.reference) == ["size,opening,winner,length", *rows]
    assert [line.split()[1:3] for line in run.log.read_text().splitlines()] == [["2x1", "a1/b1"], ["1x2", "a1/a2"]]


def test_node_counts_owe_nothing_to_the_store(tmp_path: Path, store: Store, journal: Path) -> None:
    run = Run.load(run_file(tmp_path, 'openings = ["b1", "c4"]\nreference = "r.csv"\nnodes = true\n'))
    for size, cells in run.openings.items():
        store.put_many((Position.start(size).play(cell), "checkmate", Record(None, 4, None, 9, 9)) for cell in cells)
    for searches in (1, 2):
        run.execute(store, progress=False, engine=partial(StandIn, journal=journal))
        assert searched(journal)[1] == searches and not searched(journal)[14]
        assert answers(run.reference) == ["opening,winner,length,nodes", "b1,white,7,101", "c4,white,7,101"]
    assert {line.split()[2] for line in journal.read_text().splitlines()} == {"0"}  # nothing was known
    assert store.get(Position.start(SIZE).play(1), "checkmate").lower == 7


GOOD = {"size": '"4x4"', "metric": '"checkmate"', "openings": '"all"'}


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("size", None, "missing"),
        ("metric", None, "missing"),
        ("openings", None, "missing"),
        ("colour", '"red"', "unknown key"),
        ("size", '"9x9"', "81 cells"),
        ("size", "4", "quotes"),
        ("size", "[]", "no board"),
        ("size", '["4x4", 4]', "quotes"),
        ("metric", '"chess"', "checkmate"),
        ("metric", "3", "quotes"),
        ("openings", "[]", "all"),
        ("openings", '"most"', "all"),
        ("openings", '["a1", "e1"]', "e1"),
        ("openings", "[1]", "quotes"),
        ("workers", "0", "at least 1"),
        ("workers", "1.5", "whole number"),
        ("workers", "true", "whole number"),
        ("workers", '"2"', "without quotes"),
        ("workers", "1" + "0" * 99, "too large"),
        ("workers", f"0x{'f' * 6000}", "too large"),
        ("openings", f"[0x{'f' * 6000}]", "quotes"),
        ("seconds", "0", "above 0"),
        ("seconds", "nan", "above 0"),
        ("seconds", "[1]", "above 0"),
        ("split", "0", "above 0"),
        ("split", '"60"', "without quotes"),
        ("split", "60\nseconds = 3600", "does not go with"),
        ("split", "60\nnodes = true", "does not go with"),
        ("memory", "-5", "at least 1"),
        ("reference", "7", "quotes"),
        ("reference", '""', "quotes"),
        ("nodes", '"yes"', "without quotes"),
        ("nodes", "1", "true"),
    ],
)
def test_a_bad_run_file_names_the_key(tmp_path: Path, key: str, value: str | None, hint: str) -> None:
    keys = {name: text for name, text in (GOOD | {key: value}).items() if text is not None}
    file = tmp_path / "bad.toml"
    file.write_text("".join(f"{name} = {text}\n" for name, text in keys.items()))
    with pytest.raises(InputError) as caught:
        Run.load(file)
    message = str(caught.value)
    assert str(file) in message and repr(key) in message and hint in message and "\n" not in message


def test_what_is_no_run_file_is_refused(tmp_path: Path) -> None:
    for file, hint in ((tmp_path / "missing.toml", "No such file"), (tmp_path, "directory")):
        with pytest.raises(InputError, match=hint):
            Run.load(file)
    faults = {
        b"size = = 3": "no TOML", b"size": "no TOML", b"size = " + b"9" * 5000: "no TOML", b"\xff\xfe": "no text", b"size = " + b"[" * 60_000: "nested too deeply",
        b"#" * 100_000: "64 KiB",
    }
    for content, hint in faults.items():
        (tmp_path / "bad.toml").write_bytes(content)
        with pytest.raises(InputError, match=hint):
            Run.load(tmp_path / "bad.toml")


@pytest.mark.parametrize("reference", ["/", "..", "small.toml/table.csv", "/dev/null/table.csv", "a\\u0000b", "x" * 300])
def test_a_reference_that_cannot_be_written_is_refused_before_the_search(tmp_path: Path, journal: Path, reference: str) -> None:
    run = Run.load(run_file(tmp_path, f'openings = "all"\nreference = "{reference}"\n'))
    with pytest.raises(InputError, match="key 'reference'"):
        run.execute(None, progress=False, engine=partial(StandIn, journal=journal))
    assert not searched(journal)


def test_defaults_and_all_keys(tmp_path: Path) -> None:
    run = Run.load(run_file(tmp_path, 'openings = "all"'))
    assert run == Run(run.path, {SIZE: tuple(ALL)}, "checkmate", None, Limits(), None, None, nodes=False, bounds=None)
    rest = 'openings = ["C1", "a1"]\nworkers = 3\nseconds = 9\nmemory = 64\nreference = "x/y.csv"\nnodes = true\n'
    run = Run.load(run_file(tmp_path, rest, metric="winner"))
    reference = tmp_path / "x" / "y.csv"
    assert run == Run(run.path, {SIZE: (0, 2)}, "winner", 3, Limits(9.0, 64 << 20), None, reference, nodes=True, bounds=None)
    assert Run.load(run_file(tmp_path, 'openings = "all"\nsplit = 60\n')).split == 60.0


def test_without_a_terminal_each_class_is_a_line(
    journal: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    list(solve(journal, workers=1, progress=True))
    assert len(caplog.messages) == CLASSES
    assert "a1/d4 winner=black length=6 nodes=100 seconds=0.50" in caplog.messages
    assert capfd.readouterr().err == ""


def test_on_a_terminal_there_is_a_bar(
    journal: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    caplog.set_level(logging.INFO)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    list(solve(journal, openings=[0, 5], workers=1, progress=True, pause=0.8))
    assert "0/2 openings" in terminal.getvalue() and "a1/d4: 1.00k nodes" in terminal.getvalue()
    assert "1/2 openings" in terminal.getvalue() and "b2/c3: 1.00k nodes" in terminal.getvalue()
    assert not caplog.records


def execute(directory: str, endless: list[int]) -> None:
    """What the killed and interrupted processes below do."""
    engine = partial(StandIn, journal=Path(directory, "journal"), endless=frozenset(endless))
    with Store.open(Path(directory, "store")) as store:
        Run.load(Path(directory, "small.toml")).execute(store, engine=engine)


def start_run(directory: Path, endless: list[int]) -> AbstractContextManager[subprocess.Popen[str]]:
    run_file(directory)
    return started(
        [sys.executable, "-c", f"import test_run; test_run.execute({str(directory)!r}, {endless})"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)}, stderr=subprocess.PIPE, text=True,
    )


def logged(directory: Path) -> int:
    log = directory / "logs" / "small.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_ctrl_c_ends_a_run_at_once_and_loses_nothing(tmp_path: Path, journal: Path) -> None:
    with start_run(tmp_path, endless=[2, 3]) as process:
        assert eventually(lambda: logged(tmp_path) == CLASSES - 2 and {2, 3} <= set(searched(journal)))
        time.sleep(1)  # within half a second, what is proved of the opening in hand is in the store
        pressed = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        _, errors = process.communicate(timeout=20)
    assert time.monotonic() - pressed < 5
    assert errors.count("Traceback") == 1 and errors.rstrip().endswith("KeyboardInterrupt")
    assert not any(map(alive, processes(journal)))
    with Store.open(tmp_path / "store") as store:
        known = [store.get(Position.start(SIZE).play(cell), "checkmate") for cell in ALL]
        assert [cell for cell in ALL if known[cell] == BOUND] == [2, 3, 12, 13]
        assert all(record and (record == BOUND or record.winner is not None) for record in known)
        again = list(solve(journal, store=store))
    assert all(found.solved for found in again)
    assert {tuple(line.split()[::2]) for line in journal.read_text().splitlines()[-2:]} == {("2", "4"), ("3", "4")}


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, journal: Path) -> None:
    """Each time it gets a little further, to an opening that does not end, and is killed there."""
    order, finished = list(job_list(SIZE, ALL)), Counter[int]()
    for solved in (1, 3, 6, CLASSES):
        with start_run(tmp_path, endless=order[solved:]) as process:
            if solved < CLASSES:
                assert eventually(lambda: logged(tmp_path) == solved and searched(journal)[order[solved]])
                assert not (tmp_path / "reference" / "small.csv").exists()
                process.kill()
            process.communicate(timeout=30)
            assert eventually(lambda: not any(map(alive, processes(journal))))
        assert all(searched(journal)[cell] == times for cell, times in finished.items())
        finished = Counter({cell: searched(journal)[cell] for cell in order[:solved]})
    assert process.returncode == 0 and logged(tmp_path) == CLASSES
    assert len((tmp_path / "reference" / "small.csv").read_text().splitlines()) == 3 + 16


def answers(reference: Path) -> list[str]:
    return [line for line in reference.read_text().splitlines() if not line.startswith("#")]
