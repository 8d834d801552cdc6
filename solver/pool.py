"""Positions solved by worker processes, each with an engine of its own; the death of one harms nothing but its own job.

Every worker process is an executor of its own: when a process is killed, its executor alone breaks, so that it is known
which job it was, and the others search on. A worker lives as long as this process holds the other end of its lifeline, a
pipe: closing it ends the worker at once, and so does the death of this process, in whatever way. Nothing is lost by that:
workers own no files.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import c_uint64
from multiprocessing import get_context
from multiprocessing.connection import Connection

from solver.engine import Engine
from solver.options import Limits
from solver.position import Position
from solver.solution import Solution
from solver.worker import Status

Tick = Callable[[list[Position], int], None]
"""Called about twice a second with the positions in hand and the nodes that all workers have searched so far."""

EngineMaker = Callable[..., Engine]
"""Engine itself, or what stands for it: called with the size and `limits`."""

_SPAWN = get_context("spawn")
_PERIOD = 0.5  # seconds between two ticks
_MOST_DEATHS = 2  # of a job's workers, before it is given up


def available_cpus() -> int:
    """The number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def solve_in_processes(
    positions: Iterable[Position], metric: str, *, workers: int, limits: Limits, engine: EngineMaker, tick: Tick
) -> Generator[tuple[Position, Solution | None], None, None]:
    """The positions, all of one board size, with their solutions, in the order in which they come.

    A position whose worker was killed is tried once more, in a new one; then it is given up and its solution is None.
    An exception of the engine is raised here. However the iteration ends, all workers end with it.
    """
    waiting = deque(positions)
    deaths: Counter[Position] = Counter()
    lanes = [_Lane(metric, limits, engine) for _ in range(min(workers, len(waiting)))]
    idle = list(lanes)
    busy: dict[Future[Solution], tuple[_Lane, Position]] = {}
    try:
        while waiting or busy:
            while waiting and idle:
                lane, position = idle.pop(), waiting.popleft()
                busy[lane.start(position)] = lane, position
            done, _ = wait(busy, _PERIOD, FIRST_COMPLETED)
            tick([position for _, position in busy.values()], sum(lane.nodes for lane in lanes))
            for answer in done:
                lane, position = busy.pop(answer)
                idle.append(lane)
                try:
                    yield position, answer.result()
                except BrokenProcessPool:
                    deaths[position] += 1
                    if deaths[position] < _MOST_DEATHS:
                        waiting.appendleft(position)
                    else:
                        yield position, None
    finally:
        for lane in lanes:
            lane.let_go()
        for lane in lanes:
            lane.close()


class _Lane:
    """One worker process at a time."""

    def __init__(self, metric: str, limits: Limits, engine: EngineMaker) -> None:
        self._job = metric, limits, engine
        self._nodes = _SPAWN.RawValue(c_uint64, 0)  # no lock: a worker could be killed while it holds it
        self._new_executor()

    @property
    def nodes(self) -> int:
        """Nodes searched by the workers of this lane so far."""
        return self._nodes.value

    def start(self, position: Position) -> Future[Solution]:
        """Set the idle worker to work, or a new one if it is dead."""
        with _interrupt_blocked():
            try:
                return self._executor.submit(_solve, position)
            except BrokenProcessPool:
                self.close()
                self._new_executor()
                return self._executor.submit(_solve, position)

    def let_go(self) -> None:
        """End the worker at once, whatever it does."""
        self._lifeline.close()

    def close(self) -> None:
        """End the worker and wait until it is gone."""
        self.let_go()
        self._executor.shutdown()
        self._far_end.close()

    def _new_executor(self) -> None:
        self._far_end, self._lifeline = _SPAWN.Pipe(duplex=False)
        arguments = (*self._job, self._nodes, self._far_end)
        self._executor = ProcessPoolExecutor(1, _SPAWN, initializer=_begin, initargs=arguments)


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Processes started here never see Ctrl-C, which a terminal sends to all; this process sees it a moment later."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What follows runs in the worker process.

_worker: _Worker


class _Worker:
    """The engine of a worker process, made for its first job."""

    def __init__(self, metric: str, limits: Limits, engine: EngineMaker, nodes: c_uint64) -> None:
        self._metric, self._limits, self._make_engine, self._nodes = metric, limits, engine, nodes
        self._engine: Engine | None = None
        self._before = nodes.value  # searched by earlier workers of the lane

    def solve(self, position: Position) -> Solution:
        if self._engine is None:
            self._engine = self._make_engine(position.size, limits=self._limits)
        return self._engine.solve(position, self._metric, self._report)

    def _report(self, status: Status) -> None:
        self._nodes.value = self._before + status.nodes


def _begin(metric: str, limits: Limits, engine: EngineMaker, nodes: c_uint64, lifeline: Connection) -> None:
    global _worker
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _worker = _Worker(metric, limits, engine, nodes)


def _end_with(lifeline: Connection) -> None:
    lifeline.poll(None)  # nothing is ever sent: this returns when the other end is closed
    os._exit(1)


def _solve(position: Position) -> Solution:
    return _worker.solve(position)
