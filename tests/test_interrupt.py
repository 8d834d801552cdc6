"""Ctrl-C at the worst moment: when the main thread has taken a lock and does not yet know it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from solver.interrupt import interrupt_held_back

ROOT = Path(__file__).parent.parent

# Does the work again and again, with Ctrl-C as its first, second, ... lock has been taken, until it has no more locks; says how many.
AT_LOCKS = """
import itertools, signal, sys, threading
from solver.engine import Engine
from solver.job import Batch, Job
from solver.options import Limits
from solver.pool import solve_in_processes
from solver.position import Position, Size
from solver.worker import Watch, Worker

LOCK = threading.Condition.__enter__.__code__
position = Position.start(Size(3, 3))

def thread():
    worker = Worker(Size(3, 3), 1 << 24)
    try:
        assert worker.winner(Watch(None, lambda _: None), 0, 0, 1).winner == 1
    finally:
        worker.close()

def process():
    job = Job(position, "checkmate")
    (_, solution), = solve_in_processes(
        Batch([job]), store=None, workers=1, limits=Limits(memory=1 << 24), engine=Engine, tick=lambda *_: None
    )
    assert solution.length == 1

def interrupted(work, lock):
    left = lock
    def taken(frame, event, _):
        nonlocal left
        if event == "return" and frame.f_code is LOCK:
            left -= 1
            if left == 0:
                signal.raise_signal(signal.SIGINT)
    sys.setprofile(taken)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    assert left > 0, "Ctrl-C was lost"
    return False

if __name__ == "__main__":
    print(next(lock for lock in itertools.count(1) if not interrupted(globals()[sys.argv[1]], lock)) - 1)
"""


@pytest.mark.parametrize("work", ["thread", "process"])
def test_ctrl_c_in_a_lock(work: str, tmp_path: Path) -> None:
    (script := tmp_path / "at_locks.py").write_text(AT_LOCKS)
    with subprocess.Popen([sys.executable, script, work], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0 and not errors and int(said) >= 3, (said, errors)


def test_held_back_it_comes_at_the_end_or_when_let_in() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interrupt_held_back():
        signal.raise_signal(signal.SIGINT)
        done.append("inside")
    with interrupt_held_back() as let_in:
        let_in()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            let_in()
        done.append("let in")
    with pytest.raises(KeyboardInterrupt), interrupt_held_back():
        with interrupt_held_back():
            signal.raise_signal(signal.SIGINT)
        done.append("after the inner one")
    assert done == ["inside", "let in", "after the inner one"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
