"""Runs on a Dask cluster: the same results as on this machine, whatever becomes of the workers.

A stand-in for the engine keeps a journal of its searches and, on demand, dies with its worker or searches until it is told to stop.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from processes import started
from test_division import Reluctant

import solver.cluster
from solver.openings import opening, solve_openings
from solver.options import Limits
from solver.position import Color, InputError, Position, Size
from solver.solution import Solution
from solver.store import Record, Store
from solver.worker import LimitReached, Status

pytest.importorskip("distributed", reason="runs on a cluster need Dask: pip install distributed")

ROOT = Path(__file__).parent.parent
SIZE = Size(4, 4)
BOUND = Record(None, 5, None, 1000, 100)
DASK = [sys.executable, "-m", "dask"]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(Path(__file__).parent), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", "no_proxy": "127.0.0.1",
}  # fmt: skip


class StandIn:
    """An engine to which each opening is won by the colour of its cell's parity, in 6 or 7 plies."""

    def __init__(
        self, size: Size, *, store: Any, limits: Limits, journal: Path, deadly: dict[int, int], endless: frozenset[int], cold: bool
    ) -> None:
        """`deadly`: how often an opening kills its worker, after it has reported a bound; `endless`: those that go on and on."""
        self.store, self.journal, self.deadly, self.endless = store, journal, deadly, endless

    def close(self) -> None:
        self.note("closed")

    def note(self, *words: object) -> None:
        with self.journal.open("a") as journal:
            journal.write(" ".join(map(str, words)) + "\n")

    def solve(self, position: Position, metric: str, progress: Any) -> Solution:
        cell = position.black.bit_length() - 1
        known = self.store.get(position, metric)
        self.note("began", cell, known.lower if known else 0)
        deaths = self.deadly.get(cell, 0)
        if deaths or cell in self.endless:
            self.store.put_many([(position, metric, BOUND)])
            end = time.monotonic() + (60 if cell in self.endless else 0.3)
            try:
                while time.monotonic() < end:
                    progress(Status(500, None))
                    time.sleep(0.05)
            except LimitReached:
                self.note("stopped", cell)
                return Solution(position, metric, None, 0, 15, "search")
            if count(self.journal, f"began {cell} ") <= deaths:
                time.sleep(0.3)  # until the report has left
                os.kill(os.getpid(), signal.SIGKILL)
        progress(Status(600, None))
        return Solution(position, metric, Color(cell % 2), 6 + cell % 2, 6 + cell % 2, "search", 100 + cell, 0.5)


def count(journal: Path, words: str) -> int:
    return journal.read_text().count(words) if journal.exists() else 0


