"""Limits are kept, and what they leave unknown is told with bounds that hold. Times are generous: the machine may have other work."""

import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from processes import started

from solver.cli import main
from solver.engine import Engine
from solver.notation import parse_moves, position_after
from solver.options import Limits
from solver.position import Position, Size

ROOT = Path(__file__).parent.parent
START = Position.start(Size(8, 8))
SECONDS, DELAY = 0.5, 0.8  # a limit, and what a busy machine may add


def question(engine: Engine) -> None:
    """All that `hexbook query` asks of a position that is set up."""
    with engine.together():
        engine.solve(START)
        engine.moves(START)
        engine.line(START)
        engine.pattern(START)
        engine.solve(START.passed())


@pytest.mark.parametrize(
    "ask",
    [
        lambda engine: engine.solve(START),
        lambda engine: engine.solve(START, "winner"),
        lambda engine: engine.moves(START, "connection"),
        lambda engine: engine.optimal_moves(START),
        lambda engine: engine.line(START),
        lambda engine: engine.pattern(START),
        question,
    ],
    ids=["solve", "winner", "moves", "optimal moves", "line", "pattern", "together"],
)
def test_time(ask: Callable[[Engine], object]) -> None:
    with Engine(Size(8, 8), limits=Limits(SECONDS, 16 << 20), lines=True) as engine:
        start = time.monotonic()
        ask(engine)
        assert SECONDS <= time.monotonic() - start < SECONDS + DELAY


def test_time_of_commands() -> None:
    for arguments in ("solve 8 a2", "query 8 a2"):
        output, start = io.StringIO(), time.monotonic()
        with redirect_stdout(output), redirect_stderr(io.StringIO()):
            assert main([*arguments.split(), "--seconds", str(SECONDS), "--store", "none", "--book", "none", "--json"]) == 3
        assert SECONDS <= time.monotonic() - start < SECONDS + DELAY
        answer = json.loads(output.getvalue())
        assert 0 <= answer["lower"] < answer["upper"] <= 63 and "length" not in answer


@pytest.mark.parametrize(("moves", "length"), [("c1", 17), ("d3", 14), ("a2", 19)])
def test_bounds_hold_whenever_the_search_is_stopped(moves: str, length: int) -> None:
    size = Size(6, 6)
    position, lower = position_after(size, parse_moves(size, moves)), 0
    for seconds in (0.001, 0.01, 0.03, 0.1, 0.3):
        with Engine(size, limits=Limits(seconds, 16 << 20)) as engine:
            found = engine.solve(position)
        assert found.lower <= length and (found.upper is None or found.upper >= length)
        assert found.length in (None, length) and found.solved == (found.lower == found.upper)
        assert found.winner is None or found.winner == length % 2
        lower = max(lower, found.lower)
    assert lower > 0


def peak(memory: int) -> float:
    """The MiB that a process takes at most which searches with so many for its tables."""
    command = [sys.executable, "-m", "solver", "solve", "6", "f3", "--seconds", "2", "--store", "none", "--memory", str(memory)]
    with started(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 3)
    return usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)


def test_memory() -> None:
    assert peak(24) < peak(1) + 1.1 * 24


def test_without_a_terminal_a_run_logs_plainly(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text('size = "4x4"\nmetric = "checkmate"\nopenings = "all"\nworkers = 2\n')
    with (tmp_path / "log").open("w") as log:
        command = [sys.executable, "-m", "solver", "run", str(tmp_path / "some.toml"), "--store", "none"]
        with started(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log) as process:
            assert process.wait(60) == 0
    lines = (tmp_path / "log").read_text().splitlines()
    assert len(lines) == 8 and all(re.fullmatch(r"\w\d/\w\d winner=\w+ length=\d+ nodes=\d+ seconds=\d\.\d\d", line) for line in lines)
