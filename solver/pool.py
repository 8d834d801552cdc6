"""Jobs done by worker processes, each with an engine of its own; the death of one harms nothing but its own job.

Every worker process is an executor of its own: when a process is killed, its executor alone breaks, so that it is known
which job it was, and the others search on. A worker lives as long as this process holds the other end of its lifeline, a
pipe: closing it ends the worker at once, and so does the death of this process, in whatever way.

Only this process writes the store. The workers read it, and what their engines have to write comes here through another pipe,
a batch every few seconds: a search that is cut off goes on from there the next time.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import c_uint64
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from solver.interrupt import interrupt_held_back
from solver.job import EngineMaker, Job, Jobs, Row, Tick
from solver.options import Limits
from solver.store import Store
from solver.worker import Status

_SPAWN = get_context("spawn")
_PERIOD = 0.5  # seconds between two ticks
_MOST_DEATHS = 2  # of a job's workers, before it is given up


def solve_in_processes(
    jobs: Jobs, *, store: Store | None, workers: int, limits: Limits, engine: EngineMaker, tick: Tick
) -> Generator[tuple[Job, Any], None, None]:
    """The jobs, all of one board size, with the answers of engines to them, in the order in which they come.

    `jobs` is asked for more after each answer that was taken from here. A job whose worker was killed is tried once more, in a new
    one; then it is given up and its answer is None. An exception of the engine is raised here. However the iteration ends, all workers
    end with it.
    """
    deaths: Counter[Job] = Counter()
    directory = None if store is None else store.directory
    lanes = list[_Lane]()
    idle = list[_Lane]()
    busy: dict[Future[Any], tuple[_Lane, Job]] = {}
    try:
        while True:
            while (idle or len(lanes) < workers) and (job := jobs.take()) is not None:
                if not idle:
                    idle.append(_Lane(directory, limits, engine))
                    lanes += idle
                lane = idle.pop()
                busy[lane.start(job)] = lane, job
            if not busy:
                return
            with interrupt_held_back():
                done, _ = wait(busy, _PERIOD, FIRST_COMPLETED)
            if store is not None:
                store.put_many(record for lane in lanes for record in lane.received())
            tick([job for _, job in busy.values()], sum(lane.nodes for lane in lanes))
            for answer in done:
                lane, job = busy.pop(answer)
                idle.append(lane)
                try:
                    yield job, answer.result()
                except BrokenProcessPool:
                    deaths[job] += 1
                    if deaths[job] < _MOST_DEATHS:
                        jobs.put_back(job)
                    else:
                        yield job, None
    finally:
        with interrupt_held_back():
            for lane in lanes:
                lane.let_go()
            for lane in lanes:
                lane.close()


class _Lane:
    """One worker process at a time."""

    def __init__(self, directory: Path | None, limits: Limits, engine: EngineMaker) -> None:
        self._tools = directory, limits, engine
        self._nodes = _SPAWN.RawValue(c_uint64, 0)  # no lock: a worker could be killed while it holds it
        self._new_executor()

    @property
    def nodes(self) -> int:
        """Nodes searched by the workers of this lane so far."""
        return self._nodes.value

    def start(self, job: Job) -> Future[Any]:
        """Set the idle worker to work, or a new one if it is dead."""
        with _interrupt_blocked():
            try:
                return self._submit(job)
            except BrokenProcessPool:
                self.close()
                self._new_executor()
                return self._submit(job)

    def received(self) -> Iterator[Row]:
        """What the worker has to write since the last time."""
        try:
            while self._inlet.poll():
                yield from self._inlet.recv()
        except (EOFError, OSError):  # it is dead, perhaps since the middle of a message
            return

    def let_go(self) -> None:
        """End the worker at once, whatever it does."""
        self._lifeline.close()

    def close(self) -> None:
        """End the worker and wait until it is gone."""
        self.let_go()
        self._executor.shutdown()
        self._inlet.close()
        self._close_far_ends()

    def _new_executor(self) -> None:
        self._lifeline_end, self._lifeline = _SPAWN.Pipe(duplex=False)
        self._inlet, self._outlet = _SPAWN.Pipe(duplex=False)
        arguments = (*self._tools, self._nodes, self._outlet, self._lifeline_end)
        self._executor = ProcessPoolExecutor(1, _SPAWN, initializer=_begin, initargs=arguments)

    def _submit(self, job: Job) -> Future[Any]:
        answer = self._executor.submit(_solve, job)  # the first one starts the process
        self._close_far_ends()
        return answer

    def _close_far_ends(self) -> None:
        """Leave the worker's ends of the pipes to the worker alone, so that its death closes them."""
        self._lifeline_end.close()
        self._outlet.close()


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Processes started here never see Ctrl-C, which a terminal sends to all; this process sees it a moment later."""
    with interrupt_held_back():  # it may come by way of threads that do not block it
        resource_tracker.ensure_running()  # which the first process needs, and whose start lets the signal in again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


# What follows runs in the worker process.

_worker: _Worker


class _RelayedStore(Store):
    """The store as a worker has it: read from its files, written by way of the process that owns it."""

    outlet: Connection

    def put_many(self, records: Iterable[Row]) -> None:
        self.outlet.send(list(records))


class _Worker:
    """The engine of a worker process, made for its first job."""

    def __init__(self, directory: Path | None, limits: Limits, engine: EngineMaker, nodes: c_uint64, outlet: Connection) -> None:
        self._directory, self._limits, self._make_engine = directory, limits, engine
        self._nodes, self._before = nodes, nodes.value  # searched by earlier workers of the lane
        self._outlet = outlet
        self._engine: Any = None

    def solve(self, job: Job) -> Any:
        if self._engine is None:
            self._engine = self._make_engine(job.position.size, store=self._store(), limits=self._limits)
        return job.solve(self._engine, self._report)

    def _store(self) -> Store | None:
        if self._directory is None:
            return None
        store = _RelayedStore.open(self._directory, readonly=True)
        store.outlet = self._outlet
        return store

    def _report(self, status: Status) -> None:
        self._nodes.value = self._before + status.nodes


def _begin(
    directory: Path | None, limits: Limits, engine: EngineMaker, nodes: c_uint64, outlet: Connection, lifeline: Connection
) -> None:
    global _worker
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _worker = _Worker(directory, limits, engine, nodes, outlet)


def _end_with(lifeline: Connection) -> None:
    lifeline.poll(None)  # nothing is ever sent: this returns when the other end is closed
    os._exit(1)


def _solve(job: Job) -> Any:
    return _worker.solve(job)