def eventually(condition: Any, seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(condition())


def address_of(scheduler: subprocess.Popen[str]) -> str:
    assert scheduler.stderr
    return next(filter(None, (re.search(r"Scheduler at: +(tcp://\S+)", line) for line in scheduler.stderr)))[1]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers; nannies start another where one dies. Workers report all the time."""
    directory = tmp_path_factory.mktemp("dask")
    preload = directory / "often.py"
    preload.write_text("import solver.cluster\nsolver.cluster._REPORT = 0.1\n")
    options = {"cwd": directory, "env": ENVIRONMENT, "text": True}
    with ExitStack() as running:
        scheduler = running.enter_context(
            started([*DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"], stderr=subprocess.PIPE, **options)
        )
        address = address_of(scheduler)
        workers = ["worker", address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--memory-limit", "0"]
        running.enter_context(
            started([*DASK, *workers, "--preload", preload, "--local-directory", directory], stderr=subprocess.DEVNULL, **options)
        )
        yield address


def solved(
    cluster: str, journal: Path, *, store: Store | None = None, openings: Any = range(16), deadly: dict[int, int] | None = None,
    endless: frozenset[int] = frozenset(),
) -> Iterator[Solution]:  # fmt: skip
    engine = partial(StandIn, journal=journal, deadly=deadly or {}, endless=endless)
    return solve_openings(SIZE, "checkmate", openings, store=store, workers=None, scheduler=cluster, progress=False, engine=engine)


def test_a_run_is_the_same_as_on_this_machine(cluster: str, tmp_path: Path) -> None:
    for directory, more in ((tmp_path / "here", []), (tmp_path / "there", ["--scheduler", cluster])):
        directory.mkdir()
        file = directory / "small.toml"
        keys = 'size = ["4x4", "3x5"]\nmetric = "checkmate"\nopenings = "all"\nmemory = 16\nreference = "table.csv"\nnodes = true\n'
        file.write_text(keys)
        command = [sys.executable, "-m", "solver", "run", file, "--store", directory / "store", *more]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    tables = [(tmp_path / place / "table.csv").read_text() for place in ("here", "there")]
    assert tables[0] == tables[1] and tables[0].count("\n") > 30
    with Store.open(tmp_path / "there" / "store") as store:
        assert all(store.get(Position.start(SIZE).play(cell), "checkmate") for cell in range(16))


def test_divided_openings_have_the_same_values(cluster: str) -> None:
    cells = [1]
    here = list(solve_openings(SIZE, "connection", cells, store=None, workers=1, progress=False))
    there = list(
        solve_openings(
            SIZE, "connection", cells, store=None, workers=None, scheduler=cluster, split=60, progress=False, engine=partial(Reluctant, stones=2)
        )
    )
    values = [{(opening(each), each.winner, each.length) for each in found} for found in (here, there)]
    assert values[0] == values[1] and len(values[0]) == len(cells)


def test_the_job_of_a_killed_worker_is_done_again_and_goes_on_from_its_bound(cluster: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with Store.open(tmp_path / "store") as store:
        found = {opening(each): each for each in solved(cluster, journal, store=store, deadly={2: 1})}
        assert set(found) == set(range(16)) and all(each.solved for each in found.values())
        assert store.get(Position.start(SIZE).play(2), "checkmate")[:3] == (Color.BLACK, 6, 6)
    began = [line for line in journal.read_text().splitlines() if line.startswith("began")]
    assert [line for line in began if line.startswith("began 2 ")] == ["began 2 0", "began 2 5"]
    assert sorted(set(began)) == sorted([*(f"began {cell} 0" for cell in range(8)), "began 2 5"])
    assert eventually(lambda: count(journal, "closed"))


def test_a_job_that_kills_its_workers_is_given_up(cluster: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = {opening(each): each for each in solved(cluster, tmp_path / "journal", openings=[0, 1, 14], deadly={1: 9})}
    assert {cell for cell in found if not found[cell].solved} == {1, 14} and found[0].solved
    assert ["b1/c4 is given up" in message for message in caplog.messages if "given up" in message] == [True]


def test_what_was_found_is_kept_and_searches_end_when_nobody_waits(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal"
    position = Position.start(SIZE).play(3)
    with Store.open(tmp_path / "store") as store:
        found = solved(cluster, journal, store=store, openings=[3, 5], endless=frozenset([3]))
        assert opening(next(found)) == 5
        with pytest.raises(Enough):
            monkeypatch.setattr(solver.openings.Display, "tick", stop_when(lambda: store.get(position, "checkmate") is not None))
            next(found)
        assert store.get(position, "checkmate")[:3] == BOUND[:3]
    assert eventually(lambda: count(journal, "stopped 3"))


class Enough(Exception):
    """The test has seen enough."""


def stop_when(condition: Callable[[], bool]) -> Callable[..., None]:
    """A progress display that ends the run when a condition holds."""

    def tick(*_: object) -> None:
        if condition():
            raise Enough

    return tick


def test_no_scheduler_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver.cluster, "_PATIENCE", 0.3)
    for address in ("tcp://127.0.0.1:1", "here", "carrier-pigeon://coop"):
        with pytest.raises(InputError, match="dask scheduler"):
            list(solved(address, tmp_path / "journal"))
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="pip install"):
        list(solved("tcp://127.0.0.1:1", tmp_path / "journal"))


def test_a_scheduler_that_is_lost_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [*DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with started(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as scheduler:
        monkeypatch.setattr(solver.openings.Display, "tick", lambda *_: scheduler.kill())
        with pytest.raises(InputError, match="is lost"):
            list(solved(address_of(scheduler), tmp_path / "journal"))
